internal import EventLoop
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import JSON
internal import Model

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
  private var trackedTables: [TrackedTable] = []
  /// All tables, once the first copy was begun: no table comes or goes while the device is up.
  private var allTables: [TrackedTable]?
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

  private enum Maker {
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

  private static func check(_ maker: Maker, _ path: String) throws(HostError) {
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

  private static func maker(of database: Database) throws -> Maker {
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

  private func translating<Value>(_ body: () throws -> Value) throws(HostError) -> Value {
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

// MARK: - The device

/// The device that the database belongs to.
extension DeviceDatabase {
  /// Saves the time of the virtual clock, in seconds.
  func setClock(_ now: Int) throws(HostError) {
    try access { try Self.setMeta("clock", String(now), $0) }
  }

  /// The time of the virtual clock, in seconds; nil: none was saved.
  var clock: Int? {
    get throws(HostError) {
      guard let text = try look({ try Self.meta("clock", $0) }) else { return nil }
      guard let time = Int(text), Timestamp.range.contains(time) else {
        throw HostError(
          .database, "the clock in the device's database is damaged: it shows `\(text)`")
      }
      return time
    }
  }

  static let deviceKey = "device"

  /// Name of the device that the database belongs to; nil: nobody has claimed it.
  var deviceName: String? {
    get throws(HostError) { try look { try Self.meta(Self.deviceKey, $0) } }
  }

  /// Makes this the database of the device of that name.
  ///
  /// - Throws: ``HostError``, also where the database is another device's, or half erased.
  func claim(for device: String) throws(HostError) {
    try access { database in
      guard try !Self.isHalfErased(database) else {
        throw HostError(
          .folder, "the device of `\(path)` is half erased: `sluice device reset` finishes that")
      }
      if let owner = try Self.meta(Self.deviceKey, database) {
        guard owner != device else { return }
        throw HostError(
          .folder,
          "the database `\(path)` belongs to the device `\(owner)`, and not to `\(device)`")
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

// MARK: - The copy that replaces the database

extension DeviceDatabase {
  private static func copyPath(of path: String) -> String { "\(path)-copy" }
  private var copyPath: String { Self.copyPath(of: path) }

  /// A table whose changes are noted while a copy is made.
  private struct TrackedTable {
    let name: String
    /// What a row is found by: `rowid`, or the primary key of a table without one.
    let keys: [String]
    /// All columns, and `rowid`, by which the keychain is ordered.
    let columns: [String]

    var changes: String { "changed_\(name)" }
    var keyList: String { keys.joined(separator: ", ") }
    var noted: String { keys.indices.map { "k\($0)" }.joined(separator: ", ") }
    var columnList: String { columns.joined(separator: ", ") }
  }

  /// Notes from here on which rows change, so that a copy that another thread makes can take them over.
  func beginCopy() throws(HostError) {
    abandonCopy()
    try access { try Self.forgetUnnamedAccounts($0) }
    try translating {
      trackedTables = try queue.writeWithoutTransaction { database in
        let tables = try allTables ?? Self.tables(in: database)
        allTables = tables
        for table in tables { try Self.track(table, database) }
        // A commit would move all that was written while the copy's reader held the log, on this thread.
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

  /// Makes triggers of the connection's own, which are in no file.
  private static func track(_ table: TrackedTable, _ database: Database) throws {
    // Not `OR IGNORE`: the conflict clause of the statement that fires a trigger holds in the trigger, too
    // (https://www.sqlite.org/lang_createtrigger.html).
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

  /// Makes the copy, and moves the log; any thread may.
  ///
  /// - Parameter isSynchronized: whether the copy must be on the disk, as the database is, when it takes its place.
  static func writeCopy(of path: String, isSynchronized: Bool) -> Result<Rewriting, HostError> {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(2)
    // SQLite synchronises the copy as the connection does (`vacuum.c`): by default, even for a database that is not.
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = \(isSynchronized ? "FULL" : "OFF")")
    }
    do {
      defer { moveLog(of: path, isSynchronized: isSynchronized) }
      let source = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? source.close() }
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

  /// Moves the log into the database, while another thread writes, until little is left of it. What cannot be moved now,
  /// the next checkpoint moves.
  private static func moveLog(of path: String, isSynchronized: Bool) {
    // Opening would make the file.
    guard FileManager.default.fileExists(atPath: path),
      let queue = try? open(path, isSynchronized: isSynchronized)
    else { return }
    defer { try? queue.close() }
    try? queue.inDatabase { database in
      var last = 0
      for _ in 0..<16 {
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        let moved: Int = row?["checkpointed"] ?? 0
        // Where all was moved, a writer begins the log again.
        let isLittle = (moved < last ? moved : moved - last) <= 256
        last = moved
        if isLittle { return }
      }
    }
  }

  /// Moves the log, and has a copy that rows were taken over into on the disk where the database is; any thread may.
  static func settleCopy(of path: String, isSynchronized: Bool) {
    moveLog(of: path, isSynchronized: isSynchronized)
    if isSynchronized { synchronize(copyPath(of: path)) }
  }

  /// Takes over up to `limit` changed rows of each table into the copy.
  ///
  /// - Returns: the number of rows, and whether more are left.
  func takeOverChanges(limit: Int) throws(HostError) -> (rows: Int, isMore: Bool) {
    try translating {
      try queue.writeWithoutTransaction { database in
        // Of two rows that refer to each other, one may come first.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.execute(sql: "ATTACH ? AS copy", arguments: [copyPath])
        defer {
          try? database.execute(sql: "DETACH copy")
          try? database.execute(sql: "PRAGMA foreign_keys = ON")
        }
        // Nobody needs what is left of a copy that was not finished.
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

  /// - Returns: the number of changed rows that there were, counted up to one more than the limit.
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
      // A row that has the key of another, which goes in the next slice, takes its place.
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

  /// Has the copy take the database's place. All changes must have been taken over.
  ///
  /// - Parameter isOnDisk: whether nothing was taken over since the copy was synchronised.
  /// - Returns: the file that the database was in; nil where another process is reading it, and nothing has changed.
  func replaceByCopy(isOnDisk: Bool = false) throws(HostError) -> ReplacedFile? {
    let isFree = try translating {
      try queue.writeWithoutTransaction { database in
        // The log is emptied first: it would be taken for that of the copy. Nobody is waited for. Another thread has
        // moved nearly all of it.
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
      // Not before: to close any descriptor of a file releases all locks that the process has on it (fcntl(2)).
      let former = ReplacedFile(path)
      if isSynchronized, !isOnDisk { Self.synchronize(copyPath) }
      if Foundation.rename(copyPath, path) == 0 {
        // A process that still has the former file open keeps its own.
        unlink("\(path)-wal")
        unlink("\(path)-shm")
      }
      if isSynchronized, let end = path.lastIndex(of: "/") {
        Self.synchronize(String(path[...end]))
      }
      queue = try Self.open(path, isSynchronized: isSynchronized)
      return former
    }
  }

  /// Calls `body`, which reads the file at `path` on a connection of its own, again where a copy has replaced the file
  /// meanwhile: it may have read some of both.
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

  /// Forgets a copy that does not replace the database.
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
      // SQLite's default.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
    }
  }

  // MARK: the mark

  private static let erasureKey = "erasure"

  /// Whether a run of the device has deleted what may still be in the files.
  var isErasureDue: Bool {
    get throws(HostError) { try look { try Self.meta(Self.erasureKey, $0) != nil } }
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
}

// MARK: - A copy in memory

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
