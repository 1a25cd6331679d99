internal import ArgumentParser
internal import Encodings
internal import JSON
internal import Scenario

/// The cases of scenario files, listed without running anything.
struct CaseList {
  /// Each scenario with its selected cases.
  let scenarios: [(scenario: Scenario, cases: [Case])]

  /// The list as text, a line for each case: `SEND.yaml:14:5: SEND-1 a managed account …`.
  var text: String {
    scenarios.flatMap { scenario, cases in
      cases.map { test in
        let title = [test.criterion, test.name].compactMap(\.self).joined(separator: " ")
        let place = "\(scenario.file):\(test.position.line):\(test.position.column)"
        return "\(place): \(title)".escapingUnprintable() + "\n"
      }
    }.joined()
  }

  /// The list as one JSON array, followed by a line break.
  var json: String {
    var writer = JSONWriter()
    writer.array { writer in
      for (scenario, cases) in scenarios {
        for test in cases { Self.write(test, of: scenario, to: &writer) }
      }
    }
    writer.endLine()
    return writer.text
  }

  private static func write(_ test: Case, of scenario: Scenario, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", scenario.file)
      writer.member("line", test.position.line)
      writer.member("column", test.position.column)
      writer.member("suite", scenario.name)
      writer.member("name", test.name)
      writer.member("criterion", test.criterion)
      writer.member("steps", test.steps.count)
    }
  }
}
