public import Diagnostics
public import JSON

/// A mistake in a scenario file, with its position.
public struct ScenarioError: Error, Sendable, Equatable {
  /// The kind of mistake; the raw value stands in brackets at the message's end.
  public enum Code: String, Sendable, CaseIterable {
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

  /// The file as the user named it.
  public var file: String
  public var position: Position
  public var code: Code
  /// One sentence, in lower case and without full stop, with the user's input in backticks.
  public var message: String

  /// Creates an error of a mistake in a file.
  public init(file: String, position: Position, code: Code, message: String) {
    self.file = file
    self.position = position
    self.code = code
    self.message = message
  }
}

extension ScenarioError: CustomStringConvertible {
  public var diagnostic: Diagnostic {
    Diagnostic(.file(file, position), message, rule: code.rawValue)
  }

  /// The error in one line: `scenario.yaml:3:5: error: … [unknown-key]`.
  public var description: String { diagnostic.description }
}
