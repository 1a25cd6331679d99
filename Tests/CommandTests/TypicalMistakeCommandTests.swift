import TestSupport
import Testing

extension RealProcesses {
  /// Tests typical mistakes that involve other files, or that only appear when the case runs.
  @Suite struct TypicalMistakeCommandTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private static let scenario = """
      name: demo
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: ben@contoso.com }
      policies:
        base: { json: { displayName: Base, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps }, assign: [{ account: anna }] }
      apps:
        memo: { bundle: org.example.memo, sdk: true, signedIn: [anna] }
        viewer: { bundle: org.example.viewer }
      cases:
        - name: one
          steps:
            - launch: memo
            - launch: viewer
            - share: { from: memo, to: viewer, text: hi }
              expect: { verdict: blocked }

      """

    private static let policy =
      "{ json: { displayName: Base, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps }"

    private func run(_ correct: String, _ mistaken: String, ends status: Int32) throws -> Desk.Ended
    {
      try desk.folder.write(
        Self.scenario.replacing(correct, with: mistaken), to: "mine.yaml")
      return try desk.sluice("run", "mine.yaml", ends: status)
    }

    @Test func `the scenario passes before a typical mistake is inserted`() throws {
      _ = try run("", "", ends: 0)
    }

    @Test(arguments: [
      (
        policy, "{ file: policies/bse.json",
        "6:17: error: there is no file or folder `policies/bse.json`; did you mean `policies/base.json`? [file]"
      ),
      (
        "managedApps", "managedapps",
        "6:90: error: `managedapps` is not a value of `allowedOutboundDataTransferDestinations`; expected `allApps`, `managedApps` or `none`; did you mean `managedApps`? [unknownValue]"
      ),
      (
        "appGroupType: allApps", "appGroupType: allApps, minimumRequiredOsVersion: 18.0",
        "6:75: error: `minimumRequiredOsVersion` must be a string, found a number; write `\"18.0\"` [wrongType]"
      ),
      (
        "  viewer:",
        "  clip: { bundle: org.example.memo.clip, extension: share, containingApp: memo, path: Cliper.appex }\n  viewer:",
        "9:87: error: there is no file or folder `Cliper.appex`; did you mean `Clipper.appex`? [file]"
      ),
      (
        "cases:\n", "servers: { maps: { host: maps.contoso.com, folder: sit } }\ncases:\n",
        "10:52: error: there is no file or folder `sit`; did you mean `site`? [file]"
      ),
      (
        "- launch: viewer", "- declarations: sit",
        "14:23: error: there is no file or folder `sit`; did you mean `site`? [file]"
      ),
      (
        "signedIn: [anna]", "signedIn: [anna, ben]",
        "8:3: error: app `memo`: the app already has a managed account and accepts no second one (status 227); `multiIdentity` and `multiManagedIdentities: true` let the app take several [app]"
      ),
    ]) func `each scenario mistake that involves another file, app or account is reported once`(
      correct: String, mistaken: String, error: String
    ) throws {
      try desk.folder.write("{}", to: "policies/base.json")
      try desk.folder.write("", to: "Clipper.appex/Info.plist")
      try desk.folder.write("", to: "site/index.html")
      let both = mistaken == "signedIn: [anna, ben]"
      let text = Self.scenario.replacing(correct, with: mistaken)
        .replacing(
          "assign: [{ account: anna }]",
          with: both
            ? "assign: [{ account: anna }, { account: ben }]" : "assign: [{ account: anna }]")
      try desk.folder.write(text, to: "mine.yaml")
      let ended = try desk.sluice("run", "mine.yaml", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "mine.yaml:\(error)\n")
    }

    @Test(arguments: [
      (
        "allowedOutboundDataTransferDestinations: managedApps",
        "Send org data to other apps: Policy managed apps",
        "6:48: warning: `Send org data to other apps` is not a property of a policy and has no effect; in Graph, `Send org data to other apps` of the admin centre is `\"allowedOutboundDataTransferDestinations\": \"managedApps\"` [unknownProperty]"
      ),
      (
        "[{ account: anna }]", "[{ account: anna, apps: [org.example.mem] }]",
        "6:126: warning: the policy `base` reaches no app for `anna`, so it has no effect: `apps` names `org.example.mem`, and the apps with the SDK are `org.example.memo`; did you mean `org.example.memo`? [policyWithoutApp]"
      ),
    ]) func `a mistake that leaves a policy without effect is a warning`(
      correct: String, mistaken: String, warning: String
    ) throws {
      let ended = try run(correct, mistaken, ends: 1)
      #expect(ended.errors == "mine.yaml:\(warning)\n")
    }

    @Test func `a step of an app that is not running is an error`() throws {
      let ended = try run("      - launch: memo\n", "", ends: 1)
      #expect(ended.output.contains("mine.yaml:14:9: `memo` is not running; `launch` it first\n"))
    }

    @Test func `a switch to an account that is not signed in ends the case`() throws {
      try desk.folder.write(
        Self.scenario.replacing("sdk: true", with: "sdk: true, multiIdentity: true")
          .replacing("launch: viewer", with: "switchIdentity: { app: memo, to: ben }"),
        to: "mine.yaml")
      let ended = try desk.sluice("run", "mine.yaml", ends: 1)
      #expect(
        ended.output.contains(
          "mine.yaml:14:9: `ben` is not signed in to `memo`: sign in first (`signIn`), or expect the refusal "
            + "(`verdict: blocked`)\n"))
      #expect(!ended.output.contains("memo shares"))
      #expect(ended.lines.last == "1 case: 1 errored")
    }

    @Test func `all errors of a policy are reported in the order of lines`() throws {
      try desk.folder.write(
        Self.scenario.replacing(Self.policy, with: "{ file: base.json"), to: "mine.yaml")
      try desk.folder.write(
        """
        {
          "displayName": "Base",
          "pinRequired": "yes",
          "minimumPinLength": 70000,
          "managedBrowser": "chrome",
          "pinRequired": true,
          "periodBeforePinReset": "P1M",
          "apps": [1],
          "targetedAppManagementLevels": "mmd"
        }
        """, to: "base.json")
      let ended = try desk.sluice("run", "mine.yaml", ends: 2)
      #expect(
        ended.errors == """
          base.json:3:18: error: `pinRequired` must be a boolean, found a string [wrongType]
          base.json:4:23: error: `minimumPinLength` must be from 0 to 65535, found `70000` [outOfRange]
          base.json:5:21: error: `chrome` is not a value of `managedBrowser`; expected `notConfigured` or `microsoftEdge` [unknownValue]
          base.json:6:3: error: `pinRequired` appears twice, first on line 3 [duplicateProperty]
          base.json:7:27: error: `P1M` in `periodBeforePinReset` is not a duration such as `P90D` or `PT12H` [invalidDuration]
          base.json:8:11: error: `apps` must be a list of objects, found an array [wrongType]
          base.json:9:34: error: `mmd` is not a value of `targetedAppManagementLevels`; expected `unspecified`, `unmanaged` or `mdm`; did you mean `mdm`? [unknownValue]

          """)
    }

    @Test func `the first 20 errors of a scenario and the number of further errors are printed`()
      throws
    {
      let steps = Array(repeating: "  - start: a\n", count: 23).joined()
      try desk.folder.write("apps: { a: { bundle: a.b } }\nsteps:\n" + steps, to: "mine.yaml")
      let lines = try desk.sluice("run", "mine.yaml", ends: 2).errors.split(separator: "\n")
      #expect(lines.count == 21)
      #expect(
        lines[19]
          == "mine.yaml:22:5: error: a step has no key `start`; did you mean `launch`? [unknown-key]"
      )
      #expect(lines[20] == "mine.yaml: … and 3 more")
    }
  }
}
