import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `--output` in all commands that write a report or a page.
  @Suite(.timeLimit(.minutes(5))) struct OutputOptionTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      try desk.folder.write(Samples.withPolicy, to: "story.yaml")
      try desk.folder.write(Samples.policy, to: "policy.json")
      try desk.folder.write(
        Samples.policy.replacing("managedApps", with: "none"), to: "stricter.json")
      try desk.folder.write(
        #"{ "type": "object", "properties": { "server": { "type": "string" } } }"#, to: "spec.json")
      try desk.folder.write(
        #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"#,
        to: "Info.plist")
      try desk.folder.link("scenarios", to: Repository.path("scenarios"))
    }

    /// Keeps the devices of a scenario with two cases in the folder `kept`.
    private func keep() throws {
      try desk.sluice("run", "passing.yaml", "--output-dir", "kept", ends: 0)
    }

    /// Commands that print nothing if `--output` is given, each with its `--format` value for JSON;
    /// nil if the command has only one format.
    static let quiet: [(command: String, json: String?)] = [
      ("matrix policy.json", "json"), ("flows kept/1", "json"), ("replay kept/1", "json"),
      ("leaks --scenario story.yaml", "json"), ("policy show policy.json", "json"),
      ("policy lint policy.json", "json"), ("policy diff policy.json stricter.json", "json"),
      ("share-sheet --scenario passing.yaml --from a --file note.txt", "json"),
      ("bundle show Info.plist", "json"), ("bundle lint Info.plist", "json"),
      ("app-config spec spec.json", "json"), ("device show kept/1", "json"),
      ("device export kept/1", nil), ("residue kept/1 anna@contoso.com", "json"),
      ("explain device-state a --scenario story.yaml", "json"),
      ("export kept/1 --format otlp", nil),
    ]

    @Test(arguments: quiet)
    func `with --output FILE, a command writes only to the file`(
      command: String, json: String?
    ) throws {
      try keep()
      let printed = try desk.sluice(line: command)
      #expect(!printed.output.isEmpty, "\(printed.errors)")
      for file in ["out", "./of=file"] {
        let written = try desk.sluice(line: "\(command) -o \(file)")
        #expect(written.status == printed.status)
        #expect(written.output.isEmpty)
        #expect(try desk.folder.read(file) == printed.output)
      }
      let dash = try desk.sluice(line: "\(command) --output -")
      #expect(dash.output == printed.output)
      guard let json else { return }
      let formatted = try desk.sluice(line: "\(command) --format \(json)").output
      #expect(formatted != printed.output)
      try desk.sluice(line: "\(command) -o out.json -o \(json)=named -o -")
      for file in ["out.json", "named"] { #expect(try desk.folder.read(file) == formatted) }
    }

    @Test(arguments: [
      "run passing.yaml", "criteria --filter SEND-1 --scenarios scenarios/criteria",
      "matrix policy.json",
      "leaks --scenario story.yaml", "policy diff policy.json stricter.json",
      "share-sheet --scenario passing.yaml --from a --file note.txt", "app-config spec spec.json",
      "report kept",
    ])
    func `an output ending in .html, or given as html=PATH, is an HTML page`(command: String) throws
    {
      try keep()
      for output in ["page.html", "page.htm", "html=page"] {
        try desk.sluice(line: "\(command) -o \(output)")
        let path = output.replacing("html=", with: "")
        #expect(try desk.folder.read(path).hasPrefix("<!DOCTYPE html>"), "\(output)")
      }
    }

    @Test func `sluice run and sluice walk print their text report even if --output names a file`()
      throws
    {
      let usual = try desk.sluice("run", "failing.yaml", ends: 1)
      let both = try desk.sluice("run", "failing.yaml", "-o", "report.xml", ends: 1)
      #expect(both.output == usual.output)
      #expect(try XMLElements(desk.folder.read("report.xml")).named("testcase").count == 3)
      let json = try desk.sluice("run", "failing.yaml", "-o", "json=-", ends: 1)
      #expect(try json.json()["counts"] != nil)
      let unnamed = try desk.sluice("run", "failing.yaml", "--format", "json", "-o", "-", ends: 1)
      #expect(unnamed.output == json.output)
      let walk = try desk.sluice(
        "walk", "--steps", "5", "--seed", "7", "-o", "walk.json", ends: 0)
      #expect(walk.output.contains("5 steps"))
      #expect(try JSONReader.read(desk.folder.read("walk.json")).members != nil)
    }

    @Test
    func `an output file extension that contradicts --format is an error naming both formats`()
      throws
    {
      let ended = try desk.sluice(
        "matrix", "policy.json", "--format", "csv", "-o", "m.html", ends: 2)
      #expect(
        ended.errors
          == "sluice: error: `m.html` is html by its extension, and --format is csv; write `--output csv=m.html` [format]\n"
      )
      #expect(!desk.folder.has("m.html"))
      try desk.sluice("matrix", "policy.json", "--format", "csv", "-o", "csv=m.html", ends: 0)
      #expect(try !desk.folder.read("m.html").hasPrefix("<"))
    }

    @Test(arguments: [
      "run passing.yaml -o report.log", "matrix policy.json -o jsn=m", "flows kept -o =",
    ])
    func `--output without a known format is a usage error that lists the formats`(command: String)
      throws
    {
      let ended = try desk.sluice(line: command, ends: 64)
      #expect(
        ended.errors.contains(
          "expected FORMAT=PATH, as in json=report.json, where FORMAT is one of"))
      #expect(ended.errors.contains("text, json"))
    }

    @Test(arguments: [
      "policy show policy.json -o policy.json",
      "policy diff policy.json stricter.json -o stricter.json",
      "leaks --scenario story.yaml -o text=story.yaml", "app-config spec spec.json -o spec.json",
      "replay kept/1/journal.jsonl -o kept/1/journal.jsonl", "flows kept -o kept/2/journal.jsonl",
      "report kept -o kept/1/journal.jsonl", "export kept -o dot=kept/1/journal.jsonl",
    ])
    func `commands with --output refuse to overwrite their own input`(command: String) throws {
      try keep()
      let files =
        ["policy.json", "stricter.json", "story.yaml", "spec.json"]
        + (1...2).map { "kept/\($0)/journal.jsonl" }
      let before = try files.map(desk.folder.read)
      let ended = try desk.sluice(line: command, ends: 2)
      #expect(ended.errors.contains("cannot be overwritten"), "\(ended.errors)")
      #expect(try files.map(desk.folder.read) == before)
    }

    @Test func `a report overwrites an existing page only if --output names it`() throws {
      try keep()
      let first = try desk.sluice("report", "kept", ends: 0)
      #expect(first.output.isEmpty)
      #expect(first.errors == "wrote report.html\n")
      let page = try desk.folder.read("report.html")
      let second = try desk.sluice("report", "kept/1", ends: 2)
      #expect(
        second.errors
          == "report.html: error: the file already exists; replace it with `--output report.html`, or choose another name [file]\n"
      )
      #expect(try desk.folder.read("report.html") == page)
      let named = try desk.sluice("report", "kept/1", "-o", "report.html", ends: 0)
      #expect(named.errors == "wrote report.html\n")
      #expect(try desk.folder.read("report.html") != page)
      try desk.folder.write("mine", to: "mine.txt")
      let foreign = try desk.sluice("report", "kept", "-o", "mine.txt", ends: 2)
      #expect(
        foreign.errors.contains(
          "no format has the file extension of `mine.txt`; write `--output html=mine.txt`"),
        "\(foreign.errors)")
      #expect(try desk.folder.read("mine.txt") == "mine")
      try desk.sluice("report", "kept", "-o", "html=page.txt", ends: 0)
      let printed = try desk.sluice("report", "kept", "-o", "-", ends: 0)
      #expect(printed.output.hasPrefix("<!DOCTYPE html>"))
    }

    @Test func `sluice export derives its format from the output, or lists the formats`() throws {
      try keep()
      let missing = try desk.sluice("export", "kept", ends: 64)
      for format in ["perfetto", "otlp", "dot", "mermaid", "allure"] {
        #expect(missing.errors.contains("\n  \(format): "), "\(missing.errors)")
      }
      try desk.sluice("export", "kept", "-o", "trace.gz", ends: 64)
      try desk.sluice(
        "export", "kept", "-o", "flows.gv", "-o", "flows.mmd", "-o", "allure=results", ends: 0)
      let dot = try desk.sluice("export", "kept", "--format", "dot", ends: 0)
      #expect(try desk.folder.read("flows.gv") == dot.output)
      #expect(try desk.folder.read("flows.mmd").hasPrefix("flowchart"))
      #expect(try !desk.folder.names(in: "results").isEmpty)
      for command in ["export kept --format perfetto", "export kept -o allure=-"] {
        #expect(try desk.sluice(line: command, ends: 64).errors.contains("needs --output"))
      }
    }
  }
}
