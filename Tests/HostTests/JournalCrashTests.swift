import Foundation
import Model
import Policy
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// A device may be killed while it writes its journal: the journal goes on behind the last line that is whole.
  @Suite(.ownThread) struct JournalCrashTests {
    private static let seed: UInt64 = 20_261_123
    private static let journals = 4
    /// Lives of one journal. All of it is read after each: it should not grow for ever.
    private static let lives = 4 * thoroughness

    @Test(arguments: 0..<journals)
    func `whenever the device is killed, its journal goes on without a gap`(
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

    /// The kernel takes what is longer than a page in pieces, and a signal that kills comes between them.
    @Test
    func `a journal goes on behind the last whole line of a turn that was cut off`() async throws {
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

    @Test
    func `wherever the last write ended, the journal goes on behind the last whole line`() throws {
      let folder = try Workspace()
      let path = folder.path("journal.jsonl")
      let journal = try Journal(path: path, isSynchronized: false)
      journal.append(.stepBegan(step: 1, text: "a"), time: 5)
      // Longer than what is read at once from the end.
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

    @Test func `what cannot be sought, or cut off, is no empty journal`() throws {
      let folder = try Workspace()
      let pipe = folder.path("pipe")
      try #require(mkfifo(pipe, 0o600) == 0)
      let error = #expect(throws: HostError.self) { try Journal(path: pipe, isSynchronized: false) }
      #expect(error?.description == "cannot read the journal `\(pipe)`: Illegal seek")
      try folder.write("{\"seq\":1", to: "half.jsonl")
      let file = open(folder.path("half.jsonl"), O_RDONLY)
      defer { close(file) }
      #expect(JournalTail(descriptor: file).failure == "Invalid argument")
    }

    /// The lines count from 1, and the last is an event.
    private static func expectNumbers(_ lines: [String], _ comment: Comment) throws {
      for (index, line) in lines.enumerated() {
        try #require(line.hasPrefix("{\"seq\":\(index + 1),") && line.hasSuffix("}"), comment)
      }
      if let last = lines.last { _ = try JournalEvent(line: last) }
    }

    /// What is torn is cut off, what is whole stays, and the next number follows.
    ///
    /// - Returns: the number of the last request.
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

    /// The lines that end, and what follows them.
    private static func read(_ path: String) throws -> (whole: [String], rest: String) {
      let content = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
      var lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      let rest = lines.removeLast()
      return (lines, rest)
    }

    /// How many turns of a life are in the lines as a whole.
    private static func turns(of life: Int, in lines: ArraySlice<String>) -> Int {
      lines.count { $0.contains("end of a turn of life \(life)\"") }
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

    /// Turns of one event, and of as much as the kernel takes in many pieces.
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
        journal.append(.decided(decision("end of a turn of life \(life)")), time: 6)
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
