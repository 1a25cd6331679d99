import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// Runs in parts, and the reports that are made of them.
  @Suite struct ShardTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      try desk.folder.write(Samples.withPolicy, to: "policy.yaml")
      try desk.folder.write(#"{"displayName":"Base","printBlocked":true}"#, to: "policy.json")
    }

    /// What a report says, but for times.
    private func timeless(_ text: String) -> String {
      text.replacing(/\d+\.\d\d s/, with: "T s")
        .replacing(/time="[0-9.]+"/, with: "time=T")
        .replacing(/"milliseconds":\d+/, with: "\"milliseconds\":T")
        .replacing(/\ +T s/, with: " T s")
    }

    /// Runs a command whole and in parts, and expects the same of both in each format.
    private func expectSame(
      _ arguments: [String], count: Int, formats: [String], reporting: [String] = [], status: Int32,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for number in 1...count {
        let part = try desk.run(
          Desk.program,
          arguments + ["--shard", "\(number)/\(count)", "--blob", "blobs-\(count)/\(number).blob"])
        #expect([0, 1].contains(part.status), "\(part.errors)", sourceLocation: sourceLocation)
      }
      for format in formats {
        let whole = try desk.run(Desk.program, arguments + reporting + ["--format", format])
        let merged = try desk.run(
          Desk.program, ["merge", "blobs-\(count)", "--format", format] + reporting)
        #expect(
          timeless(merged.output) == timeless(whole.output), "\(format)",
          sourceLocation: sourceLocation)
        #expect(
          [whole.status, merged.status] == [status, status], "\(merged.errors)",
          sourceLocation: sourceLocation)
      }
    }

    private func makeFolders(_ counts: Int...) throws {
      for count in counts {
        try FileManager.default.createDirectory(
          atPath: desk.folder.path("blobs-\(count)"), withIntermediateDirectories: false)
      }
    }

    @Test(arguments: [1, 2, 7])
    func `cases in parts make the reports of one run`(count: Int) throws {
      try makeFolders(count)
      try expectSame(
        ["run", "passing.yaml", "failing.yaml", "policy.yaml"], count: count,
        formats: ["text", "json", "junit", "tap", "html"], reporting: ["--coverage", "--verbose"],
        status: 1)
    }

    @Test func `criteria in parts make one certificate`() throws {
      try makeFolders(3)
      try expectSame(
        ["criteria", "--only", "SEND-1", "SWITCH-1", "PRINT-1"], count: 3,
        formats: ["text", "json", "junit", "html"], status: 0)
    }

    @Test func `the rounds of a walk are one walk`() throws {
      try makeFolders(2)
      try expectSame(
        ["walk", "--seed", "3", "--steps", "1200"], count: 2, formats: ["text", "json"], status: 0)
    }

    @Test func `the rounds of a walk over a scenario are one walk`() throws {
      try makeFolders(2)
      try expectSame(
        ["walk", Repository.path("scenarios/lineage.yaml"), "--seed", "3", "--steps", "400"],
        count: 2, formats: ["text", "json"], status: 0)
    }

    @Test func `leaks that parts replay are those of one search`() throws {
      try makeFolders(3)
      try expectSame(
        ["leaks", Repository.path("scenarios/extensions.yaml"), "--verify"], count: 3,
        formats: ["text", "json", "sarif", "junit", "html"], status: 1)
    }

    @Test(arguments: [2, 3, 9])
    func `the pieces of a journal are one replay`(count: Int) throws {
      try makeFolders(count)
      let kept = try desk.sluice(
        "run", Repository.path("scenarios/lineage.yaml"), "--keep", "kept")
      try #require(kept.status == 0, "\(kept.errors)")
      try desk.folder.write(#"{"displayName":"Open","apps":[]}"#, to: "policies/open.json")
      let journal = "kept/1/journal.jsonl"
      let whole = try desk.sluice("replay", journal, "--policy", "policies/")
      try expectSame(
        ["replay", journal, "--policy", "policies/"], count: count, formats: ["text", "json"],
        status: whole.status)
    }

    /// Of a device that has died, the last line is half written.
    @Test(arguments: [2, 60])
    func `a journal that is cut off is one replay, too`(count: Int) throws {
      try makeFolders(count)
      let kept = try desk.sluice(
        "run", Repository.path("scenarios/lineage.yaml"), "--keep", "kept")
      try #require(kept.status == 0, "\(kept.errors)")
      let text = try desk.folder.read("kept/1/journal.jsonl")
      try desk.folder.write(String(text.dropLast(30)), to: "cut.jsonl")
      try expectSame(["replay", "cut.jsonl"], count: count, formats: ["text", "json"], status: 0)
    }

    @Test func `what a report cannot say is not asked of it in vain`() throws {
      _ = try desk.sluice("walk", "--seed", "1", "--steps", "5", "--blob", "1.blob")
      let merged = try desk.sluice("merge", "1.blob", "--min-coverage", "90")
      #expect(merged.status == 2 && merged.errors.contains("runs of cases alone have a coverage"))
    }

    @Test func `parts are made equally long by the times of an earlier run`() throws {
      let earlier = try desk.sluice(
        "run", "passing.yaml", "failing.yaml", "--output", "durations=own.json")
      #expect(earlier.status == 1)
      let own = try JSONReader.read(desk.folder.read("own.json"))["durations"]?.array ?? []
      #expect(own.count == 5 && own.allSatisfy { $0["milliseconds"]?.int != nil })
      try desk.folder.write(
        #"""
        {"durations":[{"file":"failing.yaml","name":"an app starts # once","milliseconds":9000},
          {"file":"passing.yaml","name":"an item arrives","milliseconds":2},
          {"file":"passing.yaml","name":"an app starts","milliseconds":1}]}
        """#, to: "report.json")
      let arguments = [
        "run", "passing.yaml", "failing.yaml", "--filter", "a", "--durations", "report.json",
      ]
      let first = try desk.run(Desk.program, arguments + ["--shard", "1/3", "--format", "json"])
      let report = try JSONReader.read(first.output)
      let names = (report["suites"]?.array ?? []).flatMap { $0["cases"]?.array ?? [] }
        .compactMap { $0["name"]?.string }
      #expect(names == ["an app starts # once"])
    }

    @Test
    func `a blob that cannot be written is named`()
      throws
    {
      let ended = try desk.sluice(
        "run", "passing.yaml", "--shard", "1/2", "--blob", "no/such/folder.blob")
      #expect(
        ended.status == 2 && ended.errors.hasPrefix("no/such/folder.blob: error: cannot be written")
      )
      let folder = try desk.sluice("run", "passing.yaml", "--blob", ".")
      #expect(folder.status == 2 && folder.output.isEmpty)
      #expect(folder.errors.contains("cannot be written: is a directory"))
      let merged = try desk.sluice("merge", ".")
      #expect(merged.status == 2 && merged.errors.contains("the folder holds no blob"))
    }

    @Test func `a file that changes between shards is named`() throws {
      _ = try desk.sluice("run", "policy.yaml", "--shard", "1/2", "--blob", "1.blob")
      try desk.folder.write(#"{"displayName":"Base","apps":[]}"#, to: "policy.json")
      _ = try desk.sluice("run", "policy.yaml", "--shard", "2/2", "--blob", "2.blob")
      let merged = try desk.sluice("merge", "1.blob", "2.blob")
      #expect(merged.status == 2)
      #expect(merged.errors.contains("policy.json was another file [merge]"), "\(merged.errors)")
    }

    @Test(arguments: [
      (["run", "-", "--shard", "1/2"], "standard input is none"),
      (["run", "passing.yaml", "--shard", "3/2"], "where I is 1 to N"),
      (["run", "passing.yaml", "--device", "d", "--shard", "1/2"], "a fresh device for each case"),
      (["walk", "--shard", "1/2"], "need the same --seed"),
      (["leaks", "passing.yaml", "--shard", "1/2"], "what --verify replays"),
    ])
    func `parts that cannot be are a mistake of usage`(arguments: [String], sentence: String) throws
    {
      let ended = try desk.run(Desk.program, arguments)
      #expect(ended.status == 64 && ended.errors.contains(sentence), "\(ended.errors)")
    }

    @Test func `a report that a run does not have is refused before any is written`() throws {
      _ = try desk.sluice("walk", "--seed", "1", "--steps", "5", "--blob", "1.blob")
      let merged = try desk.sluice(
        "merge", "1.blob", "--output", "text=t.txt", "--output", "tap=t.tap")
      #expect(merged.status == 2 && merged.output.isEmpty && !desk.folder.has("t.txt"))
      #expect(merged.errors.contains("this report is not printed as `tap`, but as `text`, `json`"))
    }
  }
}
