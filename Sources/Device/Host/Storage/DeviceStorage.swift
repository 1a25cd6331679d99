internal import Cryptography

/// The folder of a device, which no other process has, and its database.
struct DeviceStorage {
  let folders: Folders
  let database: DeviceDatabase
  let durability = Durability()
  let vacuum: Vacuum
  private let lock: DeviceLock

  /// Makes the folder where it is missing, and takes it.
  ///
  /// - Throws: ``HostError`` where another process has it, or it is damaged.
  init(_ configuration: DeviceConfiguration) throws(HostError) {
    try Folders.create(configuration.folder)
    folders = Folders(root: Folders.absolute(configuration.folder))
    lock = try DeviceLock(folder: configuration.folder)
    try folders.check()
    database = try DeviceDatabase(
      path: folders.database, isSynchronized: configuration.journal == .synchronized)
    try database.claim(for: configuration.name)
    vacuum = Vacuum(database, durability: durability)
  }

  /// Gives the folder back.
  func close() {
    // What it holds has been committed: there is nothing left that closing could lose.
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
