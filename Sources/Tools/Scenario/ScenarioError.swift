package import Encodings
package import Output

package struct ScenarioError: Error, Sendable, Equatable {
  /// The kind of error. The raw value appears in brackets at the end of the message.
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

  /// The name of the file as the user entered it.
  package var file: String
  package var position: Position
  package var code: Code
  /// The message as one sentence in lower case, without a full stop. The user's input is in backticks.
  package var message: String
}

extension ScenarioError: CustomStringConvertible {
  package var diagnostic: Diagnostic {
    Diagnostic(.file(file, position), message, rule: code.rawValue)
  }

  /// The error as one line, such as `scenario.yaml:3:5: error: … [unknown-key]`.
  package var description: String { diagnostic.description }
}

/// All errors of a scenario file, ordered by position.
package struct ScenarioErrors: Error, Sendable, Equatable {
  /// The errors. There is at least one.
  package let errors: [ScenarioError]

  init(_ mistake: InputError, file: String) {
    errors = mistake.inOrder.map {
      ScenarioError(file: file, position: $0.position, code: $0.code, message: $0.message)
    }
  }
}

extension ScenarioErrors: CustomStringConvertible {
  package var diagnostics: [Diagnostic] { errors.map(\.diagnostic) }

  /// The messages in one line, without positions.
  package var reason: String { errors.map(\.message).joined(separator: "; ") }

  /// The errors, one per line.
  package var description: String { errors.map(\.description).joined(separator: "\n") }
}
