internal import JSON

extension Report {
  /// The time that each case took, as one JSON object: `{"durations": [{"file", "name", "milliseconds"}]}`, followed by a line
  /// break. Cases of which the journal alone is known are left out.
  public func durations() -> String {
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
