public import JSON
public import Model

/// What is left of a piece that was done.
public struct PieceResult: Sendable {
  /// The result as a JSON object, of members that the command chooses.
  public var members: JSONValue
  /// The events of the piece's device, where there was one.
  public var events: [JournalEvent]
}
