import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice flows` on the journals of real runs.
  @Suite(.timeLimit(.minutes(5))) struct FlowsCommandTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func keep(_ scenario: String = "lineage") throws {
      try desk.sluice(
        "run", Repository.path("scenarios/\(scenario).yaml"), "--output-dir", "devices", ends: 0)
    }

    @Test func `sluice flows prints the same for a device folder and for its journal`() throws {
      try keep()
      let device = try desk.sluice("flows", "devices/3")
      let journal = try desk.sluice("flows", "devices/3/journal.jsonl")
      #expect(device.status == 0)
      #expect(device.output == journal.output)
      // The item was delivered, written to a file, moved, read, and shared again.
      let hops = tree(device.output).split(separator: "\n").map {
        String($0).trimmingCharacters(in: ["│", "├", "└", "─", " "])
      }
      #expect(
        hops.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
          == ["of", "share", "openFile", "openFile", "moveFile", "openFile", "share", "openFile"])
    }

    @Test func `each case of a results folder is shown separately under its name`() throws {
      try keep()
      let folder = try desk.sluice("flows", "devices", ends: 0)
      let parts = try cases(of: "lineage").enumerated().map { index, name in
        "devices/\(index + 1): \(name)\n"
          + tree(try desk.sluice("flows", "devices/\(index + 1)").output)
      }
      #expect(tree(folder.output) == parts.joined(separator: "\n"))
      let json = try desk.sluice("flows", "devices", "--format", "json")
      let lines = try json.jsonLines()
      #expect(lines.map { $0["journal"]?.string } == (1...4).map { "devices/\($0)" })
      #expect(
        lines.map { "\($0["suite"]?.string ?? ""): \($0["case"]?.string ?? "")" }
          == (try cases(of: "lineage")))
      for line in json.lines {
        #expect(try SchemaCheck("flows").problems(in: String(line)) == [])
      }
      let dot = try desk.sluice("flows", "devices", "--format", "dot").output
      #expect(dot.contains("subgraph cluster4 {"))
      try desk.sluice("flows", "devices", "-o", "flows.html")
      let page = try desk.folder.read("flows.html")
      #expect(page.hasPrefix("<!DOCTYPE html>"))
      #expect(page.contains("<h1>Where data went: Forwarding</h1>"))
      // The page of requests has the same number of departures.
      let headline = try #require(
        page.firstMatch(of: /headline">Data moved in \d+ transfers\. (.*)<\/p>/))
      try desk.sluice("report", "devices", "-o", "report.html")
      #expect(try desk.folder.read("report.html").contains(" \(headline.1)</p>"))
      // A name is recognised even if it occurs in only one case.
      try desk.sluice("flows", "devices", "--to", "viewer", ends: 0)
      let unknown = try desk.sluice("flows", "devices", "--to", "veiwer", ends: 2)
      #expect(unknown.errors.contains("did you mean `viewer`?"))
      try desk.sluice("flows", "devices", "-o", "devices/4/journal.jsonl", ends: 2)
    }

    @Test func `sluice flows prints the same output for a one-case results folder and its journal`()
      throws
    {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.sluice("run", "passing.yaml", "--filter", "arrives", "--output-dir", "one", ends: 0)
      let folder = try desk.sluice("flows", "one", ends: 0)
      #expect(folder.output == (try desk.sluice("flows", "one/1/journal.jsonl").output))
      #expect(folder.output.hasPrefix("data without an owner"))
    }

    @Test func `sluice flows combines the devices of a case and separates different cases`() throws
    {
      try keep("organization")
      let folder = try desk.sluice("flows", "devices", ends: 0)
      let parts = try cases(of: "organization").enumerated().map { index, name in
        "devices/\(index + 1): \(name)\n"
          + tree(try desk.sluice("flows", "devices/\(index + 1)").output)
      }
      #expect(tree(folder.output) == parts.joined(separator: "\n"))
      #expect(parts[0].contains("ben-phone 1 arrived on ben-phone by airDrop"), "\(parts[0])")
      let devices = try desk.folder.names(in: "devices/1").map { "devices/1/\($0)" }
      let named = try desk.sluice(["flows"] + devices)
      #expect(named.output == (try desk.sluice("flows", "devices/1").output))
      // Journals from different cases are shown separately.
      let two = try desk.sluice("flows", "devices/1/ben-phone", "devices/2/ben-phone", ends: 0)
      #expect(
        two.lines.filter { $0.hasPrefix("devices/") }.map { $0.prefix { $0 != ":" } }
          == ["devices/1/ben-phone", "devices/2/ben-phone"])
    }

    @Test func `the legend of sluice flows explains each cited rule once`() throws {
      try keep()
      let output = try desk.sluice("flows", "devices", ends: 0).output
      let legend = output.dropFirst(tree(output).count).split(separator: "\n").map(String.init)
      #expect(legend.first == "Rules")
      let rules = legend.dropFirst().compactMap { $0.split(separator: ":").first.map(String.init) }
      #expect(rules == rules.sorted() && Set(rules).count == rules.count && rules.count > 2)
      let text = tree(output)
      for rule in rules {
        #expect(text.contains(": \(rule.trimmingCharacters(in: [" "]))"), "\(rule)")
      }
    }

    /// Returns the output without its legend.
    private func tree(_ output: String) -> String {
      output.components(separatedBy: "\nRules\n").first ?? output
    }

    /// Returns the names of a shipped scenario's cases. Each follows the scenario's name.
    private func cases(of scenario: String) throws -> [String] {
      return try desk.sluice(
        "run", Repository.path("scenarios/\(scenario).yaml"), "--list", "--format", "json"
      ).json().array?.map { test in
        "\(test["suite"]?.string ?? ""): \(test["name"]?.string ?? "")"
      } ?? []
    }

    @Test func `sluice flows lists retyped content as a hop without a source item`() throws {
      try keep()
      let json = try desk.sluice("flows", "devices/2", "--to", "viewer", "--format", "json").json()
      let hops = json["hops"]?.array ?? []
      #expect(hops.count == 1)
      #expect(hops.first?["from"]?.array?.isEmpty == true)
      #expect(hops.first?["owner"]?.string == "anna@example.org")
    }

    @Test func `sluice flows does not overwrite its journal, and rejects a file with two journals`()
      throws
    {
      try keep()
      let journal = try desk.folder.read("devices/1/journal.jsonl")
      try desk.sluice("flows", "devices/1", "-o", "devices/1/journal.jsonl", ends: 2)
      #expect(try desk.folder.read("devices/1/journal.jsonl") == journal)
      try desk.folder.write(journal + journal, to: "two.jsonl")
      let two = try desk.sluice("flows", "two.jsonl", ends: 2)
      #expect(two.errors.contains("several journals"))
    }

    @Test func `sluice flows reports invalid input by its path, without output`() throws {
      try desk.folder.write(#"{"seq":1,"time""#, to: "cut.jsonl")
      try desk.folder.makeFolder("empty")
      for path in ["cut.jsonl", "nowhere", "empty"] {
        let ended = try desk.sluice("flows", path, ends: 2)
        #expect(ended.errors.contains(path) && ended.errors.contains("error: "), "\(ended.errors)")
        #expect(ended.output.isEmpty)
      }
    }
  }
}
