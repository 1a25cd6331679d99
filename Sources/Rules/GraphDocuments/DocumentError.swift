public import Diagnostics
public import JSON

/// Why a file of documents cannot be used, and where.
public struct DocumentError<Rule: DocumentErrorCode>: Error, Sendable, Hashable,
  CustomStringConvertible
{
  /// The rules that a file can break.
  public typealias Code = Rule

  public var code: Code
  /// The file as the user named it.
  public var file: String
  public var position: Position
  /// Lower case, no full stop, user input in backticks.
  public var message: String

  /// - Parameter position: the beginning where all of the file is meant.
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

  /// `file:line:column: error: message [code]`.
  public var description: String { diagnostic.description }
}

/// The rules that files with one kind of document can break. These every kind has.
public protocol DocumentErrorCode: RawRepresentable<String>, Hashable, Sendable {
  /// The text is no JSON.
  static var jsonSyntax: Self { get }
  /// A property has another JSON type than Graph gives it.
  static var wrongType: Self { get }
}
