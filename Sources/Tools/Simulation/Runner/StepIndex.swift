internal import Host
internal import Model
internal import Scenario

/// The steps that run concurrently on a device, indexed by the events that concern them.
///
/// A step is identified by its position among these steps. If an event concerns several, the first one
/// gets it, or they get it in this order.
struct StepIndex {
  /// The steps whose guests have not made their requests yet, by guest.
  private var awaiting: [String: NumberQueue] = [:]
  /// The first step whose request each guest has received. An extension returns its items to that step.
  private var received: [String: Int] = [:]
  /// The step to which each request belongs.
  private var owners: [Int: Int] = [:]
  /// The unfinished steps that wait for an item.
  private var items: [ItemKey: [Int]] = [:]
  /// The unfinished steps that wait for a decision, by requesting guest.
  private var decisions: [String: [Int]] = [:]
  /// The steps that wait for a line of output, by guest.
  private var outputs: [String: [Int]] = [:]
  /// The number of steps that lookups have returned or compared.
  private(set) var lookups = 0

  init() {}

  /// - Parameter actions: The actions of the steps, in order.
  init(_ actions: some Sequence<Action>) {
    for (step, action) in actions.enumerated() {
      guard case .wait(let wait) = action else { continue }
      switch wait {
      case .item(let item): items[ItemKey(item), default: []].append(step)
      case .decision(let decision): decisions[decision.guest, default: []].append(step)
      case .output(let output): outputs[output.guest, default: []].append(step)
      case .idle, .duration: continue
      }
    }
  }

  // MARK: Requests

  /// Registers that the guest makes its next request for a step.
  mutating func expectRequest(of guest: String, by step: Int) {
    awaiting[guest, default: NumberQueue()].insert(step)
  }

  /// Assigns a request to the step for which the requester made it. Returns nil if there is none.
  ///
  /// A guest's requests are answered in order, so its first step without a decision is the right one.
  mutating func assign(_ decision: RequestDecision, of requester: String) -> Int? {
    // The offer to other devices accompanies a copy, and the copy is the step's request.
    guard decision.operation != .universalClipboard else { return nil }
    lookups += 1
    let own = awaiting[requester]?.first
    let returned = decision.operation == .completeExtension ? received[requester] : nil
    guard let step = [own, returned].compactMap(\.self).min() else { return nil }
    if step == own {
      awaiting[requester]?.removeFirst()
      if let receiver = decision.receiver?.guest {
        received[receiver] = min(step, received[receiver] ?? step)
      }
    }
    owners[decision.request] = step
    return step
  }

  /// Returns the step to which a request belongs; nil if it belongs to none.
  mutating func owner(of request: Int) -> Int? {
    lookups += 1
    return owners[request]
  }

  // MARK: Waits

  /// Whether steps wait for an item or a decision.
  var hasWaits: Bool { !items.isEmpty || !decisions.isEmpty }

  /// The steps that wait for an item or a decision, in step order.
  var waits: [Int] { (items.values.flatMap(\.self) + decisions.values.flatMap(\.self)).sorted() }

  /// Returns the steps that may wait for the item, in step order.
  mutating func waits(for arrival: Traffic.Arrival) -> [Int] {
    guard !items.isEmpty else { return [] }
    return found(ItemKey.all(for: arrival).flatMap { items[$0] ?? [] }.sorted())
  }

  /// Returns the steps that may wait for a decision on a request of the guest, in step order.
  mutating func waits(forDecisionOf guest: String) -> [Int] { found(decisions[guest] ?? []) }

  /// Returns the steps that wait for output of the guest, in step order.
  mutating func waits(forOutputOf guest: String) -> [Int] { found(outputs[guest] ?? []) }

  private mutating func found(_ steps: [Int]) -> [Int] {
    lookups += steps.count
    return steps
  }

  /// Removes a step that has ended.
  mutating func remove(_ step: Int, waitingFor wait: Action.Wait) {
    switch wait {
    case .item(let item): Self.remove(step, from: &items, ItemKey(item))
    case .decision(let decision): Self.remove(step, from: &decisions, decision.guest)
    case .output(let output): Self.remove(step, from: &outputs, output.guest)
    case .idle, .duration: break
    }
  }

  private static func remove<Key>(_ step: Int, from index: inout [Key: [Int]], _ key: Key) {
    guard let place = index[key]?.firstIndex(of: step) else { return }
    index[key]?.remove(at: place)
    if index[key]?.isEmpty == true { index[key] = nil }
  }
}

// MARK: - Keys of items

/// The properties by which steps that wait for an item are found. Names are in lower case, because bundle
/// IDs ignore case.
private struct ItemKey: Hashable {
  var receiver: String
  /// The expected text; nil for any.
  var text: String?
  /// The expected sender; nil for any.
  var sender: String?

  init(_ item: Action.ExpectedItem) {
    self.init(receiver: item.guest.lowercased(), text: item.text, sender: item.sender?.lowercased())
  }

  private init(receiver: String, text: String?, sender: String?) {
    self.receiver = receiver
    self.text = text
    self.sender = sender
  }

  /// Returns the keys of all steps that may expect the item. Items of other types may have the same keys.
  static func all(for arrival: Traffic.Arrival) -> [ItemKey] {
    let senders = (arrival.sender?.names ?? []).map(Optional.some) + [nil]
    return arrival.receiver.names.flatMap { receiver in
      Set([arrival.item.text, nil]).flatMap { text in
        senders.map { ItemKey(receiver: receiver, text: text, sender: $0) }
      }
    }
  }
}

extension Participant {
  /// The names by which steps may call the participant, in lower case, without duplicates.
  fileprivate var names: Set<String> {
    Set([guest, InstanceName(guest)?.extension, app].compactMap { $0?.lowercased() })
  }
}

// MARK: - Queues

/// Numbers in ascending order. They are usually inserted in this order, and removed from the front.
struct NumberQueue {
  private var numbers: [Int] = []
  /// The index of the first number that has not been removed.
  private var start = 0

  var first: Int? { start < numbers.count ? numbers[start] : nil }

  mutating func insert(_ number: Int) {
    guard let last = numbers.last, start < numbers.count, last > number else {
      return numbers.append(number)
    }
    var range = start..<numbers.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range =
        numbers[middle] < number
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    numbers.insert(number, at: range.lowerBound)
  }

  /// Removes the first number, if any.
  mutating func removeFirst() {
    guard start < numbers.count else { return }
    start += 1
    // Removing from the front of an array moves the rest, so it is done rarely.
    guard start * 2 > numbers.count else { return }
    numbers.removeFirst(start)
    start = 0
  }
}
