/// A fault in a JSON text, and its place.
public struct JSONSyntaxError: Error, Sendable, Equatable {
  public var position: Position
  /// The message, lower case, no full stop: `expected ":" after the name, found "}"`.
  public var message: String

  /// An error at `position`.
  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }
}
