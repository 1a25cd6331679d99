/// The findings about several files.
public struct FindingReport<Rule: FindingRule>: Sendable {
  public let findings: [Finding<Rule>]

  /// A report of `findings`.
  public init(_ findings: [Finding<Rule>]) { self.findings = findings }

  /// Whether a finding has the severity `severity`, or a worse one.
  public func hasFindings(from severity: Severity) -> Bool {
    findings.contains { $0.severity >= severity }
  }

  /// The findings as compilers print them, one a line; below the first of each rule, indented, its help. Of findings
  /// that most files have, the first stands for all. The last line counts every finding. Ends with a line break.
  public var text: String {
    var lines: [String] = []
    var explained: Set<String> = []
    var routine: [String: Int] = [:]
    for finding in findings where finding.rule.isRoutine(at: finding.severity) {
      routine[finding.rule.code, default: 0] += 1
    }
    for finding in findings {
      let isRoutine = finding.rule.isRoutine(at: finding.severity)
      guard !isRoutine || routine[finding.rule.code] != nil else { continue }
      lines.append(finding.description)
      if isRoutine, let count = routine.removeValue(forKey: finding.rule.code), count > 1 {
        lines.append("  and \(count - 1) more like it; `--format json` lists all")
      }
      let help = finding.rule.help
      if !help.isEmpty, explained.insert(finding.rule.code).inserted {
        lines.append("  help: \(help)")
      }
    }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The counts, such as `1 error, 2 warnings, 0 notes`, and how many can be repaired.
  private var summary: String {
    let counts = Severity.allCases.reversed().map { severity in
      let count = findings.count { $0.severity == severity }
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
    let fixable = findings.count { !$0.repairs.isEmpty }
    guard fixable > 0, let command = Rule.repairCommand else { return counts }
    return "\(counts); `\(command)` puts \(fixable) right"
  }
}
