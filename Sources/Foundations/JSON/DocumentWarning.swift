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

  public init(_ code: Code, file: String, at position: Position, _ message: String) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
  }

  /// `file:line:column: warning: message [code]`, or `note` in place of `warning`.
  public var description: String {
    let kind = code.isNote ? "note" : "warning"
    return "\(file):\(position.line):\(position.column): \(kind): \(message) [\(code.rawValue)]"
  }
}

/// What there is to warn about in one kind of document.
public protocol DocumentWarningCode: RawRepresentable<String>, Hashable, Sendable {
  /// Whether it is no more than information: what most documents of the kind are like, mistake or not.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  public var isNote: Bool { false }
}
