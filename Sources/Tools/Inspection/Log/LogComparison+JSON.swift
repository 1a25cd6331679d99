public import JSON
import Model
import Policy

extension LogComparison {
  /// The comparison as one JSON object, equal values included.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("hasDifferences", hasDifferences)
      writer.member("missingNames", missingNames)
      writer.array("policies") { writer in
        for block in blocks {
          writer.object { writer in
            writer.member("line", block.line)
            writer.member("truncated", block.isTruncated)
            writer.array("names") { writer in
              for finding in block.findings { finding.write(to: &writer) }
            }
          }
        }
      }
    }
  }
}

extension LogComparison.Finding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("result", result.rawValue)
      $0.member("label", setting.label)
      $0.member("setting", setting.rawValue)
      $0.member("log", logged)
      $0.member("logLine", line)
      $0.member("policy", expected)
      $0.member("file", place?.file)
      $0.member("line", place?.line)
    }
  }
}
