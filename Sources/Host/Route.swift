internal import Transfer

/// The way that a guest's last item took: the next one mostly takes the same.
struct Route {
  /// The destination as the guest named it.
  let destination: [UInt8]
  let receiver: Guest
  /// The device's generation of identities, accounts and policies, for which the ruling holds.
  let generation: Int
  let ruling: Ruling

  func leads(to destination: UnsafeRawBufferPointer, _ generation: Int) -> Bool {
    self.generation == generation && destination.isSame(as: self.destination)
  }
}
