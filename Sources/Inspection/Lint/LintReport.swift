/// The findings about several files.
public struct LintReport: Sendable {
  public let findings: [LintFinding]

  public init(_ findings: [LintFinding]) { self.findings = findings }

  /// Whether a file could not be used.
  public var hasUnreadableFile: Bool { findings.contains(where: \.isUnreadable) }

  /// Whether a finding is as bad as `severity`, or worse.
  public func hasFindings(from severity: Severity) -> Bool {
    findings.contains { $0.severity >= severity }
  }

  /// The findings as compilers print them, one a line; below the first of each rule, indented, what to do
  /// about it. The last line counts them. Ends with a line break.
  public var text: String {
    var lines: [String] = []
    var explained: Set<String> = []
    for finding in findings {
      lines.append(finding.description)
      let help = finding.rule.help
      if !help.isEmpty, explained.insert(finding.code).inserted { lines.append("  help: \(help)") }
    }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// `1 error, 2 warnings, 0 notes`.
  private var summary: String {
    Severity.allCases.reversed().map { severity in
      let count = findings.count { $0.severity == severity }
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
  }
}
