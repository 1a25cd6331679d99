import Model
import TestSupport
import Testing

@testable import Host

/// Whatever happened to a device, its database remembers it as lists that are searched from end to end would.
@Suite struct DeviceDatabaseLawTests {
  @Test(arguments: [UInt64](1...6))
  func `the database answers as its model does, whatever happened`(_ seed: UInt64) throws {
    let folder = try Workspace()
    let domain = seed % 3 == 0 ? DeviceDatabaseDomain.plain : .ambiguous
    var generator = SeededGenerator(seed: seed)
    var model = DeviceDatabaseModel()
    var database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
    for step in 1...300 {
      let operation = DeviceDatabaseOperation.random(domain, using: &generator)
      // Which of two people's keys somebody without an object id gets is nobody's business.
      if case .key(let account, _) = operation, !model.hasOneKeyAtMost(account) { continue }
      let expected = operation.apply(to: &model)
      let found = try operation.apply(to: database, domain)
      try #require(found == expected, "seed \(seed), step \(step), \(operation)")
      guard step % 10 == 0 else { continue }
      if step % 100 == 0 {
        try database.close()
        database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
      }
      let lines = try database.lines(domain, model)
      try #require(lines == model.lines(domain), "seed \(seed), step \(step), \(operation)")
      try expectAccounts(of: database, model, "seed \(seed), step \(step)")
    }
    try database.close()
  }

  /// The database names everybody, nobody twice, and nobody else.
  private func expectAccounts(
    of database: DeviceDatabase, _ model: DeviceDatabaseModel, _ comment: Comment
  ) throws {
    let found = try database.accounts()
    for account in model.accounts {
      try #require(found.contains { $0.isSame(as: account) }, comment)
    }
    for account in found {
      try #require(found.count { $0.isSame(as: account) } == 1, comment)
      try #require(model.accounts.contains { $0.isSame(as: account) }, comment)
    }
  }
}
