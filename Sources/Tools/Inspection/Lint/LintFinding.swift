package import Diagnostics
internal import GraphDocuments
internal import JSON
internal import Policy

/// Something about a policy file that its author should know.
package typealias LintFinding = Finding<LintRule>

extension LintFinding {
  /// A file that holds no usable policy.
  init(_ error: PolicyError) {
    self.init(
      .reading(error.code.rawValue, .error), .error, file: error.file, at: error.position,
      error.message)
  }

  /// What reading a policy warned about.
  init(_ warning: PolicyWarning) {
    self.init(
      .reading(warning.code.rawValue, .warning), file: warning.file, at: warning.position,
      warning.message)
  }

  /// A file that cannot be read at all.
  ///
  /// - Parameter reason: lower case, no full stop.
  package static func unreadable(file: String, reason: String) -> LintFinding {
    LintFinding(.unreadableFile, file: file, at: Position(line: 1, column: 1), reason)
  }

  /// The rule's code.
  package var code: String { rule.code }

  /// Whether the file it is about cannot be used, so that nothing more can be said of it.
  package var isUnreadable: Bool {
    PolicyError.Code(rawValue: code) != nil || code == LintRule.unreadableFile.code
  }
}
