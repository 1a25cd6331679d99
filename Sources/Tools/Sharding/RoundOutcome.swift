public import JSON
public import Model
public import Simulation

/// What came of a round of a walk.
public struct RoundOutcome<Report: RoundReport>: Mergeable {
  /// The report of the round; nil where a round before it had failed already.
  public var report: Report?

  /// The outcome of a round that was taken, or not.
  public init(_ report: Report?) { self.report = report }

  public var events: [JournalEvent] { [] }

  public func writeMembers(to writer: inout JSONWriter) { report?.writeMembers(to: &writer) }

  public init?(_ result: PieceResult, of piece: Piece) {
    guard result.members.members?.isEmpty == false else {
      self.init(nil)
      return
    }
    guard let report = Report(result.members) else { return nil }
    self.init(report)
  }
}
