internal import Model
internal import Scenario

extension RecordedJournal {
  /// The time of each event, in nanoseconds since 1970-01-01T00:00:00Z.
  ///
  /// Times follow the device's clock. The clock stands still during steps, so each event is at least one microsecond
  /// after the previous event. Times after 2199 are clamped to the start of 2200, because 64-bit formats end soon
  /// after.
  var times: [UInt64] {
    var last: UInt64 = 0
    return events.map { event in
      let seconds = UInt64(min(max(event.time, 0), Self.latest))
      last = max(seconds * 1_000_000_000, last + 1_000)
      return last
    }
  }

  /// 2200-01-01T00:00:00Z, in seconds.
  private static let latest = 7_258_118_400

  /// Returns the decision times of requests, by request number.
  func decisions(_ times: [UInt64]) -> [Int: UInt64] {
    var decisions: [Int: UInt64] = [:]
    for (event, time) in zip(events, times) {
      if case .decided(let decision) = event.kind { decisions[decision.request] = time }
    }
    return decisions
  }

  /// Returns the end times of requests, by request number.
  func ends(_ times: [UInt64]) -> [Int: (time: UInt64, end: RequestEnd)] {
    var ends: [Int: (time: UInt64, end: RequestEnd)] = [:]
    for (event, time) in zip(events, times) {
      if case .ended(let request, let end, _, _) = event.kind { ends[request] = (time, end) }
    }
    return ends
  }
}

extension RequestDecision {
  /// A short description of the request and its outcome.
  var title: String {
    let ends = [sender?.guest, receiver?.guest].compactMap(\.self).joined(separator: " → ")
    return "\(operation.rawValue) \(verdict.outcome.rawValue)\(ends.isEmpty ? "" : ": \(ends)")"
  }

  /// The known facts about the request, with the attribute names for viewers.
  var facts: [(name: String, value: String)] {
    let reason = verdict.reasons.first { $0.rule == verdict.deciding }
    let facts: [(String, String?)] = [
      ("sluice.request", String(request)), ("sluice.operation", operation.rawValue),
      ("sluice.verdict", verdict.outcome.rawValue), ("sluice.rule", verdict.deciding.rawValue),
      ("sluice.sender", sender?.guest), ("sluice.sender.app", sender?.app),
      ("sluice.sender.identity", sender?.identity), ("sluice.receiver", receiver?.guest),
      ("sluice.receiver.app", receiver?.app), ("sluice.receiver.identity", receiver?.identity),
      ("sluice.owner", owner), ("sluice.subject", subject), ("sluice.setting", reason?.setting),
      ("sluice.value", reason?.value), ("sluice.source", reason?.source),
      ("sluice.reason", reason?.text),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension StepResult {
  /// The reasons why the step did not pass, one sentence each; empty if it passed.
  var reasons: [String] {
    failures + expectations.filter { !$0.isMet }.map(\.text)
  }
}
