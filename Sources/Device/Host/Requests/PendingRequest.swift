/// A guest's request: who waits for its end.
struct PendingRequest {
  /// Number of the request on the device.
  var number: Int
  var guest: Guest
  /// Which of the guest's processes asked: who comes back after its end has another connection.
  let incarnation: Int
  /// Number of the request on that connection.
  var request: UInt64
  /// Whether the guest wants to hear only of failure.
  var isPosted = false
  /// For whom the guest asks.
  var actingIdentity: ActingIdentity

  init(
    number: Int, guest: Guest, request: UInt64, isPosted: Bool = false,
    actingIdentity: ActingIdentity? = nil
  ) {
    self.number = number
    self.guest = guest
    self.actingIdentity = actingIdentity ?? guest.acting.actingIdentity
    incarnation = guest.process.incarnation
    self.request = request
    self.isPosted = isPosted
  }

  /// Where the guest hears of the outcome; nil where the process that asked is gone.
  var openConnection: GuestConnection? {
    guest.process.incarnation == incarnation ? guest.connection : nil
  }
}
