internal import FileProtection
internal import Cryptography
internal import Policy
internal import Model

/// What a device that comes up again finds half done, and what may be looked at from outside.
extension FileBroker {
  /// Finishes or gives up renames that the device did not live to see the end of: a file that is not where it was
  /// is where it was to go.
  func settleMoves() throws(HostError) {
    for move in try database.pendingMoves() {
      if exists(move.from) {
        try database.cancelMove(from: move.from, to: move.to)
      } else {
        try database.finishMove(from: move.from, to: move.to)
      }
    }
  }

  private func exists(_ place: FilePlace) -> Bool {
    (try? find(place).exists) ?? true
  }

  /// What a file of a guest's container holds, as plain text whosever it is; nil where there is none, or it cannot
  /// be read.
  public func contents(ofFile path: String, in guest: String) -> [UInt8]? {
    let app = InstanceName(guest)?.extension ?? guest
    guard let place = FilePlace(scope: Folders.scope(ofContainer: app), path: path),
      let found = try? find(place), found.exists,
      let file = try? container(of: place).open(place.path, 0)
    else { return nil }
    guard let header = found.header else { return ContainerFolder.contents(of: file) }
    guard let key = try? key(of: header, place),
      let encrypted = try? EncryptedFile(
        descriptor: file, key: FileKey(key), path: place.description),
      let size = try? encrypted.size
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { try? encrypted.read(into: $0, at: 0) }
    return count == size ? bytes : nil
  }
}
