internal import Diagnostics
internal import Predicates

/// Why a text is no predicate that an activation rule can have.
package struct PredicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Where in the predicate, from 1, the column in characters. A line break of two characters is one.
  package var line: Int
  package var column: Int
  /// What stands there, source text in backticks.
  package var found: String
  /// What may stand there.
  package var expected: String
  /// What was probably meant; nil where nothing comes near.
  package var suggestion: String?

  init(at part: SourcePart, found: String, expected: String, suggestion: String? = nil) {
    line = part.line
    column = part.column
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  /// Without the position, lower case, no full stop.
  package var message: String {
    "expected \(expected), found \(found)\(Suggestion.text(suggestion))"
  }

  package var description: String { "\(line):\(column): error: \(message)" }
}
