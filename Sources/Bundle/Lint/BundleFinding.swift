package import JSON

/// Something about a bundle that its author should know.
package struct BundleFinding: Sendable, Equatable, CustomStringConvertible {
  package var rule: BundleRule
  package var severity: BundleSeverity
  /// As the user named it.
  package var file: String
  /// nil in a binary list, and where the whole file is meant.
  package var position: Position?
  /// Lower case, no full stop, what was found in backticks.
  package var message: String
  /// What to write instead; nil where there is no one answer.
  package var suggestion: String?
  /// What `sluice bundle fix` does about it.
  package var repairs: [Repair]
  /// The same as text to put into the file; empty for a binary list.
  package var replacements: [TextReplacement] = []

  /// - Parameter severity: nil for the rule's own.
  init(
    _ rule: BundleRule, _ severity: BundleSeverity? = nil, file: String, at position: Position?,
    _ message: String, suggestion: String? = nil, repairs: [Repair] = []
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.file = file
    self.position = position
    self.message = message
    self.suggestion = suggestion
    self.repairs = repairs
  }

  /// A file that cannot be used.
  package init(_ error: BundleError) {
    let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
    self.init(error.rule, file: error.file, at: position, error.message)
  }

  /// `file:line:column: warning: message [code]`.
  package var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    let hint = suggestion.map { ", did you mean `\($0)`?" } ?? ""
    return "\(file)\(place): \(severity.rawValue): \(message)\(hint) [\(rule.rawValue)]"
  }
}

/// New text in the place of some of a file.
package struct TextReplacement: Sendable, Equatable {
  package var start: Position
  /// Where the text ends that goes; the same as `start` where none goes.
  package var end: Position
  package var text: String
}
