/// What a shard of a run left: what it was to do, and the result of each piece.
public struct Blob: Sendable {
  /// The file that the blob was read from.
  public let file: String
  public let plan: Plan
  /// The plan as the file has it.
  let planLine: String
  public let shard: Shard
  /// The results by the number of the piece, from 0.
  public let results: [Int: PieceResult]
  /// The texts of files that results name, by path.
  public let texts: [String: String]
}
