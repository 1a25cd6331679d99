import Encodings
import Foundation
import Model
import TestSupport
import Testing

extension RealProcesses {
  /// Tests devices on several hosts.
  @Suite(.serverPrograms, .timeLimit(.minutes(5))) struct FleetCommandTests {
    private static let world = """
      accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        viewer: { bundle: org.example.viewer }
      links: { latency: PT2S }
      devices:
        phone: { count: 4, appleAccount: anna@example.org }
        desk: { appleAccount: ANNA@example.org }
      steps:

      """
    private static let steps = """
        - { launch: [mail, viewer], on: phone }
        - { launch: [mail, viewer], on: desk }
        - { airDrop: { from: viewer, to: desk, text: hello }, on: phone }
        - { copy: { app: viewer, text: copied }, on: desk }
        - { saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text: budget }, on: phone-2 }
        - { openReceived: { into: viewer, from: airDrop }, on: desk, expect: { reason: nothingReceived } }
        - advance: PT2S
        - { openReceived: { into: viewer, from: airDrop }, on: desk, expect: { received: hello } }
        - { paste: { app: viewer }, on: phone, expect: { received: copied } }
        - { openFrom: { into: mail, location: oneDriveForBusiness, account: anna }, on: desk, expect: { received: budget } }
        - { use: { app: mail, feature: mailComposer, text: late, to: phone-4 }, on: desk }
        - advance: PT1S

      """

    /// An app that logs a line when its container has a file `open`, and a step that waits for the
    /// line. The device stays at the step until the test writes the file. If the file is never
    /// written, the step fails.
    private enum Gate {
      static let app = "gate: { bundle: org.example.gate, executable: gate.lua }"
      static let steps = """
          - { launch: gate, on: e-1 }
          - { wait: { said: { app: gate, text: the gate is open } }, on: e-1 }
        """
      static let script = """
        app.launched(function()
          while not files.read("open") do device.pause(50) end
          log("the gate is open")
        end)
        """
    }

    private let desk: Desk

    init() throws { desk = try Desk() }

    /// Kills the second of two hosts, and then opens the gate. Meanwhile, `e-1` on the first host
    /// stays at its gate.
    ///
    /// - Parameters:
    ///   - step: The number of the step that waits at the gate.
    ///   - idle: Devices on the second host, each with the step that it must have begun before the
    ///     kill.
    private func loseSecondHost(
      of fleet: StartedProgram, atGate step: Int, idle: [(device: String, step: Int)]
    ) throws {
      let hasBegun = { (device: String, step: Int) in
        (try? desk.folder.read("kept/1/\(device)/journal.jsonl"))?.contains(#""step":\#(step),"#)
          == true
      }
      try waitUntil("e-1 waits at its gate, and the other host's devices have begun their steps") {
        hasBegun("e-1", step) && idle.allSatisfy { hasBegun($0.device, $0.step) }
      }
      let hosts = Self.hosts(of: fleet.processIdentifier)
      let host = try #require(hosts.last)
      #expect(hosts.count == 2)
      kill(host, SIGKILL)
      try waitUntil("the host is gone") {
        !Self.hosts(of: fleet.processIdentifier).contains(host)
      }
      #expect(fleet.isRunning)
      try desk.folder.write("", to: "kept/1/e-1/Containers/gate/open")
    }

    @Test func `a fleet's results do not depend on the number of host processes`() throws {
      try desk.folder.write(Self.world + Self.steps, to: "fleet.yaml")
      let alone = try desk.sluice("run", "fleet.yaml", "-v", "--output-dir", "alone", ends: 0)
      for hosts in ["1", "2", "5"] {
        let fleet = try desk.sluice(
          "fleet", "run", "fleet.yaml", "-v", "--hosts", hosts, "--output-dir", "kept-\(hosts)",
          ends: 0)
        #expect(fleet.output == alone.output)
        for device in ["phone-1", "phone-2", "phone-3", "phone-4", "desk"] {
          let path = "1/\(device)/journal.jsonl"
          #expect(
            try desk.folder.read("kept-\(hosts)/\(path)") == desk.folder.read("alone/\(path)"))
        }
        #expect(
          try desk.folder.read("kept-\(hosts)/1/fleet.jsonl")
            == desk.folder.read("kept-1/1/fleet.jsonl"))
        #expect(!desk.folder.has("kept-\(hosts)/1/hosts"))
      }
    }

    @Test func `in a fleet's report, equal failures of several devices are shown once`() throws {
      let steps = """
          - { launch: [mail, viewer], on: phone }
          - { share: { from: viewer, to: mail, text: hello }, on: phone, expect: { verdict: blocked } }
          - { share: { from: viewer, to: mail, text: hello }, on: phone, expect: { end: refused } }

        """
      try desk.folder.write(
        Self.world.replacing("count: 4", with: "count: 10") + steps, to: "fleet.yaml")
      let fleet = try desk.sluice(
        "fleet", "run", "fleet.yaml", "--hosts", "2", "--quiet", "-o", "report.json", ends: 1)
      #expect(
        fleet.lines.contains(
          "    2. 10× phone-1, phone-2, phone-3 and 7 more: viewer shares `hello` with mail"),
        "\(fleet.output)")
      #expect(!fleet.output.contains("phone-4"))
      #expect(fleet.output == (try desk.sluice("run", "fleet.yaml", "-q", ends: 1).output))
      #expect(try desk.folder.read("report.json").contains("phone-10"))
      let first = try desk.sluice(
        "fleet", "run", "fleet.yaml", "--hosts", "2", "-q", "--max-failures", "1", ends: 1)
      #expect(first.lines.contains("    1 more distinct failure, on 10 devices"))
    }

    @Test func `devices of a lost host restart on the other hosts`() throws {
      let traffic = """
          - { share: { from: viewer, to: mail, text: again }, on: phone, repeat: 20 }
          - { airDrop: { from: viewer, to: desk, text: hello }, on: phone }
          - advance: PT2S

        """
      let world = Self.world.replacingOccurrences(of: "count: 4", with: "count: 4, appsInMemory: 2")
      try desk.folder.write(
        world + String(repeating: traffic, count: 100) + "  - residue: { account: anna }\n",
        to: "fleet.yaml")
      let fleet = try desk.start(
        Desk.program,
        ["fleet", "run", "fleet.yaml", "--hosts", "3", "--output-dir", "kept", "--format", "json"])
      try waitUntil("all devices decide") {
        (1...4).allSatisfy { number in
          let journal = try? desk.folder.read("kept/1/phone-\(number)/journal.jsonl")
          return journal?.contains("request.decided") == true
        }
      }
      let host = try #require(Self.hosts(of: fleet.processIdentifier).dropFirst().first)
      kill(host, SIGKILL)
      fleet.waitUntilExit()
      let errors = try desk.folder.read(".errors")
      #expect(errors.contains("is lost;"))
      #expect(fleet.terminationStatus == 1)
      for device in ["phone-1", "phone-2", "phone-3", "phone-4", "desk"] {
        let events = try Journal(desk.folder.path("kept/1/\(device)"))
        #expect(events.sequences == Array(1...events.events.count))
        #expect(events.events.last == .deviceStopped)
      }
    }

    @Test func `a fleet device that moves to another host keeps its applied declarations`() throws {
      try desk.folder.write(
        """
        [
          { "Type": "com.apple.activation.simple", "Identifier": "all", "ServerToken": "1",
            "Payload": { "StandardConfigurations": ["denied"] } },
          { "Type": "com.apple.configuration.app.settings", "Identifier": "denied", "ServerToken": "1",
            "Payload": { "Allowed": { "DeniedApps": ["com.contoso.notes"] } } }
        ]
        """, to: "denied/declarations.json")
      let text = """
        links: { latency: PT1S }
        apps: { notes: { bundle: com.contoso.notes }, \(Gate.app) }
        devices: { e: { count: 2, mdm: { enrolled: true } } }
        steps:
          - { declarations: denied, on: e-2 }
          - advance: PT1S
          # The host is lost that has e-2.
        \(Gate.steps)
          - advance: PT1S
          - { restart: device, on: e-2 }
          - { launch: notes, on: e-2, expect: { exit: notStarted } }
        """
      try desk.folder.write(text, to: "fleet.yaml")
      try desk.folder.write(Gate.script, to: "gate.lua")
      let fleet = try desk.start(
        Desk.program, ["fleet", "run", "fleet.yaml", "--hosts", "2", "--output-dir", "kept"])
      // e-2 has received its declarations.
      try loseSecondHost(of: fleet, atGate: 4, idle: [(device: "e-2", step: 2)])
      fleet.waitUntilExit()
      let (output, errors) = (try desk.folder.read(".output"), try desk.folder.read(".errors"))
      #expect(errors.contains("host 2 is lost; 1 device"))
      #expect(fleet.terminationStatus == 0, "\(output)\(errors)")
    }

    @Test func `messages in flight reach a device that moved to another host`() throws {
      let text = """
        links: { latency: PT10S }
        apps: { viewer: { bundle: org.example.viewer }, \(Gate.app) }
        devices: { e: { count: 2, appsInMemory: 2 }, f: { count: 2, appsInMemory: 2 } }
        steps:
          - { airDrop: { from: viewer, to: e-2, text: first }, on: f }
          - advance: PT5S
          # The host is lost that has e-2 and f-2.
        \(Gate.steps)
          - { airDrop: { from: viewer, to: e-2, text: second }, on: f-1 }
          - advance: PT1M
          - { openReceived: { into: viewer, from: airDrop }, on: e-2, expect: { received: second } }
        """
      try desk.folder.write(text, to: "fleet.yaml")
      try desk.folder.write(Gate.script, to: "gate.lua")
      let fleet = try desk.start(
        Desk.program, ["fleet", "run", "fleet.yaml", "--hosts", "2", "--output-dir", "kept"])
      try loseSecondHost(
        of: fleet, atGate: 4, idle: [(device: "e-2", step: 2), (device: "f-2", step: 2)])
      fleet.waitUntilExit()
      let errors = try desk.folder.read(".errors")
      #expect(errors.contains("host 2 is lost; 2 devices"))
      let output = try desk.folder.read(".output")
      #expect(fleet.terminationStatus == 0, "\(output)")
      let arrived = try Journal(desk.folder.path("kept/1/e-2")).events.count { event in
        if case .itemArrived = event { true } else { false }
      }
      // The first items from f-2 were delivered inside the lost host.
      #expect(arrived == 2)
    }

    @Test func `the error about a missing fleet program names its build target`() throws {
      try desk.folder.write(Self.world + "  - advance: PT1S\n", to: "fleet.yaml")
      let fleet = try desk.run(desk.install(), ["fleet", "run", "fleet.yaml"], ends: 2)
      #expect(fleet.errors.contains("run `make tls`"))
    }

    /// Returns the host processes that a coordinator has started.
    private static func hosts(of coordinator: Int32) -> [Int32] {
      let folder = "/proc/\(coordinator)/task/\(coordinator)/children"
      let children = (try? String(contentsOfFile: folder, encoding: .utf8)) ?? ""
      return children.split(separator: " ").compactMap { Int32($0) }.filter { child in
        let words = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
        return words.contains("join")
      }
    }

    @Test(
      arguments: [
        (
          "apps: { a: { bundle: org.example.a } }\nsteps: [advance: PT1S]\n",
          "a fleet needs a scenario with `devices`"
        ),
        (
          "apps: { a: { bundle: org.example.a } }\ndevices: { b: , c: }\nsteps: [advance: PT1S]\n",
          "`links: { latency: PT1S }`"
        ),
        (
          "apps: { a: { bundle: org.example.a } }\nlinks: { latency: PT1S }\nsteps: [advance: PT1S]\n",
          "`links` needs `devices`"
        ),
        (
          "apps: { a: { bundle: org.example.a } }\ndevices: { b: , c: }\nlinks: { latency: PT1S }\nsteps: [concurrently: [service: { requestsPerMinute: 3 }]]\n",
          "`requestsPerMinute` needs"
        ),
      ])
    func `scenarios that a fleet cannot run are rejected`(text: String, sentence: String) throws {
      try desk.folder.write(text, to: "fleet.yaml")
      let fleet = try desk.sluice("fleet", "run", "fleet.yaml", ends: 2)
      #expect(fleet.errors.contains(sentence))
    }

    @Test func `an invalid number of hosts or an invalid executor is a usage error`() throws {
      for words in [["--hosts", "0"], ["--executor", "slurm"], ["--executor", "mesos"]] {
        try desk.sluice(["fleet", "run", "fleet.yaml"] + words, ends: 64)
      }
    }
  }
}
