/// The findings about several bundles.
package struct BundleReport: Sendable {
  package let findings: [BundleFinding]

  package init(_ findings: [BundleFinding]) { self.findings = findings }

  /// Everything about what a user named, with the text of the changes that would put it right.
  package static func findings(about input: BundleInput) -> [BundleFinding] {
    let findings =
      switch input {
      case .bundle(let bundle): BundleLinter.lint(bundle)
      case .entitlements(let file): BundleLinter.lint(file)
      }
    let lists = BundleFixer.lists(of: input)
    return findings.map { finding in
      guard !finding.repairs.isEmpty, let list = lists.first(where: { $0.file == finding.file })
      else { return finding }
      var finding = finding
      finding.replacements = BundleFixer.replacements(for: finding, in: list)
      return finding
    }
  }

  /// Whether a file could not be used.
  package var hasUnreadableFile: Bool { findings.contains { $0.rule == .unreadable } }

  /// Whether a finding is as bad as `severity`, or worse.
  package func hasFindings(from severity: BundleSeverity) -> Bool {
    findings.contains { $0.severity >= severity }
  }

  /// The findings as compilers print them, one a line; below the first of each rule, indented, what
  /// to do about it. The last line counts them. Ends with a line break.
  package var text: String {
    var lines: [String] = []
    var explained: Set<BundleRule> = []
    for finding in findings {
      lines.append(finding.description)
      let help = finding.rule.help
      if !help.isEmpty, explained.insert(finding.rule).inserted { lines.append("  help: \(help)") }
    }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// `1 error, 2 warnings, 0 notes; 1 can be fixed`.
  private var summary: String {
    let counts = BundleSeverity.allCases.reversed().map { severity in
      let count = findings.count { $0.severity == severity }
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
    let fixable = findings.count { !$0.repairs.isEmpty }
    return fixable == 0 ? counts : "\(counts); `sluice bundle fix` puts \(fixable) right"
  }
}
