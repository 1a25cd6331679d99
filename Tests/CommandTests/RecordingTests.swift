import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice up --record`: the steps of a session become a scenario, which is run again.
  @Suite(.timeLimit(.minutes(10))) struct RecordingTests {
    /// A decision without the members that differ between runs.
    private struct Decision: Hashable {
      let values: [String?]

      init(_ event: JSONValue) {
        values = [
          event["operation"]?.string, event["sender"]?["guest"]?.string,
          event["receiver"]?["guest"]?.string, event["owner"]?.string, event["subject"]?.string,
          event["verdict"]?["outcome"]?.string, event["verdict"]?["decidedBy"]?.string,
        ]
      }
    }

    private static let send = Repository.path("scenarios/criteria/SEND.yaml")

    private let desk: Desk

    init() throws { desk = try Desk() }

    /// Returns the number of equal decisions in the journals below a folder, keyed by decision.
    private func decisions(in folder: String) throws -> [Decision: Int] {
      let journal = try #require(
        FileManager.default.enumerator(atPath: desk.folder.path(folder))?
          .compactMap { $0 as? String }.first { $0.hasSuffix("journal.jsonl") })
      var decisions: [Decision: Int] = [:]
      for line in try desk.folder.read("\(folder)/\(journal)").split(separator: "\n") {
        let event = try JSONReader.read(String(line))
        guard event["event"]?.string == "request.decided" else { continue }
        decisions[Decision(event), default: 0] += 1
      }
      return decisions
    }

    /// Lets clients use a device, and then shuts it down.
    ///
    /// - Returns: The recording of the session.
    private func record(
      _ scenario: String, to file: String = "recorded.yaml", _ options: [String] = [],
      _ act: (UpDevice) throws -> Void
    ) throws -> String {
      let up = try UpDevice(scenario, ["--record", desk.folder.path(file)] + options, at: desk)
      try act(up)
      try up.sluice("down", ends: 0)
      try up.waitForEnd()
      return try desk.folder.read(file)
    }

    /// Records the steps, runs the recording, and expects the same decisions as before.
    private func expectSame(
      _ scenario: String, _ steps: [String], _ location: SourceLocation = #_sourceLocation
    ) throws {
      let recorded = try record(scenario, ["--output-dir", desk.folder.path("kept")]) { up in
        for step in steps { try up.sluice("ctl", step) }
      }
      let ended = try desk.sluice("run", "recorded.yaml", "--output-dir", "again")
      #expect(
        ended.status == 0, "\(ended.output)\(ended.errors)\(recorded)", sourceLocation: location)
      let (first, second) = (try decisions(in: "kept"), try decisions(in: "again"))
      #expect(!first.isEmpty && first == second, sourceLocation: location)
    }

    @Test func `recorded steps have the actual verdicts, not those that clients expected`() throws {
      try expectSame(
        Self.send,
        [
          "launch: [mail, viewer, notes]", "launch: mail",
          "switchIdentity: { app: mail, to: anna }",
          "{ share: { from: mail, to: viewer, text: Figures }, expect: { verdict: allowed } }",
          "{ share: { from: mail, to: notes, text: 'a: { b, # c' }, repeat: 3 }",
          "{ copy: { app: mail, text: 'yes' }, window: inbox }", "paste: { app: viewer }",
          "concurrently: [{ share: { from: mail, to: viewer, text: x } }, { advance: PT1H }]",
          "kill: notes", "restart: device", "launch: mail",
          "share: { from: mail, to: notes, text: y }",
        ])
    }

    @Test func `a recording waits for requests that programs make by themselves`() throws {
      try expectSame(
        Repository.path("scenarios/scripts.yaml"),
        [
          "launch: [viewer, echo]", "share: { from: viewer, to: clip, text: Buy milk }",
          "share: { from: viewer, to: words, text: to be or not to be }",
          "{ share: { from: viewer, to: flaky, text: crash }, repeat: 2 }",
          "share: { from: viewer, to: echo, text: x }", "import: { into: viewer, from: echo }",
        ])
    }

    @Test func `a recording written to another folder waits for the programs' own requests`()
      throws
    {
      let program = """
        app.launched(function()
          device.pause(200)
          for number = 1, 3 do app.share { to = "viewer", text = "one" } end
        end)
        """
      try desk.folder.write(program, to: "own.lua")
      try desk.folder.write(
        """
        apps:
          own: { bundle: org.example.own, executable: own.lua }
          viewer: { bundle: org.example.viewer }
        steps: [{ launch: viewer }]
        """, to: "world.yaml")
      try desk.folder.makeFolder("elsewhere")
      let recorded = try record(desk.folder.path("world.yaml"), to: "elsewhere/recorded.yaml") {
        try $0.sluice("ctl", "launch: [viewer, own]", ends: 0)
        try $0.sluice("ctl", "wait: { received: { app: viewer, from: own } }", ends: 0)
        try $0.sluice(
          "ctl", "{ wait: { decided: { app: own, with: org.example.viewer } }, repeat: 3 }", ends: 0
        )
      }
      #expect(recorded.contains("executable: ../own.lua"))
      #expect(recorded.contains("with: viewer, verdict: allowed, decidedBy: noRuleApplied"))
      let same = try desk.sluice("run", "elsewhere/recorded.yaml")
      #expect(same.status == 0, "\(same.output)\(same.errors)\(recorded)")
    }

    @Test func `failed steps are recorded as comments, or as steps if they had an effect`() throws {
      try desk.folder.write(
        #"app.launched(function() app.share { to = "viewer", text = "A\27[2J\u{85}- launch: zzz\n      - kill: viewer" } end)"#,
        to: "shout.lua")
      try desk.folder.write(
        """
        apps:
          shout: { bundle: org.example.shout, executable: shout.lua }
          viewer: { bundle: org.example.viewer }
          evil: { bundle: org.example.evil, executable: missing/program }
        steps: [{ launch: viewer }]
        """, to: "world.yaml")
      try desk.folder.write("#!/bin/sh\nexit 3\n", to: "missing/program")
      try Executable.make(desk.folder.path("missing/program"))
      let recorded = try record(desk.folder.path("world.yaml")) { up in
        for step in [
          "suspend: viewer", "launch: [viewer, evil]", "launch: shout", "launch: viewer",
        ] {
          try up.sluice("ctl", step)
        }
      }
      #expect(recorded.contains("      # - suspend: viewer\n"))
      #expect(recorded.contains("      - launch: [viewer, evil]\n"))
      #expect(recorded.contains("      # - launch: viewer\n"))
      #expect(!recorded.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      let ended = try desk.sluice("run", "recorded.yaml", ends: 1)
      #expect(ended.output.contains("1 errored"), "\(ended.output)\(ended.errors)")
      #expect(!ended.output.contains("is not running"), "\(ended.output)")
    }

    @Test(arguments: [
      (
        "name: x\napps: { a: { bundle: org.example.a, executable: \"z\\u002elua\" } }\nsteps: [{ launch: a }]\n",
        "write to the scenario's own folder"
      ),
      (
        "apps: { a: { bundle: org.example.a } }\nsteps: [{ launch: a }]\n...\n",
        "`cases` or `steps` cannot be removed"
      ),
      (
        """
        accounts: { anna: { upn: &u anna@contoso.com } }
        steps: [{ copy: { app: n, text: &u ben@contoso.com } }]
        apps: { n: { bundle: com.contoso.notes, provides: *u } }

        """, "`cases` or `steps` cannot be removed"
      ),
      (
        """
        servers: { s: { host: s.contoso.com, folder: there } }
        apps: { n: { bundle: com.contoso.notes, configuration: { folder: there } } }
        steps: [{ launch: n }]

        """, "write to the scenario's own folder"
      ),
      (
        "{ apps: { a: { bundle: org.example.a } }, steps: [{ launch: a }] }",
        "must be at the beginning of a line"
      ),
    ])
    func `sluice up --record rejects an unrecordable scenario at startup`(
      text: String, why: String
    ) throws {
      try desk.folder.write(text, to: "world.yaml")
      try desk.folder.write("", to: "z.lua")
      try desk.folder.write("", to: "there/z.lua")
      let ended = try desk.sluice("up", "world.yaml", "--record", "there/recorded.yaml", ends: 2)
      #expect(ended.errors.contains(why))
      #expect(!desk.folder.has("there/recorded.yaml"))
    }

    @Test(arguments: ["removed", "emptied", "replaced"])
    func `sluice up reports that another program changed the recording`(_ change: String) throws {
      let path = desk.folder.path("recorded.yaml")
      let up = try UpDevice(Self.send, ["--record", path], at: desk)
      try up.sluice("ctl", "launch: mail", ends: 0)
      if change != "emptied" { try FileManager.default.removeItem(atPath: path) }
      if change != "removed" { try desk.folder.write("", to: "recorded.yaml") }
      try up.sluice("ctl", "launch: viewer", ends: 0)
      try up.sluice("down")
      try up.waitForEnd()
      #expect(up.process.terminationStatus == 2)
      #expect(
        try up.errors().contains(
          "the recording is incomplete: another process changed, moved or removed the file"))
      #expect(desk.folder.has("recorded.yaml") == (change != "removed"))
    }

    @Test func `a recording rewrites each path once, relative to the recording's folder`() throws {
      let script = "app.launched(function() end)"
      for file in ["a/x.lua", "x.lua", "a/a/x.lua"] { try desk.folder.write(script, to: file) }
      try desk.folder.write(
        """
        apps:
          one: { bundle: org.example.one, executable: a/x.lua }
          two: { bundle: org.example.two, executable: x.lua }
          three: { bundle: org.example.three, executable: "a/a/x.lua" }
        steps: [{ launch: one }]
        """, to: "world.yaml")
      let recorded = try record(desk.folder.path("world.yaml"), to: "a/recorded.yaml") {
        try $0.sluice("ctl", "launch: [one, two, three]", ends: 0)
      }
      for path in ["executable: x.lua", "executable: ../x.lua", #"executable: "a/x.lua""#] {
        #expect(recorded.contains(path))
      }
      try desk.sluice("run", "a/recorded.yaml", ends: 0)
    }

    @Test func `an administrator's declarations are recorded as a step, in order`() throws {
      let scenario = Repository.path("scenarios/criteria/MA.yaml")
      let mountains = Repository.path("scenarios/criteria/managed/mountains")
      let recorded = try record(scenario) {
        try $0.sluice("ctl", "launch: landmarks", ends: 0)
        try $0.sluice("admin", "apply", mountains)
        try $0.sluice("ctl", "wait: idle", ends: 0)
      }
      let launch = try #require(recorded.range(of: "- launch: landmarks"))
      let applied = try #require(
        recorded.range(of: #"- declarations: "\#(mountains)""#), "\(recorded)")
      let wait = try #require(recorded.range(of: "- wait: idle"))
      #expect(launch.upperBound < applied.lowerBound && applied.upperBound < wait.lowerBound)
      let ended = try desk.sluice("run", "recorded.yaml")
      #expect(ended.status == 0, "\(ended.output)\(ended.errors)\(recorded)")
    }

    @Test func `a recording does not overwrite a file, and creates no file if there are no steps`()
      throws
    {
      let scenario = Self.send
      try desk.folder.write("mine", to: "recorded.yaml")
      let refused = try desk.sluice("up", scenario, "--record", "recorded.yaml", ends: 2)
      #expect(
        refused.errors.contains("recorded.yaml: error: cannot write the recording: file exists"))
      #expect(try desk.folder.read("recorded.yaml") == "mine")
      for option in [["--case", "SEND-1"], ["--device", "device"]] {
        try desk.sluice(["up", scenario, "--record", "other.yaml"] + option, ends: 64)
      }
      let up = try UpDevice(scenario, ["--record", desk.folder.path("empty.yaml")], at: desk)
      try up.sluice("down", ends: 0)
      try up.waitForEnd()
      #expect(!desk.folder.has("empty.yaml"))
      #expect(!desk.folder.has("other.yaml"))
    }
  }
}
