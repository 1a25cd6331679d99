/// The deliveries that have come, and those of them that are acknowledged: all up to a number.
struct Receipts {
  private var received: UInt64 = 0
  private var acknowledged: UInt64 = 0
  /// The number of deliveries that have not been dealt with.
  private var unfinished = 0

  mutating func receive(_ sequence: UInt64) { received = sequence }

  /// Puts acknowledgements off until ``finish()``; several nest.
  mutating func postpone() { unfinished += 1 }

  mutating func finish() { unfinished -= 1 }

  /// Returns the number up to which deliveries are to be acknowledged now; nil where there is nothing to acknowledge.
  mutating func acknowledge() -> UInt64? {
    guard received > acknowledged, unfinished == 0 else { return nil }
    acknowledged = received
    return received
  }
}
