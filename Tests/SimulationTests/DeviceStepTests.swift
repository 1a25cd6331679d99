import Encodings
import Foundation
import Host
import Model
import Scenario
import SimulationSupport
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// Tests steps on several devices.
  @Suite struct DeviceStepTests {
    private static let world = """
      accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
      policies:
        inside:
          json: { displayName: Inside, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps }
          assign: [{ account: anna }]
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna], onWipe: success }
        viewer: { bundle: org.example.viewer }
      devices:
        phone:
        tablet:
      steps:

      """

    /// Returns the world with further properties of its devices.
    private static func world(withPhone phone: String, tablet: String) -> String {
      world.replacing("  phone:", with: "  phone: \(phone)")
        .replacing("  tablet:", with: "  tablet: \(tablet)")
    }

    private func play(_ steps: String...) throws -> StageResult {
      try Stage().play(text: Self.world + steps.map { "  - \($0)\n" }.joined())
    }

    private func events(_ journal: String) throws -> [JournalEvent.Kind] {
      try journal.split(separator: "\n").map { try JournalEvent(line: String($0)).kind }
    }

    private static let one = "{ appleAccount: a@example.org }"
    private static let launches = [
      "{ launch: [mail, viewer], on: phone }", "{ launch: [mail, viewer], on: tablet }",
    ]

    static let passing = [
      (
        world,
        Steps(
          "a device that a fault stops restarts, and the others continue",
          launches[0], launches[1], "{ fault: { at: delivered, kind: restartHost }, on: phone }",
          "{ share: { from: viewer, to: mail, text: hello }, on: phone }",
          "{ share: { from: viewer, to: mail, text: hello }, on: tablet, expect: { end: delivered } }",
          "{ launch: viewer, on: phone }",
          "{ airDrop: { from: viewer, to: tablet, text: again }, on: phone, expect: { end: delivered } }",
          "{ openReceived: { into: viewer, from: airDrop }, on: tablet, expect: { received: again } }"
        )
      ),
      (
        world.replacing("signedIn: [anna], ", with: ""),
        Steps(
          "a busy service rejects devices, and enrolls all of them later",
          "{ launch: mail, on: phone }", "{ launch: mail, on: tablet }",
          "service: { requestsPerMinute: 1 }",
          "{ register: { app: mail, account: anna }, on: phone }",
          "{ enrollmentState: { app: mail, account: anna }, on: phone, expect: { enrollment: newPoliciesReceived } }",
          "{ register: { app: mail, account: anna }, on: tablet }",
          "{ enrollmentState: { app: mail, account: anna }, on: tablet, expect: { enrollment: enrollmentEndPointNetworkFailure } }",
          "advance: PT1M",
          "{ enrollmentState: { app: mail, account: anna }, on: tablet, expect: { enrollment: newPoliciesReceived } }"
        )
      ),
      (
        world,
        Steps(
          "a fault on one device ends no step of another",
          "{ launch: viewer, on: phone }", "{ launch: viewer, on: tablet }",
          "{ fault: { kind: restartHost, at: decided }, on: phone }",
          "concurrently: [{ share: { from: viewer, to: mail, text: a }, on: phone }, { copy: { app: viewer, text: b }, on: tablet }]",
          "{ airDrop: { from: viewer, to: phone, text: again }, on: tablet, expect: { end: delivered } }",
          "{ launch: viewer, on: phone }",
          "{ openReceived: { into: viewer, from: airDrop }, on: phone, expect: { received: again } }"
        )
      ),
      (
        world,
        Steps(
          "an account that is not signed in neither opens nor replaces a cloud document",
          launches[0], launches[1],
          "{ saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text: budget }, on: phone }",
          "{ openFrom: { into: viewer, location: oneDriveForBusiness, account: anna }, on: tablet, expect: { verdict: blocked, reason: ownerNotSignedIn } }",
          "{ saveTo: { from: viewer, location: oneDriveForBusiness, account: anna, text: forged }, on: tablet }",
          "{ openFrom: { into: mail, location: oneDriveForBusiness, account: anna }, on: tablet, expect: { received: budget } }"
        )
      ),
      (
        world(withPhone: one, tablet: "{ appleAccount: A@example.org }"),
        Steps(
          "mail waits for the network, and another device's copy expires",
          "{ launch: viewer, on: phone }", "{ launch: viewer, on: tablet }",
          "{ copy: { app: viewer, text: soon }, on: phone }",
          "{ device: { online: false }, on: phone }",
          "{ use: { app: viewer, feature: mailComposer, text: later, to: tablet }, on: phone, expect: { end: delivered } }",
          "{ openReceived: { into: viewer, from: mail }, on: tablet, expect: { reason: nothingReceived } }",
          "{ device: { online: true }, on: phone }", "{ advance: PT2M }",
          "{ openReceived: { into: viewer, from: mail }, on: tablet, expect: { received: later } }",
          "{ paste: { app: viewer }, on: tablet, expect: { received: soon } }", "{ advance: PT1S }",
          "{ paste: { app: viewer }, on: tablet, expect: { reason: pasteboardEmpty } }")
      ),
      (
        world(withPhone: one, tablet: one),
        Steps(
          "a wipe keeps content copied on another device",
          launches[0], launches[1], "{ copy: { app: mail, text: plans }, on: tablet }",
          "{ copy: { app: viewer, text: hi }, on: phone }",
          "{ wipe: { app: mail, account: anna }, on: tablet }",
          "{ paste: { app: viewer }, on: tablet, expect: { received: hi } }")
      ),
      (
        world(withPhone: one, tablet: one),
        Steps(
          "concurrent copies and pastes are each assigned to their step",
          "{ launch: viewer, on: phone }",
          """
          concurrently:
                - { copy: { app: viewer, text: hi }, on: phone, expect: { reason: copiedToPasteboard } }
                - { paste: { app: viewer }, on: phone, expect: { reason: clipboardSameIdentity } }
          """)
      ),
    ]

    @Test(arguments: passing)
    func `each scenario with steps on several devices meets its expectations`(
      world: String, steps: Steps
    ) throws {
      expectPass(try Stage().play(text: world + steps.text))
    }

    @Test func `a message between devices is recorded in both devices' journals`() throws {
      let played = try play(
        "{ launch: viewer, on: phone }",
        "{ airDrop: { from: viewer, to: tablet, text: hello }, on: phone, expect: { end: delivered } }"
      )
      expectPass(played)
      let (phone, tablet) = (try events(played.journals[0]), try events(played.journals[1]))
      let sent = phone.compactMap { if case .decided(let decision) = $0 { decision } else { nil } }
      #expect(sent.map(\.operation) == [.airDrop])
      let arrived = tablet.filter { if case .itemArrived = $0 { true } else { false } }
      #expect(
        arrived == [
          .itemArrived(
            item: 1, by: .airDrop, device: "phone", request: sent[0].request,
            type: "public.utf8-plain-text", bytes: 5)
        ])
    }

    @Test func `wiping a user removes that user's data from all devices`() throws {
      let played = try play(
        "{ launch: [mail, viewer], on: phone }", "{ launch: [mail, viewer], on: tablet }",
        "{ writeFile: { app: mail, path: plans.txt, text: canary-4711 }, on: phone }",
        "{ writeFile: { app: mail, path: plans.txt, text: canary-4712 }, on: tablet }",
        "wipe: { account: anna }",
        "residue: { account: anna, canaries: [canary-4711, canary-4712] }")
      expectPass(played)
      // A result that is equal on all devices is one step.
      #expect(played.result.steps.last?.text.contains("phone") == false)
    }

    @Test(
      arguments: [
        (
          "{ appleAccount: a@example.org, handoff: false }", "{ appleAccount: a@example.org }",
          "copy", "handoffOff"
        ),
        (
          "{ appleAccount: a@example.org, mdm: { enrolled: true, allowActivityContinuation: false } }",
          "{ appleAccount: a@example.org }", "copy", "handoffOff"
        ),
        (
          "{ appleAccount: a@example.org }", "{ appleAccount: a@example.org, handoff: false }",
          "copy", "noRuleApplied"
        ),
        ("{ appleAccount: a@example.org }", "{ appleAccount: b@example.org }", "copy", nil),
        (
          "{ appleAccount: a@example.org }", "{ appleAccount: a@example.org }", "local",
          "localOnlyPasteboard"
        ),
      ] as [(String, String, String, String?)])
    func
      `Universal Clipboard requires Handoff on both devices, one Apple Account and no local-only copy`(
        phone: String, tablet: String, copy: String, rule: String?
      ) throws
    {
      let world = Self.world(withPhone: phone, tablet: tablet)
      let local = copy == "local" ? ", localOnly: true" : ""
      let steps = """
          - { launch: viewer, on: phone }
          - { launch: viewer, on: tablet }
          - { copy: { app: viewer, text: hi\(local) }, on: phone }
          - { paste: { app: viewer }, on: tablet, expect: { reason: pasteboardEmpty } }
        """
      let played = try Stage().play(text: world + steps)
      expectPass(played)
      let offers = try events(played.journals[0]).compactMap {
        if case .decided(let decision) = $0, decision.operation == .universalClipboard {
          decision.verdict.deciding.rawValue
        } else {
          nil
        }
      }
      #expect(offers == [rule].compactMap(\.self))
    }

    @Test func `devices of a group perform a step in the order of their numbers`() throws {
      let text = """
        apps: { viewer: { bundle: org.example.viewer } }
        devices: { hub: , phone: { count: 5, appleAccount: a@example.org } }
        steps:
          - { launch: viewer, on: phone }
          - { launch: viewer, on: hub }
          - { copy: { app: viewer, text: mine }, on: phone }
          - { paste: { app: viewer }, on: phone }
          - { airDrop: { from: viewer, to: hub, text: mine }, on: phone }

        """
      let first = try Stage().play(text: text).journals
      for _ in 0..<3 { #expect(try Stage().play(text: text).journals == first) }
      let senders = try events(first[0]).compactMap {
        if case .itemArrived(_, _, let device, _, _, _, _) = $0 { device } else { nil }
      }
      #expect(senders == (1...5).map { "phone-\($0)" })
    }

    @Test func `simultaneous steps on two devices are reported with their own device and requests`()
      throws
    {
      let played = try play(
        "{ launch: viewer, on: phone }", "{ launch: viewer, on: tablet }",
        "concurrently: [{ copy: { app: viewer, text: one }, on: phone }, { copy: { app: viewer, text: two }, on: tablet }]"
      )
      let last = played.result.steps.suffix(2)
      #expect(last.map(\.device) == ["phone", "tablet"])
      #expect(last.allSatisfy { $0.requests.map(\.decision.operation) == [.copy] })
    }

    @Test func `a scenario with several devices is rejected by a command for one device`() throws {
      let error = #expect(throws: RunError.self) {
        let settings = RunSettings(
          programs: .installed(in: Repository.programs), folder: "/nowhere")
        let scenario = try Scenario.read(Self.world + "  - advance: PT1S\n", file: "two.yaml")
        _ = try ScenarioRun(settings).prepare(scenario).onlyDevice
      }
      #expect(error?.reason.contains("has 2 `devices`") == true)
    }
  }

  /// Tests the latency between devices.
  @Suite struct LinkLatencyTests {
    private static let world = """
      accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        viewer: { bundle: org.example.viewer }
      links: { latency: PT3S }
      devices:
        phone: { appleAccount: anna@example.org }
        tablet: { appleAccount: anna@example.org }
      steps:
        - { launch: [mail, viewer], on: phone }
        - { launch: [mail, viewer], on: tablet }

      """

    private static let save =
      "saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text:"
    private static let open =
      "openFrom: { into: mail, location: oneDriveForBusiness, account: anna }"
    private static let drop = "{ airDrop: { from: viewer, to: tablet, text: hello }, on: phone }"

    /// Receives an item in the tablet's viewer by a transport.
    private static func receive(_ transport: String, _ expectation: String) -> String {
      "{ openReceived: { into: viewer, from: \(transport) }, on: tablet, expect: { \(expectation) } }"
    }

    private static func paste(_ expectation: String) -> String {
      "{ paste: { app: viewer }, on: tablet, expect: { \(expectation) } }"
    }

    static let passing = [
      Steps(
        "an item arrives exactly after its latency",
        drop, "advance: PT2S", receive("airDrop", "reason: nothingReceived"), "advance: PT1S",
        receive("airDrop", "received: hello")),
      Steps(
        "cloud storage changes for all devices at the same time",
        "{ \(save) first }, on: phone }", "advance: PT1S", "{ \(save) second }, on: tablet }",
        "advance: PT2S", "{ \(open), on: phone, expect: { received: first } }",
        "{ \(open), on: tablet, expect: { received: first } }", "advance: PT1S",
        "{ \(open), on: phone, expect: { received: second } }",
        "{ \(open), on: tablet, expect: { received: second } }"),
      Steps(
        "the two minutes of a copied item begin at its arrival",
        "{ copy: { app: viewer, text: room 4 }, on: phone }", paste("reason: pasteboardEmpty"),
        "advance: PT2M3S", paste("received: room 4"), "advance: PT1S",
        paste("reason: pasteboardEmpty")),
      Steps(
        "an item that arrives after a restart of the device is not lost",
        drop, "{ restart: device, on: tablet }", "advance: PT3S", "{ launch: viewer, on: tablet }",
        receive("airDrop", "received: hello")),
      Steps(
        "the latency of waiting mail begins when the device is online",
        "{ device: { online: false }, on: phone }",
        "{ use: { app: viewer, feature: mailComposer, text: late, to: tablet }, on: phone }",
        "advance: PT10S", "{ device: { online: true }, on: phone }", "advance: PT2S",
        receive("mail", "reason: nothingReceived"), "advance: PT1S",
        receive("mail", "received: late")),
    ]

    @Test(arguments: passing) func `a message between devices arrives after its latency`(
      steps: Steps
    ) throws {
      expectPass(try Stage().play(text: Self.world + steps.text))
    }
  }

  /// Tests devices that advance in windows of time, in one process or several.
  @Suite struct HostedDevicesTests {
    private static let latency = 3
    private static let devices = 4

    /// Returns a scenario with random steps.
    private static func scenario(_ random: inout SeededGenerator) -> String {
      var text = """
        accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        links: { latency: PT\(latency)S }
        devices: { phone: { count: \(devices), appleAccount: anna@example.org } }
        steps:
          - { launch: [mail, viewer], on: phone }

        """
      for step in 0..<60 {
        let here = Int.random(in: 1...devices, using: &random)
        let there = here % devices + 1
        let what = [
          "airDrop: { from: viewer, to: phone-\(there), text: drop \(step) }",
          "use: { app: mail, feature: mailComposer, text: mail \(step), to: phone-\(there) }",
          "openReceived: { into: viewer, from: airDrop }",
          "openReceived: { into: mail, from: mail }",
          "copy: { app: viewer, text: copy \(step) }", "paste: { app: viewer }",
          "saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text: file \(step) }",
          "openFrom: { into: mail, location: oneDriveForBusiness, account: anna }",
        ].randomElement(using: &random)
        text += "  - { \(what ?? ""), on: phone-\(here) }\n"
        if step % 4 == 3 {
          text += "  - advance: PT\(Int.random(in: 1...5, using: &random))S\n"
        }
      }
      return text
    }

    /// Returns the journals of all devices of a case that ran on this number of hosts.
    private static func journals(
      of prepared: PreparedScenario, _ settings: RunSettings, hosts count: Int
    ) throws -> [String] {
      let folder = "\(settings.folder)/\(count)"
      let hosts = (0..<count).map { _ in
        HostedDevices(
          prepared.cases[0], of: prepared, settings, folder: folder, machineTime: 1_767_225_600)
      }
      for (index, host) in hosts.enumerated() {
        host.forward = { message in
          for (other, host) in hosts.enumerated() where other != index { host.accept(message) }
        }
        try host.bringUp((0..<devices).filter { $0 % count == index })
      }
      while let next = hosts.compactMap(\.nextTime).min() {
        for host in hosts { host.proceed(until: next + latency - 1) }
      }
      for host in hosts { #expect(host.close().isEmpty) }
      return try prepared.deviceNames.map { try InputFile.text("\(folder)/\($0)/journal.jsonl") }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a fleet's journals are the same on any number of hosts and in one process`(seed: UInt64)
      throws
    {
      var random = SeededGenerator(seed: seed)
      let workspace = try Workspace()
      let text = Self.scenario(&random)
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path("devices"))
      let scenario = try ScenarioFiles.read(workspace.write(text, to: "scenario.yaml"))
      let runner = ScenarioRun(settings)
      let prepared = try runner.prepare(scenario)
      // This run has no windows.
      _ = try runner.run(prepared.cases[0], of: prepared, number: 9)
      let alone = try prepared.deviceNames.map {
        try InputFile.text("\(settings.folder)/9/\($0)/journal.jsonl")
      }
      #expect(alone.contains { $0.contains("item.arrived") })
      for count in [1, 2, Self.devices] {
        #expect(try Self.journals(of: prepared, settings, hosts: count) == alone, "\(count) hosts")
      }
    }

    @Test func `another host can continue a device in the folder of the previous host`() throws {
      let text = """
        accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
        policies:
          inside: { json: { displayName: Inside, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps } }
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        links: { latency: PT1S }
        devices:
          phone: { appsInMemory: 2 }
          desk: { apps: [viewer] }
        steps:
          - { share: { from: mail, to: viewer, text: before }, on: phone, expect: { verdict: allowed } }
          - assign: { account: anna, policy: inside }
          # Another device's.
          - { device: { online: false }, on: desk }
          - { writeFile: { app: mail, path: plan.txt, text: kept }, on: phone }
          - advance: PT1M
          - { share: { from: mail, to: viewer, text: after }, on: phone, expect: { verdict: blocked } }
          - { readFile: { app: mail, path: plan.txt }, on: phone, expect: { received: kept } }
          - { use: { app: viewer, feature: mailComposer, text: late, to: desk }, on: phone }
          - advance: PT1M
        """
      let workspace = try Workspace()
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path("devices"))
      let prepared = try ScenarioRun(settings).prepare(
        ScenarioFiles.read(workspace.write(text, to: "scenario.yaml")))
      func host(_ folder: String) throws -> HostedDevices {
        let host = HostedDevices(
          prepared.cases[0], of: prepared, settings, folder: workspace.path(folder),
          machineTime: 1_767_225_600)
        try host.bringUp([0])
        return host
      }
      let first = try host("first")
      first.proceed(until: 1_767_225_600 + 30)
      // These are the files of a host that is lost during the first minute.
      try FileManager.default.copyItem(
        atPath: workspace.path("first"), toPath: workspace.path("second"))
      #expect(first.close().isEmpty)
      let second = try host("second")
      // An online device sends its messages immediately.
      var messages = 0
      second.forward = { _ in messages += 1 }
      second.proceed(until: 1_767_225_600 + 86_400)
      #expect(second.nextTime == nil)
      #expect(second.close().isEmpty)
      let events = try JournalFile.read(workspace.path("second/phone/journal.jsonl"))
      let recording = CaseRecording(events: events, duration: .zero)
      var builder = ReportBuilder()
      builder.add(recording, file: prepared.file)
      let result = builder.report.suites[0].cases[0]
      #expect(result.outcome == .passed, "\(result)")
      #expect(result.steps.count == 8)
      #expect(messages == 1)
    }
  }
}
