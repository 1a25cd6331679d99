package import JSON

/// Something about a file that its author should know.
package struct Finding<Rule: FindingRule>: Sendable, Equatable, CustomStringConvertible {
  package var rule: Rule
  package var severity: Severity
  /// As the user named it.
  package var file: String
  /// nil in a file without lines, and where the whole file is meant.
  package var position: Position?
  /// Lower case, no full stop, what was found in backticks.
  package var message: String
  /// What to write instead; nil where there is no one answer.
  package var suggestion: String?
  /// What ``FindingRule/repairCommand`` does about it.
  package var repairs: [Rule.Repair]
  /// The same as text to put into the file; empty for a file without lines.
  package var replacements: [TextReplacement] = []

  /// - Parameter severity: nil for the rule's own.
  package init(
    _ rule: Rule, _ severity: Severity? = nil, file: String, at position: Position?,
    _ message: String, suggestion: String? = nil, repairs: [Rule.Repair] = []
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.file = file
    self.position = position
    self.message = message
    self.suggestion = suggestion
    self.repairs = repairs
  }

  /// `file:line:column: warning: message [code]`.
  package var description: String {
    let place: Diagnostic.Place = position.map { .file(file, $0) } ?? .path(file)
    return Diagnostic(place, message + hint, rule: rule.code, severity: severity).description
  }

  var hint: String { Suggestion.text(suggestion) }
}

/// New text in the place of some of a file.
package struct TextReplacement: Sendable, Equatable {
  package var start: Position
  /// Where the text ends that goes; the same as `start` where none goes.
  package var end: Position
  package var text: String

  package init(start: Position, end: Position, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }
}
