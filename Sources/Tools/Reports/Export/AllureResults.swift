internal import Cryptography
internal import Encodings
internal import Model
package import Scenario

/// Allure results: one file for each case, with its steps.
package struct AllureResults {
  /// The files of a results folder, by name.
  package private(set) var files: [(name: String, text: String)] = []

  /// Creates the results of the journals' cases. A case on several devices is one result.
  package init(_ groups: [RecordedGroup]) {
    for group in groups {
      let times = group.journals.map(\.times)
      for test in group.cases {
        guard let first = test.spans.first else { continue }
        let name = group.journals[first.journal].name
        let uuid = Self.identifier("\(name) \(first.events.lowerBound)")
        let text = JSONWriter.line { Self.write(test, uuid, of: group, times, to: &$0) }
        files.append(("\(uuid)-result.json", text))
      }
    }
  }

  private static func write(
    _ test: RecordedGroup.SharedCase, _ uuid: String, of group: RecordedGroup, _ times: [[UInt64]],
    to writer: inout JSONWriter
  ) {
    let name = "\(test.suite): \(test.result.name)"
    var labels = [("suite", test.suite), ("framework", "sluice")]
    if let criterion = test.result.criterion { labels.append(("tag", criterion)) }
    writer.object { writer in
      writer.member("uuid", uuid)
      writer.member("historyId", identifier(name))
      writer.member("fullName", name)
      writer.objects("labels", of: labels) { writer, element in
        let (name, value) = element
        writer.member("name", name)
        writer.member("value", value)
      }
      Step(test, of: group, times).writeMembers(to: &writer)
    }
  }

  /// Returns a UUID-shaped identifier derived from the text.
  private static func identifier(_ text: String) -> String {
    var rest = Hexadecimal.text(Array(sha256(Array(text.utf8)).prefix(16)))[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  /// A case, a step of a case, or a request of a step.
  fileprivate struct Step {
    var name: String
    /// Allure's status. `broken` means that the step could not be carried out.
    var status: String
    var start: UInt64
    var stop: UInt64
    var failures: [String] = []
    var steps: [Step] = []
  }
}

extension AllureResults.Step {
  fileprivate init(
    _ test: RecordedGroup.SharedCase, of group: RecordedGroup, _ times: [[UInt64]]
  ) {
    name = test.result.name
    status =
      switch test.result.outcome {
      case .passed: "passed"
      case .failed: "failed"
      case .errored: "broken"
      case .notRun: "skipped"
      }
    start = test.spans.map { times[$0.journal][$0.events.lowerBound] }.min() ?? 0
    stop = test.spans.map { times[$0.journal][$0.events.upperBound - 1] }.max() ?? start
    failures = test.result.steps.flatMap(\.reasons)
    if !test.result.isEnded { failures.append("the journal ends before the case ends") }
    let moments = zip(group.journals, times).map { $0.decisions($1) }
    steps = zip(test.result.steps, test.steps).map { step, spans in
      // A step ends when the next one begins. The last step ends with the case.
      let ends = spans.map { span in
        let last = test.spans.first { $0.journal == span.journal }?.events.upperBound ?? 0
        return times[span.journal][min(span.events.upperBound, last - 1)]
      }
      return Self(
        step, from: spans.map { times[$0.journal][$0.events.lowerBound] }.min() ?? start,
        to: ends.max() ?? stop, moments[spans.first?.journal ?? 0])
    }
  }

  private init(
    _ step: StepResult, from start: UInt64, to stop: UInt64, _ moments: [Int: UInt64]
  ) {
    name = step.text
    failures = step.reasons
    status = step.failures.isEmpty ? failures.isEmpty ? "passed" : "failed" : "broken"
    self.start = start
    self.stop = stop
    steps = step.requests.map { request in
      let decision = request.decision
      let time = moments[decision.request] ?? start
      return Self(
        name: "\(decision.title), \(decision.verdict.deciding.rawValue)", status: "passed",
        start: time, stop: time)
    }
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("status", status)
    if !failures.isEmpty {
      writer.object("statusDetails") { $0.member("message", failures.joined(separator: "\n")) }
    }
    writer.member("stage", "finished")
    // Milliseconds.
    writer.member("start", Int(start / 1_000_000))
    writer.member("stop", Int(stop / 1_000_000))
    writer.objects("steps", of: steps) { $1.writeMembers(to: &$0) }
  }
}
