internal import Glibc

/// The folder of a device that has been up, to be looked at or erased without bringing the device up.
public struct DeviceFolder: Sendable {
  /// Path of the folder, as it was given.
  public let path: String
  private let folders: Folders

  /// Creates a device's folder from its path.
  ///
  /// - Throws: ``HostError`` where the folder is damaged, with the code `noDevice` where there is no device.
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

  /// Whether the device is up, or being looked at.
  package var isInUse: Bool { (try? DeviceLock.shared(folder: path)) == nil }

  /// The path of the device's journal.
  package var journal: String { folders.journal }

  /// The path of the journal of a device in a folder, whether there is one or not.
  package static func journal(in folder: String) -> String { Folders(root: folder).journal }

  /// The device's name; nil: the device has never been up.
  ///
  /// - Throws: ``HostError`` where the database cannot be read, or a newer Sluice made the device.
  public func name() throws(HostError) -> String? { try database().copy.deviceName }

  /// All that the device holds, except secrets. Nothing is changed, even where the device is up.
  ///
  /// - Throws: ``HostError`` where the database cannot be read, or a newer Sluice made the device.
  public func inventory() throws(HostError) -> DeviceInventory {
    let (copy, isInUse) = try database()
    return try DeviceInventory(of: folders, copy, isInUse: isInUse)
  }

  private func database() throws(HostError) -> (copy: DeviceDatabase, isInUse: Bool) {
    let lock = try DeviceLock.shared(folder: path)
    defer { lock?.release() }
    return (try DeviceDatabase.copy(of: folders.database, isInUse: lock == nil), lock == nil)
  }

  /// The fate of the journal of a device that is erased.
  public enum JournalFate: Sendable {
    case erased
    /// The journal stays, and later events are numbered as if nothing had happened.
    case kept
  }

  /// Erases all content and settings, and leaves an empty device of the same name.
  ///
  /// The keys go first. Where the erasure is interrupted, the device does not come up, and erasing it again finishes
  /// it.
  ///
  /// - Throws: ``HostError`` where something cannot be erased; nothing has changed where the device is in use, or a
  ///   newer Sluice made it.
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
