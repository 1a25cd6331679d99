public import Diagnostics
public import JSON

/// What looks wrong in a document that can be used all the same.
public struct DocumentWarning<Code: DocumentWarningCode>: Sendable, Hashable,
  CustomStringConvertible
{
  /// What kind of mistake it is.
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
    Diagnostic(
      .file(file, position), message, rule: code.rawValue,
      severity: code.isNote ? .note : .warning)
  }

  /// `file:line:column: warning: message [code]`, or `note` in place of `warning`.
  public var description: String { diagnostic.description }
}

/// What there is to warn about in one kind of document.
public protocol DocumentWarningCode: RawRepresentable<String>, Hashable, Sendable {
  /// A name that no property of such a document has.
  static var unknownProperty: Self { get }

  /// Whether it is no more than information: what most documents of the kind are like, mistake or not.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  public var isNote: Bool { false }
}
