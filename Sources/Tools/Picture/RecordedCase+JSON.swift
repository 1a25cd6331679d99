internal import JSON
internal import Model
internal import Scenario

extension RecordedCase {
  /// Writes the case for the page.
  ///
  /// - Parameters:
  ///   - journal: the journal that it is in.
  ///   - moment: that of the journal's first event.
  func write(in journal: RecordedJournal, from moment: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("suite", suite)
      writer.member("name", result.name)
      writer.member("criterion", result.criterion)
      writer.member("file", journal.file)
      writer.member("outcome", result.outcome.rawValue)
      writer.member("ended", result.isEnded)
      writer.member("end", moment + events.upperBound)
      writer.array("steps") { writer in
        for (step, start) in zip(result.steps, steps) {
          writer.object { step.writeMembers(at: moment + start, to: &$0) }
        }
      }
      writer.array("output") { writer in
        for output in journal.output {
          for line in output.lines {
            writer.array { writer in
              writer.string(output.guest)
              writer.string(line)
            }
          }
        }
      }
    }
  }
}

extension StepResult {
  fileprivate func writeMembers(at moment: Int, to writer: inout JSONWriter) {
    writer.member("moment", moment)
    writer.member("text", text)
    writer.member("line", position?.line)
    writer.array("checks") { writer in
      for expectation in expectations {
        writer.object { writer in
          writer.member("expected", expectation.expected)
          writer.member("found", expectation.found)
          writer.member("met", expectation.isMet)
        }
      }
    }
    writer.strings("failures", failures)
  }
}
