internal import Glibc
internal import GRDB

/// The folder of a device that has been up, to be looked at or erased without bringing the device up.
package struct DeviceFolder: Sendable {
  /// Path of the folder, as it was given.
  package let path: String
  private let folders: Folders

  /// Creates a device's folder from its path.
  ///
  /// - Throws: ``HostError`` where the folder is damaged, with the code `noDevice` where there is no device.
  package init(_ path: String) throws(HostError) {
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
  package func name() throws(HostError) -> String? { try database().copy.deviceName }

  /// All that the device holds, except secrets. Nothing is changed, even where the device is up.
  ///
  /// - Throws: ``HostError`` where the database cannot be read, or a newer Sluice made the device.
  package func inventory() throws(HostError) -> DeviceInventory {
    let (copy, isInUse) = try database()
    return try DeviceInventory(of: folders, copy, isInUse: isInUse)
  }

  private func database() throws(HostError) -> (copy: DeviceDatabase, isInUse: Bool) {
    let lock = try DeviceLock.shared(folder: path)
    defer { lock?.release() }
    return (try DeviceDatabase.copy(of: folders.database, isInUse: lock == nil), lock == nil)
  }

  /// The fate of the journal of a device that is erased.
  package enum JournalFate: Sendable {
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
  package func erase(journal: JournalFate) throws(HostError) {
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

// MARK: - The database

/// The erasure of a device: secrets go first, so that nothing that they protect can be read, whenever it is
/// interrupted.
extension DeviceDatabase {
  private static let mark = "erasing"

  /// Whether the device is half erased.
  var isHalfErased: Bool {
    get throws(HostError) { try look(Self.isHalfErased) }
  }

  static func isHalfErased(_ database: Database) throws -> Bool {
    try meta(mark, database) != nil
  }

  /// Destroys all keys, secrets and PINs. The device is half erased then, and does not come up.
  func destroySecrets() throws(HostError) {
    try access { database in
      try Self.setMeta(Self.mark, "begun", database)
      try database.run("UPDATE account SET wrappedKey = NULL")
      for table in ["secret", "keychainItem", "accessState"] {
        try database.run("DELETE FROM \(table)")
      }
    }
    try eraseAll()
  }

  /// Forgets everything but the name: the device is one that nobody has used.
  func forgetEverything() throws(HostError) {
    try access { database in
      // Rows that name others go in any order.
      try database.run("PRAGMA defer_foreign_keys = ON")
      let tables = try database.rows(
        """
        SELECT name FROM sqlite_schema WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%' AND name NOT IN ('grdb_migrations', 'meta')
        """)
      for table in tables { try database.run("DELETE FROM \(table["name"] as String)") }
      try database.run("DELETE FROM meta WHERE name <> ?", [Self.deviceKey])
    }
    try eraseAll()
  }

  /// Erases the traces of what was deleted.
  ///
  /// - Throws: ``HostError``, also where the traces are not erased: another process reads the database, or the disk is full.
  private func eraseAll() throws(HostError) {
    switch try vacuum() {
    case .done: break
    case .busy:
      throw HostError(.database, "another process is reading the device's database `\(path)`")
    case .noRoom:
      throw HostError(
        .database, "the disk has no room for a copy of the device's database `\(path)`")
    }
  }
}

// MARK: - Folders

/// The removal of a folder with all that guests have left in it, however deep, and whatever they have closed.
///
/// Nested folders are moved up before they are emptied, so that no path grows long, and no descriptor waits for
/// another.
package struct FolderRemoval {
  private let path: String

  /// Creates the removal of the folder at `path`.
  package init(_ path: String) { self.path = path }

  /// Removes the folder; does nothing where there is none.
  ///
  /// - Throws: ``HostError`` where something cannot be removed; what could be removed is gone then.
  package func run() throws(HostError) {
    chmod(path, 0o700)
    let root = open(path, Self.flags)
    guard root >= 0 else {
      if errno == ENOENT { return }
      throw failure("look into", "")
    }
    defer { close(root) }
    var count = 0
    while true {
      let inner = try empty(root)
      if inner.isEmpty { break }
      for name in inner { try remove(name, root, &count) }
    }
    if rmdir(path) < 0 { throw failure("delete", "") }
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Removes everything but folders from the root.
  ///
  /// - Returns: names of the folders that are left.
  private func empty(_ root: Int32) throws(HostError) -> [[UInt8]] {
    var inner: [[UInt8]] = []
    for name in try names(in: root, "") {
      if name.withCPath({ unlinkat(root, $0, 0) }) == 0 { continue }
      guard errno == EISDIR || errno == EPERM else { throw failure("delete", text(name)) }
      inner.append(name)
    }
    return inner
  }

  /// Removes a folder of the root, after moving up the folders in it.
  private func remove(
    _ name: [UInt8], _ root: Int32, _ count: inout Int
  ) throws(HostError) {
    _ = name.withCPath { fchmodat(root, $0, 0o700, 0) }
    let folder = name.withCPath { openat(root, $0, Self.flags) }
    guard folder >= 0 else { throw failure("look into", text(name)) }
    defer { close(folder) }
    for entry in try names(in: folder, text(name)) {
      if entry.withCPath({ unlinkat(folder, $0, 0) }) == 0 { continue }
      guard errno == EISDIR || errno == EPERM else { throw failure("delete", text(entry)) }
      // Moving a folder takes the permission to change it, because its `..` is another then.
      _ = entry.withCPath { fchmodat(folder, $0, 0o700, 0) }
      try moveUp(entry, folder, root, &count)
    }
    if name.withCPath({ unlinkat(root, $0, AT_REMOVEDIR) }) < 0 {
      throw failure("delete", text(name))
    }
  }

  private func moveUp(
    _ name: [UInt8], _ folder: Int32, _ root: Int32, _ count: inout Int
  ) throws(HostError) {
    // An empty folder that has the new name already is replaced, and so gone as well.
    repeat {
      count += 1
      let isMoved = name.withCPath { old in
        Array("moved-\(count)".utf8).withCPath { renameat(folder, old, root, $0) == 0 }
      }
      if isMoved { return }
    } while errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
    throw failure("move", text(name))
  }

  private func names(in folder: Int32, _ name: String) throws(HostError) -> [[UInt8]] {
    // A stream closes its descriptor.
    guard let stream = fdopendir(openat(folder, ".", Self.flags)) else {
      throw failure("look into", name)
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

  private func failure(_ action: String, _ name: String) -> HostError {
    let reason = lastError()
    let place = name.isEmpty ? path : "\(path)/\(name)"
    return HostError(.folder, "cannot \(action) `\(place)`: \(reason)")
  }
}
