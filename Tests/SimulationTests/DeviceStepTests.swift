import Host
import JSON
import Model
import Scenario
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// Steps on several devices.
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

    private func play(_ steps: String...) throws -> Performance {
      try Stage().play(text: Self.world + steps.map { "  - \($0)\n" }.joined())
    }

    private func events(_ journal: String) throws -> [JournalEvent.Kind] {
      try journal.split(separator: "\n").map { try JournalEvent(line: String($0)).kind }
    }

    @Test func `what one device sends is in the journals of both`() throws {
      let played = try play(
        "{ launch: viewer, on: phone }",
        "{ airDrop: { from: viewer, to: tablet, text: hello }, on: phone, expect: { end: delivered } }"
      )
      #expect(played.result.outcome == .passed, "\(played.result)")
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

    @Test func `a device that a fault stops comes up again, and the others go on`() throws {
      let played = try play(
        "{ launch: [mail, viewer], on: phone }", "{ launch: [mail, viewer], on: tablet }",
        "{ fault: { at: delivered, kind: restartHost }, on: phone }",
        "{ share: { from: viewer, to: mail, text: hello }, on: phone }",
        "{ share: { from: viewer, to: mail, text: hello }, on: tablet, expect: { end: delivered } }",
        "{ launch: viewer, on: phone }",
        "{ airDrop: { from: viewer, to: tablet, text: again }, on: phone, expect: { end: delivered } }",
        "{ openReceived: { into: viewer, from: airDrop }, on: tablet, expect: { received: again } }"
      )
      #expect(played.result.outcome == .passed, "\(played.result)")
    }

    @Test func `a wipe of a user leaves nothing of him on any device`() throws {
      let played = try play(
        "{ launch: [mail, viewer], on: phone }", "{ launch: [mail, viewer], on: tablet }",
        "{ writeFile: { app: mail, path: plans.txt, text: canary-4711 }, on: phone }",
        "{ writeFile: { app: mail, path: plans.txt, text: canary-4712 }, on: tablet }",
        "wipe: { account: anna }",
        "residue: { account: anna, canaries: [canary-4711, canary-4712] }")
      #expect(played.result.outcome == .passed, "\(played.result)")
      // What came to the same on each device is one step of all.
      #expect(played.result.steps.last?.text.contains("phone") == false)
    }

    @Test func `a service that is busy turns devices away, and all are enrolled in time`() throws {
      let steps = """
          - { launch: mail, on: phone }
          - { launch: mail, on: tablet }
          - service: { requestsPerMinute: 1 }
          - { register: { app: mail, account: anna }, on: phone }
          - { enrollmentState: { app: mail, account: anna }, on: phone, expect: { enrollment: newPoliciesReceived } }
          - { register: { app: mail, account: anna }, on: tablet }
          - { enrollmentState: { app: mail, account: anna }, on: tablet, expect: { enrollment: enrollmentEndPointNetworkFailure } }
          - advance: PT1M
          - { enrollmentState: { app: mail, account: anna }, on: tablet, expect: { enrollment: newPoliciesReceived } }
        """
      let world = Self.world.replacing("signedIn: [anna], ", with: "")
      let played = try Stage().play(text: world + steps)
      #expect(played.result.outcome == .passed, "\(played.result)")
    }

    @Test func `a fault on one device ends no step of another`()
      throws
    {
      let played = try play(
        "{ launch: viewer, on: phone }", "{ launch: viewer, on: tablet }",
        "{ fault: { kind: restartHost, at: decided }, on: phone }",
        "concurrently: [{ share: { from: viewer, to: mail, text: a }, on: phone }, { copy: { app: viewer, text: b }, on: tablet }]",
        "{ airDrop: { from: viewer, to: phone, text: again }, on: tablet, expect: { end: delivered } }",
        "{ launch: viewer, on: phone }",
        "{ openReceived: { into: viewer, from: airDrop }, on: phone, expect: { received: again } }")
      #expect(played.result.outcome == .passed, "\(played.result)")
    }

    @Test func `who is not signed in neither opens nor replaces a document in cloud storage`()
      throws
    {
      let played = try play(
        "{ launch: [mail, viewer], on: phone }", "{ launch: [mail, viewer], on: tablet }",
        "{ saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text: budget }, on: phone }",
        "{ openFrom: { into: viewer, location: oneDriveForBusiness, account: anna }, on: tablet, expect: { verdict: blocked, reason: ownerNotSignedIn } }",
        "{ saveTo: { from: viewer, location: oneDriveForBusiness, account: anna, text: forged }, on: tablet }",
        "{ openFrom: { into: mail, location: oneDriveForBusiness, account: anna }, on: tablet, expect: { received: budget } }"
      )
      #expect(played.result.outcome == .passed, "\(played.result)")
    }

    @Test func `mail waits for the network, and what was copied elsewhere passes`() throws {
      let world = Self.world
        .replacing("  phone:", with: "  phone: { appleAccount: a@example.org }")
        .replacing("  tablet:", with: "  tablet: { appleAccount: A@example.org }")
      let steps = """
          - { launch: viewer, on: phone }
          - { launch: viewer, on: tablet }
          - { copy: { app: viewer, text: soon }, on: phone }
          - { device: { online: false }, on: phone }
          - { use: { app: viewer, feature: mailComposer, text: later, to: tablet }, on: phone, expect: { end: delivered } }
          - { openReceived: { into: viewer, from: mail }, on: tablet, expect: { reason: nothingReceived } }
          - { device: { online: true }, on: phone }
          - { advance: PT2M }
          - { openReceived: { into: viewer, from: mail }, on: tablet, expect: { received: later } }
          - { paste: { app: viewer }, on: tablet, expect: { received: soon } }
          - { advance: PT1S }
          - { paste: { app: viewer }, on: tablet, expect: { reason: pasteboardEmpty } }
        """
      let played = try Stage().play(text: world + steps)
      #expect(played.result.outcome == .passed, "\(played.result)")
    }

    @Test func `a wipe of what was copied here leaves what was copied elsewhere`() throws {
      let world = Self.world
        .replacing("  phone:", with: "  phone: { appleAccount: a@example.org }")
        .replacing("  tablet:", with: "  tablet: { appleAccount: a@example.org }")
      let steps = """
          - { launch: [mail, viewer], on: phone }
          - { launch: [mail, viewer], on: tablet }
          - { copy: { app: mail, text: plans }, on: tablet }
          - { copy: { app: viewer, text: hi }, on: phone }
          - { wipe: { app: mail, account: anna }, on: tablet }
          - { paste: { app: viewer }, on: tablet, expect: { received: hi } }
        """
      let played = try Stage().play(text: world + steps)
      #expect(played.result.outcome == .passed, "\(played.result)")
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
      `Universal Clipboard takes Handoff on both, one Apple Account, and what is not for one device`(
        phone: String, tablet: String, copy: String, rule: String?
      ) throws
    {
      let world = Self.world
        .replacing("  phone:", with: "  phone: \(phone)")
        .replacing("  tablet:", with: "  tablet: \(tablet)")
      let local = copy == "local" ? ", localOnly: true" : ""
      let steps = """
          - { launch: viewer, on: phone }
          - { launch: viewer, on: tablet }
          - { copy: { app: viewer, text: hi\(local) }, on: phone }
          - { paste: { app: viewer }, on: tablet, expect: { reason: pasteboardEmpty } }
        """
      let played = try Stage().play(text: world + steps)
      #expect(played.result.outcome == .passed, "\(played.result)")
      let offers = try events(played.journals[0]).compactMap {
        if case .decided(let decision) = $0, decision.operation == .universalClipboard {
          decision.verdict.deciding.rawValue
        } else {
          nil
        }
      }
      #expect(offers == [rule].compactMap(\.self))
    }

    @Test func `what is copied and what is pasted at once are each the step's own`() throws {
      let world = Self.world
        .replacing("  phone:", with: "  phone: { appleAccount: a@example.org }")
        .replacing("  tablet:", with: "  tablet: { appleAccount: a@example.org }")
      let steps = """
          - { launch: viewer, on: phone }
          - concurrently:
              - { copy: { app: viewer, text: hi }, on: phone, expect: { reason: copiedToPasteboard } }
              - { paste: { app: viewer }, on: phone, expect: { reason: clipboardSameIdentity } }
        """
      let played = try Stage().play(text: world + steps)
      #expect(played.result.outcome == .passed, "\(played.result)")
    }

    @Test func `devices that are alike act one after the other, the same each time`() throws {
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

    @Test func `steps that are carried out at once on two devices are told as theirs`() throws {
      let played = try play(
        "{ launch: viewer, on: phone }", "{ launch: viewer, on: tablet }",
        "concurrently: [{ copy: { app: viewer, text: one }, on: phone }, { copy: { app: viewer, text: two }, on: tablet }]"
      )
      let last = played.result.steps.suffix(2)
      #expect(last.map(\.device) == ["phone", "tablet"])
      #expect(last.allSatisfy { $0.requests.map(\.decision.operation) == [.copy] })
    }

    @Test func `only what takes several devices takes such a scenario`() throws {
      let error = #expect(throws: RunError.self) {
        let settings = RunSettings(
          programs: .installed(in: Repository.programs), folder: "/nowhere")
        let scenario = try Scenario.read(Self.world + "  - advance: PT1S\n", file: "two.yaml")
        _ = try ScenarioRun(settings).prepare(scenario).onlyDevice
      }
      #expect(error?.reason.contains("has 2 `devices`") == true)
    }
  }
}
