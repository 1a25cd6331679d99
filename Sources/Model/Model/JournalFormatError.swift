public import JSON

/// A line that is no journal event: broken JSON, or JSON of another shape.
public struct JournalFormatError: Error, Sendable, Equatable {
  /// The place within the line.
  public var position: Position
  /// The message, lower case, no full stop: `request.ended needs "end"`.
  public var message: String

  /// An error at `position` within the line.
  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }
}
