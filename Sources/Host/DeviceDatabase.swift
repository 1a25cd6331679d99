internal import Foundation
internal import GRDB
internal import Transfer
internal import Wire

/// What a device remembers over restarts: its key, who is signed in where, and the keychain.
final class DeviceDatabase {
  private let queue: DatabaseQueue

  /// Opens or creates the database.
  ///
  /// - Parameter isSynchronized: whether what is written must outlive the machine, and not only the host.
  /// - Throws: ``HostError``.
  init(path: String, isSynchronized: Bool) throws(HostError) {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = \(isSynchronized ? "FULL" : "OFF")")
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try Self.migrator.migrate(queue)
    } catch {
      throw HostError(.database, "cannot open the device's database `\(path)`: \(error)")
    }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("device") { database in
      try database.execute(
        sql: """
          CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
          CREATE TABLE signIn (
            app TEXT NOT NULL, upn TEXT NOT NULL COLLATE NOCASE, objectID TEXT, tenantID TEXT,
            PRIMARY KEY (app, upn)) STRICT;
          CREATE TABLE keychainItem (
            accessGroup TEXT NOT NULL, service TEXT NOT NULL, account TEXT NOT NULL,
            value BLOB NOT NULL, PRIMARY KEY (accessGroup, service, account)) STRICT;
          """)
    }
    return migrator
  }

  func close() throws { try queue.close() }

  /// The secret of that name, made on first use.
  func secret(_ name: String, make: () -> [UInt8]) throws(HostError) -> [UInt8] {
    try access { database in
      if let found = try Data.fetchOne(
        database, sql: "SELECT value FROM secret WHERE name = ?", arguments: [name])
      {
        return Array(found)
      }
      let secret = make()
      try database.execute(
        sql: "INSERT INTO secret VALUES (?, ?)", arguments: [name, Data(secret)])
      return secret
    }
  }

  // MARK: accounts

  /// Who is signed in to `app`, first come first.
  func accounts(of app: String) throws(HostError) -> [Account] {
    try look { database in
      try Row.fetchAll(
        database, sql: "SELECT upn, objectID, tenantID FROM signIn WHERE app = ? ORDER BY rowid",
        arguments: [app]
      ).map { Account(upn: $0["upn"], objectID: $0["objectID"], tenantID: $0["tenantID"]) }
    }
  }

  func add(_ account: Account, to app: String) throws(HostError) {
    try access { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO signIn (app, upn, objectID, tenantID) VALUES (?, ?, ?, ?)",
        arguments: [app, account.upn, account.objectID, account.tenantID])
    }
  }

  func remove(_ account: Account, from app: String) throws(HostError) {
    try access { database in
      try database.execute(
        sql: "DELETE FROM signIn WHERE app = ? AND upn = ?", arguments: [app, account.upn])
    }
  }

  // MARK: keychain

  /// - Returns: false where the group has such an item.
  func add(_ value: [UInt8], for key: KeychainKey, in group: String) throws(HostError) -> Bool {
    try access { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO keychainItem VALUES (?, ?, ?, ?)",
        arguments: [group, key.service, key.account, Data(value)])
      return database.changesCount > 0
    }
  }

  /// The value in the first of `groups` that has such an item; nil where none has.
  func value(for key: KeychainKey, in groups: [String]) throws(HostError) -> [UInt8]? {
    try look { database in
      for group in groups {
        if let value = try Data.fetchOne(
          database,
          sql: """
            SELECT value FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?
            """, arguments: [group, key.service, key.account])
        {
          return Array(value)
        }
      }
      return nil
    }
  }

  /// Deletes such items from all of `groups`.
  ///
  /// - Returns: how many there were.
  func delete(_ key: KeychainKey, in groups: [String]) throws(HostError) -> Int {
    try access { database in
      var count = 0
      for group in groups {
        try database.execute(
          sql: "DELETE FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?",
          arguments: [group, key.service, key.account])
        count += database.changesCount
      }
      return count
    }
  }

  private func look<Value>(
    _ body: (Database) throws -> Value
  ) throws(HostError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw HostError(.database, "the device's database fails: \(error)")
    }
  }

  private func access<Value>(
    _ body: (Database) throws -> Value
  ) throws(HostError) -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw HostError(.database, "the device's database fails: \(error)")
    }
  }
}
