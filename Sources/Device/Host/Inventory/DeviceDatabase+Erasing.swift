internal import GRDB

/// Erasing a device, so that whenever it is interrupted, nothing can be read any more that has not been.
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

  /// Leaves a device that nobody has used, of the same name.
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

  /// - Throws: ``HostError`` also where somebody reads the database: then it is not erased.
  private func eraseAll() throws(HostError) {
    guard try vacuum() else {
      throw HostError(.database, "another process is reading the device's database `\(path)`")
    }
  }
}
