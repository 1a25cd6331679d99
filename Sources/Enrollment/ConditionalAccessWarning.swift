public import JSON

/// What looks wrong in a conditional access policy that can be used all the same.
public struct ConditionalAccessWarning: Sendable, Hashable, CustomStringConvertible {
  /// What there is to warn about.
  public enum Code: String, Sendable, CaseIterable {
    /// A name that Graph does not document.
    case unknownProperty
    /// A condition or control that is set, and that nothing here depends on.
    case notSimulated
    /// A policy that includes no user.
    case noUsers
    /// A policy that tells users by groups, roles or guests, which the directory alone knows.
    case opaqueUsers
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

  /// `file:line:column: warning: message [code]`.
  public var description: String {
    "\(file):\(position.line):\(position.column): warning: \(message) [\(code.rawValue)]"
  }
}
