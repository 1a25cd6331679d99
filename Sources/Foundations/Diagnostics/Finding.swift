public import JSON

/// A fact about a file that its author should know.
public struct Finding<Rule: FindingRule>: Sendable, Equatable, CustomStringConvertible {
  public var rule: Rule
  public var severity: Severity
  /// The file, as the user named it.
  public var file: String
  /// The place in the file; nil in a file without lines, and where the whole file is meant.
  public var position: Position?
  /// The message: lower case, no full stop, the text that was found in backticks.
  public var message: String
  /// The text to write instead; nil where there is no single answer.
  public var suggestion: String?
  /// The changes that ``FindingRule/repairCommand`` makes.
  public var repairs: [Rule.Repair]
  /// The repairs as text to put into the file; empty for a file without lines.
  public var replacements: [TextReplacement] = []

  /// Makes a finding of `rule`.
  ///
  /// - Parameter severity: the severity; nil for the rule's own.
  public init(
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

  public var diagnostic: Diagnostic {
    let place: Diagnostic.Place = position.map { .file(file, $0) } ?? .path(file)
    return Diagnostic(place, message + hint, rule: rule.code, severity: severity)
  }

  /// `file:line:column: warning: message [code]`.
  public var description: String { diagnostic.description }

  var hint: String { Suggestion.text(suggestion) }
}

/// New text in place of a part of a file.
public struct TextReplacement: Sendable, Equatable {
  /// The start of the replaced text.
  public var start: Position
  /// The end of the replaced text; `start` where nothing is replaced.
  public var end: Position
  public var text: String

  /// A replacement of the text from `start` to `end`.
  public init(start: Position, end: Position, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }
}
