package import JSON
package import Output

/// A mistake in a scenario file, with its position.
package struct ScenarioError: Error, Sendable, Equatable {
  /// The kind of mistake. The raw value appears in brackets at the end of the message.
  package enum Code: String, Sendable, CaseIterable {
    case yamlSyntax = "yaml-syntax"
    case duplicateKey = "duplicate-key"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case conflictingKeys = "conflicting-keys"
    case wrongType = "wrong-type"
    case invalidValue = "invalid-value"
    case unknownName = "unknown-name"
    case duplicateName = "duplicate-name"
    case tooLarge = "too-large"
  }

  /// The file name as the user entered it.
  package var file: String
  package var position: Position
  package var code: Code
  /// One sentence in lower case, without a full stop, and with the user's input in backticks.
  package var message: String

  package init(file: String, position: Position, code: Code, message: String) {
    self.file = file
    self.position = position
    self.code = code
    self.message = message
  }
}

extension ScenarioError: CustomStringConvertible {
  package var diagnostic: Diagnostic {
    Diagnostic(.file(file, position), message, rule: code.rawValue)
  }

  /// The error as one line: `scenario.yaml:3:5: error: … [unknown-key]`.
  package var description: String { diagnostic.description }
}

/// A mistake in the file being read, with its position.
struct Mistake: Error {
  var position: Position
  var code: ScenarioError.Code
  var message: String

  init(_ code: ScenarioError.Code, at position: Position, _ message: String) {
    self.position = position
    self.code = code
    self.message = message
  }
}

/// Phrases used in error messages.
enum Wording {
  /// Returns the hint `` ; did you mean `apps`? ``, or nothing if no word is close. One letter in three may
  /// differ.
  static func hint(for word: String, among known: some Sequence<String>) -> String {
    Suggestion.nearest(to: word, among: known, within: max(1, word.count / 3))
  }

  /// Returns the words as a list, such as `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String { Phrase.any(of: words.map { "`\($0)`" }) }
}
