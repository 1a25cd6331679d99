package import Diagnostics

/// A rule that lint checks.
package struct LintRule: FindingRule {
  /// The rule in one word, as findings cite it.
  package let code: String
  /// The usual severity; that of a finding can be less.
  package let severity: Severity
  /// The mistake, in one sentence.
  package let summary: String
  /// The remedy, in a sentence or two.
  package let help: String

  init(_ code: String, _ severity: Severity, _ summary: String, _ help: String) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.help = help
  }

  /// Every rule, in the order of the documentation.
  package static let all: [LintRule] = readingErrors + readingWarnings + own

  /// The rule with that code; nil where there is none.
  package static func named(_ code: String) -> LintRule? { byCode[code] }

  /// The rule of a mistake found in reading; for a code without rule, one without words.
  static func reading(_ code: String, _ severity: Severity) -> LintRule {
    named(code) ?? LintRule(code, severity, code, "")
  }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
