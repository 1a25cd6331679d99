public import JSON

/// The report of a round, which may have failed. It can be written, and read again.
public protocol RoundReport: Sendable {
  /// The failure that ended the round; nil: everything held.
  var failure: WalkReport.Failure? { get }

  /// Writes all that ``init(_:)`` reads, as members of a JSON object.
  func writeMembers(to writer: inout JSONWriter)

  /// The report that ``writeMembers(to:)`` has written; nil where the object is something else.
  init?(_ object: JSONValue)
}

extension WalkReport: RoundReport {}
extension WorldWalkReport: RoundReport {}
