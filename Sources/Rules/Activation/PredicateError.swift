internal import Diagnostics
internal import Predicates

/// The reason why a text is no predicate that an activation rule can have.
package struct PredicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line of the fault, from 1; the column counts characters. A line break of two characters is one.
  package var line: Int
  package var column: Int
  /// The text found there, source text in backticks.
  package var found: String
  /// The tokens that may stand there, in words.
  package var expected: String
  /// The probable meaning; nil where nothing comes near.
  package var suggestion: String?

  init(at part: SourcePart, found: String, expected: String, suggestion: String? = nil) {
    line = part.line
    column = part.column
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  /// The message without the position, in lower case, without full stop.
  package var message: String {
    "expected \(expected), found \(found)\(Suggestion.text(suggestion))"
  }

  package var description: String { "\(line):\(column): error: \(message)" }
}
