internal import Glibc

/// The folder of a device that has been up, to be looked at or erased without bringing the device up.
public struct DeviceFolder: Sendable {
  /// As it was given.
  public let path: String
  private let folders: Folders

  /// - Throws: ``HostError`` with the code `noDevice` where there is no device.
  public init(_ path: String) throws(HostError) {
    self.path = path
    folders = Folders(root: path)
    guard Self.mode(of: path) == S_IFDIR else {
      throw HostError(.noDevice, "there is no folder `\(path)`")
    }
    guard Self.mode(of: folders.database) == S_IFREG else {
      throw HostError(.noDevice, "the folder `\(path)` is not a device's")
    }
    try folders.check()
  }

  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// What the device is called; nil: it has never been up.
  ///
  /// - Throws: ``HostError`` also where a newer Sluice made the device.
  public func name() throws(HostError) -> String? { try database().copy.deviceName }

  /// All that the device holds, but for secrets. Nothing is changed, also where the device is up.
  ///
  /// - Throws: ``HostError`` also where a newer Sluice made the device.
  public func inventory() throws(HostError) -> DeviceInventory {
    let (copy, isInUse) = try database()
    return try DeviceInventory(of: folders, copy, isInUse: isInUse)
  }

  private func database() throws(HostError) -> (copy: DeviceDatabase, isInUse: Bool) {
    let lock = try DeviceLock.shared(folder: path)
    defer { lock?.release() }
    return (try DeviceDatabase.copy(of: folders.database, isInUse: lock == nil), lock == nil)
  }

  /// What becomes of the journal of a device that is erased.
  public enum JournalFate: Sendable {
    case erased
    /// The events that follow are numbered as if nothing had happened.
    case kept
  }

  /// Erases all content and settings, and leaves an empty device of the same name.
  ///
  /// The keys go first. Where this is interrupted, the device does not come up, and erasing it again finishes it.
  ///
  /// - Throws: ``HostError`` also where the device is in use, or a newer Sluice made it. Nothing has changed then.
  public func erase(journal: JournalFate) throws(HostError) {
    let lock = try DeviceLock(folder: path)
    defer { lock.release() }
    let database = try DeviceDatabase(path: folders.database, isSynchronized: true)
    defer { try? database.close() }
    try database.destroySecrets()
    for folder in folders.content { try FolderRemoval(folder).run() }
    if journal == .erased, unlink(folders.journal) < 0, errno != ENOENT {
      throw HostError(.journal, "cannot delete the journal `\(folders.journal)`: \(lastError())")
    }
    try database.forgetEverything()
  }
}
