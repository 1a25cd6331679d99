/// What looks wrong in a document that can be used all the same.
public struct DocumentWarning<Code>: Sendable, Hashable, CustomStringConvertible
where Code: RawRepresentable<String> & Hashable & Sendable {
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

  /// `file:line:column: warning: message [code]`.
  public var description: String {
    "\(file):\(position.line):\(position.column): warning: \(message) [\(code.rawValue)]"
  }
}
