import Cryptography
import Foundation
import GRDB
import Model
import Policy
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Host

/// Tests the contents of a device's database, by subject.
@Suite struct DeviceDatabaseTests {
  private let folder: Workspace
  private let database: DeviceDatabase
  private let wrap = AES256GCM(key: randomBytes(AES256GCM.keyByteCount))
  private let anna = Account(upn: "anna@contoso.com", objectID: "0A", tenantID: "contoso")
  private let bert = Account(upn: "bert@contoso.com")

  init() throws {
    folder = try Workspace()
    database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
  }

  private func place(_ path: String, _ scope: String = "Containers/notes") throws -> FileLocation {
    try #require(FileLocation(scope: scope, path: path))
  }

  // MARK: transactions

  /// The names of the accounts signed in to `mail` that another process reads in the database's files.
  private func savedNames() throws -> [String] {
    try DeviceDatabase.copy(of: database.path, isInUse: true).accounts(of: "mail").map(\.upn)
  }

  @Test func `changes in one transaction are saved together at its end`() throws {
    try database.inOneTransaction { () throws(HostError) in
      try database.add(anna, to: "mail", policies: ["Base"])
      try database.add(bert, to: "mail")
      let (own, saved) = (try database.accounts(of: "mail"), try? savedNames())
      #expect(own.map(\.upn) == [anna.upn, bert.upn] && saved == [])
    }
    #expect(try savedNames() == [anna.upn, bert.upn])
    let enrolled = try database.enrollment(of: "mail")
    #expect(enrolled.map(\.isEnrolled) == [true, false])
    #expect(enrolled.map(\.policies) == [["Base"], []])
  }

  @Test func `in one transaction, a change that fails leaves the other changes`() throws {
    try database.inOneTransaction { () throws(HostError) in
      try database.add(anna, to: "mail")
      #expect(throws: HostError.self) {
        try database.access { connection in
          try connection.run("DELETE FROM signIn")
          throw HostError(.database, "stopped")
        }
      }
      try database.add(bert, to: "mail")
    }
    #expect(try savedNames() == [anna.upn, bert.upn])
  }

  @Test func `if a transaction of several changes is abandoned, none is saved`() throws {
    try database.add(bert, to: "mail")
    #expect(throws: HostError.self) {
      try database.inOneTransaction { () throws(HostError) in
        try database.add(anna, to: "mail")
        throw HostError(.database, "stopped")
      }
    }
    #expect(try savedNames() == [bert.upn])
    try database.add(anna, to: "mail")
    #expect(try savedNames() == [bert.upn, anna.upn])
  }

  @Test func `if the disk is full at the end of a transaction, no change is saved`() throws {
    try database.add(bert, to: "mail")
    let error = database.failingCommits {
      #expect(throws: HostError.self) {
        try database.inOneTransaction { () throws(HostError) in try database.add(anna, to: "mail") }
      }
    }
    #expect(error?.code == .storage)
    let start = "no space is left for the device's database `\(database.path)`; free at least"
    #expect(error?.description.hasPrefix(start) == true)
    #expect(try savedNames() == [bert.upn])
    try database.add(anna, to: "mail")
    #expect(try savedNames() == [bert.upn, anna.upn])
  }

  @Test func `a copy that begins within a transaction has the changes before and after`() throws {
    try database.inOneTransaction { () throws(HostError) in
      try database.add(anna, to: "mail")
      try database.beginCopy()
      try database.add(bert, to: "mail")
    }
    guard case .success(.done) = DeviceDatabase.writeCopy(of: database.path, isSynchronized: false)
    else {
      Issue.record("no copy was made")
      return
    }
    while try database.takeOverChanges(limit: 64).isMore {}
    _ = try #require(try database.replaceByCopy())
    #expect(try savedNames() == [anna.upn, bert.upn])
  }

  // MARK: files

  /// The modes of the database and of SQLite's files beside it, by the end of their names.
  private func modes() throws -> [String: Int] {
    var modes: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let status = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      modes[name] = status[.posixPermissions] as? Int
    }
    return modes
  }

  @Test func `other users cannot read a device's database, its log and its copies`() throws {
    try database.save((key: [1], certificate: [2]), at: "managedIdentity a")
    #expect(try Set(modes().values) == [0o600])
    #expect(try modes()["device.sqlite-wal"] == 0o600)
    let copied = DeviceDatabase.writeCopy(of: database.path, isSynchronized: false)
    guard case .success(.done) = copied else {
      Issue.record("\(copied)")
      return
    }
    #expect(try modes().count > 2)
    #expect(try Set(modes().values) == [0o600])
  }

  @Test func `opening a database restricts its file permissions to the owner`() throws {
    let path = folder.path("earlier.sqlite")
    try DeviceDatabase(path: path, isSynchronized: false).close()
    chmod(path, 0o644)
    try DeviceDatabase(path: path, isSynchronized: false).close()
    #expect(try modes()["earlier.sqlite"] == 0o600)
  }

  /// A sparse file takes no space on the disk, and reading it would take minutes.
  @Test func `a database of 5 GB is refused without being read`() throws {
    let path = folder.path("large.sqlite")
    try DeviceDatabase(path: path, isSynchronized: false).close()
    try #require(truncate(path, 5 << 30) == 0)
    let expected =
      "`\(path)` has 5368709120 bytes; the maximum of a device's database is 1073741824, so it is damaged and was not changed"
    let opening = #expect(throws: HostError.self) {
      try DeviceDatabase(path: path, isSynchronized: false)
    }
    let copying = #expect(throws: HostError.self) {
      try DeviceDatabase.copy(of: path, isInUse: false)
    }
    #expect(opening?.description == expected && opening?.code == .database)
    #expect(copying?.description == expected && copying?.code == .database)
  }

  @Test func `the device database's error about a full disk names the mounted file system`() throws
  {
    database.isDiskFull = true
    let error = #expect(throws: HostError.self) { try database.setClock(1) }
    let mountPoint = Disk(of: database.path).mountPoint
    #expect(
      error?.description
        == "no space is left for the device's database `\(database.path)`; free at least 1 MiB on the file system that is mounted at `\(mountPoint)`"
    )
    #expect(error?.code == .storage)
  }

  @Test func `disk information about a missing path comes from its nearest existing folder`() throws
  {
    #expect(Disk(of: "/proc/none/none").mountPoint == "/proc")
    #expect(Disk(of: "/none").mountPoint == "/")
    #expect(Disk(of: folder.path("none")).mountPoint == Disk(of: folder.path).mountPoint)
  }

  // MARK: identities

  @Test func `identities whose names share a prefix have separate keys and certificates`() throws {
    let (first, second) = ("managedIdentity a", "managedIdentity a certificate")
    try database.save((key: [1], certificate: [2]), at: first)
    try database.save((key: [3], certificate: [4]), at: second)
    #expect(try database.identity(at: first)?.certificate == [2])
    #expect(try database.identity(at: second)?.key == [3])
    #expect(try database.keepIdentities(at: [second]))
    #expect(try database.identity(at: first) == nil)
    #expect(try database.identity(at: second)?.certificate == [4])
  }

  // MARK: Accounts

  @Test func `the database finds an account in any casing and normalisation without a scan`()
    throws
  {
    let (composed, decomposed) = ("\u{C9}VA@contoso.com", "e\u{301}va@contoso.com")
    try database.add(Account(upn: composed, objectID: "0B"), to: "mail")
    try database.add(Account(upn: "eva@contoso.com", objectID: "0C"), to: "mail")
    for stated in [
      Account(upn: decomposed), Account(upn: "new@contoso.com", objectID: "0b"),
      Account(upn: decomposed, objectID: "0b"),
    ] {
      #expect(try database.apps(signedInTo: stated) == ["mail"], "\(stated.upn)")
    }
    // Another account now has the name.
    #expect(try database.apps(signedInTo: Account(upn: composed, objectID: "0D")).isEmpty)
    for sql in ["upnKey = 'a'", "objectKey = 'a' OR upnKey = 'a'"] {
      let plan = try plan(of: "SELECT * FROM account WHERE \(sql) ORDER BY id")
      #expect(!plan.contains { $0.hasPrefix("SCAN account") }, "\(plan)")
    }
  }

  private func plan(of sql: String) throws -> [String] {
    try database.queue.read {
      try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
    }
  }

  @Test(arguments: ["DELETE FROM signIn", "UPDATE signIn SET enrolled = 1"])
  func `deleting or updating a sign-in uses the database index of app and account`(_ change: String)
    throws
  {
    let plan = try plan(of: "\(change) WHERE app = 'mail' AND accountID = 1")
    #expect(plan.count == 1)
    #expect(plan[0].hasSuffix("INDEX signInByAppAndAccount (app=? AND accountID=?)"), "\(plan)")
  }

  /// Opens a database from before account keys existed, after executing `statements`.
  private func opened(after statements: String) throws -> DeviceDatabase {
    let path = folder.path("old.sqlite")
    let old = try DatabaseQueue(path: path)
    try DeviceDatabase.migrator.migrate(old, upTo: "parcels")
    try old.write { try $0.execute(sql: statements) }
    try old.close()
    return try DeviceDatabase(path: path, isSynchronized: false)
  }

  @Test func `a database from before account keys is migrated`() throws {
    let database = try opened(
      after: """
        INSERT INTO account (id, upn, objectID) VALUES (7, 'Anna@contoso.com', '0A');
        INSERT INTO signIn (app, accountID) VALUES ('mail', 7);
        """)
    #expect(try database.apps(signedInTo: Account(upn: "x", objectID: "0a")) == ["mail"])
    #expect(try database.apps(signedInTo: Account(upn: "ANNA@contoso.com")) == ["mail"])
  }

  @Test func `a migration deletes stored PINs that belong to no account`() throws {
    let database = try opened(after: "INSERT INTO accessState VALUES ('CONTOSO123', x'00')")
    #expect(try database.accessStates().isEmpty)
  }

  private func rowCount(_ table: String = "account", of database: DeviceDatabase) throws -> Int {
    try database.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
  }

  @Test func `all casings of an account share one row of the device database`() throws {
    let name = "abcdefgh"
    var spellings: [Account] = []
    for bits in 0..<256 {
      let cased = name.enumerated().map { index, letter in
        bits >> index & 1 == 0 ? String(letter) : letter.uppercased()
      }
      spellings.append(Account(upn: cased.joined() + "@nobody.example"))
    }
    for (number, spelling) in spellings.enumerated() {
      try database.setOwner(spelling, of: place("f\(number)"))
      try database.add(spelling, to: "app\(number % 3)")
      #expect(
        try database.add(
          [1], for: KeychainKey(service: "\(number)", account: ""), in: "T", owner: spelling))
      try database.saveCheckIn(CheckIn(app: "mail", account: spelling, time: number))
      _ = try database.accountKey(of: spelling, wrap: wrap) { randomBytes(32) }
      try database.destroyAccountKey(of: spelling)
    }
    #expect(try rowCount(of: database) == 1)
    #expect(try database.owner(of: place("f255"))?.upn == spellings[0].upn)
    // The first spelling is no longer in use.
    let composed = Account(upn: "\u{C9}va@contoso.com")
    let decomposed = Account(upn: "E\u{301}VA@contoso.com")
    try database.setOwner(composed, of: place("a"))
    try database.setOwner(nil, of: place("a"))
    let key = try database.accountKey(of: decomposed, wrap: wrap) { randomBytes(32) }
    #expect(try database.accountKey(of: composed, wrap: wrap) { [] } == key)
    #expect(try rowCount(of: database) == 2)
  }

  @Test func `rows of one account with different spellings are merged into one row`() throws {
    let database = try opened(
      after: """
        INSERT INTO account (id, upn, objectID) VALUES
          (1, 'x@y.example', NULL), (2, 'X@y.example', NULL), (3, 'x@Y.example', 'A');
        INSERT INTO signIn (app, accountID) VALUES ('mail', 2);
        INSERT INTO fileOwner VALUES ('Containers/mail', x'61', 1), ('Containers/mail', x'62', 2);
        INSERT INTO checkIn VALUES ('mail', 1, 5), ('mail', 2, 6), ('notes', 2, 7);
        """)
    #expect(try rowCount(of: database) == 2)
    let account = Account(upn: "x@Y.example")
    #expect(try database.apps(signedInTo: account) == ["mail"])
    #expect(try database.files(ownedBy: account, scopes: ["Containers/mail"]).count == 2)
    #expect(try database.checkIns().map(\.app) == ["mail", "notes"])
  }

  @Test func `an account can be enrolled without a policy, but not without a sign-in`() throws {
    try database.add(anna, to: "mail")
    #expect(
      try database.setEnrollment(of: Account(upn: "ANNA@contoso.com"), in: "mail", policies: []))
    #expect(try database.enrollment(of: "mail").map(\.isEnrolled) == [true])
    #expect(try !database.setEnrollment(of: anna, in: "notes", policies: ["Standard"]))
    #expect(try database.enrollment(of: "notes").isEmpty)
    #expect(try database.apps(signedInTo: anna) == ["mail"])
  }

  @Test func `an account cannot take the name of another known account`() throws {
    try database.add(anna, to: "mail")
    try database.add(bert, to: "mail")
    let error = #expect(throws: HostError.self) {
      try database.rename(bert, to: Account(upn: "ANNA@contoso.com"), wrap: wrap)
    }
    #expect(error?.code == .duplicateName)
    #expect(
      error?.description
        == "cannot rename `bert@contoso.com`: the device knows another account named `ANNA@contoso.com`"
    )
    #expect(try database.accounts(of: "mail").map(\.upn) == [anna.upn, bert.upn])
  }

  // MARK: Keys

  @Test func `a wrapped account key that was changed or moved to another account is rejected`()
    throws
  {
    _ = try database.accountKey(of: anna, wrap: wrap) { randomBytes(32) }
    _ = try database.accountKey(of: bert, wrap: wrap) { randomBytes(32) }
    try database.queue.write { database in
      try database.execute(
        sql: """
          UPDATE account SET wrappedKey = (SELECT wrappedKey FROM account WHERE upn LIKE 'anna%')
          WHERE upn LIKE 'bert%'
          """)
    }
    let error = #expect(throws: HostError.self) {
      try database.existingAccountKey(of: bert, wrap: wrap)
    }
    #expect(
      error?.description
        == "the key of `bert@contoso.com` in the device's database was altered")
    #expect(try database.existingAccountKey(of: anna, wrap: wrap) != nil)
    #expect(throws: HostError.self) {
      try database.existingAccountKey(
        of: anna, wrap: AES256GCM(key: [UInt8](repeating: 0, count: 32)))
    }
  }

  @Test func `the database contains no key in plain form`() throws {
    let key = randomBytes(32)
    _ = try database.accountKey(of: anna, wrap: wrap) { key }
    #expect(try folder.files(with: key).isEmpty)
  }

  // MARK: Files

  @Test func `deleting the owners of 10,000 files takes one statement for each file`() throws {
    let places = try (0..<10_000).map { try place("folder/file-\($0)") }
    for place in places.prefix(300) { try database.setOwner(anna, of: place) }
    try database.queue.write { database in
      let id = try Int64.fetchOne(database, sql: "SELECT id FROM account")
      for place in places.dropFirst(300) {
        try database.execute(
          sql: "INSERT INTO fileOwner VALUES (?, ?, ?)",
          arguments: [place.scope, Data(place.path), id])
      }
    }
    #expect(try database.files(ownedBy: anna, scopes: ["Containers/notes"]).count == 10_000)
    let statements = Mutex(0)
    database.queue.inDatabase { database in
      database.trace { _ in statements.withLock { $0 += 1 } }
    }
    try database.forgetFiles(places)
    // There is one statement for each file, and a constant number of others.
    #expect(statements.withLock { $0 } <= places.count + 10)
    #expect(try database.files(ownedBy: anna, scopes: ["Containers/notes"]).isEmpty)
    #expect(try database.accounts().isEmpty)
  }

  // MARK: Keychain

  // MARK: The user and the administrator

  @Test func `a publisher's PINs survive a restart and are not stored in plain form`() throws {
    var state = AccessState(failedAttempts: 2, lastSignIn: 7)
    state.set(PIN("48151623"), at: 5)
    state.set(PIN("zwölf\"4\0"), at: 6)
    let ben = Account(upn: "canary@contoso.com", objectID: "B", tenantID: "contoso.com")
    for (number, entry) in [
      PublisherAccess.Entry(account: anna, generation: .current, state: state),
      PublisherAccess.Entry(account: ben, generation: .numeric, state: AccessState()),
    ].enumerated() {
      try database.saveAccess(entry, number: number, team: "T")
    }
    try database.saveAccess(
      PublisherAccess.Entry(account: anna, generation: .passcode, state: AccessState()), number: 0,
      team: "U")
    let stored = try database.accessStates()
    #expect(stored.keys.sorted() == ["T", "U"])
    #expect(stored["T"]?.map(\.state) == [state, AccessState()])
    #expect(stored["T"]?.map(\.generation) == [.current, .numeric])
    #expect(stored["U"]?.map(\.generation) == [.passcode])
    let found = try #require(stored["T"]?.last?.account)
    #expect(
      [found.upn, found.objectID, found.tenantID] == [ben.upn, ben.objectID, ben.tenantID])
    for text in ["48151623", "zwölf", "canary@contoso.com"] {
      #expect(try folder.files(with: Array(text.utf8)).isEmpty)
    }
  }

  @Test(arguments: ["team = 'U'", "number = 1"])
  func `a stored PIN that is moved to another team or account counts as altered`(change: String)
    throws
  {
    try database.saveAccess(
      PublisherAccess.Entry(
        account: anna, generation: .current, state: AccessState(failedAttempts: 4)),
      number: 0, team: "T")
    try database.queue.write { try $0.execute(sql: "UPDATE accessState SET \(change)") }
    let error = #expect(throws: HostError.self) { try database.accessStates() }
    let team = change.hasPrefix("team") ? "U" : "T"
    #expect(error?.description == "the PIN of `\(team)` in the device's database was altered")
  }

  @Test func `the database stores the clock and device name and rejects another device's name`()
    throws
  {
    #expect(try database.clock == nil)
    try database.setClock(-5)
    try database.claim(for: "phone")
    try database.close()
    let path = folder.path("device.sqlite")
    let reopened = try DeviceDatabase(path: path, isSynchronized: true)
    #expect(try reopened.clock == -5)
    #expect(try reopened.deviceName == "phone")
    try reopened.claim(for: "phone")
    let error = #expect(throws: HostError.self) { try reopened.claim(for: "tablet") }
    #expect(error?.code == .folder)
    #expect(
      error?.description
        == "the database `\(path)` belongs to the device `phone`, not to `tablet`")
    #expect(try reopened.deviceName == "phone")
  }

  // MARK: Traces
}

extension Workspace {
  /// Returns the names of the files that contain `bytes`.
  func files(with bytes: [UInt8]) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
      let content = try Data(contentsOf: URL(fileURLWithPath: path(name)))
      return content.range(of: Data(bytes)) != nil
    }
  }
}

/// Open, read and write failures are reported, and they change nothing.
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

  /// Opens a database of a newer version. It must not be written.
  private func openNewer() throws -> DeviceDatabase {
    let database = try open()
    try database.add(anna, to: "mail")
    try database.queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('tomorrow')")
    }
    return database
  }

  /// Returns the content of each file in the folder, except for the index that SQLite rebuilds from
  /// its log.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { !$0.hasSuffix("-shm") }.reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: URL(fileURLWithPath: folder.path($1)))
    }
  }

  // MARK: Opening

  @Test func `opening a database of a newer version leaves it unchanged`() throws {
    try openNewer().close()
    let before = try contents()
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.code == .database)
    #expect(
      error?.description
        == "the device's database `\(path)` is from a newer version of Sluice; it was not changed")
    #expect(try contents()["device.sqlite"] == before["device.sqlite"])
    #expect(try contents().values.filter { !$0.isEmpty }.count == 1)
  }

  @Test func `opening a newer database with a write-ahead log leaves it unchanged`() throws {
    let database = try openNewer()
    // These are the files of a killed process. Its log has not been copied into the database.
    let files = try contents()
    #expect(files["device.sqlite-wal"]?.isEmpty == false)
    try database.close()
    for (name, content) in files {
      try content.write(to: URL(fileURLWithPath: folder.path(name)))
    }
    #expect(throws: HostError.self) { try open() }
    #expect(try contents() == files)
  }

  @Test func `a database of the previous version keeps its sign-ins, items and secrets`() throws {
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
    // An account has one row, in the spelling that was stored first.
    #expect(found.map(\.upn) == ["Bert@contoso.com", "anna@contoso.com"])
    #expect(found.map(\.objectID) == [nil, "0a"])
    #expect(found.map(\.tenantID) == [nil, "contoso"])
    #expect(try database.secret("seal") { [0, 0] } == [1, 2])
    #expect(
      try database.value(for: KeychainKey(service: "login", account: "b"), in: ["T.a"]) == [3])
    #expect(try database.items().map(\.owner?.upn) == [nil])
  }

  @Test(arguments: ["no database\n", "S", String(repeating: "SQLite format 3\0", count: 300)])
  func `opening a file that is not a database leaves it unchanged`(_ text: String) throws {
    try folder.write(text, to: "device.sqlite")
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.description == "`\(path)` is not a database; it was not changed")
    #expect(try contents() == ["device.sqlite": Data(text.utf8)])
  }

  @Test func `opening another program's database leaves it unchanged`() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE cookie (value TEXT)") }
    try queue.close()
    let before = try contents()
    let error = #expect(throws: HostError.self) { try open() }
    #expect(error?.description == "`\(path)` is not a device's database; it was not changed")
    #expect(try contents() == before)
  }

  @Test func `opening an empty file turns it into a database`() throws {
    try folder.write("", to: "device.sqlite")
    try open().add(anna, to: "mail")
    #expect(try open().accounts(of: "mail").count == 1)
  }

  @Test func `the error about a database in an unwritable folder names the path`() throws {
    var paths = ["/proc/self/device.sqlite", "/dev/null/device.sqlite"]
    // Root may write to any file.
    if geteuid() != 0 {
      chmod(folder.path, 0o500)
      paths.append(path)
    }
    defer { chmod(folder.path, 0o700) }
    for path in paths {
      let error = #expect(throws: HostError.self) {
        try DeviceDatabase(path: path, isSynchronized: false)
      }
      #expect(error?.code == .database)
      #expect(error?.description.contains("cannot open the device's database `\(path)`") ?? false)
    }
  }

  // MARK: A full disk

  private func setPages(_ count: String, _ database: DeviceDatabase) throws {
    _ = try database.queue.inDatabase {
      try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(count)")
    }
  }

  @Test func `a database write to a full disk is rolled back`() throws {
    let database = try open()
    let domain = DeviceDatabaseDomain.plain
    var model = DeviceDatabaseModel()
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let operation = DeviceDatabaseOperation.random(domain, using: &generator)
      let expected = operation.apply(to: &model)
      #expect(try operation.apply(to: database, domain) == expected)
    }
    // No page is free, and the minimum is the current number.
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
        #expect(error.description.hasPrefix("no space is left for"), "\(error)")
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

extension DeviceDatabase {
  /// Returns the account's files in `scopes`, by scope in the given order, then by path.
  func files(ownedBy owner: Account, scopes: [String]) throws(HostError) -> [FileLocation] {
    var files: [FileLocation] = []
    for scope in scopes {
      files += try self.files(ownedBy: owner, in: scope, after: [], limit: .max)
    }
    return files
  }

  /// Calls `body`. Until it returns, each commit fails as on a full disk.
  func failingCommits<Value>(in body: () throws -> Value) rethrows -> Value {
    let disk = FullDisk()
    queue.add(transactionObserver: disk)
    defer { queue.remove(transactionObserver: disk) }
    return try body()
  }
}

private final class FullDisk: TransactionObserver {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseWillCommit() throws { throw DatabaseError(resultCode: .SQLITE_FULL) }
  func databaseDidCommit(_ database: Database) {}
  func databaseDidRollback(_ database: Database) {}
}
