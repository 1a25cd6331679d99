package import Host
package import Model

/// A parcel on its way from one device to another, or to cloud storage.
package struct Passage: Sendable {
  package let parcel: Parcel
  package let place: Place
  /// The time by the clock of all devices at which it is there.
  package let time: Int
  /// The place of the device that sent it among the organisation's devices, from 0 on.
  package let sender: Int

  package init(parcel: Parcel, place: Place, time: Int, sender: Int) {
    self.parcel = parcel
    self.place = place
    self.time = time
    self.sender = sender
  }

  /// Where a parcel arrives.
  package enum Place: Sendable {
    /// The device of that name.
    case device(String)
    /// A storage location, under the account that owns what is there.
    case storage(StorageLocation, owner: Account)
  }

  /// Whether this arrives before another at the same place. What a device sends is ordered by its requests.
  func isBefore(_ other: Passage) -> Bool {
    (time, sender, parcel.request) < (other.time, other.sender, other.parcel.request)
  }
}

extension [Passage] {
  /// Adds a passage after all that arrive before it.
  mutating func insertInOrder(_ passage: Passage) {
    let index = lastIndex { !passage.isBefore($0) }.map { $0 + 1 } ?? 0
    insert(passage, at: index)
  }
}
