import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests shards of runs, and the reports that are merged from them.
  @Suite struct ShardTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      try desk.folder.write(Samples.withPolicy, to: "policy.yaml")
      try desk.folder.write(#"{"displayName":"Base","printBlocked":true}"#, to: "policy.json")
    }

    /// Returns a report without its times.
    private func timeless(_ text: String) -> String {
      text.replacing(/\d+\.\d\d s/, with: "T s").replacing(/time="[0-9.]+"/, with: "time=T")
        .replacing(/"milliseconds":\d+/, with: #""milliseconds":T"#)
        .replacing(/\ +T s/, with: " T s")
        .replacing(/id="data-durations">[^<]*/, with: "durations")
    }

    /// Runs a command as a whole and in shards, and expects equal reports in each format. If a
    /// command can write several reports at once, the first is printed and the others are written.
    private func expectSame(
      _ arguments: [String], count: Int, formats: [String], reporting: [String] = [], status: Int32,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for number in 1...count {
        let part = try desk.sluice(
          arguments + ["--shard", "\(number)/\(count)", "--blob", "blobs-\(count)/\(number).blob"])
        #expect([0, 1].contains(part.status), "\(part.errors)", sourceLocation: sourceLocation)
      }
      let (printed, written) =
        ["run", "criteria"].contains(arguments[0])
        ? (formats.prefix(1), formats.dropFirst()) : (formats[...], [])
      func files(_ name: String) -> [String] {
        written.flatMap { ["--output", "\($0)=\(name).\($0)"] }
      }
      for format in printed {
        let whole = try desk.sluice(
          arguments + reporting + ["--format", format] + files("whole"), ends: status,
          sourceLocation: sourceLocation)
        let merged = try desk.sluice(
          ["merge", "blobs-\(count)", "--format", format] + reporting + files("merged"),
          ends: status, sourceLocation: sourceLocation)
        #expect(
          timeless(merged.output) == timeless(whole.output), "\(format)",
          sourceLocation: sourceLocation)
      }
      for format in written {
        let (whole, merged) = try (
          desk.folder.read("whole.\(format)"), desk.folder.read("merged.\(format)")
        )
        #expect(timeless(merged) == timeless(whole), "\(format)", sourceLocation: sourceLocation)
      }
    }

    private func makeFolders(_ counts: Int...) throws {
      for count in counts {
        try desk.folder.makeFolder("blobs-\(count)")
      }
    }

    @Test(arguments: [1, 2, 7])
    func `shards of cases merge into the reports of one run`(count: Int) throws {
      try makeFolders(count)
      try expectSame(
        ["run", "passing.yaml", "failing.yaml", "policy.yaml"], count: count,
        formats: ["text", "json", "junit", "tap", "html"], reporting: ["--coverage", "--verbose"],
        status: 1)
    }

    @Test func `shards of criteria merge into one certificate`() throws {
      try makeFolders(3)
      try expectSame(
        ["criteria", "--filter", "SEND-1", "SWITCH-1", "PRINT-1"], count: 3,
        formats: ["text", "json", "junit", "html"], status: 0)
    }

    @Test func `shards of a walk's rounds merge into one walk`() throws {
      try makeFolders(2)
      try expectSame(
        ["walk", "--seed", "3", "--steps", "1200"], count: 2, formats: ["text", "json"], status: 0)
    }

    @Test func `shards of a walk over a scenario merge into one walk of the scenario`() throws {
      try makeFolders(2)
      try expectSame(
        ["walk", Repository.path("scenarios/lineage.yaml"), "--seed", "3", "--steps", "400"],
        count: 2, formats: ["text", "json"], status: 0)
    }

    @Test func `shards of leaks --verify merge into the report of one leak search`() throws {
      try makeFolders(3)
      try expectSame(
        ["leaks", "--scenario", Repository.path("scenarios/extensions.yaml"), "--verify"], count: 3,
        formats: ["text", "json", "sarif", "junit", "html"], status: 1)
    }

    @Test(arguments: [2, 3, 9])
    func `shards of a journal merge into one replay`(count: Int) throws {
      try makeFolders(count)
      let kept = try desk.sluice(
        "run", Repository.path("scenarios/lineage.yaml"), "--output-dir", "kept")
      try #require(kept.status == 0, "\(kept.errors)")
      try desk.folder.write(#"{"displayName":"Open","apps":[]}"#, to: "policies/open.json")
      let journal = "kept/1/journal.jsonl"
      let whole = try desk.sluice("replay", journal, "--policy", "policies/")
      try expectSame(
        ["replay", journal, "--policy", "policies/"], count: count, formats: ["text", "json"],
        status: whole.status)
    }

    /// If a device has died, the last line of its journal is truncated.
    @Test(arguments: [2, 60])
    func `shards of a truncated journal merge into one replay`(count: Int) throws {
      try makeFolders(count)
      let kept = try desk.sluice(
        "run", Repository.path("scenarios/lineage.yaml"), "--output-dir", "kept")
      try #require(kept.status == 0, "\(kept.errors)")
      let text = try desk.folder.read("kept/1/journal.jsonl")
      try desk.folder.write(String(text.dropLast(30)), to: "cut.jsonl")
      try expectSame(["replay", "cut.jsonl"], count: count, formats: ["text", "json"], status: 0)
    }

    @Test func `merging shards of a walk rejects coverage options`() throws {
      try desk.sluice("walk", "--seed", "1", "--steps", "5", "--blob", "1.blob")
      let merged = try desk.sluice("merge", "1.blob", "--min-coverage", "90", ends: 2)
      #expect(merged.errors.contains("only `sluice run` has coverage"))
    }

    @Test func `shards are balanced by the durations of an earlier run`() throws {
      try desk.sluice(
        "run", "passing.yaml", "failing.yaml", "--output", "durations=own.json", ends: 1)
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
      let report = try desk.sluice(arguments + ["--shard", "1/3", "--format", "json"]).json()
      let names = (report["suites"]?.array ?? []).flatMap { $0["cases"]?.array ?? [] }
        .compactMap { $0["name"]?.string }
      #expect(names == ["an app starts # once"])
    }

    @Test
    func `the error about an unwritable shard blob names its path`() throws {
      let ended = try desk.sluice(
        "run", "passing.yaml", "--shard", "1/2", "--blob", "no/such/folder.blob", ends: 2)
      #expect(ended.errors.hasPrefix("no/such/folder.blob: error: cannot be written"))
      let folder = try desk.sluice("run", "passing.yaml", "--blob", ".", ends: 2)
      #expect(folder.output.isEmpty)
      #expect(folder.errors.contains("cannot be written: is a directory"))
      let merged = try desk.sluice("merge", ".", ends: 2)
      #expect(merged.errors.contains("the folder contains no blob"))
    }

    @Test func `sluice merge names a file whose contents differ between shards`() throws {
      try desk.sluice("run", "policy.yaml", "--shard", "1/2", "--blob", "1.blob")
      try desk.folder.write(#"{"displayName":"Base","apps":[]}"#, to: "policy.json")
      try desk.sluice("run", "policy.yaml", "--shard", "2/2", "--blob", "2.blob")
      let merged = try desk.sluice("merge", "1.blob", "2.blob", ends: 2)
      #expect(merged.errors.contains("policy.json had other contents [merge]"))
    }

    @Test(arguments: [
      (["run", "-", "--shard", "1/2"], "shards cannot share standard input; name a file"),
      (["run", "passing.yaml", "--shard", "3/2"], "where I is 1 to N"),
      (["run", "passing.yaml", "--device", "d", "--shard", "1/2"], "a fresh device for each case"),
      (["walk", "--shard", "1/2"], "need the same --seed"),
      (
        ["leaks", "--scenario", "passing.yaml", "--shard", "1/2"],
        "--shard and --blob need --verify"
      ),
    ])
    func `an invalid shard is a usage error`(arguments: [String], sentence: String) throws {
      let ended = try desk.sluice(arguments, ends: 64)
      #expect(ended.errors.contains(sentence))
    }

    @Test func `commands for shards omit the report options of the whole run`() throws {
      let printed = try desk.sluice(
        "run", "passing.yaml", "--filter", "arrives", "-q", "-o", "whole.xml", "-o=whole.json",
        "--output", "text=whole.txt", "--executor", "slurm", "--shards", "2", "--print", ends: 0)
      #expect(printed.output.contains("passing.yaml") && printed.output.contains("arrives"))
      #expect(!printed.output.contains("whole"), "\(printed.output)")
      #expect(printed.output.firstMatch(of: /(?:^|[ '])-q(?:[ ']|$)/) == nil)
    }

    @Test func `sluice merge rejects an unsupported format before it writes any report`() throws {
      try desk.sluice("walk", "--seed", "1", "--steps", "5", "--blob", "1.blob")
      let merged = try desk.sluice(
        "merge", "1.blob", "--output", "text=t.txt", "--output", "tap=t.tap", ends: 2)
      #expect(merged.output.isEmpty && !desk.folder.has("t.txt"))
      #expect(
        merged.errors.contains(
          "this report cannot be written as `tap`; its formats are `text`, `json`"))
    }
  }
}
