internal import Encodings
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Model

/// The data that a device keeps across restarts: secrets, sign-ins, file owners, the keychain, and the
/// settings of the user and the administrator.
///
/// Each function that changes data succeeds, or throws and changes nothing. It uses a transaction of its own, or a
/// savepoint in the transaction of ``inOneTransaction(_:)``.
final class DeviceDatabase {
  let path: String
  /// The connection to the database. ``replaceByCopy(isOnDisk:)`` replaces the file and then this connection.
  var queue: DatabaseQueue
  /// Whether committed changes must survive a crash of the machine. If false, they survive only a crash of the host.
  let isSynchronized: Bool
  /// The tables whose changes are recorded for the copy in progress; empty if no copy is in progress.
  private var trackedTables: [TrackedTable] = []
  /// All tables; nil before the first copy is made. They are cached, because the schema does not change while the
  /// device is running.
  private var allTables: [TrackedTable]?
  /// The number of `fileOwner` rows, keyed by scope; nil until first requested.
  var ownerCounts: [String: Int]?
  /// The cached usage of each keychain group, keyed by group. The cache is emptied when the keychain changes.
  var keychainUsage: [String: (items: Int, bytes: Int)] = [:]
  /// Whether an injected fault makes every write fail, as on a full disk.
  var isDiskFull = false
  /// Whether ``inOneTransaction(_:)`` has begun a transaction that is still open.
  private var isCollecting = false

  /// Opens or creates the database.
  ///
  /// - Parameter isSynchronized: Whether committed changes must survive a crash of the machine. If false, they survive
  ///   only a crash of the host.
  /// - Throws: ``HostError``, for example if a newer version created the file or it is not a
  ///   device's database. The file is then unchanged.
  init(path: String, isSynchronized: Bool) throws(HostError) {
    self.path = path
    self.isSynchronized = isSynchronized
    try Self.check(path)
    // A crash during a copy leaves the copy behind.
    unlink(Self.copyPath(of: path))
    Self.makePrivate(path)
    do {
      queue = try Self.open(path, isSynchronized: isSynchronized)
      try Self.migrator.migrate(queue)
    } catch {
      throw Self.failure(toOpen: path, error)
    }
  }

  /// Creates an empty file if there is none, and denies other users access to the file. SQLite gives the same
  /// permissions to the write-ahead log and its index. If the file cannot be created or opened, SQLite later reports
  /// the reason.
  private static func makePrivate(_ path: String) {
    // If the path is a named pipe, opening it does not wait for the other end.
    let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { return }
    defer { Foundation.close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    fchmod(file, 0o600)
  }

  /// Uses a connection that is already open.
  ///
  /// - Parameter queue: A connection to a database with the current schema.
  init(path: String, queue: DatabaseQueue) {
    self.path = path
    self.queue = queue
    isSynchronized = false
  }

  static func open(_ path: String, isSynchronized: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    // A process that inspects the device reads for a few milliseconds.
    configuration.busyMode = .timeout(2)
    // `inOneTransaction` keeps a transaction open over several accesses.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = \(isSynchronized ? "FULL" : "OFF")")
      // Deleted data must be overwritten, and sorting must not create temporary files.
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  func close() throws { try queue.close() }

  // MARK: Opening

  private enum Maker {
    case this
    case newer
    case another
  }

  /// The magic header of an SQLite database (https://www.sqlite.org/fileformat.html#magic_header_string).
  private static let header = "SQLite format 3\0"

  /// The maximum size of a database in bytes. Inspections copy it to memory.
  static let maximumSize = 1 << 30

  /// Checks the size of an existing file. A damaged file may be sparse, and thereby have any size without taking up
  /// disk space.
  private static func checkSize(of path: String) throws(HostError) {
    var status = stat()
    guard stat(path, &status) == 0, Int(status.st_size) > maximumSize else { return }
    throw HostError(
      .database,
      "`\(path)` has \(status.st_size) bytes; the maximum of a device's database is \(maximumSize), so it is damaged and was not changed"
    )
  }

  /// Checks an existing file without changing it.
  private static func check(_ path: String) throws(HostError) {
    try checkSize(of: path)
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    let start = try? file.read(upToCount: header.utf8.count)
    try? file.close()
    guard let start, !start.isEmpty else { return }
    // SQLite would treat any other short file as an empty database, so the header is checked here.
    guard start.elementsEqual(header.utf8) else { throw notADatabase(path) }
    // The device crashed during its first write. Only a process with write access can roll back
    // that write.
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

  private static func check(_ maker: Maker, _ path: String) throws(HostError) {
    switch maker {
    case .this: return
    case .newer:
      throw HostError(
        .database,
        "the device's database `\(path)` is from a newer version of Sluice; it was not changed")
    case .another:
      throw HostError(
        .database, "`\(path)` is not a device's database; it was not changed")
    }
  }

  private static func maker(of database: Database) throws -> Maker {
    if try migrator.hasBeenSuperseded(database) { return .newer }
    let tables = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    return tables.isEmpty || tables.contains("grdb_migrations") ? .this : .another
  }

  static func failure(toOpen path: String, _ error: any Error) -> HostError {
    if (error as? DatabaseError)?.resultCode == .SQLITE_NOTADB { return notADatabase(path) }
    if let full = fullDisk(path, error) { return full }
    return HostError(
      code(of: error), "cannot open the device's database `\(path)`: \(error)")
  }

  /// Returns the error code: `storage` for a full disk or an I/O error, otherwise `database`.
  private static func code(of error: any Error) -> HostError.Code {
    switch (error as? DatabaseError)?.resultCode {
    case ResultCode.SQLITE_FULL?, ResultCode.SQLITE_IOERR?: .storage
    default: .database  // open: SQLite's result codes
    }
  }

  /// If `error` means that the disk has no room for the database, returns the error to report; otherwise nil.
  private static func fullDisk(_ path: String, _ error: any Error) -> HostError? {
    let disk = Disk(of: path)
    switch (error as? DatabaseError)?.resultCode {
    case ResultCode.SQLITE_FULL?: break
    // SQLite reports an index of the log that cannot be extended as an input or output error.
    case ResultCode.SQLITE_IOERR? where disk.freeSpace.map { $0.bytes < 64 << 10 } == true: break
    default: return nil  // open: SQLite's result codes
    }
    return HostError(
      .storage,
      "no space is left for the device's database `\(path)`; free at least 1 MiB on the file system that is mounted at `\(disk.mountPoint)`"
    )
  }

  private static func notADatabase(_ path: String) -> HostError {
    HostError(.database, "`\(path)` is not a database; it was not changed")
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
    migrator.registerMigration("signInsByAppAndAccount") { database in
      // The index has both columns, because an account can be signed in to thousands of apps.
      try database.execute(
        sql: """
          DROP INDEX signInByApp;
          CREATE INDEX signInByAppAndAccount ON signIn (app, accountID);
          """)
    }
    migrator.registerMigration("accessStatesByAccount") { database in
      try database.execute(sql: accessStatesByAccount)
    }
    return migrator
  }

  /// The SQL of a migration. It moves accounts to a table of their own, so a rename changes only one row.
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

  // MARK: Secrets

  /// Returns the secret of that name. The first call creates and stores it.
  ///
  /// - Throws: ``HostError``, for example if the stored secret differs in length from the result of
  ///   `make`.
  func secret(_ name: String, make: () -> [UInt8]) throws(HostError) -> [UInt8] {
    try access { try Self.secret(name, make: make, in: $0) }
  }

  func storedSecret(_ name: String) throws(HostError) -> [UInt8]? {
    try read { database in
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

  /// The result of rewriting the database. For results other than `done`, the files may still contain deleted data.
  enum Rewriting {
    case done
    /// Another process is reading the database.
    case busy
    /// The copy could not be made, because the disk or the memory has no room, or the copy's file cannot be created.
    case noRoom
  }

  /// Rewrites the database, so its files contain no deleted data. This takes time in proportion to the size of the
  /// database. A running device therefore makes a copy on another thread instead (``beginCopy()``).
  ///
  /// SQLite's option `secure_delete` is not sufficient: it overwrites deleted data, but not its copies in reordered
  /// pages and in the write-ahead log (https://www.sqlite.org/pragma.html#pragma_secure_delete).
  func vacuum() throws(HostError) -> Rewriting {
    try saveCollected()
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

  // MARK: Transactions

  func read<Value>(_ body: (Database) throws -> Value) throws(HostError) -> Value {
    // A transaction is not needed: there is only one connection, so no data can change between two
    // statements.
    try translating { try queue.inDatabase(body) }
  }

  @discardableResult
  func access<Value>(_ body: (Database) throws -> Value) throws(HostError) -> Value {
    try translating {
      guard !isDiskFull else { throw DatabaseError(resultCode: .SQLITE_FULL) }
      guard isCollecting else { return try queue.write(body) }
      return try queue.writeWithoutTransaction { try Self.inSavepoint($0, body) }
    }
  }

  private static func inSavepoint<Value>(
    _ database: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    // After some errors, such as a full disk, SQLite rolls back the whole transaction.
    guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    try database.run("SAVEPOINT change")
    do {
      let value = try body(database)
      try database.run("RELEASE change")
      return value
    } catch {
      _ = try? database.run("ROLLBACK TO change")
      _ = try? database.run("RELEASE change")
      throw error
    }
  }

  /// Calls `body`, and saves all its changes together at the end. This is faster than a transaction for each change. If
  /// `body` throws an error or the host crashes during the call, none of the changes is saved. Each change still succeeds
  /// or fails alone.
  ///
  /// - Throws: The error of `body`, or ``HostError`` if the changes cannot be saved.
  func inOneTransaction(_ body: () throws(HostError) -> Void) throws(HostError) {
    try translating { try queue.writeWithoutTransaction { try $0.beginTransaction(.immediate) } }
    isCollecting = true
    do throws(HostError) {
      try body()
    } catch {
      isCollecting = false
      try? queue.writeWithoutTransaction { if $0.isInsideTransaction { try $0.rollback() } }
      throw error
    }
    try saveCollected()
  }

  /// Saves the changes that ``inOneTransaction(_:)`` has collected. Later changes are saved one by one.
  private func saveCollected() throws(HostError) {
    guard isCollecting else { return }
    isCollecting = false
    try translating {
      try queue.writeWithoutTransaction { database in
        do {
          try database.commit()
        } catch {
          if database.isInsideTransaction { try? database.rollback() }
          throw error
        }
      }
    }
  }

  private func translating<Value>(_ body: () throws -> Value) throws(HostError) -> Value {
    do {
      return try body()
    } catch let error as HostError {
      throw error
    } catch let error as JSONSyntaxError {
      throw HostError(
        .database, "the device's database is damaged: a list in it is not JSON: \(error.message)")
    } catch {
      throw Self.fullDisk(path, error)
        ?? HostError(Self.code(of: error), "cannot access the device's database: \(error)")
    }
  }

  // MARK: Device name and clock

  /// Saves the time of the virtual clock, in seconds.
  func setClock(_ now: Int) throws(HostError) {
    try access { try Self.setMeta("clock", String(now), $0) }
  }

  /// The time of the virtual clock, in seconds; nil if none was saved.
  var clock: Int? {
    get throws(HostError) {
      guard let text = try read({ try Self.meta("clock", $0) }) else { return nil }
      guard let time = Int(text), Timestamp.range.contains(time) else {
        throw HostError(
          .database, "the clock in the device's database is damaged: it shows `\(text)`")
      }
      return time
    }
  }

  static let deviceKey = "device"

  /// The name of the device that the database belongs to; nil if ``claim(for:)`` has never been called.
  var deviceName: String? {
    get throws(HostError) { try read { try Self.meta(Self.deviceKey, $0) } }
  }

  /// Records that the database belongs to `device`. Does nothing if this is recorded already.
  ///
  /// - Throws: ``HostError``, for example if the database belongs to another device or is partly erased.
  func claim(for device: String) throws(HostError) {
    try access { database in
      guard try !Self.isHalfErased(database) else {
        throw HostError(
          .folder,
          "the device with the database `\(path)` is only partly erased; run `sluice device reset` again"
        )
      }
      if let owner = try Self.meta(Self.deviceKey, database) {
        guard owner != device else { return }
        throw HostError(
          .folder,
          "the database `\(path)` belongs to the device `\(owner)`, not to `\(device)`")
      }
      try Self.setMeta(Self.deviceKey, device, database)
    }
  }

  static func meta(_ name: String, _ database: Database) throws -> String? {
    try database.row("SELECT value FROM meta WHERE name = ?", [name])?.optionalText("value")
  }

  static func setMeta(_ name: String, _ value: String, _ database: Database) throws {
    try database.run(
      "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value.stored])
  }
}

// MARK: - Copy that replaces the database

extension DeviceDatabase {
  private static func copyPath(of path: String) -> String { "\(path)-copy" }
  private var copyPath: String { Self.copyPath(of: path) }

  /// A table of the database. While a copy of the database is being made, the table's changed rows are recorded.
  private struct TrackedTable {
    let name: String
    /// The columns that identify a row: `rowid`, or the primary key of a `WITHOUT ROWID` table.
    let keys: [String]
    /// All columns, and `rowid` if the table has one that no declared column is an alias of. The keychain's items are
    /// ordered by `rowid`.
    let columns: [String]

    var changes: String { "changed_\(name)" }
    var keyList: String { keys.joined(separator: ", ") }
    var noted: String { keys.indices.map { "k\($0)" }.joined(separator: ", ") }
    var columnList: String { columns.joined(separator: ", ") }
  }

  /// Starts recording which rows change, because another thread is about to copy the database. The changed rows are
  /// applied to the copy later.
  func beginCopy() throws(HostError) {
    // The thread that makes the copy reads only saved changes.
    try saveCollected()
    abandonCopy()
    try access { try Self.forgetUnnamedAccounts($0) }
    try translating {
      trackedTables = try queue.writeWithoutTransaction { database in
        let tables = try allTables ?? Self.tables(in: database)
        allTables = tables
        for table in tables { try Self.track(table, database) }
        // Otherwise a commit on this thread would checkpoint the whole log, which grows while the copy is read.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        return tables
      }
    }
  }

  private static func tables(in database: Database) throws -> [TrackedTable] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT name, wr FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
        """
    ).map { row in
      let name: String = row["name"]
      let columns = try Row.fetchAll(
        database, sql: "SELECT * FROM pragma_table_info(?)", arguments: [name])
      let names = columns.map { $0["name"] as String }
      let keys = columns.filter { ($0["pk"] as Int) > 0 }.sorted {
        ($0["pk"] as Int) < ($1["pk"] as Int)
      }
      if (row["wr"] as Int) == 1 {
        return TrackedTable(name: name, keys: keys.map { $0["name"] }, columns: names)
      }
      let isNumbered = keys.count == 1 && (keys[0]["type"] as String) == "INTEGER"
      return TrackedTable(
        name: name, keys: ["rowid"], columns: isNumbered ? names : ["rowid"] + names)
    }
  }

  /// Creates the triggers that record the changed rows of a table. They are temporary: they belong to this connection
  /// and are not stored in the database's file.
  private static func track(_ table: TrackedTable, _ database: Database) throws {
    // `OR IGNORE` would not work: the conflict clause of the triggering statement overrides the one
    // in the trigger (https://www.sqlite.org/lang_createtrigger.html).
    let note = { (row: String) in
      let values = table.keys.map { "\(row).\($0)" }
      let isNoted = values.enumerated().map { "k\($0) = \($1)" }.joined(separator: " AND ")
      return "INSERT INTO \(table.changes) SELECT \(values.joined(separator: ", ")) "
        + "WHERE NOT EXISTS (SELECT 1 FROM \(table.changes) WHERE \(isNoted));"
    }
    try database.execute(
      sql: """
        CREATE TEMP TABLE \(table.changes) (\(table.noted), PRIMARY KEY (\(table.noted))) WITHOUT ROWID;
        CREATE TEMP TRIGGER inserted_\(table.name) AFTER INSERT ON main.\(table.name)
          BEGIN \(note("NEW")) END;
        CREATE TEMP TRIGGER updated_\(table.name) AFTER UPDATE ON main.\(table.name)
          BEGIN \(note("OLD")) \(note("NEW")) END;
        CREATE TEMP TRIGGER deleted_\(table.name) AFTER DELETE ON main.\(table.name)
          BEGIN \(note("OLD")) END;
        """)
  }

  /// Copies the database at `path` to the copy's file. Then writes the write-ahead log to the database's file (a
  /// checkpoint). Can be called on any thread.
  ///
  /// - Parameter isSynchronized: Whether the copy must be on disk before it replaces the database.
  static func writeCopy(of path: String, isSynchronized: Bool) -> Result<Rewriting, HostError> {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(2)
    // `VACUUM INTO` synchronises the copy as the connection would (`vacuum.c`). By default, it does
    // so even for an unsynchronised database.
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = \(isSynchronized ? "FULL" : "OFF")")
    }
    do {
      defer { moveLog(of: path, isSynchronized: isSynchronized) }
      let source = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? source.close() }
      makePrivate(copyPath(of: path))
      try source.inDatabase { database in
        try database.execute(sql: "VACUUM INTO ?", arguments: [copyPath(of: path)])
      }
      return .success(.done)
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: return .success(.busy)
      case .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_NOMEM: return .success(.noRoom)
      default:  // open: SQLite's result codes
        return .failure(failure(toOpen: path, error))
      }
    } catch {
      return .failure(failure(toOpen: path, error))
    }
  }

  /// Writes the write-ahead log to the database's file while another thread may add to the log. Stops when few pages
  /// are left; the next checkpoint writes them.
  private static func moveLog(of path: String, isSynchronized: Bool) {
    // Opening a missing file would create it.
    guard FileManager.default.fileExists(atPath: path),
      let queue = try? open(path, isSynchronized: isSynchronized)
    else { return }
    defer { try? queue.close() }
    try? queue.inDatabase { database in
      var last = 0
      for _ in 0..<16 {
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        let moved: Int = row?["checkpointed"] ?? 0
        // After a complete checkpoint, the next writer restarts the log, and the count with it.
        let isLittle = (moved < last ? moved : moved - last) <= 256
        last = moved
        if isLittle { return }
      }
    }
  }

  /// Writes the write-ahead log to the database's file. If `isSynchronized` is true, also synchronises the copy's file.
  /// Can be called on any thread.
  static func settleCopy(of path: String, isSynchronized: Bool) {
    moveLog(of: path, isSynchronized: isSynchronized)
    if isSynchronized { synchronize(copyPath(of: path)) }
  }

  /// Updates the copy with at most `limit` changed rows of each table.
  ///
  /// - Returns: The number of updated rows, and whether more changed rows remain.
  func takeOverChanges(limit: Int) throws(HostError) -> (rows: Int, isMore: Bool) {
    try saveCollected()
    return try translating {
      try queue.writeWithoutTransaction { database in
        // A row may be copied before the row that it references.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.execute(sql: "ATTACH ? AS copy", arguments: [copyPath])
        defer {
          try? database.execute(sql: "DETACH copy")
          try? database.execute(sql: "PRAGMA foreign_keys = ON")
        }
        // An unfinished copy is discarded, so its changes need no rollback journal.
        _ = try Row.fetchOne(database, sql: "PRAGMA copy.journal_mode = OFF")
        try database.execute(sql: "PRAGMA copy.synchronous = OFF")
        var count = 0
        var isMore = false
        for table in trackedTables {
          let noted = try Self.takeOver(table, limit, database)
          count += min(noted, limit)
          isMore = isMore || noted > limit
        }
        return (count, isMore)
      }
    }
  }

  /// Updates the copy with at most `limit` of the table's changed rows.
  ///
  /// - Returns: The number of rows that awaited an update before the call, counted up to `limit + 1`. A result above
  ///   `limit` therefore means that more rows remain.
  private static func takeOver(
    _ table: TrackedTable, _ limit: Int, _ database: Database
  ) throws -> Int {
    let count =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM (SELECT 1 FROM \(table.changes) LIMIT \(limit + 1))")
      ?? 0
    guard count > 0 else { return 0 }
    let some =
      "(\(table.keyList)) IN (SELECT \(table.noted) FROM temp.\(table.changes) ORDER BY \(table.noted) LIMIT \(limit))"
    try database.inTransaction(.deferred) {
      try database.execute(sql: "DELETE FROM copy.\(table.name) WHERE \(some)")
      // The copy may still have another row with the same unique key, until a later slice updates that row. It is
      // replaced.
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO copy.\(table.name) (\(table.columnList))
          SELECT \(table.columnList) FROM main.\(table.name) WHERE \(some)
          """)
      try database.execute(
        sql: """
          DELETE FROM temp.\(table.changes) WHERE (\(table.noted)) IN
          (SELECT \(table.noted) FROM temp.\(table.changes) ORDER BY \(table.noted) LIMIT \(limit))
          """)
      return .commit
    }
    return count
  }

  /// Replaces the database by the copy. All changes must have been applied.
  ///
  /// - Parameter isOnDisk: Whether the copy is on disk already, because it has not changed since it was synchronised.
  /// - Returns: The old file. If another process is reading the database, or the copy cannot be renamed, changes
  ///   nothing and returns nil.
  func replaceByCopy(isOnDisk: Bool = false) throws(HostError) -> ReplacedFile? {
    try saveCollected()
    let isFree = try translating {
      try queue.writeWithoutTransaction { database in
        // The log is emptied first, because SQLite would treat it as the copy's log. There is no
        // timeout, because the loop's thread must not wait, and another thread has already written
        // nearly all of the log to the file.
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        try database.execute(sql: "PRAGMA busy_timeout = 2000")
        return row?["busy"] == 0
      }
    }
    guard isFree else { return nil }
    return try translating {
      try queue.close()
      trackedTables = []
      // The old file is opened only now: closing any descriptor of a file releases all of the
      // process's locks on it (fcntl(2)).
      var former: ReplacedFile? = ReplacedFile(path)
      if isSynchronized, !isOnDisk { Self.synchronize(copyPath) }
      if Foundation.rename(copyPath, path) == 0 {
        // Processes that still have the old file open keep its log and its index.
        unlink("\(path)-wal")
        unlink("\(path)-shm")
      } else {
        former = nil
      }
      if isSynchronized, let end = path.lastIndex(of: "/") {
        Self.synchronize(String(path[...end]))
      }
      queue = try Self.open(path, isSynchronized: isSynchronized)
      return former
    }
  }

  /// Calls `body`, which reads the database at `path` with its own connection. If a copy replaces the database's file
  /// during the call, `body` may have read parts of both files. Then `body` is called again, up to 20 times.
  static func reading<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    for _ in 0..<20 {
      let before = FileIdentity(path)
      let result = Result(catching: body)
      if FileIdentity(path) == before { return try result.get() }
    }
    return try body()
  }

  private struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ path: String) {
      var status = stat()
      stat(path, &status)
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  private static func synchronize(_ path: String) {
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    Foundation.close(file)
  }

  /// Discards the copy and stops recording changes.
  func abandonCopy() {
    unlink(copyPath)
    guard !trackedTables.isEmpty else { return }
    let tables = trackedTables
    trackedTables = []
    try? queue.writeWithoutTransaction { database in
      for table in tables {
        try database.execute(
          sql: """
            DROP TRIGGER temp.inserted_\(table.name);
            DROP TRIGGER temp.updated_\(table.name);
            DROP TRIGGER temp.deleted_\(table.name);
            DROP TABLE temp.\(table.changes);
            """)
      }
      // 1000 is SQLite's default.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
    }
  }

  // MARK: Erasure mark

  private static let erasureKey = "erasure"

  /// Whether the files may still contain deleted data, as ``setErasureDue(_:)`` recorded.
  var isErasureDue: Bool {
    get throws(HostError) { try read { try Self.meta(Self.erasureKey, $0) != nil } }
  }

  func setErasureDue(_ isDue: Bool) throws(HostError) {
    try access { database in
      if isDue {
        try Self.setMeta(Self.erasureKey, "due", database)
      } else {
        try database.run("DELETE FROM meta WHERE name = ?", [Self.erasureKey])
      }
    }
  }

  // MARK: Copy in memory

  /// Returns a copy in memory of the database at `path`, for callers that only read. A running device can continue to
  /// write to the database. The call changes and creates no file.
  ///
  /// - Parameter isInUse: Whether a device may have the database open.
  /// - Throws: ``HostError`` if the file cannot be read, a newer version created it, or it is not a
  ///   device's database.
  static func copy(of path: String, isInUse: Bool) throws(HostError) -> DeviceDatabase {
    try checkSize(of: path)
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

  /// Returns whether the database has a write-ahead log with content. Changes in the log may be missing in the
  /// database's file.
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

  /// Loads the database's file as bytes. If SQLite opened the file, it would create a write-ahead log and an index file
  /// next to it, and would not delete them.
  private static func load(_ path: String, into copy: DatabaseQueue) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    guard !bytes.isEmpty else { return }
    if bytes.count > 19 {
      // These file format versions stand for a database without a write-ahead log
      // (https://www.sqlite.org/c3ref/deserialize.html).
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
