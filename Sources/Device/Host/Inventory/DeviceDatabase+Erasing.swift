internal import GRDB

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
