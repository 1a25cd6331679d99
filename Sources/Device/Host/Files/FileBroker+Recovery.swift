internal import Cryptography
internal import FileProtection
internal import Glibc
internal import Model
internal import Policy

/// The completion of what a device that comes up again finds half done, and access to files from outside.
extension FileBroker {
  /// Finishes or cancels the moves that an earlier run of the device has begun: a file that is not at its old place is
  /// at its new one.
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

  /// The contents of a file in a guest's container, as plain text whoever owns it; nil where there is none, or it
  /// cannot be read.
  public func contents(ofFile path: String, in guest: String) -> [UInt8]? {
    let app = InstanceName(guest)?.extension ?? guest
    guard let place = FilePlace(scope: Folders.scope(ofContainer: app), path: path),
      let found = try? find(place), found.exists
    else { return nil }
    let opened = { try self.container(of: place).open(place.path, O_RDONLY) }
    guard let header = found.header else {
      return (try? opened()).flatMap(ContainerFolder.contents(of:))
    }
    guard let key = try? key(of: header, owners.permitOfDevice(to: header), place),
      let file = try? opened(),
      let encrypted = try? EncryptedFile(
        descriptor: file, key: FileKey(key), path: place.description),
      let size = try? encrypted.size
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { try? encrypted.read(into: $0, at: 0) }
    return count == size ? bytes : nil
  }
}
