import Foundation
import GRDB
import Model
import TestSupport
import Testing
import Wire

@testable import Host

/// Deleted data is erased by copying the database while the device works. Afterwards, no file has
/// traces of the data, and the copy has all changes made meanwhile. The loop's thread never applies
/// more than a slice at a time.
@Suite struct VacuumTests {
  private static let anna = Account(upn: "anna@contoso.com", objectID: "a")
  private static let user = Account(upn: "wiped-canary@contoso.com")

  enum Erasure: CaseIterable {
    /// The database is rewritten while the device waits.
    case inPlace
    /// A copy that is made while the device works replaces the database.
    case copy
  }

  @Test(arguments: [UInt64](1...4), Erasure.allCases)
  func `after an erasure, no file contains deleted data`(
    _ seed: UInt64, _ erasure: Erasure
  ) throws {
    let folder = try Workspace()
    let database = try DeviceDatabase(
      path: folder.path("device.sqlite"), isSynchronized: erasure == .copy && seed % 2 == 0)
    var generator = SeededGenerator(seed: seed)
    let canary = Array("canary-\(seed)-4711".utf8)
    var keys: [KeychainKey] = []
    for number in 0..<1_500 {
      let isCanary = Bool.random(using: &generator)
      let padding = [UInt8](repeating: 1, count: Int.random(in: 0...400, using: &generator))
      let key = KeychainKey(
        service: "s\(UInt16.random(in: 0...999, using: &generator))", account: "\(number)")
      #expect(
        try database.add(
          isCanary ? canary + padding : padding, for: key, in: "T",
          owner: isCanary ? Self.user : Self.anna))
      if isCanary { keys.append(key) }
      if Int.random(in: 0..<4, using: &generator) == 0, let key = keys.popLast() {
        #expect(try database.delete(key, in: ["T"]) == 1)
      }
    }
    #expect(try !folder.files(with: canary).isEmpty)
    switch erasure {
    case .inPlace:
      #expect(try database.deleteItems(ownedBy: Self.user) == keys.count)
      #expect(try database.vacuum() == .done)
    case .copy:
      while try database.deleteItems(ownedBy: Self.user, in: ["T"], limit: 64) == 64 {}
      try database.beginCopy()
      try database.makeCopy()
      #expect(try database.takeOverChanges(limit: 64).isMore == false)
      let former = try #require(try database.replaceByCopy())
      former.overwrite()
    }
    #expect(try folder.files(with: canary).isEmpty)
    #expect(try folder.files(with: Array("wiped-canary".utf8)).isEmpty)
    #expect(try database.items().allSatisfy { $0.owner?.isSameUser(as: Self.anna) == true })
    try database.close()
    #expect(try folder.files(with: canary).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path("device.sqlite-copy")))
  }

  @Test(arguments: [UInt64](1...6))
  func `a copy of the device database contains changes made during the copying`(_ seed: UInt64)
    throws
  {
    let folder = try Workspace()
    let domain = DeviceDatabaseDomain.plain
    var generator = SeededGenerator(seed: seed)
    var model = DeviceDatabaseModel()
    let database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
    let work = { (count: Int) in
      for _ in 0..<count {
        let operation = DeviceDatabaseOperation.random(domain, using: &generator)
        if case .key(let account, _) = operation, !model.hasOneKeyAtMost(account) { continue }
        if case .vacuum = operation { continue }
        let expected = operation.apply(to: &model)
        try #require(try operation.apply(to: database, domain) == expected, "seed \(seed)")
      }
    }
    for round in 0..<12 {
      try work(20)
      try database.beginCopy()
      try work(10)
      try database.makeCopy()
      try work(30)
      while try database.takeOverChanges(limit: 3).isMore { try work(1) }
      if round % 4 == 3 {
        database.abandonCopy()
      } else {
        #expect(try database.replaceByCopy() != nil)
      }
      try #require(try database.lines(domain, model) == model.lines(domain), "seed \(seed)")
    }
    try database.close()
  }

  @Test func `if a copy cannot be renamed, the original database stays in use`() throws {
    let folder = try Workspace()
    let path = folder.path("device.sqlite")
    let database = try DeviceDatabase(path: path, isSynchronized: false)
    #expect(try database.add([1], for: KeychainKey(service: "a", account: ""), in: "T"))
    try database.beginCopy()
    try database.makeCopy()
    #expect(try database.takeOverChanges(limit: 64).isMore == false)
    try FileManager.default.removeItem(atPath: "\(path)-copy")
    #expect(try database.replaceByCopy() == nil)
    database.abandonCopy()
    #expect(try database.items().count == 1)
    #expect(try database.add([2], for: KeychainKey(service: "b", account: ""), in: "T"))
    try database.close()
  }

  @Test func `an open reader delays replacing the database with its copy, but blocks no writes`()
    throws
  {
    let folder = try Workspace()
    let path = folder.path("device.sqlite")
    let database = try DeviceDatabase(path: path, isSynchronized: false)
    #expect(try database.add([1], for: KeychainKey(service: "a", account: ""), in: "T"))
    let reader = try DeviceDatabase(path: path, isSynchronized: false)
    try reader.queue.writeWithoutTransaction { connection in
      try connection.execute(sql: "BEGIN; SELECT * FROM keychainItem")
      #expect(try database.add([2], for: KeychainKey(service: "b", account: ""), in: "T"))
      try database.beginCopy()
      try database.makeCopy()
      #expect(try database.takeOverChanges(limit: 64).isMore == false)
      #expect(try database.replaceByCopy() == nil)
      database.abandonCopy()
      try connection.execute(sql: "COMMIT")
    }
    #expect(try database.items().count == 2)
    try reader.close()
    try database.close()
  }

  @Test func `copying the database moves rows from the write-ahead log to the database file`()
    throws
  {
    let folder = try Workspace()
    let database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: true)
    let canary = Array("moved-canary".utf8)
    let isMoved = {
      let file = try Data(contentsOf: URL(filePath: folder.path("device.sqlite")))
      return file.range(of: Data(canary)) != nil
    }
    try database.beginCopy()
    // The value is longer than SQLite's own limit for the log.
    let value = canary + [UInt8](repeating: 7, count: 64 << 10)
    for number in 0..<100 {
      #expect(
        try database.add(value, for: KeychainKey(service: "\(number)", account: ""), in: "T"))
    }
    #expect(try !isMoved())
    try database.makeCopy()
    #expect(try isMoved())
    while try database.takeOverChanges(limit: 64).isMore {}
    DeviceDatabase.settleCopy(of: database.path, isSynchronized: true)
    #expect(try database.takeOverChanges(limit: 64) == (0, false))
    #expect(try database.replaceByCopy(isOnDisk: true) != nil)
    #expect(try database.items().count == 100)
    try database.close()
  }

  @Test(arguments: [true, false])
  func `a copied database is synchronised only if the journal is synchronised`(isDurable: Bool)
    throws
  {
    let lab = try QuietLab { if isDurable { $0.journal = .synchronized } }
    let vacuum = lab.device.storage.vacuum
    var isDone = false
    vacuum.run { isDone = true }
    // These rows change during the copy.
    for number in 0..<3 {
      _ = try lab.device.storage.database.add(
        [1], for: KeychainKey(service: "\(number)", account: ""), in: "T")
    }
    lab.wait("the copy") { isDone }
    #expect(vacuum.counters.copies == 1)
    #expect(vacuum.counters.settlements == (isDurable ? 1 : 0))
    #expect(try lab.device.storage.database.items().count == 3)
  }

  /// Returns the loop's work for sign-outs while the keychain contains `count` items of another
  /// account.
  private func work(of signOuts: Int, beside count: Int) throws -> (Vacuum.Counters, QuietLab) {
    let lab = try QuietLab()
    let database = lab.device.storage.database
    for number in 0..<count {
      _ = try database.add(
        [UInt8](repeating: 7, count: 3_900), for: KeychainKey(service: "s", account: "\(number)"),
        in: "T.other")
    }
    let (guest, other) = (try lab.app("guest"), try lab.app("other"))
    for number in 0..<signOuts {
      let name = "made-up-\(number)@example.org"
      guest.say(.signIn(account: name))
      let request = guest.say(.signOut(account: name))
      #expect(guest.outcome(of: request) == nil, "the database is not rewritten immediately")
      // Other guests are served during the copy.
      #expect(other.ask(.copy(Item(text: "x"))) != nil)
      lab.device.run { guest.outcome(of: request) != nil }
    }
    return (lab.device.storage.vacuum.counters, lab)
  }

  @Test func `the cost of a thousand sign-outs does not depend on the keychain's size`() throws {
    let (light, _) = try work(of: 1_000, beside: 0)
    #expect(light.copies == 1_000)
    let (heavy, lab) = try work(of: 40, beside: 1_000)
    #expect(heavy.copies == 40)
    #expect(light.rows <= 1_000 * 4)
    #expect(heavy.rows <= 40 * 4)
    #expect(max(light.largestSlice, heavy.largestSlice) <= Vacuum.sliceLength)
    #expect(try lab.device.storage.database.isErasureDue == false)
  }

  @Test func `the next run completes an interrupted erasure of the device database`() throws {
    let folder = try Workspace()
    let open = { try QuietLab { $0.folder = folder.path("device") } }
    do {
      let lab = try open()
      lab.device.storage.vacuum.schedule()
      #expect(try lab.device.storage.database.isErasureDue)
      try lab.device.storage.database.setErasureDue(false)
      try lab.device.storage.database.setErasureDue(true)
    }
    let database = try DeviceDatabase(
      path: folder.path("device/device.sqlite"), isSynchronized: false)
    try database.setErasureDue(true)
    try database.close()
    let lab = try open()
    lab.wait("the erasure") { lab.device.storage.vacuum.counters.copies == 1 }
    #expect(try lab.device.storage.database.isErasureDue == false)
  }

  @Test func `all files of a signed-out account are deleted and forgotten`() throws {
    let lab = try QuietLab()
    let app = try lab.app("mail") { $0.integratesSDK = true }
    app.say(.signIn(account: "bert@example.org"))
    let count = 150
    for number in 0..<count {
      let file = FileReference("f\(number)")
      app.say(.openFile(OpenFile(file, mode: .creating, owner: "bert@example.org")))
    }
    let request = app.say(.signOut(account: "bert@example.org"))
    lab.wait("the sign-out") { app.outcome(of: request) != nil }
    let scope = Folders.scope(ofContainer: "mail")
    let owner = Account(upn: "bert@example.org")
    #expect(try lab.device.storage.database.files(ownedBy: owner, scopes: [scope]).isEmpty)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: lab.device.containerPath(of: "mail"))
    #expect(left.isEmpty)
  }
}

extension DeviceDatabase {
  /// Makes the copy on this thread.
  fileprivate func makeCopy() throws {
    let result = Self.writeCopy(of: path, isSynchronized: isSynchronized)
    #expect(try result.get() == .done)
  }
}
