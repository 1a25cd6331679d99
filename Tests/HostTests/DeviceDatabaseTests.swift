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

/// What a device remembers, thing by thing.
@Suite struct DeviceDatabaseTests {
  private let folder: Workspace
  private let database: DeviceDatabase
  private let wrap = AES256GCM(key: randomBytes(AES256GCM.keyByteCount))
  private let anna = Account(upn: "anna@contoso.com", objectID: "0A", tenantID: "contoso")

  init() throws {
    folder = try Workspace()
    database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
  }

  private func place(_ path: String, _ scope: String = "Containers/notes") throws -> FilePlace {
    try #require(FilePlace(scope: scope, path: path))
  }

  // MARK: identities

  @Test
  func `keys of identities and their certificates are kept apart, whatever they are called`() throws
  {
    let (first, second) = ("managedIdentity a", "managedIdentity a certificate")
    try database.save((key: [1], certificate: [2]), at: first)
    try database.save((key: [3], certificate: [4]), at: second)
    #expect(try database.identity(at: first)?.certificate == [2])
    #expect(try database.identity(at: second)?.key == [3])
    #expect(try database.keepIdentities(at: [second]))
    #expect(try database.identity(at: first) == nil)
    #expect(try database.identity(at: second)?.certificate == [4])
  }

  // MARK: accounts

  @Test
  func `who signs in again is there once, last, by the new spelling, and not enrolled`() throws {
    let bert = Account(upn: "bert@contoso.com")
    try database.add(anna, to: "mail")
    try database.add(bert, to: "mail")
    #expect(try database.setEnrollment(of: anna, in: "mail", policies: ["Standard"]))
    try database.add(Account(upn: "anna.new@contoso.com", objectID: "0a"), to: "mail")
    let found = try database.enrollment(of: "mail")
    #expect(found.map(\.account.upn) == ["bert@contoso.com", "anna.new@contoso.com"])
    #expect(found.map(\.isEnrolled) == [false, false])
  }

  @Test
  func `an account is found by keys, whatever its casing and composition, among few rows`() throws {
    let (composed, decomposed) = ("\u{C9}VA@contoso.com", "e\u{301}va@contoso.com")
    try database.add(Account(upn: composed, objectID: "0B"), to: "mail")
    try database.add(Account(upn: "eva@contoso.com", objectID: "0C"), to: "mail")
    for stated in [
      Account(upn: decomposed), Account(upn: "new@contoso.com", objectID: "0b"),
      Account(upn: decomposed, objectID: "0b"),
    ] {
      #expect(try database.apps(signedInTo: stated) == ["mail"], "\(stated.upn)")
    }
    // The name is another account's by now.
    #expect(try database.apps(signedInTo: Account(upn: composed, objectID: "0D")).isEmpty)
    for sql in ["upnKey = 'a'", "objectKey = 'a' OR upnKey = 'a'"] {
      let plan = try database.queue.read {
        try Row.fetchAll(
          $0, sql: "EXPLAIN QUERY PLAN SELECT * FROM account WHERE \(sql) ORDER BY id"
        )
        .map { $0["detail"] as String }
      }
      #expect(!plan.contains { $0.hasPrefix("SCAN account") }, "\(plan)")
    }
  }

  @Test
  func `a database from before there were keys of accounts gets them`() throws {
    let path = folder.path("old.sqlite")
    let old = try DatabaseQueue(path: path)
    try DeviceDatabase.migrator.migrate(old, upTo: "parcels")
    try old.write {
      try $0.execute(
        sql: """
          INSERT INTO account (id, upn, objectID) VALUES (7, 'Anna@contoso.com', '0A');
          INSERT INTO signIn (app, accountID) VALUES ('mail', 7);
          """)
    }
    try old.close()
    let database = try DeviceDatabase(path: path, isSynchronized: false)
    #expect(try database.apps(signedInTo: Account(upn: "x", objectID: "0a")) == ["mail"])
    #expect(try database.apps(signedInTo: Account(upn: "ANNA@contoso.com")) == ["mail"])
  }

  private func rowCount(_ table: String = "account", of database: DeviceDatabase) throws -> Int {
    try database.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
  }

  @Test
  func `all casings of an account have one row, whatever they are stated for`() throws {
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
    // Nothing refers to the first spelling any more.
    let composed = Account(upn: "\u{C9}va@contoso.com")
    let decomposed = Account(upn: "E\u{301}VA@contoso.com")
    try database.setOwner(composed, of: place("a"))
    try database.setOwner(nil, of: place("a"))
    let key = try database.accountKey(of: decomposed, wrap: wrap) { randomBytes(32) }
    #expect(try database.accountKey(of: composed, wrap: wrap) { [] } == key)
    #expect(try rowCount(of: database) == 2)
  }

  @Test
  func `a database with several spellings of an account gets one row of them`() throws {
    let path = folder.path("old.sqlite")
    let old = try DatabaseQueue(path: path)
    try DeviceDatabase.migrator.migrate(old, upTo: "parcels")
    try old.write {
      try $0.execute(
        sql: """
          INSERT INTO account (id, upn, objectID) VALUES
            (1, 'x@y.example', NULL), (2, 'X@y.example', NULL), (3, 'x@Y.example', 'A');
          INSERT INTO signIn (app, accountID) VALUES ('mail', 2);
          INSERT INTO fileOwner VALUES ('Containers/mail', x'61', 1), ('Containers/mail', x'62', 2);
          INSERT INTO checkIn VALUES ('mail', 1, 5), ('mail', 2, 6), ('notes', 2, 7);
          """)
    }
    try old.close()
    let database = try DeviceDatabase(path: path, isSynchronized: false)
    #expect(try rowCount(of: database) == 2)
    let account = Account(upn: "x@Y.example")
    #expect(try database.apps(signedInTo: account) == ["mail"])
    #expect(try database.files(ownedBy: account, scopes: ["Containers/mail"]).count == 2)
    #expect(try database.checkIns().map(\.app) == ["mail", "notes"])
  }

  @Test
  func `owners are counted by scope, whatever becomes of the files`() throws {
    try database.setOwner(anna, of: place("before"))
    let expectCounts: (Int, Int) throws -> Void = { notes, group in
      let inNotes = try self.database.ownerCount(in: "Containers/notes")
      let inGroup = try self.database.ownerCount(in: "Groups/g")
      #expect(inNotes == notes && inGroup == group)
    }
    try expectCounts(1, 0)
    for name in ["a", "a", "b"] { try database.setOwner(anna, of: place(name)) }
    try expectCounts(3, 0)
    try database.finishMove(from: place("a"), to: place("c"))
    try expectCounts(3, 0)
    try database.finishMove(from: place("c"), to: place("c", "Groups/g"))
    try expectCounts(2, 1)
    try database.finishMove(from: place("b"), to: place("c", "Groups/g"))
    try expectCounts(1, 1)
    try database.setOwner(nil, of: place("c", "Groups/g"))
    try database.forgetFiles([place("before"), place("never")])
    try expectCounts(0, 0)
  }

  @Test
  func `a renamed account is found by its new name, and not by the one before`() throws {
    try database.add(anna, to: "mail")
    let new = Account(upn: "married@contoso.com", objectID: "0A")
    try database.rename(anna, to: new, wrap: wrap)
    #expect(try database.apps(signedInTo: Account(upn: "Married@contoso.com")) == ["mail"])
    #expect(try database.apps(signedInTo: Account(upn: "anna@contoso.com")).isEmpty)
  }

  @Test
  func `an account without a policy may be enrolled; one that is not signed in may not`() throws {
    try database.add(anna, to: "mail")
    #expect(
      try database.setEnrollment(of: Account(upn: "ANNA@contoso.com"), in: "mail", policies: []))
    #expect(try database.enrollment(of: "mail").map(\.isEnrolled) == [true])
    #expect(try !database.setEnrollment(of: anna, in: "notes", policies: ["Standard"]))
    #expect(try database.enrollment(of: "notes").isEmpty)
    #expect(try database.apps(signedInTo: anna) == ["mail"])
  }

  @Test
  func `a new name reaches sign-ins, files, items, check-ins and the key`() throws {
    let bert = Account(upn: "bert@contoso.com")
    let new = Account(upn: "robert@contoso.com")
    let file = try place("a")
    let item = KeychainKey(service: "login", account: "b")
    let key = try database.accountKey(of: bert, wrap: wrap) { randomBytes(32) }
    try database.add(bert, to: "mail")
    try database.setOwner(bert, of: file)
    #expect(try database.add([1], for: item, in: "T.mail", owner: bert))
    try database.saveCheckIn(CheckIn(app: "mail", account: bert, time: 5))
    try database.rename(Account(upn: "BERT@contoso.com"), to: new, wrap: wrap)
    #expect(try database.accounts(of: "mail").map(\.upn) == [new.upn])
    #expect(try database.owner(of: file)?.upn == new.upn)
    #expect(try database.items().map(\.owner?.upn) == [new.upn])
    #expect(try database.checkIns().map(\.account.upn) == [new.upn])
    #expect(try database.existingAccountKey(of: new, wrap: wrap) == key)
    #expect(try database.existingAccountKey(of: bert, wrap: wrap) == nil)
    #expect(try database.accounts().map(\.upn) == [new.upn])
  }

  @Test
  func `nobody gets the name of somebody else whom the device knows`() throws {
    let bert = Account(upn: "bert@contoso.com")
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

  // MARK: keys

  @Test
  func `a key is made once, whatever spelling calls for it, and gone when it is destroyed`() throws
  {
    let key = randomBytes(32)
    #expect(try database.existingAccountKey(of: anna, wrap: wrap) == nil)
    #expect(try database.accountKey(of: anna, wrap: wrap) { key } == key)
    let other = Account(upn: "renamed@contoso.com", objectID: "0a")
    #expect(try database.accountKey(of: other, wrap: wrap) { randomBytes(32) } == key)
    try database.destroyAccountKey(of: other)
    #expect(try database.existingAccountKey(of: anna, wrap: wrap) == nil)
    #expect(try database.accounts().isEmpty)
  }

  @Test
  func `a key goes to the object id that first calls for it, and not to the next owner of the UPN`()
    throws
  {
    let key = randomBytes(32)
    let upn = Account(upn: "anna@contoso.com")
    #expect(try database.accountKey(of: upn, wrap: wrap) { key } == key)
    #expect(try database.accountKey(of: anna, wrap: wrap) { randomBytes(32) } == key)
    let successor = Account(upn: "anna@contoso.com", objectID: "0B")
    #expect(
      try database.accountKey(of: successor, wrap: wrap) { [UInt8](repeating: 1, count: 32) } != key
    )
  }

  @Test
  func `a key that was altered, or put in another account's place, does not open`() throws {
    let bert = Account(upn: "bert@contoso.com")
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

  @Test
  func `no key stands in the database as it is`() throws {
    let key = randomBytes(32)
    _ = try database.accountKey(of: anna, wrap: wrap) { key }
    #expect(try folder.files(with: key).isEmpty)
  }

  // MARK: files

  @Test
  func `an account's files are found in the scopes that are asked for, by any of its names`() throws
  {
    let bert = Account(upn: "bert@contoso.com")
    try database.setOwner(anna, of: place("b"))
    try database.setOwner(Account(upn: "ANNA@contoso.com"), of: place("a"))
    try database.setOwner(anna, of: place("a", "Groups/g"))
    try database.setOwner(bert, of: place("c"))
    #expect(
      try database.files(ownedBy: anna, scopes: ["Containers/notes"]).map(\.description)
        == ["Containers/notes/a", "Containers/notes/b"])
    #expect(
      try database.files(ownedBy: anna, scopes: ["Groups/g", "Containers/other"]).count == 1)
    try database.setOwner(nil, of: place("c"))
    #expect(try database.owner(of: place("c")) == nil)
  }

  @Test
  func `a move takes the owner along once it is finished, and replaces whoever was there`() throws {
    let (from, to) = (try place("a"), try place("b", "Groups/g"))
    try database.setOwner(anna, of: from)
    try database.setOwner(Account(upn: "bert@contoso.com"), of: to)
    try database.beginMove(from: from, to: to)
    #expect(try database.pendingMoves() == [FileMove(from: from, to: to)])
    #expect(try database.owner(of: from)?.upn == anna.upn)
    try database.finishMove(from: from, to: to)
    #expect(try database.owner(of: from) == nil)
    #expect(try database.owner(of: to)?.upn == anna.upn)
    #expect(try database.pendingMoves().isEmpty)
  }

  @Test
  func `what nobody owns leaves nobody as the owner of the place it goes to`() throws {
    let (from, to) = (try place("a"), try place("b"))
    try database.setOwner(anna, of: to)
    try database.beginMove(from: from, to: to)
    try database.finishMove(from: from, to: to)
    #expect(try database.owner(of: to) == nil)
  }

  @Test
  func `a move that did not happen leaves the owners alone`() throws {
    let (from, to) = (try place("a"), try place("b"))
    try database.setOwner(anna, of: from)
    try database.beginMove(from: from, to: to)
    try database.cancelMove(from: from, to: to)
    #expect(try database.owner(of: from)?.upn == anna.upn)
    #expect(try database.pendingMoves().isEmpty)
  }

  @Test
  func `ten thousand files are forgotten by a statement each`() throws {
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
    // One a file, and what the whole takes.
    #expect(statements.withLock { $0 } <= places.count + 10)
    #expect(try database.files(ownedBy: anna, scopes: ["Containers/notes"]).isEmpty)
    #expect(try database.accounts().isEmpty)
  }

  // MARK: keychain

  @Test
  func `a search finds the items of a service in all groups, in order, and as many as it may`()
    throws
  {
    for (group, account) in [("T.b", "2"), ("T.a", "1"), ("T.a", "3"), ("T.c", "4")] {
      let key = KeychainKey(service: "login", account: account)
      #expect(try database.add(Array(account.utf8), for: key, in: group, owner: anna))
    }
    #expect(try database.add([], for: KeychainKey(service: "x", account: "1"), in: "T.a"))
    let query = KeychainQuery(service: "login")
    let found = try database.values(matching: query, in: ["T.a", "T.b"])
    #expect(found.map(\.key.account) == ["1", "3", "2"])
    #expect(found.map(\.key.group) == ["T.a", "T.a", "T.b"])
    #expect(found.allSatisfy { $0.owner?.isSame(as: anna) ?? false })
    let first = try database.values(
      matching: KeychainQuery(service: "login", limit: 1), in: ["T.b", "T.a"])
    #expect(first.map(\.key.account) == ["2"])
    let byAccount = try database.values(matching: KeychainQuery(account: "1"), in: ["T.a"])
    #expect(byAccount.map(\.key.service) == ["login", "x"])
  }

  @Test
  func `an updated item stays whose it is`() throws {
    let key = KeychainKey(service: "login", account: "a")
    #expect(try database.update([2], for: key, in: ["T.a"]) == 0)
    #expect(try database.add([1], for: key, in: "T.a", owner: anna))
    #expect(try !database.add([3], for: key, in: "T.a"))
    #expect(try database.update([2, 2], for: key, in: ["T.b", "T.a"]) == 1)
    #expect(try database.value(for: key, in: ["T.a"]) == [2, 2])
    #expect(try database.items().map(\.owner?.upn) == [anna.upn])
    #expect(try database.items().map(\.byteCount) == [2])
  }

  @Test
  func `an account's items go, in the groups that are named, and nobody else's`() throws {
    let bert = Account(upn: "bert@contoso.com")
    let key = KeychainKey(service: "login", account: "a")
    for (group, owner) in [("T.a", anna), ("T.b", anna), ("T.c", bert), ("T.d", nil)] {
      #expect(try database.add([1], for: key, in: group, owner: owner))
    }
    #expect(try database.deleteItems(ownedBy: anna, in: ["T.b", "T.c"]) == 1)
    #expect(try database.items().map(\.key.group) == ["T.a", "T.c", "T.d"])
    #expect(try database.deleteItems(ownedBy: Account(upn: "ANNA@contoso.com")) == 1)
    #expect(try database.items().map(\.key.group) == ["T.c", "T.d"])
  }

  @Test
  func `names that differ behind a NUL are different names`() throws {
    let names = ["a", "a\0", "a\0b", "\u{1}", "\u{1}0", "\u{1}1", "\0", ""]
    for name in names {
      #expect(
        try database.add(Array(name.utf8), for: KeychainKey(service: name, account: name), in: "T"))
      try database.add(Account(upn: "u\(name)", objectID: name), to: "mail")
    }
    #expect(try database.items().map(\.key.service) == names)
    #expect(try database.accounts(of: "mail").map(\.upn) == names.map { "u\($0)" })
    #expect(try database.accounts(of: "mail").map(\.objectID) == names)
  }

  // MARK: the user and the administrator

  @Test
  func `a publisher's PIN survives, and stands nowhere in the database`() throws {
    var state = AccessState(failedAttempts: 2, lastSignIn: 7)
    state.set(PIN("48151623"), at: 5)
    state.set(PIN("zwölf\"4\0"), at: 6)
    try database.saveAccess(state, team: "T")
    try database.saveAccess(AccessState(), team: "U")
    #expect(try database.accessStates() == ["T": state, "U": AccessState()])
    #expect(try folder.files(with: Array("48151623".utf8)).isEmpty)
    #expect(try folder.files(with: Array("zwölf".utf8)).isEmpty)
  }

  @Test
  func `a PIN that is put in another team's place does not open`() throws {
    try database.saveAccess(AccessState(failedAttempts: 4), team: "T")
    try database.queue.write { try $0.execute(sql: "UPDATE accessState SET team = 'U'") }
    let error = #expect(throws: HostError.self) { try database.accessStates() }
    #expect(error?.description == "the PIN of `U` in the device's database was altered")
  }

  @Test
  func `one check-in is kept for each app and account, the latest`() throws {
    try database.saveCheckIn(CheckIn(app: "mail", account: anna, time: 1))
    try database.saveCheckIn(CheckIn(app: "notes", account: anna, time: 2))
    let other = Account(upn: "new@contoso.com", objectID: "0a")
    try database.saveCheckIn(CheckIn(app: "mail", account: other, time: 3))
    #expect(try database.checkIns().map(\.time) == [3, 2])
  }

  @Test
  func `an empty configuration is not the same as one that never changed`() throws {
    #expect(try database.configuration(of: "mail") == nil)
    try database.setConfiguration([:], of: "mail")
    #expect(try database.configuration(of: "mail") == [:])
    let strange = ["a\"\\\0": "\u{1}\n", "": "ü"]
    try database.setConfiguration(strange, of: "mail")
    #expect(try database.configuration(of: "mail") == strange)
  }

  @Test
  func `the clock and the device's name survive; another device's folder is not taken`() throws {
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
        == "the database `\(path)` belongs to the device `phone`, and not to `tablet`")
    #expect(try reopened.deviceName == "phone")
  }

  // MARK: traces

  @Test(arguments: [UInt64](1...4))
  func `what was deleted is in no file of the folder once traces are erased`(_ seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed)
    let canary = Array("canary-\(seed)-4711".utf8)
    let user = Account(upn: "wiped-canary@contoso.com")
    var keys: [KeychainKey] = []
    for number in 0..<1_500 {
      let key = KeychainKey(
        service: "s\(UInt16.random(in: 0...999, using: &generator))", account: "\(number)")
      let isCanary = Bool.random(using: &generator)
      let padding = [UInt8](repeating: 1, count: Int.random(in: 0...400, using: &generator))
      let value = isCanary ? canary + padding : padding
      #expect(try database.add(value, for: key, in: "T", owner: isCanary ? user : anna))
      if isCanary { keys.append(key) }
      if Int.random(in: 0..<4, using: &generator) == 0, let key = keys.popLast() {
        #expect(try database.delete(key, in: ["T"]) == 1)
      }
    }
    #expect(try !folder.files(with: canary).isEmpty)
    #expect(try database.deleteItems(ownedBy: user) == keys.count)
    #expect(try database.vacuum() == .done)
    #expect(try folder.files(with: canary).isEmpty)
    #expect(try folder.files(with: Array("wiped-canary".utf8)).isEmpty)
    try database.close()
    #expect(try folder.files(with: canary).isEmpty)
  }
}

extension Workspace {
  /// Names of the files in which `bytes` stand somewhere.
  func files(with bytes: [UInt8]) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
      let content = try Data(contentsOf: URL(fileURLWithPath: path(name)))
      return content.range(of: Data(bytes)) != nil
    }
  }
}
