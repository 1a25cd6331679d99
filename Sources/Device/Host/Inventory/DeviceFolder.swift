internal import Glibc
internal import GRDB

/// A device's folder, which can be inspected or erased without starting the device.
package struct DeviceFolder: Sendable {
  /// The path as given to the initializer.
  package let path: String
  private let folders: Folders

  /// Checks that `path` is the folder of a device.
  ///
  /// - Throws: ``HostError``. The code is `noDevice` if there is no such folder, or it contains no device. A damaged
  ///   folder causes another code.
  package init(_ path: String) throws(HostError) {
    self.path = path
    folders = Folders(root: path)
    guard Self.mode(of: path) == S_IFDIR else {
      throw HostError(.noDevice, "there is no folder `\(path)`")
    }
    guard Self.mode(of: folders.database) == S_IFREG else {
      throw HostError(.noDevice, "the folder `\(path)` contains no device")
    }
    try folders.check()
  }

  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Whether a process currently runs or erases the device. Also true if the device's folder cannot be opened.
  package var isInUse: Bool { (try? DeviceLock.shared(folder: path)) == nil }

  package var journal: String { folders.journal }

  /// Returns the path of the device's journal, which might not exist.
  package static func journal(in folder: String) -> String { Folders(root: folder).journal }

  /// Returns the device's name; nil if the device was never started.
  ///
  /// - Throws: ``HostError`` if the database cannot be read, or a newer Sluice created the device.
  package func name() throws(HostError) -> String? { try database().copy.deviceName }

  /// Returns all data on the device except secrets. The device may be running; nothing is changed.
  ///
  /// - Throws: ``HostError`` if the database cannot be read, or a newer Sluice created the device.
  package func inventory() throws(HostError) -> DeviceInventory {
    let (copy, isInUse) = try database()
    return try DeviceInventory(of: folders, copy, isInUse: isInUse)
  }

  private func database() throws(HostError) -> (copy: DeviceDatabase, isInUse: Bool) {
    let lock = try DeviceLock.shared(folder: path)
    defer { lock?.release() }
    return (try DeviceDatabase.copy(of: folders.database, isInUse: lock == nil), lock == nil)
  }

  /// Whether the erasure of a device also erases its journal.
  package enum JournalFate: Sendable {
    case erased
    /// The journal is kept. The numbers of later events continue after its last event.
    case kept
  }

  /// Erases all content and settings, and leaves an empty device with the same name.
  ///
  /// Keys are erased first, so encrypted data is unreadable from then on. If the erasure is interrupted, the device
  /// cannot be started until it is erased again.
  ///
  /// - Throws: ``HostError`` if something cannot be erased. If the device is in use or a newer Sluice created
  ///   it, nothing is changed.
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

// MARK: - Database

/// Erases the database of a device. Secrets are destroyed first, so the data that they protect is unreadable even if
/// the erasure is interrupted later.
extension DeviceDatabase {
  private static let mark = "erasing"

  var isHalfErased: Bool {
    get throws(HostError) { try read(Self.isHalfErased) }
  }

  static func isHalfErased(_ database: Database) throws -> Bool {
    try meta(mark, database) != nil
  }

  /// Destroys all keys, secrets and PINs, and records that the erasure has begun. The device cannot be started until
  /// the erasure is complete.
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

  /// Deletes everything except the device's name.
  func forgetEverything() throws(HostError) {
    try access { database in
      // Rows reference each other, so the checks wait until all are deleted.
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

  /// Rewrites the database, so its files contain no deleted data.
  ///
  /// - Throws: ``HostError``, for example if another process is reading the database or the disk is
  ///   full.
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

/// Removes a folder with all of its contents. Guests may have nested folders to any depth, and may have removed
/// permissions.
package struct FolderRemoval {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// Removes the folder; does nothing if it does not exist.
  ///
  /// - Throws: ``HostError`` if an entry cannot be removed. Other entries may already be gone.
  package func run() throws(HostError) {
    fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW)
    let root = open(path, Self.flags)
    guard root >= 0 else {
      if errno == ENOENT { return }
      throw failure("look into", [])
    }
    defer { close(root) }
    var moved = 0
    var last: Int
    // Each round removes the folders that the round before has moved to the root.
    repeat {
      last = moved
      try empty(root, [], root, &moved)
    } while moved > last
    if rmdir(path) < 0 { throw failure("delete", []) }
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// The number of nested folders that are open at the same time. Folders at a greater depth are moved to the root
  /// before they are emptied, so any depth needs only a few descriptors.
  private static let maximumDepth = 8

  /// Removes all entries of a folder. Folders that are too deep are moved to the root instead.
  ///
  /// - Parameters:
  ///   - place: The names of the folders from the root to this one.
  ///   - moved: The number of folders that were moved to the root.
  private func empty(
    _ folder: Int32, _ place: [[UInt8]], _ root: Int32, _ moved: inout Int
  ) throws(HostError) {
    for entry in try entries(of: folder, place) {
      let name = entry.name
      let flags = entry.isFolder ? AT_REMOVEDIR : 0
      if name.withCPath({ unlinkat(folder, $0, flags) }) == 0 { continue }
      guard entry.isFolder, errno == ENOTEMPTY || errno == EEXIST else {
        throw failure("delete", place + [name])
      }
      // Reading a folder requires permissions, and moving it requires write permission, because its `..` changes.
      _ = name.withCPath { fchmodat(folder, $0, 0o700, 0) }
      guard place.count < Self.maximumDepth else {
        try moveUp(name, from: folder, place, root, &moved)
        continue
      }
      let inner = name.withCPath { openat(folder, $0, Self.flags) }
      guard inner >= 0 else { throw failure("look into", place + [name]) }
      defer { close(inner) }
      try empty(inner, place + [name], root, &moved)
      if name.withCPath({ unlinkat(folder, $0, AT_REMOVEDIR) }) < 0 {
        throw failure("delete", place + [name])
      }
    }
  }

  private func moveUp(
    _ name: [UInt8], from folder: Int32, _ place: [[UInt8]], _ root: Int32, _ moved: inout Int
  ) throws(HostError) {
    // Renaming onto an empty folder replaces and thereby removes that folder.
    repeat {
      moved += 1
      let isMoved = name.withCPath { old in
        Array("moved-\(moved)".utf8).withCPath { renameat(folder, old, root, $0) == 0 }
      }
      if isMoved { return }
    } while errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
    throw failure("move", place + [name])
  }

  private func entries(
    of folder: Int32, _ place: [[UInt8]]
  ) throws(HostError) -> [(name: [UInt8], isFolder: Bool)] {
    // `closedir` closes the stream's descriptor, so the stream needs its own.
    guard let stream = fdopendir(openat(folder, ".", Self.flags)) else {
      throw failure("look into", place)
    }
    defer { closedir(stream) }
    var entries: [(name: [UInt8], isFolder: Bool)] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name == Array(".".utf8) || name == Array("..".utf8) { continue }
      entries.append((name, isFolder(entry.pointee, name, in: folder)))
    }
    return entries
  }

  private func isFolder(_ entry: dirent, _ name: [UInt8], in folder: Int32) -> Bool {
    guard entry.d_type == DT_UNKNOWN else { return entry.d_type == DT_DIR }
    // Some file systems do not state the kind.
    var status = stat()
    return name.withCPath { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  private func failure(_ action: String, _ place: [[UInt8]]) -> HostError {
    let reason = lastError()
    let name = place.map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
    return HostError(.folder, "cannot \(action) `\(path)\(name)`: \(reason)")
  }
}
