package import Diagnostics

/// What lint looks for.
package struct LintRule: FindingRule {
  /// One word, as findings cite it.
  package let code: String
  /// How bad it usually is; a finding can be less.
  package let severity: Severity
  /// One sentence.
  package let summary: String
  /// What to do about it.
  package let help: String

  init(_ code: String, _ severity: Severity, _ summary: String, _ help: String) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.help = help
  }

  /// Every rule, in the order of the documentation.
  package static let all: [LintRule] = readingErrors + readingWarnings + own

  /// nil where no rule has that code.
  package static func named(_ code: String) -> LintRule? { byCode[code] }

  /// The rule of what reading found; one without words for a code that has none.
  static func reading(_ code: String, _ severity: Severity) -> LintRule {
    named(code) ?? LintRule(code, severity, code, "")
  }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
