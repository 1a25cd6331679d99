import Scenario
import TestSupport
import Testing

/// Tests several devices in a scenario's text.
@Suite struct DevicesTests {
  private static let world = """
    accounts: { anna: { upn: anna@contoso.com } }
    apps:
      mail: { bundle: com.contoso.mail, sdk: true }
      viewer: { bundle: org.example.viewer }
      clip: { bundle: org.example.viewer.clip, extension: share, containingApp: viewer }
    devices:
      phone: { apps: { mail: { signedIn: [anna] }, viewer: } }
      desk: { apps: [viewer] }
      fleet: { count: 3, seed: 7, apps: [mail] }

    """

  private func scenario(_ steps: String) throws -> Scenario {
    try Scenario.read(Self.world + "steps: [\(steps)]", file: "test.yaml")
  }

  private func message(_ text: String) -> String? {
    ScenarioReadingTests.mistake(in: text)?.description
  }

  @Test func `each device has its own apps, and devices of a group have numbered names`()
    throws
  {
    let devices = try scenario("advance: PT1S").devices
    #expect(devices.map(\.device.name) == ["phone", "desk", "fleet-1", "fleet-2", "fleet-3"])
    #expect(devices.map(\.device.group) == [nil, nil, "fleet", "fleet", "fleet"])
    #expect(devices.map(\.device.seed) == [1, 1, 7, 7, 7])
    #expect(devices.map(\.device.ordinal) == [0, 1, 2, 3, 4])
    #expect(
      devices.map { $0.apps.map(\.name) } == [
        ["mail", "viewer"], ["viewer"], ["mail"], ["mail"], ["mail"],
      ])
    #expect(devices.map { $0.apps[0].signedIn } == [["anna"], [], [], [], []])
  }

  @Test(
    arguments: [
      // This is the only device with both apps.
      ("share: { from: mail, to: viewer, text: a }", "phone"),
      ("{ launch: mail, on: fleet }", "fleet"),
      ("{ launch: mail, on: fleet-2 }", "fleet-2"),
      ("advance: PT1S", nil),
      ("{ assign: { account: anna }, on: desk }", "desk"),
      ("wipe: { account: anna }", nil),
    ] as [(String, String?)])
  func `a step runs on the device that it names, on the only possible device, or on every device`(
    step: String, device: String?
  ) throws {
    #expect(try scenario(step).cases[0].steps[0].device == device)
  }

  @Test func `each step within concurrently can name its own device`() throws {
    let steps = try scenario(
      "concurrently: [{ launch: mail, on: fleet-1 }, { launch: viewer, on: desk }]"
    ).cases[0].steps
    guard case .concurrently(let concurrency) = steps[0].action else {
      Issue.record("\(steps)")
      return
    }
    #expect(steps[0].device == nil)
    #expect(concurrency.steps.map(\.device) == ["fleet-1", "desk"])
  }

  @Test(
    arguments: table(
      """
      launch: viewer
      => 10:9: error: several devices can carry out this step: add `on: phone` or `on: desk` [missing-key]
      launch: mial
      => 10:17: error: no app is called `mial`; did you mean `mail`? [unknown-name]
      { launch: viewer, on: dsek }
      => 10:31: error: no device is called `dsek`; did you mean `desk`? [unknown-name]
      { launch: mail, on: desk }
      => 10:19: error: the device `desk` has no app `mail` [unknown-name]
      { launch: mail, on: fleet-4 }
      => 10:29: error: no device is called `fleet-4`; did you mean `fleet`? [unknown-name]
      { advance: PT1S, on: desk }
      => 10:9: error: `advance` has no `on`: all devices have one clock [conflicting-keys]
      { concurrently: [advance: PT1S], on: desk }
      => 10:26: error: `advance` has no `on`: all devices have one clock [conflicting-keys]
      { concurrently: [{ launch: viewer, on: phone }], on: desk }
      => 10:44: error: `concurrently` already has `on`; leave `on` out there or in this step [conflicting-keys]
      { airDrop: { from: mail, to: fleet, text: a }, on: phone }
      => 10:38: error: `fleet` stands for 3 devices; name one, such as `fleet-1` [invalid-value]
      { airDrop: { from: mail, to: phone, text: a }, on: phone }
      => 10:11: error: `phone` cannot send to itself by AirDrop [invalid-value]
      { fault: { kind: clockJump, by: PT1H, at: decided }, on: phone }
      => 10:26: error: all devices share one clock, so it cannot jump on one of them [conflicting-keys]
      { airDrop: { from: mail, to: dask, text: a }, on: phone }
      => 10:38: error: no device is called `dask`; did you mean `desk`? [unknown-name]
      { use: { app: mail, feature: print, text: a, to: desk }, on: phone }
      => 10:58: error: only `mailComposer` and `messageComposer` address another device
         [conflicting-keys]
      """))
  func `a step with an invalid or ambiguous device causes exactly one error`(
    step: String, error: String
  ) {
    #expect(message(Self.world + "steps: [\(step)]") == "test.yaml:" + error)
  }

  @Test(
    arguments: table(
      """
      device: { name: a }
      devices: { b: }
      steps: [advance: PT1S]
      => 2:1: error: a scenario has `device` or `devices`, not both [conflicting-keys]
      devices: {}
      steps: [advance: PT1S]
      => 1:10: error: `devices` needs at least one device [missing-key]
      devices: { a: { name: b } }
      steps: [advance: PT1S]
      => 1:17: error: the name of the device is `a`; leave `name` out [conflicting-keys]
      devices: { a: { app: [] } }
      steps: [advance: PT1S]
      => 1:17: error: a device has no key `app`; did you mean `apps`? [unknown-key]
      devices: { a: { count: 2 }, a-1: }
      steps: [advance: PT1S]
      => 1:29: error: two devices are called `a-1` [duplicate-name]
      devices: { a: { count: 0 } }
      steps: [advance: PT1S]
      => 1:24: error: `count` must be from 1 to 10000, found `0` [invalid-value]
      devices: { a: , b: { time: now } }
      steps: [advance: PT1S]
      => 1:17: error: all devices share one clock, but the `time` of `b` differs from that of `a`
         [conflicting-keys]
      devices: { a b: }
      steps: [advance: PT1S]
      => 1:12: error: `a b` cannot name a device; use letters, digits, `-` and `_`, a letter first
         [invalid-value]
      apps: { v: { bundle: a.b }, e: { bundle: a.b.c, extension: share, containingApp: v } }
      devices: { a: { apps: [e] } }
      steps: [advance: PT1S]
      => 2:23: error: `e` needs the app `v` that contains it; add it to the device [missing-key]
      apps: { v: { bundle: a.b } }
      devices: { a: { apps: [v, v] } }
      steps: [advance: PT1S]
      => 2:27: error: `v` is named twice [duplicate-name]
      apps: { v: { bundle: a.b } }
      steps: [{ launch: v, on: a }]
      => 2:22: error: the scenario has only one device; leave `on` out, or state several under `devices`
         [unknown-name]
      apps: { v: { bundle: a.b } }
      steps: [{ airDrop: { from: v, to: b, text: c } }]
      => 2:35: error: there is no other device; state several under `devices` [unknown-name]
      """))
  func `each invalid definition of devices is one error`(text: String, error: String) {
    #expect(message(text) == "test.yaml:" + error)
  }

  @Test func `links between devices have the scenario's latency`() throws {
    #expect(try scenario("advance: PT1S").links.latency == 0)
    let text = "links: { latency: PT2M }\n" + Self.world + "steps: [advance: PT1S]"
    let scenario = try Scenario.read(text, file: "test.yaml")
    #expect(scenario.links.latency == 120)
    #expect(scenario.devices.allSatisfy { $0.links.latency == 120 })
  }

  @Test(
    arguments: [
      ("links: {}", "`latency`"), ("links: { latency: 2 }", "duration"),
      ("links: { latency: PT0S }", "duration"), ("links: { speed: PT1S }", "no key `speed`"),
    ])
  func `links without a valid latency are rejected`(links: String, sentence: String) {
    let message = message(links + "\n" + Self.world + "steps: [advance: PT1S]")
    #expect(message?.contains(sentence) == true, "\(message ?? "nothing")")
  }
}
