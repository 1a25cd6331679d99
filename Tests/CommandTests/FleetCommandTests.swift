import Foundation
import JSON
import Model
import TestSupport
import Testing

extension RealProcesses {
  /// Devices on several hosts.
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

    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `what happens is the same on any number of hosts, and where there are none`() throws
    {
      try desk.folder.write(Self.world + Self.steps, to: "fleet.yaml")
      let alone = try desk.sluice("run", "fleet.yaml", "-v", "--keep", "alone", ends: 0)
      for hosts in ["1", "2", "5"] {
        let fleet = try desk.sluice(
          "fleet", "run", "fleet.yaml", "-v", "--hosts", hosts, "--keep", "kept-\(hosts)", ends: 0)
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

    @Test func `the devices of a host that is lost come up again on the others`() throws {
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
        ["fleet", "run", "fleet.yaml", "--hosts", "3", "--keep", "kept", "--format", "json"])
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

    @Test func `a device that moves keeps the declarations that a step has applied`() throws {
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
        apps: { notes: { bundle: com.contoso.notes } }
        devices: { e: { count: 2, mdm: { enrolled: true } } }
        steps:
          - { declarations: denied, on: e-2 }
          - advance: PT1S
          # Real time, in which a host is lost that has e-2.
          - { wait: PT5S, on: e-1 }
          - advance: PT1S
          - { restart: device, on: e-2 }
          - { launch: notes, on: e-2, expect: { exit: notStarted } }
        """
      try desk.folder.write(text, to: "fleet.yaml")
      let fleet = try desk.start(
        Desk.program, ["fleet", "run", "fleet.yaml", "--hosts", "2", "--keep", "kept"])
      let hasBegun = { (device: String, step: Int) in
        (try? desk.folder.read("kept/1/\(device)/journal.jsonl"))?.contains(#""step":\#(step)"#)
          == true
      }
      try waitUntil("e-1 waits, and e-2 has its declarations") {
        hasBegun("e-1", 3) && hasBegun("e-2", 2)
      }
      let host = try #require(Self.hosts(of: fleet.processIdentifier).last)
      kill(host, SIGKILL)
      fleet.waitUntilExit()
      let (output, errors) = (try desk.folder.read(".output"), try desk.folder.read(".errors"))
      #expect(errors.contains("host 2 is lost; 1 device"))
      #expect(fleet.terminationStatus == 0, "\(output)\(errors)")
    }

    @Test func `what was on its way to a device that moves arrives all the same`() throws {
      let text = """
        links: { latency: PT10S }
        apps: { viewer: { bundle: org.example.viewer } }
        devices: { e: { count: 2, appsInMemory: 2 }, f: { count: 2, appsInMemory: 2 } }
        steps:
          - { airDrop: { from: viewer, to: e-2, text: first }, on: f }
          - advance: PT5S
          # Real time, in which a host is lost that has e-2 and f-2.
          - { wait: PT3S, on: e-1 }
          - { airDrop: { from: viewer, to: e-2, text: second }, on: f-1 }
          - advance: PT1M
          - { openReceived: { into: viewer, from: airDrop }, on: e-2, expect: { received: second } }
        """
      try desk.folder.write(text, to: "fleet.yaml")
      let fleet = try desk.start(
        Desk.program, ["fleet", "run", "fleet.yaml", "--hosts", "2", "--keep", "kept"])
      let hasBegun = { (device: String, step: Int) in
        (try? desk.folder.read("kept/1/\(device)/journal.jsonl"))?.contains(#""step":\#(step)"#)
          == true
      }
      try waitUntil("e-1 waits, and the devices of the other host have nothing left to do") {
        hasBegun("e-1", 3) && hasBegun("e-2", 2) && hasBegun("f-2", 2)
      }
      let host = try #require(Self.hosts(of: fleet.processIdentifier).last)
      kill(host, SIGKILL)
      fleet.waitUntilExit()
      let errors = try desk.folder.read(".errors")
      #expect(errors.contains("host 2 is lost; 2 devices"))
      let output = try desk.folder.read(".output")
      #expect(fleet.terminationStatus == 0, "\(output)")
      let arrived = try Journal(desk.folder.path("kept/1/e-2")).events.count { event in
        if case .itemArrived = event { true } else { false }
      }
      // What f-2 had sent first went from device to device on the host that is lost.
      #expect(arrived == 2)
    }

    @Test func `a program that is missing is named`() throws {
      try desk.folder.write(Self.world + "  - advance: PT1S\n", to: "fleet.yaml")
      let fleet = try desk.run(desk.install(), ["fleet", "run", "fleet.yaml"], ends: 2)
      #expect(fleet.errors.contains("`make tls` builds it"))
    }

    /// The processes of hosts that a coordinator has started.
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
          "fleet needs `devices`"
        ),
        (
          "apps: { a: { bundle: org.example.a } }\ndevices: { b: , c: }\nsteps: [advance: PT1S]\n",
          "`links: { latency: PT1S }`"
        ),
        (
          "apps: { a: { bundle: org.example.a } }\nlinks: { latency: PT1S }\nsteps: [advance: PT1S]\n",
          "`links` are between `devices`"
        ),
        (
          "apps: { a: { bundle: org.example.a } }\ndevices: { b: , c: }\nlinks: { latency: PT1S }\nsteps: [concurrently: [service: { requestsPerMinute: 3 }]]\n",
          "`requestsPerMinute` counts"
        ),
      ])
    func `what no fleet can be made of is refused`(text: String, sentence: String) throws {
      try desk.folder.write(text, to: "fleet.yaml")
      let fleet = try desk.sluice("fleet", "run", "fleet.yaml", ends: 2)
      #expect(fleet.errors.contains(sentence))
    }

    @Test func `numbers of hosts that cannot be are usage`() throws {
      for words in [["--hosts", "0"], ["--on", "slurm"], ["--on", "mesos"]] {
        try desk.sluice(["fleet", "run", "fleet.yaml"] + words, ends: 64)
      }
    }
  }
}
