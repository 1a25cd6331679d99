internal import Host
package import Model
package import Scenario

/// The open requests of all guests, which are decided but have not ended, and the delivered items.
package final class Traffic {
  /// An open request, and the item that it has sent; nil if it has sent none.
  private struct OpenRequest {
    let decision: RequestDecision
    var item: Item?
  }

  /// An item that a guest has received.
  struct Arrival {
    let receiver: Participant
    let sender: Participant?
    let item: Item
  }

  private var open: [Int: OpenRequest] = [:]
  /// The numbers of the open requests, in ascending order. Ended requests remain until no open request
  /// precedes them.
  private var order = NumberQueue()
  /// The items that no step has waited for, in order of arrival. Only the latest are kept, at least ``limit``
  /// of them.
  private var arrivals: [Arrival] = []

  private static let limit = 1_000

  /// The requests that apps made on their own initiative, and that no step has waited for.
  var ownRequests = OwnRequests()

  /// The texts that extensions have returned since the last ``takeReturned()``, by request.
  private var returned: [Int: String] = [:]

  func decided(_ decision: RequestDecision) {
    open[decision.request] = OpenRequest(decision: decision)
    order.insert(decision.request)
  }

  func sent(_ item: Item, by request: Int) { open[request]?.item = item }

  /// Records the end of a request. Returns the item that a guest has received through it; nil if none.
  @discardableResult
  func ended(_ request: Int, _ end: RequestEnd) -> Arrival? {
    let ended = open.removeValue(forKey: request)
    while let first = order.first, open[first] == nil { order.removeFirst() }
    guard let ended, let item = ended.item, let receiver = ended.decision.receiver,
      [.delivered, .deliveredEncrypted].contains(end)
    else { return nil }
    if ended.decision.operation == .completeExtension { returned[request] = item.text }
    if arrivals.count == 2 * Self.limit { arrivals.removeFirst(Self.limit) }
    var readable = item
    // Encrypted content is not text to its receiver.
    if end == .deliveredEncrypted { readable.payload = .inline([0xFF]) }
    let arrival = Arrival(receiver: receiver, sender: ended.decision.sender, item: readable)
    arrivals.append(arrival)
    return arrival
  }

  /// Returns the texts that extensions have returned since the last call, by request.
  package func takeReturned() -> [Int: String] {
    defer { returned = [:] }
    return returned
  }

  /// Discards all open requests, because the device has shut down.
  func closeAll() {
    open = [:]
    order = NumberQueue()
  }

  var isQuiet: Bool { open.isEmpty }

  /// The first open request, as a clause; nil if there is none.
  var text: String? {
    order.first.flatMap { open[$0] }.map { request in
      let who = request.decision.sender.map { " of `\($0.guest)`" } ?? ""
      return "the request `\(request.decision.operation.rawValue)`\(who) has not ended"
    }
  }

  // MARK: Items

  /// Consumes the first matching item, so the next waiting step gets another. Returns whether there was one.
  func consume(_ expected: Action.ExpectedItem) -> Bool {
    guard let index = arrivals.firstIndex(where: { $0.fits(expected) }) else { return false }
    arrivals.remove(at: index)
    return true
  }

  /// Consumes the latest item if it matches. Returns whether it does.
  func consumeLatest(_ expected: Action.ExpectedItem) -> Bool {
    guard arrivals.last?.fits(expected) == true else { return false }
    arrivals.removeLast()
    return true
  }

  /// Returns descriptions of the last three items that a guest has received and no step has waited for.
  func items(for guest: String) -> [String] {
    arrivals.filter { $0.receiver.isCalled(guest) }.suffix(3).map(\.words)
  }
}

extension Traffic.Arrival {
  func fits(_ expected: Action.ExpectedItem) -> Bool {
    receiver.isCalled(expected.guest)
      && expected.text.map { $0 == item.text } ?? true
      && expected.type.map { $0.lowercased() == item.type.lowercased() } ?? true
      && expected.sender.map { sender?.isCalled($0) ?? false } ?? true
  }

  fileprivate var words: String {
    Action.ExpectedItem(
      guest: receiver.guest, text: item.text, type: item.type, sender: sender?.guest
    ).words
  }
}

extension Participant {
  /// Returns whether the participant is the guest `name`, an instance of the extension `name`, or runs the
  /// bundle `name`.
  fileprivate func isCalled(_ name: String) -> Bool {
    guest == name || InstanceName(guest)?.extension == name || app.lowercased() == name.lowercased()
  }
}

// MARK: Requests of apps with their own programs

/// Decisions on requests that apps with their own programs made on their own initiative, not for a step.
/// Equal decisions are counted.
package struct OwnRequests {
  private var byGuest: [String: Decisions] = [:]
  /// The number of decisions that differed from all others when they were added.
  private var added = 0

  /// The decisions on one guest's requests, in the order in which they were made.
  fileprivate struct Decisions {
    var all: [Counted] = []
    /// The index of each decision in ``all``.
    var places: [Made: Int] = [:]
  }

  fileprivate struct Counted {
    let made: Made
    var count = 1
    /// The place in the order of all guests' decisions.
    let number: Int
  }

  package init() {}

  /// The properties by which decisions are compared.
  fileprivate struct Made: Hashable {
    var decision: Action.ExpectedDecision
    /// The bundle ID of the app at the other end; nil if there is none.
    var bundle: String?
  }

  package mutating func add(_ decision: RequestDecision, of requester: String) {
    let other = [decision.sender, decision.receiver].lazy.compactMap(\.self)
      .first { $0.guest != requester }
    let made = Made(
      decision: Action.ExpectedDecision(
        guest: requester.withoutInstance, operation: decision.operation,
        other: other.map { $0.guest.isEmpty ? $0.app : $0.guest.withoutInstance },
        outcome: decision.verdict.outcome, deciding: decision.verdict.deciding),
      bundle: other?.app)
    let guest = made.decision.guest
    if let place = byGuest[guest]?.places[made] {
      byGuest[guest]?.all[place].count += 1
    } else {
      byGuest[guest, default: Decisions()].add(Counted(made: made, number: added))
      added += 1
    }
  }

  /// Consumes the first matching decision, so the next waiting step gets another. Returns whether there was
  /// one.
  package mutating func consume(_ expected: Action.ExpectedDecision) -> Bool {
    let guest = expected.guest
    guard let place = byGuest[guest]?.all.firstIndex(where: { $0.made.fits(expected) }) else {
      return false
    }
    byGuest[guest]?.removeOne(at: place)
    return true
  }

  /// Consumes all decisions, each with the number of times it was made.
  package mutating func takeAll() -> [(decision: Action.ExpectedDecision, count: Int)] {
    defer { byGuest = [:] }
    return byGuest.values.flatMap(\.all).sorted { $0.number < $1.number }.map {
      ($0.made.decision, $0.count)
    }
  }

  /// Returns descriptions of the decisions on a guest's requests.
  package func words(of guest: String) -> [String] {
    byGuest[guest]?.all.map(\.made.decision.words) ?? []
  }
}

extension OwnRequests.Decisions {
  fileprivate mutating func add(_ new: OwnRequests.Counted) {
    places[new.made] = all.count
    all.append(new)
  }

  fileprivate mutating func removeOne(at place: Int) {
    all[place].count -= 1
    guard all[place].count == 0 else { return }
    places[all.remove(at: place).made] = nil
    for index in place..<all.count { places[all[index].made] = index }
  }
}

extension OwnRequests.Made {
  fileprivate func fits(_ expected: Action.ExpectedDecision) -> Bool {
    decision.guest == expected.guest
      && expected.operation.map { $0 == decision.operation } ?? true
      && expected.outcome.map { $0 == decision.outcome } ?? true
      && expected.deciding.map { $0 == decision.deciding } ?? true
      && expected.other.map { $0 == decision.other || $0.lowercased() == bundle?.lowercased() }
        ?? true
  }
}

extension String {
  /// The name of the guest. For an instance of an extension, the name of the extension.
  fileprivate var withoutInstance: String { InstanceName(self)?.extension ?? self }
}
