package import Encodings
import Model

extension Report {
  /// Returns the report as one JSON object with a final line break. Members that are nil are omitted.
  package func json() -> String {
    JSONWriter.objectLine { writer in
      writer.object("counts") { writer in
        writer.member("passed", count(of: .passed))
        writer.member("failed", count(of: .failed))
        writer.member("errored", count(of: .errored))
        writer.member("notRun", count(of: .notRun))
        writer.member("expectNothing", countWithoutExpectations)
      }
      if !notices.isEmpty { writer.strings("notices", notices) }
      writer.objects("suites", of: suites) { writer, suite in
        writer.member("file", suite.file)
        writer.member("name", suite.name)
        writer.objects("cases", of: suite.cases) { $1.writeMembers(to: &$0) }
      }
    }
  }
}

extension CaseResult {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("criterion", criterion)
    writer.member("outcome", outcome.rawValue)
    writer.member("ended", isEnded)
    writer.member("why", reasonNotRun)
    if expectsNothing { writer.member("expectsNothing", true) }
    if !warnings.isEmpty { writer.strings("warnings", warnings) }
    writer.objects("steps", of: steps) { $1.writeMembers(to: &$0) }
    guard outcome != .passed, !output.isEmpty else { return }
    writer.array("output", of: output) { $1.write(to: &$0) }
  }
}

extension GuestOutput {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("guest", guest)
      writer.member("count", count)
      writer.strings("lines", lines)
    }
  }
}

extension StepResult {
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("step", number)
    writer.member("text", text)
    writer.member("device", device)
    position?.writeMembers(to: &writer)
    writer.objects("requests", of: requests) { writer, request in
      request.decision.writeMembers(to: &writer)
      request.decision.verdict.standing.writeMembers(to: &writer)
      writer.member("end", request.end?.rawValue)
      writer.member("detail", request.detail)
      writer.member("returned", request.returned)
    }
    writer.objects("expectations", of: expectations) { writer, comparison in
      writer.member("expected", comparison.expected)
      writer.member("found", comparison.found)
      writer.member("met", comparison.isMet)
      comparison.position?.writeMembers(to: &writer)
    }
    writer.strings("failures", failures)
    writer.strings("notes", notes)
  }
}

// MARK: - Durations

extension Report {
  /// Returns each case's duration as one JSON object with a final line break: `{"durations": [{"file", "name",
  /// "milliseconds"}]}`.
  ///
  /// Cases that are known only from the journal are omitted, because the journal has no durations.
  package func durations() -> String {
    JSONWriter.objectLine { writer in
      let cases = suites.flatMap { suite in suite.cases.map { (file: suite.file, test: $0) } }
      let timed = cases.filter { $0.test.duration != nil }
      writer.objects("durations", of: timed) { writer, element in
        writer.member("file", element.file)
        writer.member("name", element.test.name)
        writer.member("milliseconds", element.test.duration?.milliseconds)
      }
    }
  }
}
