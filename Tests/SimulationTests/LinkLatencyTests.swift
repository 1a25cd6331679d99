import Model
import Scenario
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// What takes time from one device to another.
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

    private func play(_ steps: String...) throws -> CaseResult {
      try Stage().play(text: Self.world + steps.map { "  - \($0)\n" }.joined()).result
    }

    @Test func `an item is there when its time has come, and not a second before`() throws {
      let result = try play(
        "{ airDrop: { from: viewer, to: tablet, text: hello }, on: phone }", "advance: PT2S",
        "{ openReceived: { into: viewer, from: airDrop }, on: tablet, expect: { reason: nothingReceived } }",
        "advance: PT1S",
        "{ openReceived: { into: viewer, from: airDrop }, on: tablet, expect: { received: hello } }"
      )
      #expect(result.outcome == .passed, "\(result)")
    }

    @Test func `what is in cloud storage changes for everybody at the same time`() throws {
      let save = "saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text:"
      let open = "openFrom: { into: mail, location: oneDriveForBusiness, account: anna }"
      let result = try play(
        "{ \(save) first }, on: phone }", "advance: PT1S", "{ \(save) second }, on: tablet }",
        "advance: PT2S",
        "{ \(open), on: phone, expect: { received: first } }",
        "{ \(open), on: tablet, expect: { received: first } }", "advance: PT1S",
        "{ \(open), on: phone, expect: { received: second } }",
        "{ \(open), on: tablet, expect: { received: second } }")
      #expect(result.outcome == .passed, "\(result)")
    }

    @Test func `what was copied passes later, and is offered for its two minutes from then on`()
      throws
    {
      let result = try play(
        "{ copy: { app: viewer, text: room 4 }, on: phone }",
        "{ paste: { app: viewer }, on: tablet, expect: { reason: pasteboardEmpty } }",
        "advance: PT2M3S",
        "{ paste: { app: viewer }, on: tablet, expect: { received: room 4 } }", "advance: PT1S",
        "{ paste: { app: viewer }, on: tablet, expect: { reason: pasteboardEmpty } }")
      #expect(result.outcome == .passed, "\(result)")
    }

    @Test func `what arrives while a device is up again was not lost with it`() throws {
      let result = try play(
        "{ airDrop: { from: viewer, to: tablet, text: hello }, on: phone }",
        "{ restart: device, on: tablet }", "advance: PT3S", "{ launch: viewer, on: tablet }",
        "{ openReceived: { into: viewer, from: airDrop }, on: tablet, expect: { received: hello } }"
      )
      #expect(result.outcome == .passed, "\(result)")
    }

    @Test func `mail that waits for the network takes its time from when it goes`() throws {
      let result = try play(
        "{ device: { online: false }, on: phone }",
        "{ use: { app: viewer, feature: mailComposer, text: late, to: tablet }, on: phone }",
        "advance: PT10S", "{ device: { online: true }, on: phone }", "advance: PT2S",
        "{ openReceived: { into: viewer, from: mail }, on: tablet, expect: { reason: nothingReceived } }",
        "advance: PT1S",
        "{ openReceived: { into: viewer, from: mail }, on: tablet, expect: { received: late } }")
      #expect(result.outcome == .passed, "\(result)")
    }
  }
}
