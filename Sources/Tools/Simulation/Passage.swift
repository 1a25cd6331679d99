internal import Host
internal import Model

/// A parcel on its way from one device to another, or to cloud storage.
struct Passage {
  let parcel: Parcel
  let place: Place
  /// The time by the clock of all devices at which it is there.
  let time: Int
  /// The place of the device that sent it among the organisation's devices, from 0 on.
  let sender: Int

  /// Where a parcel arrives.
  enum Place {
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
