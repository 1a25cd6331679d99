public import JSON

extension LintReport {
  /// The findings as one JSON object.
  public func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("findings") { writer in
        for finding in findings {
          writer.object {
            $0.member("code", finding.code)
            $0.member("severity", finding.severity.rawValue)
            $0.member("file", finding.file)
            $0.member("line", finding.position.line)
            $0.member("column", finding.position.column)
            $0.member("message", finding.message)
            $0.member("help", finding.rule.help)
          }
        }
      }
    }
  }
}
