internal import Foundation
internal import Host
internal import Model
internal import Scenario

/// Observes a case's device while steps run. Each step gets the events that belong to it; other events are recorded as
/// traffic and output.
final class CaseWatch {
  /// The open requests, and the items that no step has waited for.
  let traffic = CaseTraffic()
  private var written = CaseOutput()
  private var unread = UnreadOutput()
  private var steps: [StepRun] = []
  private var index = StepIndex()
  /// The positions of the steps in ``steps``.
  private var positions: [ObjectIdentifier: Int] = [:]
  /// Whether the waiting steps have searched the existing items and decisions. Afterwards, they examine only new ones.
  private var hasSearched = false
  /// The number of times that an event was compared with a step that is no longer observed.
  private var formerLookups = 0
  private var arrivals = Arrivals()
  /// The unexpected ends of guests since the last call of ``takeUnexpectedEnds()``.
  private var unexpectedEnds: [UnexpectedEnd] = []
  /// For each guest, the number of faults that had affected it when it last ended. If the number has grown at its next
  /// end, a fault caused that end.
  private var fatalHits: [String: Int] = [:]
  /// Called with each decision on a request that an app's own program makes on its own initiative, and with
  /// the app's name.
  var onOwnRequest: (RequestDecision, String) -> Void = { _, _ in }

  /// The output of the guests, ordered by name.
  var output: [GuestOutput] { written.all }

  /// The number of times that an event has been compared with a step.
  var lookups: Int { formerLookups + index.lookups }

  private var ownRequests: [String: Int] = [:]

  /// Returns the number of requests that each guest with its own program has made since the last call.
  func takeOwnRequests() -> [String: Int] {
    defer { ownRequests = [:] }
    return ownRequests
  }

  /// Begins to assign events to `steps`, which run concurrently. Earlier steps get no more events.
  func begin(_ steps: [StepRun]) {
    arrivals.beginStep()
    observe(for: steps)
  }

  func end() { observe(for: []) }

  private func observe(for steps: [StepRun]) {
    formerLookups = lookups
    self.steps = steps
    index = StepIndex(steps.lazy.map(\.step.action))
    positions = Dictionary(
      uniqueKeysWithValues: steps.enumerated().map { (ObjectIdentifier($1), $0) })
    hasSearched = false
  }

  /// Registers that the step's guest makes its next request for this step.
  func expectRequest(of guest: String, for step: StepRun) {
    guard let position = positions[ObjectIdentifier(step)] else { return }
    index.expectRequest(of: guest, by: position)
  }

  /// Observes the device until it is closed. Open requests of the previous device are discarded.
  func observe(_ device: Device) {
    traffic.closeAll()
    device.observer = DeviceObserver(
      onDecision: { [unowned self, unowned device] requester, decision in
        traffic.decided(decision)
        let arrival = arrivals.place(for: decision, on: device)
        if let step = index.assign(decision, of: requester) {
          steps[step].decided(decision, arrival: arrival)
        } else if decision.operation != .universalClipboard, device.guests.hasOwnProgram(requester)
        {
          noteOwn(decision, of: requester)
        }
      },
      onEnd: { [unowned self] request, end, status in
        let arrival = traffic.ended(request, end)
        if let step = index.owner(of: request) { steps[step].ended(request, end, status) }
        didReceive(arrival)
      },
      onItem: { [unowned self] request, item in traffic.sent(item, by: request) },
      onOutput: { [unowned self] guest, writing in
        written.append(writing, of: guest)
        unread.append(writing, of: guest)
        record(writing, of: guest)
      },
      onExit: { [unowned self, unowned device] guest, cause in
        ended(guest, cause, on: device)
      })
  }

  private func record(_ writing: GuestWriting, of guest: String) {
    let name = InstanceName.installedName(of: guest)
    for position in index.waits(forOutputOf: name) {
      steps[position].wrote(writing.text, name)
      forgetIfDone(position)
    }
  }

  private func ended(_ guest: String, _ cause: ExitCause, on device: Device) {
    // A fault may end the guest, but only once.
    let hits = device.faults.hits(on: guest)
    defer { fatalHits[guest] = hits }
    guard cause.isUnexpected, device.guests.hasOwnProgram(guest), hits == fatalHits[guest] ?? 0,
      !device.guests.isDescribed(cause, of: guest)
    else { return }
    // The outcome of its request already describes how an extension ended. A later protocol violation affects
    // only the extension.
    if InstanceName(guest) != nil, case .protocolViolation = cause { return }
    unexpectedEnds.append(UnexpectedEnd(guest: guest, cause: cause))
  }

  /// Returns the unexpected ends since the last call.
  func takeUnexpectedEnds() -> [UnexpectedEnd] {
    defer { unexpectedEnds = [] }
    return unexpectedEnds
  }

  func forgetEnds(of guests: [String]) {
    guard !unexpectedEnds.isEmpty else { return }
    let guests = Set(guests)
    unexpectedEnds.removeAll { guests.contains($0.guest) }
  }

  /// Returns the guest's output since the previous call for the same guest.
  func takeOutput(of guest: String) -> String { unread.take(of: guest) }

  /// Returns the guest's output since the last call of ``takeOutput(of:)`` for the same guest.
  func unreadOutput(of guest: String) -> String { unread.text(of: guest) }

  private func noteOwn(_ decision: RequestDecision, of requester: String) {
    traffic.ownRequests.add(decision, of: requester)
    ownRequests[requester, default: 0] += 1
    onOwnRequest(decision, requester)
    guard !searchAll() else { return }
    offer(to: index.waits(forDecisionOf: InstanceName.installedName(of: requester))) {
      $0.lookForWhatCame()
    }
  }

  // MARK: Waiting steps

  /// Lets waiting steps examine the item that a request has delivered to a guest; nil if the request delivered none.
  private func didReceive(_ arrival: CaseTraffic.Arrival?) {
    guard !searchAll(), let arrival else { return }
    offer(to: index.waits(for: arrival)) { $0.lookAtLatestItem() }
  }

  /// Makes the waiting steps search all items and decisions, if they have not done so yet.
  ///
  /// - Returns: True if no step must examine the newest item or decision separately: the search has included it, or no
  ///   step waits.
  private func searchAll() -> Bool {
    guard index.hasWaits else { return true }
    guard !hasSearched else { return false }
    hasSearched = true
    for position in index.waits {
      steps[position].lookForWhatCame()
      forgetIfDone(position)
    }
    return true
  }

  /// Lets steps examine a new item or decision with `look`, in order. Stops at the first step that accepts it and
  /// thereby ends.
  private func offer(to positions: [Int], _ look: (StepRun) -> Void) {
    for position in positions {
      let wasDone = steps[position].isDone
      if !wasDone { look(steps[position]) }
      forgetIfDone(position)
      if !wasDone, steps[position].isDone { return }
    }
  }

  private func forgetIfDone(_ position: Int) {
    guard steps[position].isDone, case .wait(let wait) = steps[position].step.action else { return }
    index.remove(position, waitingFor: wait)
  }
}

// MARK: - Ends of guests

/// An unexpected end of a guest with its own program.
struct UnexpectedEnd {
  let guest: String
  let cause: ExitCause

  var text: String { "`\(guest)` ended unexpectedly: \(cause.text)" }
}

struct ExpectedEnds {
  private let world: CaseWorld
  private var guests: Set<String> = []
  private var bundles: Set<String> = []
  /// Whether a step expects the end of its receiver, and the receiver is unknown. In this case, the end of any guest is
  /// expected.
  private var isAnyReceiver = false

  init(of steps: [StepRun], in world: CaseWorld) {
    self.world = world
    var receivers: Set<String> = []
    for step in steps {
      if let guest = step.endingGuest { guests.insert(guest) }
      guard step.expectsFailure else { continue }
      if let receiver = step.receiver { receivers.insert(receiver) } else { isAnyReceiver = true }
    }
    bundles = Set(receivers.map(world.bundleID))
  }

  func contains(_ end: UnexpectedEnd) -> Bool {
    let name = InstanceName.installedName(of: end.guest)
    return guests.contains(name) || isAnyReceiver || bundles.contains(world.bundleID(of: name))
  }
}

// MARK: - Output

/// The output of guests in a case, by the name of the app or extension.
private struct CaseOutput {
  private var byGuest: [String: GuestOutput] = [:]

  var all: [GuestOutput] { byGuest.sorted { $0.key < $1.key }.map(\.value) }

  mutating func append(_ writing: GuestWriting, of guest: String) {
    let name = InstanceName.installedName(of: guest)
    byGuest[name, default: GuestOutput(guest: name)].append(writing)
  }
}

extension GuestOutput {
  fileprivate mutating func append(_ writing: GuestWriting) {
    switch writing {
    case .log(let text): append(lines: text)
    case .stream(let text): append(text)
    }
  }
}

/// The part of each guest's output that no step has read.
private struct UnreadOutput {
  private var byGuest: [String: String] = [:]

  /// The maximum size of a guest's output that is returned at once, in bytes. Of longer output, only the end is
  /// returned.
  static let limit = 64 << 10

  mutating func append(_ writing: GuestWriting, of guest: String) {
    let guest = InstanceName.installedName(of: guest)
    var text = byGuest[guest] ?? ""
    switch writing {
    case .stream(let part): text += part
    case .log(let lines):
      if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
      text += lines + "\n"
    }
    // Trim only at twice the limit, since trimming copies the rest.
    byGuest[guest] = text.utf8.count > 2 * Self.limit ? Self.end(of: text) : text
  }

  /// Returns the last ``limit`` bytes of the text. A character that is cut in half becomes a replacement character.
  private static func end(of text: String) -> String {
    text.utf8.count > limit ? String(decoding: text.utf8.suffix(limit), as: UTF8.self) : text
  }

  /// Returns the unread output; empty if there is none.
  func text(of guest: String) -> String { Self.end(of: byGuest[guest] ?? "") }

  /// Returns the guest's unread output without the last line break, and marks it as read. Empty if there is none.
  mutating func take(of guest: String) -> String {
    let text = Self.end(of: byGuest.removeValue(forKey: guest) ?? "")
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

// MARK: - Arrivals

/// Determines the inbox file in which each item will arrive. The files of a guest are numbered in the order of the
/// decisions.
private struct Arrivals {
  /// The last inbox file that was determined in the current step, by receiving guest.
  private var latest: [String: InboxFile] = [:]
  /// For each guest, the highest file number that its process has already used.
  private var taken: [String: Taken] = [:]

  private struct Taken {
    var process: Int32?
    var container: String
    var number: Int

    func hasArrived(_ file: InboxFile) -> Bool {
      FileManager.default.fileExists(atPath: "\(container)/\(file)")
    }
  }

  /// Begins a step. Forgets the files that earlier steps expected: they have arrived, or never will. The numbers of
  /// files that have arrived stay used, even if a sign-out or a wipe removes the files.
  mutating func beginStep() {
    for (guest, file) in latest {
      guard let known = taken[guest], known.number < file.number else { continue }
      let arrived = (known.number + 1...file.number).last {
        known.hasArrived(InboxFile(of: guest, $0))
      }
      if let arrived { taken[guest]?.number = arrived }
    }
    latest = [:]
  }

  /// Returns the inbox file in which the item of a decided request will arrive; nil if nothing will be delivered.
  mutating func place(for decision: RequestDecision, on device: Device) -> InboxFile? {
    guard decision.verdict.outcome != .blocked, let guest = decision.recipient else { return nil }
    let file =
      latest[guest].map { InboxFile(of: guest, $0.number + 1) } ?? next(of: guest, on: device)
    latest[guest] = file
    return file
  }

  /// Returns the inbox file for the guest's next item. While the process runs, file numbers only increase, even
  /// if a file has been removed.
  private mutating func next(of guest: String, on device: Device) -> InboxFile {
    let process = device.guests.processIdentifier(of: guest)
    let known = taken[guest].flatMap { process != nil && $0.process == process ? $0.number : nil }
    var now = Taken(
      process: process, container: device.containerPath(of: guest), number: known ?? 0)
    while now.hasArrived(InboxFile(of: guest, now.number + 1)) { now.number += 1 }
    taken[guest] = now
    return InboxFile(of: guest, now.number + 1)
  }
}

extension RequestDecision {
  /// The guest to which the request delivers an item, possibly an instance of an extension. Nil if the request delivers
  /// no item.
  fileprivate var recipient: String? {
    switch operation.row.delivery {
    case .item: receiver?.guest
    case .itemOfStatedSize: bytes == nil ? nil : receiver?.guest
    case .permission, .answer: nil
    }
  }
}

// MARK: - Steps by their events

/// The steps that run concurrently on a device, indexed by the events that concern them.
///
/// A step is identified by its position among these steps. A lookup for an event returns either the first step that the
/// event concerns, or all steps that it concerns, in order.
struct StepIndex {
  /// The steps for which a guest has not yet made its request, by guest.
  private var awaiting: [String: NumberQueue] = [:]
  /// For each receiving guest, the first step that made a request to it. If the guest is an extension, its requests
  /// that return items belong to this step.
  private var received: [String: Int] = [:]
  /// The step to which a request belongs, by request number.
  private var owners: [Int: Int] = [:]
  /// The unfinished steps that wait for an item, by the item's key.
  private var items: [ItemKey: [Int]] = [:]
  /// The unfinished steps that wait for a decision, by requesting guest.
  private var decisions: [String: [Int]] = [:]
  /// The steps that wait for a line of output, by guest.
  private var outputs: [String: [Int]] = [:]
  /// The number of steps that lookups have returned or compared.
  private(set) var lookups = 0

  init() {}

  /// Creates the index. Steps that wait for an item, a decision or output are added at once; requests are added later.
  ///
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

  mutating func expectRequest(of guest: String, by step: Int) {
    awaiting[guest, default: NumberQueue()].insert(step)
  }

  /// Assigns a request to the step for which the requester made it. Returns nil if there is none.
  ///
  /// A guest's requests are answered in order, so a request belongs to the guest's first step without a decision.
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

  var hasWaits: Bool { !items.isEmpty || !decisions.isEmpty }

  /// The steps that wait for an item or a decision, in step order.
  var waits: [Int] { (items.values.flatMap(\.self) + decisions.values.flatMap(\.self)).sorted() }

  /// Returns the steps that may wait for the item, in step order.
  mutating func waits(for arrival: CaseTraffic.Arrival) -> [Int] {
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

/// The key under which a step that waits for an item is stored. Names are in lower case, because bundle ids ignore
/// case.
private struct ItemKey: Hashable {
  var receiver: String
  /// The expected text; nil if the step accepts any text.
  var text: String?
  /// The expected sender; nil if the step accepts any sender.
  var sender: String?

  init(_ item: Action.ExpectedItem) {
    self.init(receiver: item.guest.lowercased(), text: item.text, sender: item.sender?.lowercased())
  }

  private init(receiver: String, text: String?, sender: String?) {
    self.receiver = receiver
    self.text = text
    self.sender = sender
  }

  /// Returns the keys of all steps that may wait for the item. The keys ignore the item's type, so the steps must
  /// compare the type themselves.
  static func all(for arrival: CaseTraffic.Arrival) -> [ItemKey] {
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

  mutating func removeFirst() {
    guard start < numbers.count else { return }
    start += 1
    // Removing from the front of an array moves the rest, so it is done rarely.
    guard start * 2 > numbers.count else { return }
    numbers.removeFirst(start)
    start = 0
  }
}

// MARK: - Traffic

/// The open requests of all guests, and the delivered items. An open request is decided but unfinished.
package final class CaseTraffic {
  /// An open request, and the item that it has sent; nil if it has sent none.
  private struct OpenRequest {
    let decision: RequestDecision
    var item: Item?
  }

  struct Arrival {
    let receiver: Participant
    let sender: Participant?
    let item: Item
  }

  private var open: [Int: OpenRequest] = [:]
  /// The numbers of the open requests, in ascending order. Ended requests remain until no open request precedes them.
  private var order = NumberQueue()
  /// The items that no step has waited for, in order of arrival. If there are twice as many as ``limit``, the older
  /// half is discarded.
  private var arrivals: [Arrival] = []

  private static let limit = 1_000

  /// The requests that apps made on their own initiative, and that no step has waited for.
  var ownRequests = OwnRequests()

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

  /// Returns the texts that extensions have returned since the last call, by request number.
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
      return "the request `\(request.decision.operation.rawValue)`\(who) is not finished"
    }
  }

  // MARK: Items

  /// Removes the first matching item, so the next waiting step gets a different item. Returns whether an item matched.
  func consume(_ expected: Action.ExpectedItem) -> Bool {
    guard let index = arrivals.firstIndex(where: { $0.fits(expected) }) else { return false }
    arrivals.remove(at: index)
    return true
  }

  /// Removes the latest item if it matches. Returns whether it matches.
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

extension CaseTraffic.Arrival {
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
