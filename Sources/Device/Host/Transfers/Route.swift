internal import Model
internal import Policy
internal import Wire

/// The route of a guest's last item: the next item mostly takes the same route.
struct Route {
  /// The destination as the guest named it.
  let destination: [UInt8]
  let receiver: Guest
  /// The generation of identities, accounts and policies on the device for which the ruling holds.
  let generation: Int
  let ruling: Ruling
  private let via: SharingPath
  private let channel: Channel

  init(destination: [UInt8], receiver: Guest, generation: Int, ruling: Ruling) {
    self.destination = destination
    self.receiver = receiver
    self.generation = generation
    self.ruling = ruling
    via = ruling.request.via
    channel = ruling.request.channel
  }

  /// Whether the ruling holds for `share`, too.
  func fits(_ share: ShareFrame, _ generation: Int) -> Bool {
    self.generation == generation && via == share.via && channel == share.way.channel
      && !share.item.isTagged && share.claimedSource.isEmpty
      && share.destination.isSame(as: destination)
  }
}
