internal import Model
internal import Scenario

extension RecordedJournal {
  /// When each event happened, in nanoseconds since 1970-01-01T00:00:00Z: by the device's clock, which stands still while
  /// steps are carried out, and one microsecond after the event before. Times from the year 2200 on, which formats of 64
  /// bits have hardly room for, are those of its beginning.
  var times: [UInt64] {
    var last: UInt64 = 0
    return events.map { event in
      let seconds = UInt64(min(max(event.time, 0), Self.latest))
      last = max(seconds * 1_000_000_000, last + 1_000)
      return last
    }
  }

  /// 2200-01-01T00:00:00Z.
  private static let latest = 7_258_118_400

  /// The times at which requests were decided, by their numbers.
  func decisions(_ times: [UInt64]) -> [Int: UInt64] {
    var decisions: [Int: UInt64] = [:]
    for (event, time) in zip(events, times) {
      if case .decided(let decision) = event.kind { decisions[decision.request] = time }
    }
    return decisions
  }

  /// The times at which requests ended, by their numbers.
  func ends(_ times: [UInt64]) -> [Int: (time: UInt64, end: RequestEnd)] {
    var ends: [Int: (time: UInt64, end: RequestEnd)] = [:]
    for (event, time) in zip(events, times) {
      if case .ended(let request, let end, _, _) = event.kind { ends[request] = (time, end) }
    }
    return ends
  }
}

extension RequestDecision {
  /// The request and its answer in a few words.
  var title: String {
    let ends = [sender?.guest, receiver?.guest].compactMap(\.self).joined(separator: " → ")
    return "\(operation.rawValue) \(verdict.outcome.rawValue)\(ends.isEmpty ? "" : ": \(ends)")"
  }

  /// What is known of the request, by names under which viewers show it.
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
  /// Why the step did not pass, a sentence each.
  var reasons: [String] {
    failures + expectations.filter { !$0.isMet }.map(\.text)
  }
}

/// Bytes in hexadecimal, two digits each.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
