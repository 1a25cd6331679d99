internal import EventLoop
internal import Host
package import Model
package import Scenario

/// Steps that wait for time to pass, for idle guests, or for an action of a guest.
extension StepRun {
  func begin(_ wait: Action.Wait) {
    switch wait {
    case .idle: poll { [unowned self] in activity == nil }
    case .duration(let seconds):
      repeatedly(after: UInt64(seconds) * 1_000) { [unowned self] in end() }
    case .item: lookForWhatCame()
    case .decision(let decision):
      lookForWhatCame()
      // On one of several devices, a program on another device may start the guest.
      let canStart = { [unowned self] in isStartedByOthers || step.device != nil }
      giveUp(onceEnded: decision.guest, unless: canStart) { [unowned self] in
        pendingReason.map { "\($0), and `\(decision.guest)`" } ?? ""
      }
    case .output(let output): lookForOutput(output)
    }
  }

  /// Ends the step once the condition holds. Polls every 5 ms, because no event announces that a program has
  /// become idle.
  private func poll(_ condition: @escaping () -> Bool) {
    repeatedly(after: 0, every: 5) { [unowned self] in
      guard condition() else { return }
      timer?.stop()
      end()
    }
  }

  /// Ends the step once the guest has written the expected line.
  private func lookForOutput(_ output: Action.ExpectedOutput) {
    var search = LineSearch(output.text)
    search.append(caseDevice.watch.unreadOutput(of: output.guest))
    self.search = search
    if search.isFound { return end() }
    let canStart = { [unowned self] in
      device.guests.exitCause(of: output.guest) == nil && isStartedByOthers
    }
    giveUp(onceEnded: output.guest, unless: canStart) { [unowned self] in
      let found = caseDevice.watch.unreadOutput(of: output.guest)
      return "\(output.absence(from: found)), and"
    }
  }

  func wrote(_ text: String, _ guest: String) {
    guard case .wait(.output(let output)) = step.action, output.guest == guest, !isDone else {
      return
    }
    search?.append(text)
    if search?.isFound == true { end() }
  }

  /// Fails the step as soon as a guest is not running, the device is quiet, and nothing can start the guest. Checks this
  /// every 50 ms.
  ///
  /// - Parameters:
  ///   - canStart: Returns whether something may still start the guest.
  ///   - reason: Returns the beginning of the failure's reason, which ends with the subject of "is not running".
  private func giveUp(
    onceEnded guest: String, unless canStart: @escaping () -> Bool,
    _ reason: @escaping () -> String
  ) {
    guard !isDone else { return }
    repeatedly(after: 0, every: 50) { [unowned self] in
      guard !isDone, !device.guests.isRunning(guest), activity == nil, !canStart() else { return }
      timer?.stop()
      let cause = device.guests.exitCause(of: guest).map { ": \($0.text)" } ?? ""
      fail("\(reason()) is not running\(cause)")
    }
  }

  /// Ends the step if the item that it waits for has arrived, or the decision that it waits for has been made.
  func lookForWhatCame() {
    guard !isDone, case .wait(let wait) = step.action else { return }
    switch wait {
    case .item(let item): if traffic.consume(item) { end() }
    case .decision(let decision): if traffic.ownRequests.consume(decision) { end() }
    case .idle, .duration, .output: return
    }
  }

  /// Ends the step if the latest item is the expected item.
  func lookAtLatestItem() {
    guard !isDone, case .wait(.item(let item)) = step.action else { return }
    if traffic.consumeLatest(item) { end() }
  }

  /// The working guest or the open request, as a clause; nil if the device is quiet.
  private var activity: String? { traffic.text ?? device.idleWatch.activity }

  /// The reason why the step is not done. Nil if it is done, or if the device is quiet and the step waits for no item,
  /// decision or output.
  var pendingReason: String? {
    guard !isDone else { return nil }
    guard case .wait(let wait) = step.action else { return activity }
    switch wait {
    case .item(let item):
      let others = traffic.items(for: item.guest)
      return "`\(item.guest)` did not get \(item.words)"
        + (others.isEmpty ? "" : "; it got \(others.joined(separator: ", "))")
    case .decision(let decision):
      let others = traffic.ownRequests.words(of: decision.guest)
      return "the device did not decide on \(decision.words)"
        + (others.isEmpty ? "" : "; there was \(others.joined(separator: ", "))")
    case .output(let output):
      return output.absence(from: caseDevice.watch.unreadOutput(of: output.guest))
    case .idle, .duration: return activity
    }
  }
}

/// A search for a text within a line of output that arrives in parts.
struct LineSearch {
  private let text: String
  private(set) var isFound = false
  /// The end of the last, incomplete line, at most as long as ``text``. The next part may complete the text.
  private var line = ""

  init(_ text: String) { self.text = text }

  mutating func append(_ part: String) {
    guard !isFound else { return }
    var lines = part.split(separator: "\n", omittingEmptySubsequences: false)
    lines[0] = Substring(line + lines[0])
    isFound = lines.contains { $0.contains(text) }
    // Keep only the end of an unfinished line, which may contain the beginning of the text.
    line = String(lines.last?.suffix(text.count) ?? "")
  }
}

// MARK: - Requests of apps with their own programs

/// Decisions on requests that apps with their own programs made without an instruction from a step. Equal decisions are
/// counted.
package struct OwnRequests {
  private var byGuest: [String: Decisions] = [:]
  /// The number of decisions added so far, not counting repetitions of a stored decision.
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
    /// The decision's position among the decisions on all guests' requests, not counting repetitions.
    let number: Int
  }

  package init() {}

  /// The properties by which decisions are compared.
  fileprivate struct Made: Hashable {
    var decision: Action.ExpectedDecision
    /// The bundle id of the other app in the transfer; nil if there is none.
    var bundle: String?
  }

  package mutating func add(_ decision: RequestDecision, of requester: String) {
    let other = [decision.sender, decision.receiver].lazy.compactMap(\.self)
      .first { $0.guest != requester }
    let made = Made(
      decision: Action.ExpectedDecision(
        guest: InstanceName.installedName(of: requester), operation: decision.operation,
        other: other.map { $0.guest.isEmpty ? $0.app : InstanceName.installedName(of: $0.guest) },
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

  /// Consumes the first matching decision, so the next waiting step gets a different decision. Returns whether a
  /// decision matched.
  package mutating func consume(_ expected: Action.ExpectedDecision) -> Bool {
    let guest = expected.guest
    guard let place = byGuest[guest]?.all.firstIndex(where: { $0.made.fits(expected) }) else {
      return false
    }
    byGuest[guest]?.removeOne(at: place)
    return true
  }

  /// Consumes all decisions, and returns them with their counts.
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
