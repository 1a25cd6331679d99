internal import JSON
internal import Model

/// A case of a scenario as its journal has it: the steps, and what became of each.
struct RecordedCase {
  private let suite: String
  private let name: String
  private let criterion: String?
  private let file: String?
  private var steps: [Step] = []
  private var end: Int
  private let output: [Recording.Line]

  private struct Step {
    var moment: Int
    var text: String
    var line: Int?
    var checks: [(expected: String, found: String, isMet: Bool)] = []
    var failures: [String] = []
  }

  private var isPassed: Bool {
    steps.allSatisfy { $0.failures.isEmpty && $0.checks.allSatisfy(\.isMet) }
  }

  /// The cases of a recording, whose first event is that of `moment`.
  static func all(in recording: Recording, from moment: Int) -> [RecordedCase] {
    var cases: [RecordedCase] = []
    for (index, event) in recording.events.enumerated() {
      let now = moment + index
      switch event.kind {
      case .caseBegan(let suite, let name, let criterion):
        cases.append(
          RecordedCase(
            suite: suite, name: name, criterion: criterion, file: recording.file, end: now,
            output: recording.output))
      case .stepBegan(_, let text, let position) where !cases.isEmpty:
        cases[cases.count - 1].steps.append(
          Step(moment: now, text: text, line: position?.line))
      case .expectation(let step, let expected, let found, let isMet, _) where !cases.isEmpty:
        cases[cases.count - 1].change(step) { $0.checks.append((expected, found, isMet)) }
      case .stepFailed(let step, let why) where !cases.isEmpty:
        cases[cases.count - 1].change(step) { $0.failures.append(why) }
      default: break
      }
      if !cases.isEmpty { cases[cases.count - 1].end = now + 1 }
    }
    return cases
  }

  /// Changes a step by its number from 1; of steps that are parts of another, the last.
  private mutating func change(_ number: Int, _ edit: (inout Step) -> Void) {
    guard !steps.isEmpty else { return }
    edit(&steps[min(max(number, 1), steps.count) - 1])
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("suite", suite)
      writer.member("name", name)
      writer.member("criterion", criterion)
      writer.member("file", file)
      writer.member("passed", isPassed)
      writer.member("end", end)
      writer.array("steps") { writer in for step in steps { Self.write(step, to: &writer) } }
      writer.array("output") { writer in
        for line in output {
          writer.array { writer in
            writer.string(line.guest)
            writer.string(line.text)
          }
        }
      }
    }
  }

  private static func write(_ step: Step, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("moment", step.moment)
      writer.member("text", step.text)
      writer.member("line", step.line)
      writer.array("checks") { writer in
        for check in step.checks {
          writer.object { writer in
            writer.member("expected", check.expected)
            writer.member("found", check.found)
            writer.member("met", check.isMet)
          }
        }
      }
      writer.strings("failures", step.failures)
    }
  }
}
