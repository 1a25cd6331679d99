package import JSON
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
      writer.array("suites") { writer in
        for suite in suites { suite.write(to: &writer) }
      }
    }
  }
}

extension SuiteResult {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file)
      writer.member("name", name)
      writer.array("cases") { writer in
        for result in cases { result.write(to: &writer) }
      }
    }
  }
}

extension CaseResult {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("criterion", criterion)
      writer.member("outcome", outcome.rawValue)
      writer.member("ended", isEnded)
      writer.member("why", reasonNotRun)
      if expectsNothing { writer.member("expectsNothing", true) }
      if !warnings.isEmpty { writer.strings("warnings", warnings) }
      writer.array("steps") { writer in
        for step in steps { step.write(to: &writer) }
      }
      guard outcome != .passed, !output.isEmpty else { return }
      writer.array("output") { writer in
        for output in output { output.write(to: &writer) }
      }
    }
  }
}

extension GuestOutput {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("guest", guest)
      writer.member("count", count)
      writer.array("lines") { writer in
        for line in lines { writer.string(line) }
      }
    }
  }
}

extension StepResult {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in writeMembers(to: &writer) }
  }

  /// Writes the step's result as members of a JSON object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("step", number)
    writer.member("text", text)
    writer.member("device", device)
    position?.writeMembers(to: &writer)
    writer.array("requests") { writer in
      for request in requests { request.write(to: &writer) }
    }
    writer.array("expectations") { writer in
      for expectation in expectations { expectation.write(to: &writer) }
    }
    writer.array("failures") { writer in
      for failure in failures { writer.string(failure) }
    }
    writer.array("notes") { writer in
      for note in notes { writer.string(note) }
    }
  }
}

extension RequestResult {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      decision.writeMembers(to: &writer)
      writer.member("end", end?.rawValue)
      writer.member("detail", detail)
      writer.member("returned", returned)
    }
  }
}

extension Comparison {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("expected", expected)
      writer.member("found", found)
      writer.member("met", isMet)
      position?.writeMembers(to: &writer)
    }
  }
}

// MARK: - Durations

extension Report {
  /// Returns each case's duration as one JSON object with a final line break:
  /// `{"durations": [{"file", "name", "milliseconds"}]}`.
  ///
  /// Cases known only from the journal are omitted.
  package func durations() -> String {
    JSONWriter.objectLine { writer in
      writer.array("durations") { writer in
        for suite in suites {
          for test in suite.cases {
            guard let duration = test.duration else { continue }
            writer.object { writer in
              writer.member("file", suite.file)
              writer.member("name", test.name)
              writer.member("milliseconds", duration.milliseconds)
            }
          }
        }
      }
    }
  }
}
