public import JSON
public import Model

/// The outcome of a piece, which a blob can hold.
public protocol Mergeable: Sendable {
  /// The events of the piece's device; empty where it had none.
  var events: [JournalEvent] { get }

  /// Writes all that is not in ``events`` as members of a JSON object.
  func writeMembers(to writer: inout JSONWriter)

  /// The outcome of a piece that a blob holds; nil where the result is that of something else.
  init?(_ result: PieceResult, of piece: Piece)
}
