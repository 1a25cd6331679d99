internal import Host
internal import Model
internal import Scenario

/// The open requests of all guests, which are decided but have not ended, and the delivered items.
final class Traffic {
  /// An open request, and the item that it has sent; nil if it has sent none.
  private struct OpenRequest {
    let decision: RequestDecision
    var item: Item?
  }

  /// An item that a guest has received.
  fileprivate struct Arrival {
    let receiver: Participant
    let sender: Participant?
    let item: Item
  }

  private var open: [Int: OpenRequest] = [:]
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
  }

  func sent(_ item: Item, by request: Int) { open[request]?.item = item }

  func ended(_ request: Int, _ end: RequestEnd) {
    guard let ended = open.removeValue(forKey: request), let item = ended.item,
      let receiver = ended.decision.receiver, [.delivered, .deliveredEncrypted].contains(end)
    else { return }
    if ended.decision.operation == .completeExtension { returned[request] = item.text }
    if arrivals.count == 2 * Self.limit { arrivals.removeFirst(Self.limit) }
    var readable = item
    // Encrypted content is not text to its receiver.
    if end == .deliveredEncrypted { readable.payload = .inline([0xFF]) }
    arrivals.append(
      Arrival(receiver: receiver, sender: ended.decision.sender, item: readable))
  }

  /// Returns the texts that extensions have returned since the last call, by request.
  func takeReturned() -> [Int: String] {
    defer { returned = [:] }
    return returned
  }

  /// Discards all open requests, because the device has shut down.
  func closeAll() { open = [:] }

  var isQuiet: Bool { open.isEmpty }

  /// The first open request, as a clause; nil if there is none.
  var text: String? {
    open.keys.min().flatMap { open[$0] }.map { request in
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

  /// Returns descriptions of the last three items that a guest has received and no step has waited for.
  func items(for guest: String) -> [String] {
    arrivals.filter { $0.receiver.isCalled(guest) }.suffix(3).map(\.words)
  }
}

extension Traffic.Arrival {
  fileprivate func fits(_ expected: Action.ExpectedItem) -> Bool {
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
struct OwnRequests {
  private var decisions: [(made: Made, count: Int)] = []

  /// The properties by which decisions are compared.
  fileprivate struct Made: Equatable {
    var decision: Action.ExpectedDecision
    /// The bundle ID of the app at the other end; nil if there is none.
    var bundle: String?
  }

  mutating func add(_ decision: RequestDecision, of requester: String) {
    let other = [decision.sender, decision.receiver].lazy.compactMap(\.self)
      .first { $0.guest != requester }
    let made = Made(
      decision: Action.ExpectedDecision(
        guest: requester.withoutInstance, operation: decision.operation,
        other: other.map { $0.guest.isEmpty ? $0.app : $0.guest.withoutInstance },
        outcome: decision.verdict.outcome, deciding: decision.verdict.deciding),
      bundle: other?.app)
    if let index = decisions.firstIndex(where: { $0.made == made }) {
      decisions[index].count += 1
    } else {
      decisions.append((made, 1))
    }
  }

  /// Consumes the first matching decision, so the next waiting step gets another. Returns whether there was
  /// one.
  mutating func consume(_ expected: Action.ExpectedDecision) -> Bool {
    guard let index = decisions.firstIndex(where: { $0.made.fits(expected) }) else { return false }
    decisions[index].count -= 1
    if decisions[index].count == 0 { decisions.remove(at: index) }
    return true
  }

  /// Consumes all decisions, each with the number of times it was made.
  mutating func takeAll() -> [(decision: Action.ExpectedDecision, count: Int)] {
    defer { decisions = [] }
    return decisions.map { ($0.made.decision, $0.count) }
  }

  /// Returns descriptions of the decisions on a guest's requests.
  func words(of guest: String) -> [String] {
    decisions.filter { $0.made.decision.guest == guest }.map(\.made.decision.words)
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
