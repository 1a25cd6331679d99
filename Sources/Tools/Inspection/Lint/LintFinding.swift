package import Diagnostics
internal import GraphDocuments
internal import JSON
internal import Policy

/// A finding about a policy file for the file's author.
package typealias LintFinding = Finding<LintRule>

extension LintFinding {
  /// Makes a finding of a file that holds no usable policy.
  init(_ error: PolicyError) {
    self.init(
      .reading(error.code.rawValue, .error), .error, file: error.file, at: error.position,
      error.message)
  }

  /// Makes a finding of a warning about a policy.
  init(_ warning: PolicyWarning) {
    self.init(
      .reading(warning.code.rawValue, .warning), file: warning.file, at: warning.position,
      warning.message)
  }

  /// A finding about a file that cannot be read at all.
  ///
  /// - Parameter reason: the reason, in lower case and without full stop.
  package static func unreadable(file: String, reason: String) -> LintFinding {
    LintFinding(.unreadableFile, file: file, at: Position(line: 1, column: 1), reason)
  }

  /// The code of the rule.
  package var code: String { rule.code }

  /// Whether the file cannot be used, so that there are no further findings about it.
  package var isUnreadable: Bool {
    PolicyError.Code(rawValue: code) != nil || code == LintRule.unreadableFile.code
  }
}
