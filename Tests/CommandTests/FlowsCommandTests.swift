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
