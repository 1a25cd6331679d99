internal import Glibc

/// Where data goes that apps hand to the system: the printer's spool, the storage locations. Each piece is a
/// file in the device's folder, out of every guest's reach.
struct Outlet {
  let folder: String
  private var count = 0

  /// What guests print and save must not fill the host's disk.
  private static let limit = 4096

  /// - Parameter folder: created with the first piece.
  init(folder: String) { self.folder = folder }

  /// Keeps `bytes` as a file.
  ///
  /// - Returns: whether it is there now; false where the outlet is full, or the disk is.
  mutating func keep(_ bytes: [UInt8], named name: String, at place: String) -> Bool {
    guard count < Self.limit else { return false }
    mkdir(folder, 0o700)
    mkdir("\(folder)/\(place)", 0o700)
    let descriptor = open("\(folder)/\(place)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    count += 1
    return true
  }
}
