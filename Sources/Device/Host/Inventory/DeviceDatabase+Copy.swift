internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// A copy of a device's database in memory, for callers that only look.
extension DeviceDatabase {
  /// Copies the database at `path` as it is at this moment. The files stay as they are, and none is added; a device
  /// that is up goes on writing.
  ///
  /// - Parameter isInUse: whether a device may have the database open.
  /// - Throws: ``HostError`` where the file cannot be read, a newer version made it, or it is not a device's.
  static func copy(of path: String, isInUse: Bool) throws(HostError) -> DeviceDatabase {
    let maker: Maker
    let copy: DatabaseQueue
    do {
      copy = try DatabaseQueue()
      if isInUse || hasLog(path) {
        try backUp(path, to: copy)
      } else {
        try load(path, into: copy)
      }
      maker = try copy.read(Self.maker(of:))
    } catch {
      throw failure(toOpen: path, error)
    }
    try check(maker, path)
    do {
      try migrator.migrate(copy)
    } catch {
      throw failure(toOpen: path, error)
    }
    return DeviceDatabase(path: path, queue: copy)
  }

  /// Whether some changes are in the write-ahead log only.
  private static func hasLog(_ path: String) -> Bool {
    let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (log?[.size] as? Int ?? 0) > 0
  }

  private static func backUp(_ path: String, to copy: DatabaseQueue) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(2)
    try reading(path) {
      let source = try DatabaseQueue(path: path, configuration: configuration)
      try source.backup(to: copy)
      try source.close()
    }
  }

  /// Loads the file's bytes. SQLite itself would make a log and an index beside the file, and leave them there.
  private static func load(_ path: String, into copy: DatabaseQueue) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    guard !bytes.isEmpty else { return }
    if bytes.count > 19 {
      // File format versions: without a log, see https://www.sqlite.org/c3ref/deserialize.html
      bytes[18] = 1
      bytes[19] = 1
    }
    try copy.writeWithoutTransaction { database in
      let size = sqlite3_int64(bytes.count)
      guard let memory = sqlite3_malloc64(sqlite3_uint64(bytes.count)) else {
        throw DatabaseError(resultCode: .SQLITE_NOMEM)
      }
      memory.copyMemory(from: bytes, byteCount: bytes.count)
      let code = sqlite3_deserialize(
        database.sqliteConnection, "main", memory.assumingMemoryBound(to: UInt8.self), size, size,
        UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      database.clearSchemaCache()
    }
  }
}
