internal import Policy
internal import Model
internal import Wire

/// The way that a guest's last item took: the next one mostly takes the same.
struct Route {
  /// The destination as the guest named it.
  let destination: [UInt8]
  let receiver: Guest
  /// The device's generation of identities, accounts and policies, for which the ruling holds.
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

  /// Whether nothing about `share` asks for another ruling.
  func fits(_ share: ShareFrame, _ generation: Int) -> Bool {
    self.generation == generation && via == share.via && channel == share.way.channel
      && !share.item.isTagged && share.claimedSource.isEmpty
      && share.destination.isSame(as: destination)
  }
}
