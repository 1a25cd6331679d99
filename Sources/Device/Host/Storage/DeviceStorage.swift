internal import Cryptography

/// The folder of a device, locked against other processes, and its database.
struct DeviceStorage {
  let folders: Folders
  let database: DeviceDatabase
  let durability = Durability()
  let vacuum: Vacuum
  private let lock: DeviceLock

  /// Creates the folder where it is missing, and locks it.
  ///
  /// - Throws: ``HostError`` where another process has the folder, or the folder or the database is damaged.
  init(_ configuration: DeviceConfiguration) throws(HostError) {
    try Folders.create(configuration.folder)
    folders = Folders(root: Folders.absolute(configuration.folder))
    lock = try DeviceLock(folder: configuration.folder)
    try folders.check()
    database = try DeviceDatabase(
      path: folders.database, isSynchronized: configuration.journal == .synchronized)
    try database.claim(for: configuration.name)
    vacuum = try Vacuum(database, durability: durability)
  }

  /// Closes the database and unlocks the folder.
  func close() {
    // The database's data has been committed: closing could lose nothing.
    try? database.close()
    lock.release()
  }
}

extension DeviceDatabase {
  /// One of the device's own keys, made on first use.
  func key(_ name: String, _ byteCount: Int) throws(HostError) -> [UInt8] {
    try secret(name) { randomBytes(byteCount) }
  }
}
