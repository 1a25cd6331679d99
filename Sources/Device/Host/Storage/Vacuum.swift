internal import EventLoop
internal import Foundation
internal import GRDB

/// The erasure of deleted data from the database's files, while the device keeps running.
///
/// `secure_delete` overwrites deleted data, but not its copies in reordered pages and in the write-ahead log
/// (https://www.sqlite.org/pragma.html#pragma_secure_delete). Rewriting the whole database removes these copies, in
/// time proportional to its size. So another thread makes a copy (`VACUUM INTO`, which can run beside a writer). The
/// loop's thread takes over rows that changed meanwhile, a slice at a time, and then the copy replaces the file.
final class Vacuum {
  private let database: DeviceDatabase
  private let durability: Durability
  /// The loop that runs the copies; nil until the device has one.
  private var runner: (loop: EventLoop, turn: Turn, slices: TimeSlices)?
  /// Whether the files may still hold deleted data.
  private var isDue: Bool
  /// Callers whose data was deleted after the copy under way began; they wait for the next one.
  private var waiting: [() -> Void] = []
  /// Callers that wait for the copy under way; nil: there is none.
  private var served: [() -> Void]?
  /// Rows that the copy under way has taken over since another thread last settled it, and the number of settlements.
  private var (unsettledRows, settlements) = (0, 0)
  /// The work of erasures on the loop's thread.
  private(set) var work = Work()

  /// Work of the loop's thread.
  struct Work: Equatable {
    /// Copies that have replaced the database.
    var copies = 0
    /// Rows that were taken over because they changed while a copy was made.
    var rows = 0
    /// The largest number of rows taken over in one slice.
    var largestSlice = 0
    /// Times that another thread moved the log and synchronised the copy after rows were taken over.
    var settlements = 0
  }

  /// The largest number of changed rows of a table that one slice takes over.
  static let sliceLength = 64

  /// - Throws: ``HostError`` where the database fails.
  init(_ database: DeviceDatabase, durability: Durability) throws(HostError) {
    self.database = database
    self.durability = durability
    isDue = try database.isErasureDue
  }

  /// Has erasures run on another thread from here on.
  func use(_ loop: EventLoop, turn: Turn, slices: TimeSlices) {
    runner = (loop, turn, slices)
  }

  /// Has deleted data erased when the device goes down, or when it next comes up.
  func schedule() {
    guard !isDue else { return }
    isDue = true
    durability.persist { () throws(HostError) in try database.setErasureDue(true) }
  }

  /// Erases data that an earlier run of the device deleted but did not erase.
  func resume() { if isDue { run {} } }

  /// Erases deleted data; when the device goes down, where another process is reading the database now or the disk has
  /// no room for a copy.
  ///
  /// - Parameter done: called when the data are erased; the device keeps running meanwhile.
  func run(then done: @escaping () -> Void) {
    schedule()
    waiting.append(done)
    if served == nil { begin() }
  }

  /// Erases deleted data of a device that is going down.
  func runIfDue() {
    guard isDue else { return }
    durability.persist { () throws(HostError) in
      database.abandonCopy()
      guard try database.vacuum() == .done else { return }
      try database.setErasureDue(false)
      isDue = false
    }
  }

  // MARK: a copy

  private func begin() {
    guard let (loop, _, slices) = runner, durability.fault == nil, !slices.isClosing else {
      return refuse()
    }
    var hasBegun = false
    durability.persist { () throws(HostError) in
      try database.beginCopy()
      hasBegun = true
    }
    guard hasBegun else { return refuse() }
    served = waiting
    waiting = []
    (unsettledRows, settlements) = (0, 0)
    let (path, isSynchronized) = (database.path, database.isSynchronized)
    loop.work {
      DeviceDatabase.writeCopy(of: path, isSynchronized: isSynchronized)
    } then: { [unowned self] result in
      guard durability.fault == nil else { return end() }
      switch result {
      case .success(.done): slices.inSlices { [unowned self] in takeOver() }
      case .success: end()
      case .failure(let error):
        durability.fail(error)
        end()
      }
    }
  }

  private enum Step {
    case takeOver
    case settle
    case end
  }

  /// Takes over some of what has changed; when nothing is left, has the copy replace the database.
  ///
  /// - Returns: whether more is left.
  private func takeOver() -> Bool {
    var next = Step.end
    durability.persist { () throws(HostError) in
      let (rows, rest) = try database.takeOverChanges(limit: Self.sliceLength)
      work.rows += rows
      work.largestSlice = max(work.largestSlice, rows)
      unsettledRows += rows
      guard !rest else { return next = .takeOver }
      guard !isToBeSettled else { return next = .settle }
      // Callers that wait by now have deleted data that the copy may still contain.
      guard let former = try database.replaceByCopy(isOnDisk: unsettledRows == 0) else { return }
      work.copies += 1
      overwrite(former)
      guard waiting.isEmpty else { return }
      try database.setErasureDue(false)
      isDue = false
    }
    if durability.fault != nil { next = .end }
    switch next {
    case .takeOver: return true
    case .settle: settle()
    case .end: end()
    }
    return false
  }

  /// Whether the loop's thread would have more than a slice to move or to synchronise. A guest that never stops writing
  /// is not waited for.
  private var isToBeSettled: Bool {
    settlements < Self.mostSettlements
      && unsettledRows > (database.isSynchronized ? 0 : Self.sliceLength)
  }

  private static let mostSettlements = 8

  private func settle() {
    guard let (loop, _, slices) = runner else { return end() }
    (unsettledRows, settlements) = (0, settlements + 1)
    work.settlements += 1
    let (path, isSynchronized) = (database.path, database.isSynchronized)
    loop.work {
      DeviceDatabase.settleCopy(of: path, isSynchronized: isSynchronized)
    } then: { [unowned self] _ in
      guard durability.fault == nil else { return end() }
      slices.inSlices { [unowned self] in takeOver() }
    }
  }

  /// Overwrites the file that the copy has replaced.
  private func overwrite(_ file: ReplacedFile) {
    runner?.loop.work {
      file.overwrite()
    } then: { _ in
    }
  }

  private func end() {
    database.abandonCopy()
    let callers = served ?? []
    served = nil
    call(callers)
    // One of those that were called may have begun already.
    if served == nil, !waiting.isEmpty { begin() }
  }

  /// Calls the waiting callers: their deleted data are erased when the device goes down.
  private func refuse() {
    let callers = waiting
    waiting = []
    call(callers)
  }

  private func call(_ callers: [() -> Void]) {
    let body = { for done in callers { done() } }
    if let turn = runner?.turn { turn(body) } else { body() }
  }
}

// MARK: the copy

extension DeviceDatabase {
  static func copyPath(of path: String) -> String { "\(path)-copy" }
  private var copyPath: String { Self.copyPath(of: path) }

  /// A table whose changes are noted while a copy is made.
  struct TrackedTable {
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

/// The file that a copy has replaced, which has no name any more.
final class ReplacedFile: Sendable {
  private let descriptor: Int32

  /// Opens the file, which still has its name.
  init(_ path: String) { descriptor = open(path, O_RDWR | O_CLOEXEC) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Overwrites the file with zeros: the file system would only give its bytes free.
  func overwrite() {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    var offset: off_t = 0
    while offset < status.st_size {
      let written = pwrite(
        descriptor, zeros, min(zeros.count, Int(status.st_size - offset)), offset)
      guard written > 0 else { return }
      offset += off_t(written)
    }
  }
}
