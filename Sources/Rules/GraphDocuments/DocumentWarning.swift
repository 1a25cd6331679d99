public import Diagnostics
public import JSON

/// A probable mistake in a document that can be used all the same.
public struct DocumentWarning<Code: DocumentWarningCode>: Sendable, Hashable,
  CustomStringConvertible
{
  /// The kind of mistake.
  public var code: Code
  /// The path of the file as the user named it.
  public var file: String
  public var position: Position
  /// The message, in lower case, without full stop, with user input in backticks.
  public var message: String

  /// Creates a warning.
  ///
  /// - Parameter position: The place of the mistake; the beginning of the file where all of it is meant.
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
    Diagnostic(
      .file(file, position), message, rule: code.rawValue,
      severity: code.isNote ? .note : .warning)
  }

  /// The warning as a line: `file:line:column: warning: message [code]`, or `note` in place of `warning`.
  public var description: String { diagnostic.description }
}

/// The kinds of warnings about one kind of document.
public protocol DocumentWarningCode: RawRepresentable<String>, Hashable, Sendable {
  /// A name that no property of such a document has.
  static var unknownProperty: Self { get }

  /// Whether the warning is only a note: most documents of the kind give it, mistake or not.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  public var isNote: Bool { false }
}
