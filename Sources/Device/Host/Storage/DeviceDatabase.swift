internal import Foundation
internal import GRDB
internal import JSON

/// The data that a device keeps over restarts: its secrets, sign-ins, owners of files, the keychain, and the settings
/// of the user and the administrator.
///
/// Every function that writes is one transaction: it succeeds, or it throws and nothing has changed.
final class DeviceDatabase {
  let path: String
  /// The connection: another one once the file has been replaced by a copy (``replaceByCopy()``).
  var queue: DatabaseQueue
  /// Whether written data must outlive the machine's death, and not only the host's.
  let isSynchronized: Bool
  /// The tables whose changes are recorded for the copy under way; empty while no copy is made.
  var trackedTables: [TrackedTable] = []
  /// All tables, once the first copy was begun: no table comes or goes while the device is up.
  var allTables: [TrackedTable]?
  /// Rows of `fileOwner` by scope; nil until the first is asked for.
  var ownerCounts: [String: Int]?
  /// Whether a fault has left no room for anything that is written.
  var isDiskFull = false

  /// Opens or creates the database.
  ///
  /// - Parameter isSynchronized: whether written data must outlive the machine's death, and not only the host's.
  /// - Throws: ``HostError``, also where a newer version made the file, or it is not a device's. The file is not
  ///   changed then.
  init(path: String, isSynchronized: Bool) throws(HostError) {
    self.path = path
    self.isSynchronized = isSynchronized
    try Self.check(path)
    // A device died while it copied its database.
    unlink(Self.copyPath(of: path))
    do {
      queue = try Self.open(path, isSynchronized: isSynchronized)
      try Self.migrator.migrate(queue)
    } catch {
      throw Self.failure(toOpen: path, error)
    }
  }

  /// Creates a device's database.
  ///
  /// - Parameter queue: a database that is up to date.
  init(path: String, queue: DatabaseQueue) {
    self.path = path
    self.queue = queue
    isSynchronized = false
  }

  static func open(_ path: String, isSynchronized: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    // An inspection of the device reads for a few milliseconds.
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = \(isSynchronized ? "FULL" : "OFF")")
      // What is deleted is overwritten, and sorting leaves no files elsewhere.
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  func close() throws { try queue.close() }

  // MARK: opening

  enum Maker {
    case this
    case newer
    case another
  }

  /// The beginning of an SQLite database (https://www.sqlite.org/fileformat.html#magic_header_string).
  private static let header = "SQLite format 3\0"

  /// Checks an existing file without changing it.
  private static func check(_ path: String) throws(HostError) {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    let start = try? file.read(upToCount: header.utf8.count)
    try? file.close()
    guard let start, !start.isEmpty else { return }
    // SQLite takes any other short file for an empty database.
    guard start.elementsEqual(header.utf8) else { throw notADatabase(path) }
    // A device died when it first wrote here; only a process that may write can undo what it began.
    guard !FileManager.default.fileExists(atPath: "\(path)-journal") else { return }
    let maker: Maker
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      maker = try queue.read(Self.maker(of:))
      try queue.close()
    } catch {
      throw failure(toOpen: path, error)
    }
    try check(maker, path)
  }

  static func check(_ maker: Maker, _ path: String) throws(HostError) {
    switch maker {
    case .this: return
    case .newer:
      throw HostError(
        .database,
        "the device's database `\(path)` was made by a newer Sluice; nothing in it was changed")
    case .another:
      throw HostError(
        .database, "`\(path)` is not a device's database; nothing in it was changed")
    }
  }

  static func maker(of database: Database) throws -> Maker {
    if try migrator.hasBeenSuperseded(database) { return .newer }
    let tables = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    return tables.isEmpty || tables.contains("grdb_migrations") ? .this : .another
  }

  static func failure(toOpen path: String, _ error: any Error) -> HostError {
    if (error as? DatabaseError)?.resultCode == .SQLITE_NOTADB { return notADatabase(path) }
    return HostError(
      code(of: error), "cannot open the device's database `\(path)`: \(error)")
  }

  /// The code of an error: the disk is at fault, or the database.
  private static func code(of error: any Error) -> HostError.Code {
    switch (error as? DatabaseError)?.resultCode {
    case ResultCode.SQLITE_FULL?, ResultCode.SQLITE_IOERR?: .storage
    default: .database  // open: SQLite's result codes
    }
  }

  private static func notADatabase(_ path: String) -> HostError {
    HostError(.database, "`\(path)` is not a database; nothing in it was changed")
  }

  static var migrator: DatabaseMigrator {
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
    migrator.registerMigration("identities") { database in
      try database.execute(sql: identitiesTables)
    }
    migrator.registerMigration("enrollment") { database in
      try database.execute(sql: registrationColumn)
    }
    migrator.registerMigration("parcels") { database in
      try database.execute(sql: parcelTable)
    }
    migrator.registerMigration("accountKeys", migrate: addAccountKeys)
    migrator.registerMigration("accountSpellings", migrate: mergeSpellings)
    return migrator
  }

  /// Accounts have a table of their own, so that a new name is written once.
  private static let identitiesTables = """
    CREATE TABLE account (
      id INTEGER PRIMARY KEY, upn TEXT NOT NULL, objectID TEXT, tenantID TEXT, wrappedKey BLOB)
      STRICT;
    CREATE INDEX accountByUPN ON account (upn);

    ALTER TABLE signIn RENAME TO formerSignIn;
    CREATE TABLE signIn (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, accountID INTEGER NOT NULL REFERENCES account (id),
      enrolled INTEGER NOT NULL DEFAULT 0, policies TEXT NOT NULL DEFAULT '[]',
      blocked INTEGER NOT NULL DEFAULT 0, wiping INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX signInByApp ON signIn (app);
    CREATE INDEX signInByAccount ON signIn (accountID);
    INSERT INTO account (upn, objectID, tenantID)
      SELECT DISTINCT upn COLLATE BINARY, objectID, tenantID FROM formerSignIn;
    INSERT INTO signIn (app, accountID)
      SELECT app, account.id FROM formerSignIn JOIN account
        ON account.upn = formerSignIn.upn AND account.objectID IS formerSignIn.objectID
        AND account.tenantID IS formerSignIn.tenantID
      ORDER BY formerSignIn.rowid;
    DROP TABLE formerSignIn;

    CREATE TABLE fileOwner (
      scope TEXT NOT NULL, path BLOB NOT NULL, accountID INTEGER NOT NULL REFERENCES account (id),
      PRIMARY KEY (scope, path)) STRICT, WITHOUT ROWID;
    CREATE INDEX fileOwnerByAccount ON fileOwner (accountID);
    CREATE TABLE fileMove (
      fromScope TEXT NOT NULL, fromPath BLOB NOT NULL, toScope TEXT NOT NULL, toPath BLOB NOT NULL,
      PRIMARY KEY (fromScope, fromPath, toScope, toPath)) STRICT, WITHOUT ROWID;

    ALTER TABLE keychainItem ADD COLUMN ownerID INTEGER REFERENCES account (id);
    CREATE INDEX keychainItemByOwner ON keychainItem (ownerID);

    CREATE TABLE accessState (team TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
    CREATE TABLE checkIn (
      app TEXT NOT NULL, accountID INTEGER NOT NULL REFERENCES account (id), time INTEGER NOT NULL,
      PRIMARY KEY (app, accountID)) STRICT, WITHOUT ROWID;
    CREATE INDEX checkInByAccount ON checkIn (accountID);
    CREATE TABLE configuration (app TEXT PRIMARY KEY, entries TEXT NOT NULL) STRICT;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    """

  // MARK: secrets

  /// The secret of that name, made on first use.
  ///
  /// - Throws: ``HostError``, also where the secret has another length than what `make` returns.
  func secret(_ name: String, make: () -> [UInt8]) throws(HostError) -> [UInt8] {
    try access { try Self.secret(name, make: make, in: $0) }
  }

  /// The secret of that name; nil where there is none.
  func storedSecret(_ name: String) throws(HostError) -> [UInt8]? {
    try look { database in
      try database.row("SELECT value FROM secret WHERE name = ?", [name])?.bytes("value")
    }
  }

  static func secret(
    _ name: String, make: () -> [UInt8], in database: Database
  ) throws -> [UInt8] {
    let secret = make()
    if let found = try database.row("SELECT value FROM secret WHERE name = ?", [name]) {
      let bytes = found.bytes("value")
      guard bytes.count == secret.count else {
        throw HostError(.database, "the secret `\(name)` in the device's database is damaged")
      }
      return bytes
    }
    try database.run("INSERT INTO secret VALUES (?, ?)", [name, Data(secret)])
    return secret
  }

  /// How a rewriting ended. Unless it is done, the caller is to try again.
  enum Rewriting {
    case done
    /// Another process is reading the database.
    case busy
    /// The disk has no room for a copy.
    case noRoom
  }

  /// Rewrites the database, so no deleted data remain in its files. The time is proportional to the database's size; a
  /// running device uses a copy instead (``beginCopy()``).
  ///
  /// `secure_delete` overwrites deleted data, but neither the copies of it in reordered pages nor those in the
  /// write-ahead log (https://www.sqlite.org/pragma.html#pragma_secure_delete).
  func vacuum() throws(HostError) -> Rewriting {
    try access { try Self.forgetUnnamedAccounts($0) }
    return try translating {
      do {
        return try queue.writeWithoutTransaction { database in
          try database.execute(sql: "VACUUM")
          let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
          return row?["busy"] == 0 ? .done : .busy
        }
      } catch let error as DatabaseError {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy
        case .SQLITE_FULL: return .noRoom
        default: throw error  // open: SQLite's result codes
        }
      }
    }
  }

  // MARK: transactions

  func look<Value>(_ body: (Database) throws -> Value) throws(HostError) -> Value {
    // There is one connection, and so nobody who could change anything between two statements.
    try translating { try queue.inDatabase(body) }
  }

  @discardableResult
  func access<Value>(_ body: (Database) throws -> Value) throws(HostError) -> Value {
    try translating {
      guard !isDiskFull else { throw DatabaseError(resultCode: .SQLITE_FULL) }
      return try queue.write(body)
    }
  }

  func translating<Value>(_ body: () throws -> Value) throws(HostError) -> Value {
    do {
      return try body()
    } catch let error as HostError {
      throw error
    } catch let error as JSONSyntaxError {
      throw HostError(
        .database, "the device's database is damaged: a list in it is no JSON: \(error.message)")
    } catch {
      throw HostError(Self.code(of: error), "the device's database fails: \(error)")
    }
  }
}
