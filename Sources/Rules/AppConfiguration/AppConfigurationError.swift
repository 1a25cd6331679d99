internal import Diagnostics
public import JSON

/// Why a file of app configurations cannot be used, and where. What a message tells is never a value.
public struct AppConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rules that a file can break.
  public enum Code: String, Sendable, CaseIterable {
    /// The text is no JSON.
    case jsonSyntax
    /// The file holds no app configuration.
    case noConfiguration
    /// An object states one name twice.
    case duplicateProperty
    /// A configuration states one key twice.
    case duplicateKey
    /// The object is something else than an app configuration for iOS.
    case otherType
    /// A property has another JSON type than Graph gives it.
    case wrongType
    /// A word is none of those that Graph lists.
    case unknownValue
    /// A value is not of the type that is stated for its key.
    case invalidValue
    /// `encodedSettingXml` is no base64 of a property list with a dictionary.
    case invalidXML
    /// A configuration is larger than a device takes.
    case tooLarge
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
