import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// Where data went, told of journals that real runs have left.
  @Suite(.timeLimit(.minutes(5))) struct FlowsCommandTests {
    private static func kept() throws -> Desk {
      let desk = try Desk()
      let run = try desk.sluice(
        "run", Repository.path("scenarios/lineage.yaml"), "--keep", "devices")
      #expect(run.status == 0, "\(run.output)")
      return desk
    }

    @Test func `a journal and its device's folder tell the same`() throws {
      let desk = try Self.kept()
      let device = try desk.sluice("flows", "devices/3")
      let journal = try desk.sluice("flows", "devices/3/journal.jsonl")
      #expect(device.status == 0)
      #expect(device.output == journal.output)
      // Delivered, written to a file, moved, read, and shared again.
      let hops = device.lines.map { String($0).trimmingCharacters(in: ["│", "├", "└", "─", " "]) }
      #expect(
        hops.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
          == ["of", "share", "openFile", "openFile", "moveFile", "openFile", "share", "openFile"])
    }

    @Test func `a folder of kept cases tells each by itself, after its name`() throws {
      let desk = try Self.kept()
      let folder = try desk.sluice("flows", "devices")
      #expect(folder.status == 0, "\(folder.errors)")
      let parts = try Self.cases(of: "lineage").enumerated().map { index, name in
        "devices/\(index + 1): \(name)\n"
          + (try desk.sluice("flows", "devices/\(index + 1)").output)
      }
      #expect(folder.output == parts.joined(separator: "\n"))
      let json = try desk.sluice("flows", "devices", "--format", "json")
      let lines = try json.lines.map { try JSONReader.read(String($0)) }
      #expect(lines.map { $0["journal"]?.string } == (1...4).map { "devices/\($0)" })
      #expect(
        lines.map { "\($0["suite"]?.string ?? ""): \($0["case"]?.string ?? "")" }
          == (try Self.cases(of: "lineage")))
      for line in json.lines {
        #expect(try SchemaCheck("flows").problems(in: String(line)) == [])
      }
      let dot = try desk.sluice("flows", "devices", "--format", "dot").output
      #expect(dot.contains("subgraph cluster4 {"))
      // A name that one of the cases has is known.
      #expect(try desk.sluice("flows", "devices", "--to", "viewer").status == 0)
      let unknown = try desk.sluice("flows", "devices", "--to", "veiwer")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("did you mean `viewer`?"), "\(unknown.errors)")
      let over = try desk.sluice("flows", "devices", "-o", "devices/4/journal.jsonl")
      #expect(over.status == 2)
    }

    @Test func `the folder of one kept case tells what its journal does`() throws {
      let desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      #expect(
        try desk.sluice("run", "passing.yaml", "--filter", "arrives", "--keep", "one").status == 0)
      let folder = try desk.sluice("flows", "one")
      #expect(folder.status == 0, "\(folder.errors)")
      #expect(folder.output == (try desk.sluice("flows", "one/1/journal.jsonl").output))
      #expect(folder.output.hasPrefix("data of nobody"), "\(folder.output)")
    }

    @Test func `the devices of a case are told together, and cases apart`() throws {
      let desk = try Desk()
      let run = try desk.sluice(
        "run", Repository.path("scenarios/organization.yaml"), "--keep", "kept")
      #expect(run.status == 0, "\(run.errors)")
      let folder = try desk.sluice("flows", "kept")
      #expect(folder.status == 0, "\(folder.errors)")
      let parts = try Self.cases(of: "organization").enumerated().map { index, name in
        "kept/\(index + 1): \(name)\n" + (try desk.sluice("flows", "kept/\(index + 1)").output)
      }
      #expect(folder.output == parts.joined(separator: "\n"))
      #expect(parts[0].contains("ben-phone 1 arrived on ben-phone by airDrop"), "\(parts[0])")
      let devices = try FileManager.default.contentsOfDirectory(
        atPath: desk.folder.path("kept/1")
      ).sorted().map { "kept/1/\($0)" }
      let named = try desk.run(Desk.program, ["flows"] + devices)
      #expect(named.output == (try desk.sluice("flows", "kept/1").output))
      // Journals of different cases, each by itself.
      let two = try desk.sluice("flows", "kept/1/ben-phone", "kept/2/ben-phone")
      #expect(two.status == 0, "\(two.errors)")
      #expect(
        two.lines.filter { $0.hasPrefix("kept/") }.map { $0.prefix { $0 != ":" } }
          == ["kept/1/ben-phone", "kept/2/ben-phone"])
    }

    /// The names of a shipped scenario's cases, each after that of the scenario.
    private static func cases(of scenario: String) throws -> [String] {
      let listed = try Desk().sluice(
        "run", Repository.path("scenarios/\(scenario).yaml"), "--list", "--format", "json")
      return try JSONReader.read(listed.output).array?.map { test in
        "\(test["suite"]?.string ?? ""): \(test["name"]?.string ?? "")"
      } ?? []
    }

    @Test func `what is typed in anew is no item's`() throws {
      let desk = try Self.kept()
      let json = try JSONReader.read(
        try desk.sluice("flows", "devices/2", "--to", "viewer", "--format", "json").output)
      let hops = json["hops"]?.array ?? []
      #expect(hops.count == 1)
      #expect(hops.first?["from"]?.array?.isEmpty == true)
      #expect(hops.first?["owner"]?.string == "anna@example.org")
    }

    @Test func `the journal is not written over, and not two of them are read as one`() throws {
      let desk = try Self.kept()
      let journal = try desk.folder.read("devices/1/journal.jsonl")
      let over = try desk.sluice("flows", "devices/1", "-o", "devices/1/journal.jsonl")
      #expect(over.status == 2)
      #expect(try desk.folder.read("devices/1/journal.jsonl") == journal)
      try desk.folder.write(journal + journal, to: "two.jsonl")
      let two = try desk.sluice("flows", "two.jsonl")
      #expect(two.status == 2)
      #expect(two.errors.contains("several journals"), "\(two.errors)")
    }

    @Test func `bad input is one error`() throws {
      let desk = try Desk()
      try desk.folder.write("{\"seq\":1,\"time\"", to: "cut.jsonl")
      try FileManager.default.createDirectory(
        atPath: desk.folder.path("empty"), withIntermediateDirectories: true)
      for path in ["cut.jsonl", "nowhere", "empty"] {
        let ended = try desk.sluice("flows", path)
        #expect(ended.status == 2, "\(path)")
        #expect(ended.errors.contains(path) && ended.errors.contains("error: "), "\(ended.errors)")
        #expect(ended.output.isEmpty)
      }
    }
  }
}
