internal import Host
internal import Model

/// The cloud storage that all devices of an organisation see.
struct CloudStorage {
  private var folders: [Folder] = []

  /// A storage location, under one account.
  private struct Folder {
    let location: StorageLocation
    let owner: Account
    /// What was saved there, in the order in which it is there.
    var saved: [Passage]
  }

  /// Saves what arrives at a storage location.
  mutating func save(_ passage: Passage, at location: StorageLocation, of owner: Account) {
    if let index = index(of: location, owner) {
      folders[index].saved.insertInOrder(passage)
    } else {
      folders.append(Folder(location: location, owner: owner, saved: [passage]))
    }
  }

  /// What is at a storage location at a time; nil: nothing.
  func document(at location: StorageLocation, of owner: Account, time: Int) -> Parcel? {
    index(of: location, owner).flatMap { index in
      folders[index].saved.last { $0.time <= time }?.parcel
    }
  }

  private func index(of location: StorageLocation, _ owner: Account) -> Int? {
    folders.firstIndex { $0.location == location && $0.owner.isSame(as: owner) }
  }

  /// Forgets what nobody can see any more, since for everybody it is at least that late.
  mutating func forget(before time: Int) {
    for index in folders.indices {
      let saved = folders[index].saved
      guard let last = saved.lastIndex(where: { $0.time <= time }), last > 0 else { continue }
      folders[index].saved = Array(saved[last...])
    }
  }
}
