/// A guest's request, which waits for its end.
struct PendingRequest {
  /// Number of the request on the device.
  var number: Int
  var guest: Guest
  /// The run of the guest that asked: a guest that comes back after its end has another connection.
  let incarnation: Int
  /// Number of the request on the guest's connection.
  var request: UInt64
  /// Whether the guest wants to hear only of failure.
  var isPosted = false
  /// The acting identity of the request.
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

  /// The connection on which the guest hears the outcome; nil where the process that asked is gone.
  var openConnection: GuestConnection? {
    guest.process.incarnation == incarnation ? guest.connection : nil
  }
}
