import Foundation
import GRDB
import Model
import Policy
import Synchronization
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// A device may be killed at any moment. Acknowledged changes are present afterwards, and no
  /// change is partial.
  @Suite(.ownThread) struct DeviceDatabaseCrashTests {
    private static let seed: UInt64 = 20_261_122
    /// The number of lives of one database.
    private static let lives = 20 * thoroughness
    /// The number of databases with one life each.
    private static let births = 4 * thoroughness

    @Test func `a killed device's database contains all acknowledged writes`() async throws {
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
        // The life continues in place, or in a copy. The next life starts from this state.
        let copy = life % 2 == 0 ? try folder.copy("device.sqlite") : folder.path("device.sqlite")
        let database = try DeviceDatabase(path: copy, isSynchronized: false)
        models = try Self.settle(database, models, life, acknowledged, comment)
        if life % 4 == 1 {
          try Self.resolveMoves(database, &models, using: &generator)
          #expect(try database.pendingMoves().isEmpty, comment)
        }
        try database.close()
      }
      #expect(done > Self.lives, "no child process has made progress")
      // The key of an account that matches two people is unspecified.
      let accounts = DeviceDatabaseDomain.plain.accounts
      #expect(models.allSatisfy { accounts.allSatisfy($0.hasOneKeyAtMost) })
    }

    @Test func `a device killed during database creation creates it on the next start`()
      async throws
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

    /// Finds the database's contents among the possible ones. These are all acknowledged
    /// operations, and possibly the next operation. If that operation does not change `lines`, both
    /// are possible.
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
            possible[Self.state(of: model)] = model
          } else {
            differences.append("\(found.difference(from: expected)) before or after \(last)")
          }
        }
      }
      try #require(!possible.isEmpty, "\(comment): \(differences)")
      return possible.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the complete state of a model, including the spellings of accounts that `lines`
    /// omits.
    private static func state(of model: DeviceDatabaseModel) -> String {
      let accounts = model.accounts.map { "\($0.upn)|\($0.objectID ?? "")|\($0.tenantID ?? "")" }
      return (model.lines(.plain) + accounts).joined(separator: "\n")
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

    /// A device's operations in one life. They are equal for equal seeds.
    private struct Operations {
      private var generator: SeededGenerator

      init(_ life: Int) {
        generator = SeededGenerator(seed: DeviceDatabaseCrashTests.seed &+ UInt64(life))
      }

      mutating func next() -> DeviceDatabaseOperation { .random(.plain, using: &generator) }
    }

    /// The end of a life.
    private struct End: Codable {
      /// The minimum number of completed operations.
      var operations: Int
      /// The number of checks of ``Moment`` after the operations, or while the database is opened.
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
      // Opening takes long enough that other operations would otherwise never be interrupted.
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

/// Kills this process before the given number of further statements.
///
/// The process ends between any two statements, and therefore also between two transactions that
/// should be one.
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
  /// Copies a database with its log, in the state that a killed process leaves.
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

extension RealProcesses {
  /// A device may be killed while it writes its journal. The journal continues after the last
  /// complete line.
  @Suite(.ownThread) struct JournalCrashTests {
    private static let seed: UInt64 = 20_261_123
    private static let journals = 4
    /// The number of lives of one journal. The whole journal is read after each life, so its size
    /// is limited.
    private static let lives = 4 * thoroughness

    @Test(arguments: 0..<journals)
    func `a journal continues without a gap after a kill at any time`(
      journal: Int
    ) async throws {
      let folder = try Workspace()
      let path = folder.path("journal.jsonl")
      var generator = SeededGenerator(seed: Self.seed &+ UInt64(journal))
      var before = 0
      for life in (journal * Self.lives)..<((journal + 1) * Self.lives) {
        let turns = Int.random(in: 0...40, using: &generator)
        let looks = Int.random(in: 0...2_000, using: &generator)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, life = life as Int, turns = turns as Int, looks = looks as Int] in
          try Self.live(
            journal: path, life,
            until: Moment(path: "\(path)-\(life)", size: turns, looks: looks))
        }
        let comment: Comment = "seed \(Self.seed), life \(life)"
        let (whole, _) = try Self.read(path)
        let told = try Acknowledgements.count(in: "\(path)-\(life)")
        try Self.expectNumbers(whole, comment)
        try #require(Self.turns(of: life, in: whole.dropFirst(before)) >= told, comment)
        before = whole.count
        guard life % 2 == 0 else { continue }
        try Self.expectNextLine(path, whole, comment)
      }
    }

    /// The kernel writes data longer than a page in pieces, and a fatal signal takes effect between
    /// them.
    @Test func `a journal continues after the last whole line of an interrupted transaction`()
      async throws
    {
      var generator = SeededGenerator(seed: Self.seed)
      for life in 0..<Self.lives {
        let folder = try Workspace()
        let path = folder.path("journal.jsonl")
        let size = Int.random(in: 0..<(400 * 20_000), using: &generator)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, size = size as Int] in
          try Self.writeLongTurn(
            journal: path, until: Moment(path: path, size: size, looks: 0))
        }
        let (whole, _) = try Self.read(path)
        let comment: Comment = "seed \(Self.seed), life \(life), \(whole.count) lines"
        try Self.expectNumbers(whole, comment)
        #expect(try Self.expectNextLine(path, whole, comment) == whole.count, comment)
      }
    }

    @Test func `after an incomplete write, new journal lines follow the last complete line`() throws
    {
      let folder = try Workspace()
      let path = folder.path("journal.jsonl")
      let journal = try Journal(path: path, isSynchronized: false)
      journal.append(.stepBegan(step: 1, text: "a"), time: 5)
      // The line is longer than the block that is read from the end.
      journal.append(.stepBegan(step: 2, text: String(repeating: "😀", count: 17_000)), time: 5)
      journal.append(.decided(Self.decision("b")), time: 5)
      journal.append(.stepBegan(step: 3, text: "c\n"), time: 5)
      try journal.flush()
      journal.close()
      let content = try #require(FileManager.default.contents(atPath: path))
      let last = try #require(Self.read(path).whole.last).utf8.count + 2
      let cuts = Array(stride(from: 0, to: content.count, by: 20_000)) + [1, 50, 90]
      for cut in cuts + [content.count - last - 9] + Array((content.count - last)...content.count) {
        try content.prefix(cut).write(to: URL(fileURLWithPath: path))
        try Self.expectNextLine(path, try Self.read(path).whole, "cut at \(cut)")
      }
    }

    @Test func `opening a journal file that cannot be sought or truncated fails`() throws {
      let folder = try Workspace()
      let pipe = folder.path("pipe")
      try #require(mkfifo(pipe, 0o600) == 0)
      let error = #expect(throws: HostError.self) { try Journal(path: pipe, isSynchronized: false) }
      #expect(error?.description == "cannot read the journal `\(pipe)`: Illegal seek")
      try folder.write("{\"seq\":1", to: "half.jsonl")
      let file = open(folder.path("half.jsonl"), O_RDONLY)
      defer { close(file) }
      #expect(JournalRecovery(descriptor: file).failure == "Invalid argument")
    }

    /// Expects that the lines are numbered from 1, and that the last is an event.
    private static func expectNumbers(_ lines: [String], _ comment: Comment) throws {
      for (index, line) in lines.enumerated() {
        try #require(line.hasPrefix("{\"seq\":\(index + 1),") && line.hasSuffix("}"), comment)
      }
      if let last = lines.last { _ = try JournalEvent(line: last) }
    }

    /// Expects that a truncated line is cut off, complete lines remain, and the next number
    /// follows.
    ///
    /// - Returns: The number of the last request.
    @discardableResult
    private static func expectNextLine(
      _ path: String, _ whole: [String], _ comment: Comment
    ) throws -> Int {
      let journal = try Journal(path: path, isSynchronized: false)
      journal.append(.caseEnded, time: 0)
      try journal.flush()
      journal.close()
      let (all, rest) = try read(path)
      try #require(rest.isEmpty && all.dropLast() == whole[...], comment)
      let last = try JournalEvent(line: try #require(all.last))
      try #require(
        last == JournalEvent(sequence: whole.count + 1, time: 0, kind: .caseEnded), comment)
      return journal.lastRequest
    }

    /// Returns the complete lines and the text that follows them.
    private static func read(_ path: String) throws -> (whole: [String], rest: String) {
      let content = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
      var lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      let rest = lines.removeLast()
      return (lines, rest)
    }

    /// Returns the number of complete transactions of a life in the lines.
    private static func turns(of life: Int, in lines: ArraySlice<String>) -> Int {
      lines.count { $0.contains("end of a transaction of life \(life)\"") }
    }

    private static func writeLongTurn(journal path: String, until moment: Moment) throws {
      let journal = try Journal(path: path, isSynchronized: false)
      let template = DecisionTemplate(decision(String(repeating: "x", count: 20_000)))
      for request in 1...400 { journal.append(template, request: request, bytes: 0, time: 5) }
      killThisProcess(at: moment)
      try journal.flush()
      while true { pause() }
    }

    private static func decision(_ subject: String) -> RequestDecision {
      RequestDecision(
        request: 1, operation: .signOut, subject: subject,
        verdict: Explainer.explain(Verdict([Reason(.signOutAlwaysAllowed, .device)])))
    }

    /// Writes transactions of one event, and transactions that the kernel writes in many pieces.
    private static func live(journal path: String, _ life: Int, until moment: Moment) throws {
      let acknowledgements = Acknowledgements(path: "\(path)-\(life)")
      var generator = SeededGenerator(seed: seed &+ UInt64(life))
      killThisProcess(at: moment)
      let journal = try Journal(path: path, isSynchronized: life % 5 == 0)
      while true {
        for _ in 0..<[0, 1, 3, 40].randomElement(using: &generator, default: 0) {
          let length = [10, 300, 5_000].randomElement(using: &generator, default: 10)
          journal.append(
            .stepBegan(step: 1, text: String(repeating: "x", count: length)), time: 5)
        }
        journal.append(.decided(decision("end of a transaction of life \(life)")), time: 6)
        try journal.flush()
        acknowledgements.add()
      }
    }
  }
}

extension Array {
  fileprivate func randomElement(
    using generator: inout some RandomNumberGenerator, default: Element
  ) -> Element { randomElement(using: &generator) ?? `default` }
}

/// Tests the requests that the journal's last run left open.
@Suite struct OpenRequestTests {
  private static func decision(_ request: Int) -> JournalEvent.Kind {
    .decided(
      RequestDecision(
        request: request, operation: .signOut,
        verdict: Explainer.explain(Verdict([Reason(.signOutAlwaysAllowed, .device)]))))
  }

  private static let started = JournalEvent.Kind.deviceStarted(device: "d", seed: 1)

  @Test(
    arguments: [
      ([], []), ([started], []), ([started, decision(1)], [1]),
      ([started, decision(1), .ended(request: 1, end: .delivered)], []),
      (
        [started, decision(1), decision(2), decision(3), .ended(request: 2, end: .failed)],
        [1, 3]
      ),
      // In these journals, another run has ended the request, or an earlier version recorded no
      // end.
      ([started, decision(1), started, .ended(request: 1, end: .failed)], []),
      ([started, decision(1), started, decision(2)], [2]),
      ([started, decision(1), .deviceStopped], []),
      ([started, decision(1), .deviceStopped, .caseEnded], []),
    ] as [([JournalEvent.Kind], [Int])])
  func `a reopened journal lists the last run's decided but unfinished requests`(
    events: [JournalEvent.Kind], open: [Int]
  ) throws {
    let folder = try Workspace()
    let path = folder.path("journal.jsonl")
    let journal = try Journal(path: path, isSynchronized: false)
    for event in events { journal.append(event, time: 5) }
    try journal.flush()
    journal.close()
    let next = try Journal(path: path, isSynchronized: false)
    #expect(next.openRequests.map(\.request) == open)
    next.close()
  }
}

/// The moment at which a process is killed, defined by the data that the process has written.
///
/// The definition uses no clock, so it is independent of the machine's speed.
struct Moment: Sendable {
  /// A file that grows.
  var path: String
  /// The file's minimum size.
  var size: Int
  /// The number of further checks of the file, while the process continues.
  var looks: Int
}

/// Kills this process from another thread, at any point of this thread's work.
func killThisProcess(at moment: Moment) {
  Thread.detachNewThread {
    var status = stat()
    while stat(moment.path, &status) != 0 || status.st_size < moment.size {}
    for _ in 0..<moment.looks { stat(moment.path, &status) }
    kill(getpid(), SIGKILL)
  }
}

/// The progress of a process that will be killed. It has one byte per operation, in a file that
/// remains.
struct Acknowledgements {
  private let descriptor: Int32

  init(path: String) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "cannot write to \(path)")
  }

  func add() {
    let written = write(descriptor, "+", 1)
    precondition(written == 1, "cannot acknowledge anything")
  }

  /// Returns the number of acknowledged operations; 0 if a process was killed before it created the
  /// file.
  static func count(in path: String) throws -> Int {
    FileManager.default.contents(atPath: path)?.count ?? 0
  }
}
