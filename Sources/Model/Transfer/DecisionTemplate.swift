public import JSON

/// A decision of which all but the request's number and the item's size is known: many transfers are alike,
/// and their lines in the journal are too.
public struct DecisionTemplate: Sendable {
  private let head: [UInt8]
  private let tail: [UInt8]

  public init(_ decision: RequestDecision) {
    var writer = JSONWriter()
    decision.writeHead(to: &writer)
    head = writer.bytes
    writer = JSONWriter()
    decision.writeTail(to: &writer)
    tail = writer.bytes
  }

  /// Writes the event as ``JournalEvent/write(to:)`` would for the whole decision.
  public func write(
    sequence: Int, time: Int, request: Int, bytes: Int, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      JournalEvent.writeStart(sequence: sequence, time: time, .requestDecided, to: &writer)
      writer.member("request", request)
      writer.raw(head)
      writer.member("bytes", bytes)
      writer.raw(tail)
    }
  }
}
