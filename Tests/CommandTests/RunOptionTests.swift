import Foundation
import TestSupport
import Testing
import Transfer

extension RealProcesses {
  /// What the options and arguments of `sluice run` change.
  @Suite struct RunOptionTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
    }

    @Test func `a dash is standard input`() throws {
      let ended = try desk.sluice("run", "-", input: Samples.passing)
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.lines.first == "Passing (-)")
      #expect(ended.lines.last == "2 cases: 2 passed")
    }

    @Test func `what is wrong with standard input has a place there`() throws {
      let ended = try desk.sluice("run", "-", input: "steps: []\n")
      #expect(ended.status == 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("-:1:8: error: "), "\(ended.errors)")
    }

    @Test func `a pipe can stand in place of a file`() throws {
      let ended = try desk.run(
        "/bin/sh", ["-c", "cat passing.yaml | '\(Desk.program)' run /dev/stdin"])
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.lines.last == "2 cases: 2 passed")
    }

    @Test(arguments: ["s", "s.yaml", "folder/s.yaml", "./folder/../s"])
    func `a policy is looked for beside its scenario`(file: String) throws {
      let folder = file.contains("folder/s") ? "folder/" : ""
      try desk.folder.write("", to: "folder/.keep")
      try desk.folder.write(Samples.withPolicy, to: file)
      try desk.folder.write(Samples.policy, to: "\(folder)policy.json")
      let ended = try desk.sluice("run", file)
      #expect(ended.status == 0, "\(ended.errors)")
    }

    @Test func `the scenarios of a folder run in the order of their names`() throws {
      for name in ["b.yml", "a.yaml", "c/d.yaml", "note.txt"] {
        try desk.folder.write(
          "steps: [{ launch: x }]\napps: { x: { bundle: a.b } }", to: "all/\(name)")
      }
      let ended = try desk.sluice("run", "all/", "passing.yaml")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(
        ended.lines.filter { !$0.hasPrefix(" ") }
          == [
            "a (all/a.yaml)", "b (all/b.yml)", "d (all/c/d.yaml)", "Passing (passing.yaml)",
            "5 cases: 5 passed",
          ])
    }

    @Test(arguments: [("ARRIVES", "SEND-4 an item arrives"), ("send-4", "SEND-4 an item arrives")])
    func `a filter finds names and criteria in any casing`(filter: String, title: String) throws {
      let ended = try desk.sluice("run", "passing.yaml", "--filter", filter)
      #expect(ended.status == 0)
      #expect(ended.lines == ["Passing (passing.yaml)", "  passed \(title)", "1 case: 1 passed"])
    }

    @Test func `a filter that finds nothing ends with 2`() throws {
      let ended = try desk.sluice("run", "passing.yaml", "--filter", "receive")
      #expect(ended.status == 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "sluice: error: no case matches `receive` [filter]\n")
    }

    @Test func `devices are kept with their journals, and begin with the seed that is given`()
      throws
    {
      let ended = try desk.sluice(
        "run", "passing.yaml", "--keep", "kept", "--seed", "18446744073709551615")
      #expect(ended.status == 0)
      for number in 1...2 {
        let events = try Journal("\(desk.folder.path)/kept/\(number)").events
        #expect(
          events.first == .deviceStarted(device: "iPhone", seed: 18_446_744_073_709_551_615))
        #expect(events.last == .deviceStopped)
      }
    }

    @Test func `a folder that exists is not taken for devices`() throws {
      let ended = try desk.sluice("run", "passing.yaml", "--keep", ".")
      #expect(ended.status == 2)
      #expect(ended.errors == ".:1:1: error: the folder to keep devices in exists already [file]\n")
    }

    @Test func `nothing is left of devices that are not kept`() throws {
      try desk.folder.write("", to: "temporary/.keep")
      let ended = try desk.sluice(
        "run", "passing.yaml", variables: ["TMPDIR": desk.folder.path("temporary")])
      #expect(ended.status == 0)
      let left = try FileManager.default.contentsOfDirectory(
        atPath: desk.folder.path("temporary"))
      #expect(left == [".keep"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["--watch"]] as [[String]])
    func `nothing is left of devices when a signal ends the command`(
      number: Int32, options: [String]
    ) throws {
      try desk.folder.write(Samples.endless, to: "endless.yaml")
      try desk.folder.write("", to: "temporary/.keep")
      let temporary = desk.folder.path("temporary")
      // Whoever runs the tests may have signals ignored, as nohup(1) does.
      let process = try desk.start(
        "/usr/bin/env", ["--default-signal", Desk.program, "run", "endless.yaml"] + options,
        variables: ["TMPDIR": temporary])
      awaitGuests(in: temporary)
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == number)
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [".keep"])
    }

    private func awaitGuests(in folder: String) {
      for _ in 0..<2_000 {
        if Guests(of: folder).areRunning { return }
        usleep(5_000)
      }
      Issue.record("no guest came up")
    }

    @Test func `a durable journal says the same`() throws {
      _ = try desk.sluice("run", "passing.yaml", "--keep", "usual")
      _ = try desk.sluice("run", "passing.yaml", "--keep", "durable", "--durable")
      #expect(
        try desk.folder.read("durable/1/journal.jsonl") == desk.folder.read("usual/1/journal.jsonl")
      )
    }

    @Test func `what a guest says names it in every line of a trace, without control characters`()
      throws
    {
      try desk.folder.write(
        #"""
        log("x\n5 viewer: pid 1\r\27[2J\tend\u{2028}\n")
        app.received(function(item) end)
        """#, to: "liar.lua")
      try desk.folder.write(
        """
        apps:
          liar: { bundle: org.example.liar, executable: liar.lua }
        steps:
          - launch: liar

        """, to: "liar.yaml")
      let ended = try desk.sluice("run", "liar.yaml", "--trace", "trace.txt")
      #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
      let lines = try desk.folder.read("trace.txt").split(separator: "\n")
      let said = lines.filter { !$0.contains("liar: pid ") }.compactMap { line in
        line.firstRange(of: " liar: ").map { String(line[$0.upperBound...]) }
      }
      #expect(
        said == ["x", #"5 viewer: pid 1\u{d}\u{1b}[2J"# + "\tend" + #"\u{2028}"#])
      #expect(lines.allSatisfy { $0.contains(" liar: ") })
    }

    @Test func `a trace has the pids of the guests`() throws {
      let ended = try desk.sluice("run", "passing.yaml", "--trace", "trace.txt")
      #expect(ended.status == 0)
      let trace = try desk.folder.read("trace.txt")
      #expect(try trace.matches(of: Regex(#"\d+ [ab]: pid \d+\n"#)).count == 3)
      let onErrors = try desk.sluice("run", "passing.yaml", "--trace", "-").errors
      #expect(try onErrors.matches(of: Regex(#"\d+ [ab]: pid \d+\n"#)).count == 3)
    }
  }
}
