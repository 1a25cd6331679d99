public import Diagnostics
public import JSON

/// The error of a file of documents that cannot be used, with its place.
public struct DocumentError<Rule: DocumentErrorCode>: Error, Sendable, Hashable,
  CustomStringConvertible
{
  /// The rules that a file can break.
  public typealias Code = Rule

  public var code: Code
  /// The path of the file as the user named it.
  public var file: String
  public var position: Position
  /// The message, in lower case, without full stop, with user input in backticks.
  public var message: String

  /// Creates an error.
  ///
  /// - Parameter position: The place at fault; the beginning of the file where all of it is meant.
  public init(
    _ code: Code, file: String, at position: Position = Position(line: 1, column: 1),
    _ message: String
  ) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
  }

  public var diagnostic: Diagnostic {
    Diagnostic(.file(file, position), message, rule: code.rawValue)
  }

  /// The error as a line: `file:line:column: error: message [code]`.
  public var description: String { diagnostic.description }
}

/// The rules that files with one kind of document can break. All kinds share the rules stated here.
public protocol DocumentErrorCode: RawRepresentable<String>, Hashable, Sendable {
  /// The text is no JSON.
  static var jsonSyntax: Self { get }
  /// A property has another JSON type than Graph gives it.
  static var wrongType: Self { get }
}
