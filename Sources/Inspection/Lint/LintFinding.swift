public import JSON
import Policy

/// Something about a policy file that its author should know.
public struct LintFinding: Sendable, Hashable, CustomStringConvertible {
  /// The rule's code.
  public var code: String
  public var severity: Severity
  /// The file as the user named it.
  public var file: String
  public var position: Position
  /// Lower case, no full stop, user input in backticks.
  public var message: String

  init(_ rule: LintRule, file: String, at position: Position, _ message: String) {
    self.init(rule.code, rule.severity, file: file, at: position, message)
  }

  init(
    _ code: String, _ severity: Severity, file: String, at position: Position, _ message: String
  ) {
    self.code = code
    self.severity = severity
    self.file = file
    self.position = position
    self.message = message
  }

  /// A file that holds no usable policy.
  init(_ error: PolicyError) {
    self.init(error.code.rawValue, .error, file: error.file, at: error.position, error.message)
  }

  /// What reading a policy warned about.
  init(_ warning: PolicyWarning) {
    self.init(
      warning.code.rawValue, LintRule.named(warning.code.rawValue)?.severity ?? .warning,
      file: warning.file, at: warning.position, warning.message)
  }

  /// A file that cannot be read at all.
  ///
  /// - Parameter reason: lower case, no full stop.
  public static func unreadable(file: String, reason: String) -> LintFinding {
    LintFinding(.unreadableFile, file: file, at: Position(line: 1, column: 1), reason)
  }

  /// The same, by an error message of the form `file:line:column: error: reason [code]`.
  public static func unreadable(file: String, described message: String) -> LintFinding {
    var reason = Substring(message)
    let prefix = "\(file):1:1: error: "
    if reason.hasPrefix(prefix) { reason = reason.dropFirst(prefix.count) }
    if reason.hasSuffix(" [file]") { reason = reason.dropLast(" [file]".count) }
    return unreadable(file: file, reason: String(reason))
  }

  /// The rule that its code names.
  public var rule: LintRule { LintRule.named(code) ?? LintRule(code, severity, code, "") }

  /// Whether the file it is about cannot be used, so that nothing more can be said of it.
  public var isUnreadable: Bool {
    PolicyError.Code(rawValue: code) != nil || code == LintRule.unreadableFile.code
  }

  /// `file:line:column: warning: message [code]`.
  public var description: String {
    "\(file):\(position.line):\(position.column): \(severity.rawValue): \(message) [\(code)]"
  }
}
