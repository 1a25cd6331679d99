import Encodings
import Policy

extension LogComparison {
  /// The comparison for people: for each policy of the log, the names that differ and those that only the log has, then
  /// the names of the others, and a count; ends with a line break.
  public func text(logFile: String) -> String {
    var lines: [String] = []
    for block in blocks {
      if !lines.isEmpty { lines.append("") }
      lines.append("policy in \(logFile):\(block.line)")
      if block.isTruncated {
        lines.append(
          "  truncated: the log is cut within this policy; missing names may be in the lost part"
        )
      }
      for result in [Result.differs, .onlyInLog] {
        for finding in block.findings where finding.result == result {
          lines += finding.lines(logFile: logFile)
        }
      }
      for result in [Result.missingFromLog, .equal] { lines += block.names(of: result) }
      lines.append("  " + block.summary)
    }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n"
  }
}

extension LogComparison.Block {
  /// A line with the names of a result that needs no details; empty where there are none.
  fileprivate func names(of result: LogComparison.Result) -> [String] {
    let names = findings.filter { $0.result == result }.map(\.name)
    return names.isEmpty ? [] : ["  \(result.words): " + names.joined(separator: ", ")]
  }

  /// The count of each result, such as `56 equal, 1 different, 0 only in the log, 2 missing from the log`.
  fileprivate var summary: String {
    LogComparison.Result.allCases.map { result in
      "\(findings.count { $0.result == result }) \(result.words)"
    }.joined(separator: ", ")
  }
}

extension LogComparison.Finding {
  fileprivate func lines(logFile: String) -> [String] {
    let logPlace = line.map { " (\(logFile):\($0))" } ?? ""
    var lines = [
      "  \(result.words): \(name), \(setting.label)",
      "    log:    \(logged ?? "nothing")\(logPlace)",
    ]
    if let expected {
      lines.append("    policy: \(expected) (\(place?.description ?? "default"))")
    }
    return lines
  }
}

extension LogComparison.Result {
  fileprivate var words: String {
    switch self {
    case .equal: "equal"
    case .differs: "different"
    case .onlyInLog: "only in the log"
    case .missingFromLog: "missing from the log"
    }
  }
}
