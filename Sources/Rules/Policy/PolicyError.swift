internal import Diagnostics
public import JSON

/// Why a policy file cannot be used, and where.
public struct PolicyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rules that a file can break.
  public enum Code: String, Sendable, CaseIterable {
    /// The text is no JSON.
    case jsonSyntax
    /// The file holds no policy.
    case noPolicy
    /// An object states one name twice.
    case duplicateProperty
    /// The policy is for another platform, or the object is no app protection policy.
    case otherPolicyType
    /// A property has another JSON type than Graph gives it.
    case wrongType
    /// A value is none of those that Graph lists.
    case unknownValue
    /// A number lies outside the range that Graph documents.
    case outOfRange
    /// A text is no duration of days, hours, minutes and seconds.
    case invalidDuration
    /// A text is no version of dotted numbers.
    case invalidVersion
  }

  public var code: Code
  /// The file as the user named it.
  public var file: String
  public var position: Position
  /// Lower case, no full stop, user input in backticks.
  public var message: String

  public init(_ code: Code, file: String, at position: Position, _ message: String) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
  }

  /// `file:line:column: error: message [code]`.
  public var description: String {
    "\(Diagnostic(.file(file, position), message, rule: code.rawValue))"
  }
}
