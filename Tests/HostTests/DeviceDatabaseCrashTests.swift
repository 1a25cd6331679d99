import Foundation
import GRDB
import Model
import Synchronization
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// A device may be killed at any moment: what it was told is done is there afterwards, and nothing is half done.
  @Suite(.ownThread) struct DeviceDatabaseCrashTests {
    private static let seed: UInt64 = 20_261_122
    /// Lives of one database.
    private static let lives = 20 * thoroughness
    /// Databases with one life each.
    private static let births = 4 * thoroughness

    @Test
    func `whenever the device is killed, its database holds what was acknowledged`() async throws {
      let folder = try Workspace()
      var models = [DeviceDatabaseModel()]
      var generator = SeededGenerator(seed: Self.seed)
      var done = 0
      for life in 0..<Self.lives {
        let end = End.random(using: &generator)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = folder.path as String, life = life as Int, end = end as End] in
          try Self.live(in: path, life, until: end)
        }
        let acknowledged = try Acknowledgements.count(in: folder.path("acknowledged-\(life)"))
        done += acknowledged
        let comment: Comment = "seed \(Self.seed), life \(life), \(acknowledged) acknowledged"
        // In place, or in a copy, so that the next life finds what this one left.
        let copy = life % 2 == 0 ? try folder.copy("device.sqlite") : folder.path("device.sqlite")
        let database = try DeviceDatabase(path: copy, isSynchronized: false)
        models = try Self.settle(database, models, life, acknowledged, comment)
        if life % 4 == 1 {
          try Self.resolveMoves(database, &models, using: &generator)
          #expect(try database.pendingMoves().isEmpty, comment)
        }
        try database.close()
      }
      #expect(done > Self.lives, "children that do nothing prove nothing")
      // Which key somebody gets who might be either of two people is nobody's business.
      let accounts = DeviceDatabaseDomain.plain.accounts
      #expect(models.allSatisfy { accounts.allSatisfy($0.hasOneKeyAtMost) })
    }

    @Test
    func `a device that is killed when it makes its database makes it the next time`() async throws
    {
      var generator = SeededGenerator(seed: Self.seed)
      for life in 0..<Self.births {
        let folder = try Workspace()
        let end = End.random(using: &generator)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = folder.path as String, life = life as Int, end = end as End] in
          try Self.live(in: path, 8 * life, until: end)
        }
        let acknowledged = try Acknowledgements.count(in: folder.path("acknowledged-\(8 * life)"))
        let database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
        _ = try Self.settle(
          database, [DeviceDatabaseModel()], 8 * life, acknowledged,
          "seed \(Self.seed), life \(life)"
        )
        try database.close()
      }
    }

    /// What the database may hold: all that was acknowledged, and perhaps the operation after it. Where that changes nothing
    /// that `lines` tell, it may be either.
    private static func settle(
      _ database: DeviceDatabase, _ models: [DeviceDatabaseModel], _ life: Int, _ acknowledged: Int,
      _ comment: Comment
    ) throws -> [DeviceDatabaseModel] {
      var possible: [String: DeviceDatabaseModel] = [:]
      var differences: [String] = []
      for var model in models {
        var operations = Operations(life)
        for _ in 0..<acknowledged { _ = operations.next().apply(to: &model) }
        let last = operations.next()
        var after = model
        _ = last.apply(to: &after)
        for model in [model, after] {
          let (found, expected) = (try database.lines(.plain, model), model.lines(.plain))
          if found == expected {
            possible["\(model)"] = model
          } else {
            differences.append("\(found.difference(from: expected)) before or after \(last)")
          }
        }
      }
      try #require(!possible.isEmpty, "\(comment): \(differences)")
      return possible.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func resolveMoves(
      _ database: DeviceDatabase, _ models: inout [DeviceDatabaseModel],
      using generator: inout SeededGenerator
    ) throws {
      for move in try database.pendingMoves() {
        let operation: DeviceDatabaseOperation =
          Bool.random(using: &generator) ? .finishMove(move) : .cancelMove(move)
        let found = try operation.apply(to: database, .plain)
        models = models.compactMap { model in
          var model = model
          return operation.apply(to: &model) == found ? model : nil
        }
      }
      models = try models.filter { try database.lines(.plain, $0) == $0.lines(.plain) }
      #expect(!models.isEmpty)
    }

    /// What a device does in one life, the same whenever it is asked.
    private struct Operations {
      private var generator: SeededGenerator

      init(_ life: Int) {
        generator = SeededGenerator(seed: DeviceDatabaseCrashTests.seed &+ UInt64(life))
      }

      mutating func next() -> DeviceDatabaseOperation { .random(.plain, using: &generator) }
    }

    /// Where a life ends.
    private struct End: Codable {
      /// Operations that are done before, at least.
      var operations: Int
      /// Looks of ``Moment`` after them, or while the database is opened.
      var looks: Int
      var statement: Int

      static func random(using generator: inout SeededGenerator) -> End {
        End(
          operations: .random(in: 0...20, using: &generator),
          looks: .random(in: 0...4_000, using: &generator),
          statement: .random(in: 1...400, using: &generator))
      }
    }

    private static func live(in folder: String, _ life: Int, until end: End) throws {
      let path = "\(folder)/acknowledged-\(life)"
      let acknowledgements = Acknowledgements(path: path)
      // Opening takes long enough that otherwise nothing else would be interrupted.
      if life % 8 == 0 { killThisProcess(at: Moment(path: path, size: 0, looks: end.looks)) }
      let database = try DeviceDatabase(
        path: "\(folder)/device.sqlite", isSynchronized: life % 5 == 0)
      switch life % 8 {
      case 0: break
      case 1, 2:
        killThisProcess(at: Moment(path: path, size: end.operations, looks: end.looks))
      default:  // open: any other remainder
        killThisProcess(atStatement: end.statement, of: database)
      }
      var operations = Operations(life)
      while true {
        _ = try operations.next().apply(to: database, .plain)
        acknowledgements.add()
      }
    }
  }
}

/// Ends this process before the database runs so many more statements: between any two of them, and so also
/// where one transaction should have been, and there are two.
private func killThisProcess(atStatement number: Int, of database: DeviceDatabase) {
  let statements = Mutex(0)
  database.queue.inDatabase { database in
    database.trace { _ in
      let count = statements.withLock { count in
        count += 1
        return count
      }
      if count == number { kill(getpid(), SIGKILL) }
    }
  }
}

extension Workspace {
  /// Copies a database with its log, as a killed process left them.
  fileprivate func copy(_ name: String) throws -> String {
    for suffix in ["", "-wal"] {
      let copy = path("copy-of-\(name)\(suffix)")
      try? FileManager.default.removeItem(atPath: copy)
      if has(name + suffix) {
        try FileManager.default.copyItem(atPath: path(name + suffix), toPath: copy)
      }
    }
    return path("copy-of-\(name)")
  }
}
