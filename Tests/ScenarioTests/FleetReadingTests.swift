import Encodings
import Testing

@testable import Scenario

/// Patterns such as `shop-{1..1000}`, which stand for several apps.
@Suite struct NamePatternTests {
  private static func scenario(_ apps: String, _ steps: String = "launch: mail") throws -> Scenario
  {
    try ScenarioReadingTests.scenario(
      """
      accounts: { anna: { upn: anna@contoso.com } }
      apps:
        mail: { bundle: com.contoso.mail }
      \(apps)
      steps:
        - \(steps)
      """)
  }

  @Test func `an app with a number pattern is defined once for each number`() throws {
    let scenario = try Self.scenario(
      """
        shop-{8..11}:
          bundle: com.contoso.shop-{n}
          schemes: ["shop{n}"]
          configuration: { "key-{n}": "{n} of 11" }
      """)
    #expect(scenario.apps.map(\.name) == ["mail", "shop-8", "shop-9", "shop-10", "shop-11"])
    let last = try #require(scenario.apps.last)
    #expect(last.bundle == "com.contoso.shop-11")
    #expect(last.schemes == ["shop11"])
    #expect(last.configuration == ["key-11": "11 of 11"])
    #expect(last.guests == ["shop-11"])
    #expect(Set(scenario.apps.dropFirst().map(\.position.line)) == [4])
  }

  @Test func `steps, assignments and devices can name several apps by a number pattern`() throws {
    let scenario = try ScenarioReadingTests.scenario(
      """
      accounts: { anna: { upn: anna@contoso.com } }
      policies:
        base:
          file: base.json
          assign: [{ account: anna, apps: ["com.contoso.shop-{1..2}", com.contoso.mail] }]
      apps:
        mail: { bundle: com.contoso.mail }
        shop-{1..3}: { bundle: "com.contoso.shop-{n}", count: 2 }
      devices:
        phone: { apps: [mail, "shop-{1..2}"] }
        tablet: { apps: { "shop-{3..3}": { signedIn: [anna] } } }
      steps:
        - launch: [mail, "shop-{1..2}"]
          on: phone
        - share: { from: "shop-{1..2}", to: mail, text: Figures }
          on: phone
      """)
    #expect(
      scenario.policies[0].assignments.first?.apps
        == ["com.contoso.shop-1", "com.contoso.shop-2", "com.contoso.mail"])
    #expect(
      scenario.devices.map { $0.apps.map(\.name) } == [["mail", "shop-1", "shop-2"], ["shop-3"]])
    #expect(scenario.devices[1].apps[0].signedIn == ["anna"])
    let steps = scenario.cases[0].steps
    guard case .lifecycle(let launch) = steps[0].action else {
      Issue.record("not a launch: \(steps[0].action)")
      return
    }
    #expect(launch.guests == ["mail", "shop-1-1", "shop-1-2", "shop-2-1", "shop-2-2"])
    let parts = steps[1].action.detail.actions(ofGuestsIn: scenario.devices[0]) ?? []
    #expect(
      parts.map(\.detail.actingGuest) == ["shop-1-1", "shop-1-2", "shop-2-1", "shop-2-2"])
  }

  @Test func `among every ten apps of a pattern, variants occur in proportion to their weights`()
    throws
  {
    let scenario = try Self.scenario(
      """
        shop-{1..20}:
          bundle: com.contoso.shop-{n}
          mix:
            - { weight: 70, sdk: true, signedIn: [anna] }
            - { weight: 20, sdk: true }
            - { weight: 10 }
      """)
    let apps = scenario.apps.dropFirst()
    for count in [10, 20] {
      let first = apps.prefix(count)
      #expect(first.count { $0.usesSDK && $0.signedIn == ["anna"] } == count * 7 / 10)
      #expect(first.count { $0.usesSDK && $0.signedIn.isEmpty } == count * 2 / 10)
      #expect(first.count { !$0.usesSDK } == count / 10)
    }
  }

  @Test(
    arguments: [
      (
        "  shop-{1..}: { bundle: a.b }",
        "4:3: error: `shop-{1..}` is not a name with one range of numbers, such as `shop-{1..1000}` [invalid-value]"
      ),
      (
        "  shop-{3..2}: { bundle: a.b }",
        "4:3: error: `shop-{3..2}` is not a name with one range of numbers, such as `shop-{1..1000}` [invalid-value]"
      ),
      (
        "  shop-{01..02}: { bundle: a.b }",
        "4:3: error: `shop-{01..02}` is not a name with one range of numbers, such as `shop-{1..1000}` [invalid-value]"
      ),
      (
        "  shop-{1..2}-{1..2}: { bundle: a.b }",
        "4:3: error: `shop-{1..2}-{1..2}` is not a name with one range of numbers, such as `shop-{1..1000}` [invalid-value]"
      ),
      (
        "  shop-{1..100001}: { bundle: a.b }",
        "4:3: error: `shop-{1..100001}` stands for more than 100000 names [too-large]"
      ),
      (
        "  shop-{1..100000}: { bundle: a.b, schemes: [a, b, c, d, e, f, g, h, i] }",
        "4:3: error: with 100000 apps called `shop-{1..100000}`, the file contains more than 1000000 values [too-large]"
      ),
      (
        "  shop-1: { bundle: a.b }\n  shop-{1..2}: { bundle: a.c }",
        "5:3: error: the key `shop-1` is given twice, first on line 4 [duplicate-key]"
      ),
      // One error for all apps of the pattern, at its position in the text.
      (
        "  shop-{1..9}:\n    bundle: com.contoso.shop-{n}\n    sdkk: true",
        "6:5: error: the app `shop-1` has no key `sdkk`; did you mean `sdk`? [unknown-key]"
      ),
      (
        "  shop-{1..9}: { bundle: \"com.contoso.shop {n}\" }",
        "4:26: error: `com.contoso.shop 1` is not a bundle id; use letters, digits and `-` with dots between, as in `com.contoso.mail` [invalid-value]"
      ),
      (
        "  shop-{1..2}: { bundle: a.b, mix: [] }",
        "4:36: error: `mix` needs at least one variant [missing-key]"
      ),
      (
        "  shop-{1..2}: { bundle: a.b, mix: [{ sdk: true }] }",
        "4:37: error: a variant of a mix needs `weight` [missing-key]"
      ),
      (
        "  shop-{1..2}: { bundle: a.b, mix: [{ weight: 0 }] }",
        "4:47: error: `weight` must be from 1 to 1000, found `0` [invalid-value]"
      ),
      (
        "  shop-{1..2}: { bundle: a.b, sdk: true, mix: [{ weight: 1, sdk: false }] }",
        "4:61: error: `sdk` is given both inside and outside of `mix`; leave one out [conflicting-keys]"
      ),
      (
        "  shop: { bundle: a.b, mix: [{ weight: 1 }] }",
        "4:24: error: the app `shop` has no key `mix` [unknown-key]"
      ),
    ])
  func `errors in number patterns of apps state their line and column`(
    apps: String, expected: String
  ) {
    do {
      _ = try Self.scenario(apps)
      Issue.record("no error")
    } catch {
      #expect("\(error)" == "test.yaml:" + expected)
    }
  }

  @Test func `a step that names an app outside the name pattern is an error`() {
    do {
      _ = try Self.scenario("  shop-{1..2}: { bundle: \"a.b{n}\" }", "launch: \"shop-{1..3}\"")
      Issue.record("no error")
    } catch {
      #expect("\(error)".hasPrefix("test.yaml:6:13: error: no app is called `shop-3`"))
    }
  }
}

/// `behaviour`, the failures of ready-made guests.
@Suite struct BehaviourReadingTests {
  private static func failures(_ app: String) throws -> AppDefinition.Failures? {
    try ScenarioReadingTests.scenario(
      "apps: { mail: { bundle: a.b, \(app) } }\nsteps: [{ launch: mail }]"
    ).apps.first?.failures
  }

  @Test func `an app's failure chances are percentages, and its delay is a real-time duration`()
    throws
  {
    let failures = try Self.failures(
      "behaviour: { crash: 10 %, hang: 0.5%, hoard: 2 %, refuse: 0.25 %, late: PT2S }")
    #expect(failures?.crash == 1_000)
    #expect(failures?.hang == 50)
    #expect(failures?.hoard == 200)
    #expect(failures?.refuse == 25)
    #expect(failures?.delay == 2)
    #expect(try Self.failures("sdk: true") == AppDefinition.Failures())
    #expect(try Self.failures("behaviour: { crash: 100 % }")?.crash == 10_000)
  }

  @Test(
    arguments: [
      ("crash: 10", "`crash` must be a percentage such as `10 %`, found `10` [invalid-value]"),
      ("crash: -1 %", "`crash` must be a percentage such as `10 %`, found `-1 %` [invalid-value]"),
      (
        "crash: 0.125 %",
        "`crash` must be a percentage such as `10 %`, found `0.125 %` [invalid-value]"
      ),
      (
        "crash: 101 %", "`crash` must be a percentage such as `10 %`, found `101 %` [invalid-value]"
      ),
      ("crash: 100.5 %", "`crash` is more than 100 % [invalid-value]"),
      (
        "crash: 30 %, hang: 30 %, hoard: 30 %, refuse: 11 %",
        "`crash`, `hang`, `hoard` and `refuse` add up to more than 100 % [invalid-value]"
      ),
      ("late: 2", "`late` must be real time from `PT1S` to `PT1M`, found `2` [invalid-value]"),
      (
        "late: PT2M", "`late` must be real time from `PT1S` to `PT1M`, found `PT2M` [invalid-value]"
      ),
      (
        "hoards: 1 %", "a behaviour has no key `hoards`; did you mean `hoard`? [unknown-key]"
      ),
      ("crashes: 1 %", "a behaviour has no key `crashes`; did you mean `crash`? [unknown-key]"),
    ])
  func `an invalid behaviour of an app is an error`(behaviour: String, expected: String) {
    do {
      _ = try Self.failures("behaviour: { \(behaviour) }")
      Issue.record("no error")
    } catch {
      #expect("\(error)".hasSuffix("error: " + expected), "\(error)")
    }
  }

  @Test func `the behaviour key is accepted for an app that is a Lua script`() throws {
    let failures = try Self.failures("executable: mail.lua, behaviour: { crash: 1 % }")
    #expect(failures == (try Self.failures("behaviour: { crash: 1 % }")))
  }

  @Test func `the behaviour key is rejected for an app with its own program`() {
    do {
      _ = try Self.failures("executable: bin/mail, behaviour: { crash: 1 % }")
      Issue.record("no error")
    } catch {
      #expect(
        "\(error)".hasSuffix(
          "error: `behaviour` needs the ready-made guest or a script, but `mail` has another `executable` [conflicting-keys]"
        ))
    }
  }
}
