import Foundation
import GRDB
import Model
import TestSupport
import Testing
import Wire

@testable import Host

/// What cannot be opened, read or written is said, and is left as it was.
@Suite struct DeviceDatabaseFailureTests {
  private let folder: Workspace
  private let path: String
  private let anna = Account(upn: "anna@contoso.com")

  init() throws {
    folder = try Workspace()
    path = folder.path("device.sqlite")
  }

  private func open() throws -> DeviceDatabase {
    try DeviceDatabase(path: path, isSynchronized: false)
  }

  /// What each file of the folder holds, but for the index that SQLite makes anew of its log.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { !$0.hasSuffix("-shm") }.reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: URL(fileURLWithPath: folder.path($1)))
    }
  }

  // MARK: opening

  @Test
  func `a database of a newer version is left as it is`() throws {
    let database = try open()
    try database.add(anna, to: "mail")
    try database.queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('tomorrow')")
    }
    try database.close()
    let before = try contents()
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.code == .database)
    #expect(
      error?.description
        == "the device's database `\(path)` was made by a newer Sluice; nothing in it was changed")
    #expect(try contents()["device.sqlite"] == before["device.sqlite"])
    #expect(try contents().values.filter { !$0.isEmpty }.count == 1)
  }

  @Test
  func `a database of a newer version that died is left as it is`() throws {
    let database = try open()
    try database.queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('tomorrow')")
    }
    // What a process leaves that is killed: its log has not been copied into the database.
    let files = try contents()
    #expect(files["device.sqlite-wal"]?.isEmpty == false)
    try database.close()
    for (name, content) in files {
      try content.write(to: URL(fileURLWithPath: folder.path(name)))
    }
    #expect(throws: HostError.self) { try open() }
    #expect(try contents() == files)
  }

  @Test
  func `a database of the version before keeps its sign-ins, items and secrets`() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('device');
          CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
          CREATE TABLE signIn (
            app TEXT NOT NULL, upn TEXT NOT NULL COLLATE NOCASE, objectID TEXT, tenantID TEXT,
            PRIMARY KEY (app, upn)) STRICT;
          CREATE TABLE keychainItem (
            accessGroup TEXT NOT NULL, service TEXT NOT NULL, account TEXT NOT NULL,
            value BLOB NOT NULL, PRIMARY KEY (accessGroup, service, account)) STRICT;
          INSERT INTO secret VALUES ('seal', x'0102');
          INSERT INTO signIn VALUES ('notes', 'Bert@contoso.com', NULL, NULL);
          INSERT INTO signIn VALUES ('mail', 'bert@contoso.com', NULL, NULL);
          INSERT INTO signIn VALUES ('mail', 'anna@contoso.com', '0a', 'contoso');
          INSERT INTO keychainItem VALUES ('T.a', 'login', 'b', x'03');
          """)
    }
    try queue.close()
    let database = try open()
    #expect(try database.accounts(of: "notes").map(\.upn) == ["Bert@contoso.com"])
    let found = try database.accounts(of: "mail")
    // An account has one row, in the spelling that came first.
    #expect(found.map(\.upn) == ["Bert@contoso.com", "anna@contoso.com"])
    #expect(found.map(\.objectID) == [nil, "0a"])
    #expect(found.map(\.tenantID) == [nil, "contoso"])
    #expect(try database.secret("seal") { [0, 0] } == [1, 2])
    #expect(
      try database.value(for: KeychainKey(service: "login", account: "b"), in: ["T.a"]) == [3])
    #expect(try database.items().map(\.owner?.upn) == [nil])
  }

  @Test(arguments: ["no database\n", "S", String(repeating: "SQLite format 3\0", count: 300)])
  func `a file that is no database is left as it is`(_ text: String) throws {
    try folder.write(text, to: "device.sqlite")
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.description == "`\(path)` is not a database; nothing in it was changed")
    #expect(try contents() == ["device.sqlite": Data(text.utf8)])
  }

  @Test
  func `another program's database is left as it is`() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE cookie (value TEXT)") }
    try queue.close()
    let before = try contents()
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.description == "`\(path)` is not a device's database; nothing in it was changed")
    #expect(try contents() == before)
  }

  @Test
  func `an empty file becomes a database`() throws {
    try folder.write("", to: "device.sqlite")
    try open().add(anna, to: "mail")
    #expect(try open().accounts(of: "mail").count == 1)
  }

  @Test(arguments: ["/proc/self/device.sqlite", "/dev/null/device.sqlite"])
  func `a folder that nobody can write to is named`(_ path: String) throws {
    let error = #expect(throws: HostError.self) {
      try DeviceDatabase(path: path, isSynchronized: false)
    }
    #expect(error?.code == .database)
    #expect(error?.description.contains("cannot open the device's database `\(path)`") ?? false)
  }

  /// Whoever runs as root may write everywhere.
  @Test(.enabled(if: geteuid() != 0))
  func `a folder that this user cannot write to is named`() throws {
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.description.contains("cannot open the device's database `\(path)`") ?? false)
  }

  // MARK: a full disk

  private func setPages(_ count: String, _ database: DeviceDatabase) throws {
    _ = try database.queue.inDatabase {
      try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(count)")
    }
  }

  @Test
  func `what does not fit on the disk is not there at all, and what was there stays`() throws {
    let database = try open()
    let domain = DeviceDatabaseDomain.plain
    var model = DeviceDatabaseModel()
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let operation = DeviceDatabaseOperation.random(domain, using: &generator)
      let expected = operation.apply(to: &model)
      #expect(try operation.apply(to: database, domain) == expected)
    }
    // No page is free, and fewer than there are cannot be asked for.
    #expect(try database.vacuum() == .done)
    try setPages("1", database)
    var failures = 0
    for step in 0..<400 {
      var operation = DeviceDatabaseOperation.random(domain, using: &generator)
      if step % 2 == 0 {
        operation = .addItem(
          KeychainKey(service: "\(step)", account: ""), group: domain.groups[0],
          value: [UInt8](repeating: 1, count: 3_000), owner: domain.accounts[step % 3])
      }
      var after = model
      let expected = operation.apply(to: &after)
      do throws(HostError) {
        let found = try answer(of: operation, database, domain)
        #expect(found == expected)
        model = after
      } catch {
        failures += 1
        #expect(error.description.contains("full"), "\(error)")
      }
    }
    #expect(failures > 10)
    #expect(try database.lines(domain, model) == model.lines(domain))
    try setPages("1000000", database)
    #expect(try database.add([UInt8](repeating: 1, count: 100_000), for: domain.keys[0], in: "new"))
    try database.close()
    let value = try open().value(for: domain.keys[0], in: ["new"])
    #expect(value?.count == 100_000)
  }

  private func answer(
    of operation: DeviceDatabaseOperation, _ database: DeviceDatabase,
    _ domain: DeviceDatabaseDomain
  ) throws(HostError) -> String {
    do {
      return try operation.apply(to: database, domain)
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.database, "no error of the host: \(error)")
    }
  }
}
