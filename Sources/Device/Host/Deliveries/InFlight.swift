/// A delivery that its receiver has not confirmed.
struct InFlight {
  /// Number of the delivery on the receiver's connection.
  var sequence: UInt64
  var pending: PendingRequest
  /// The ruling, by which the request ends once the receiver confirms.
  var ruling: Ruling
  /// Bytes of the delivery in the receiver's inbox; 0 where it came inline.
  var inboxBytes = 0
}
