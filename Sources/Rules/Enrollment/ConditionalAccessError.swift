internal import Diagnostics
public import JSON

/// Why a file holds no conditional access policies: `file:line:column: error: sentence [code]`.
public struct ConditionalAccessError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case jsonSyntax, noPolicy, wrongType, missing, unknownValue
  }

  public var code: Code
  public var file: String
  public var position: Position
  public var message: String

  public var description: String {
    "\(Diagnostic(.file(file, position), message, rule: code.rawValue))"
  }
}
