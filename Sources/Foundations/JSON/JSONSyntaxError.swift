/// What is wrong with a JSON text, and where.
public struct JSONSyntaxError: Error, Sendable, Equatable {
  public var position: Position
  /// Lower case, no full stop: `expected ":" after the name, found "}"`.
  public var message: String

  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }
}
