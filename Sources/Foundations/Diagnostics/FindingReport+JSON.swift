public import JSON

extension FindingReport {
  /// Writes the findings as one JSON object.
  public func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("findings") { writer in
        for finding in findings {
          writer.object {
            $0.member("code", finding.rule.code)
            $0.member("severity", finding.severity.rawValue)
            $0.member("file", finding.file)
            $0.member("line", finding.position?.line)
            $0.member("column", finding.position?.column)
            $0.member("message", finding.message)
            $0.member("suggestion", finding.suggestion)
            $0.member("help", finding.rule.help)
            if Rule.repairCommand != nil { $0.member("isFixable", !finding.repairs.isEmpty) }
          }
        }
      }
    }
  }
}
