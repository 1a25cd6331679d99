/// What lint looks for.
public struct LintRule: Sendable, Hashable {
  /// One word, as findings cite it.
  public let code: String
  /// How bad it usually is; a finding can be less.
  public let severity: Severity
  /// One sentence.
  public let summary: String
  /// What to do about it.
  public let help: String

  init(_ code: String, _ severity: Severity, _ summary: String, _ help: String) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.help = help
  }

  /// Every rule, in the order of the documentation.
  public static let all: [LintRule] = readingErrors + readingWarnings + own

  /// nil where no rule has that code.
  public static func named(_ code: String) -> LintRule? { byCode[code] }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
