import Policy

extension LogComparison {
  /// For each policy of the log what differs and what only the log has, the names of the rest, and a count; ends
  /// with a line break.
  public func text(logFile: String) -> String {
    var lines: [String] = []
    for block in blocks {
      if !lines.isEmpty { lines.append("") }
      lines.append("policy in \(logFile):\(block.line)")
      for result in [Result.differs, .onlyInLog] {
        for finding in block.findings where finding.result == result {
          lines += finding.lines(logFile: logFile)
        }
      }
      for result in [Result.missingFromLog, .equal] { lines += block.names(of: result) }
      lines.append("  " + block.summary)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension LogComparison.Block {
  /// A line with all names of which there is no more to say.
  fileprivate func names(of result: LogComparison.Result) -> [String] {
    let names = findings.filter { $0.result == result }.map(\.name)
    return names.isEmpty ? [] : ["  \(result.words): " + names.joined(separator: ", ")]
  }

  /// `56 equal, 1 different, 0 only in the log, 2 missing from the log`.
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
