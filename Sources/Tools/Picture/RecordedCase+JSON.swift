internal import JSON
internal import Model
internal import Scenario

extension RecordedGroup.SharedCase {
  /// Writes the case for the page.
  ///
  /// - Parameters:
  ///   - group: the journals that it is in.
  ///   - first: the number of the first of them.
  ///   - starts: the moment of the first event of each.
  func write(
    in group: RecordedGroup, from first: Int, at starts: [Int], to writer: inout JSONWriter
  ) {
    func write(_ spans: [RecordedGroup.Span], to writer: inout JSONWriter) {
      writer.array("spans") { writer in
        for span in spans {
          let start = starts[span.journal]
          writer.array { writer in
            writer.number(start + span.events.lowerBound)
            writer.number(start + span.events.upperBound)
          }
        }
      }
    }
    writer.object { writer in
      result.writeHead(of: suite, to: &writer)
      writer.member("file", group.journals.first?.file)
      writer.numbers("journals", spans.map { first + $0.journal })
      writer.array("steps") { writer in
        for (step, spans) in zip(result.steps, steps) {
          writer.object { writer in
            write(spans, to: &writer)
            step.writeMembers(to: &writer)
          }
        }
      }
      writer.array("output") { writer in
        for span in spans { group.writeOutput(of: span.journal, to: &writer) }
      }
    }
  }
}

extension RecordedGroup {
  /// Writes what guests wrote; of several devices each guest after the name of its device.
  fileprivate func writeOutput(of journal: Int, to writer: inout JSONWriter) {
    let device = journals.count > 1 ? journals[journal].events.device : nil
    for output in journals[journal].output {
      for line in output.lines {
        writer.array { writer in
          writer.string((device.map { "\($0)/" } ?? "") + output.guest)
          writer.string(line)
        }
      }
    }
  }
}

extension CaseResult {
  /// Writes a case that was left out.
  func write(notRunOf suite: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writeHead(of: suite, to: &writer)
      writer.member("why", reasonNotRun)
      for name: StaticString in ["journals", "steps", "output"] { writer.array(name) { _ in } }
    }
  }

  fileprivate func writeHead(of suite: String, to writer: inout JSONWriter) {
    writer.member("suite", suite)
    writer.member("name", name)
    writer.member("criterion", criterion)
    writer.member("outcome", outcome.rawValue)
    writer.member("words", outcome.words)
    writer.member("ended", isEnded)
    if expectsNothing { writer.member("expectsNothing", true) }
  }
}

extension StepResult {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
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
