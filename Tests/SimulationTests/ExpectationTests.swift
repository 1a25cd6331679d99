import Encodings
import Model
import Scenario
import SimulationSupport
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// Tests unmet expectations, and steps that cannot be performed.
  @Suite struct ExpectationTests {
    @Test(
      arguments: [
        ("verdict: blocked", "verdict blocked", "verdict allowed"),
        ("reason: sendNone", "reason sendNone", "reason noRuleApplied"),
        ("decidedBy: sendNone", "deciding rule sendNone", "deciding rule noRuleApplied"),
        ("end: refused", "end refused", "end delivered"),
        ("status: 227", "status 227", "status 0"),
        ("received: Greetings", "received text `Greetings`", "received text `Directions`"),
        ("identity: anna", "identity anna", "identity unset"),
        ("managed: true", "identity managed", "identity unmanaged"),
        ("returned: { end: delivered }", "returned item: end delivered", "returned item: no end"),
      ])
    func `a failed expectation reports the expected and the actual value`(
      expectation: String, expected: String, found: String
    ) throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "{ share: { from: viewer, to: other, text: Directions }, expect: { \(expectation) } }"
      ).result
      #expect(result.outcome == .failed)
      #expect(
        result.steps.last?.expectations.map { [$0.expected, $0.found] } == [[expected, found]])
      #expect(result.steps.last?.expectations.first?.position?.line == 25)
    }

    @Test func `unprotectData reads an unmanaged account's data without a request to the device`()
      throws
    {
      let passed = try Stage.play(
        "launch: mail",
        "{ protectData: { app: mail, path: list.dat, text: Milk, owner: private }, as: private, expect: { decidedBy: dataOfUnmanagedAccount } }",
        "{ unprotectData: { app: mail, path: list.dat }, as: private, expect: { received: Milk } }",
        "{ writeFile: { app: mail, path: list.txt, text: Bread }, as: private }",
        "{ unprotectData: { app: mail, path: list.txt }, as: private, expect: { received: Bread } }"
      )
      expectPass(passed)
      #expect(passed.result.steps.map(\.requests.count) == [0, 1, 0, 1, 0])
    }

    @Test func `the steps after a failed expectation are still carried out`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "{ share: { from: viewer, to: other, text: One }, expect: { verdict: blocked } }",
        "{ share: { from: viewer, to: other, text: Two }, expect: { received: Two } }"
      ).result
      #expect(result.outcome == .failed)
      #expect(result.steps.map { $0.expectations.map(\.isMet) } == [[], [false], [true]])
    }

    @Test func `each repetition of a step is compared with the expectation`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "{ share: { from: viewer, to: other, text: Hi }, repeat: 3, expect: { received: Hi } }"
      ).result
      #expect(result.outcome == .passed)
      #expect(result.steps.flatMap(\.expectations).count == 3)
    }

    @Test(
      arguments: [
        ("launch: [other, viewer]", "`viewer` is running already"),
        ("suspend: other", "`other` is not running; `launch` it first"),
        ("resume: other", "`other` is not running; `launch` it first"),
        // If all apps stay in memory, no app is launched implicitly.
        ("paste: { app: other }", "`other` is not running; `launch` it first"),
        (
          "shareSheet: { from: mail, items: { file: a.pdf } }",
          "`mail` is not running in the foreground"
        ),
      ])
    func `a step that cannot be carried out states the reason, and the case is an error`(
      step: String, why: String
    ) throws {
      let result = try Stage.play("launch: viewer", step).result
      #expect(result.outcome == .errored)
      #expect(result.steps.last?.failures == [why])
    }

    @Test(
      arguments: [
        ("ghost", "not started: cannot find the executable `", "No such file or directory"),
        ("text", "not started: `", "/scenario.yaml` is not an executable file"),
        ("quitter", "exited with status 1", ""),
      ])
    func `a launch fails if the app's program does not become ready`(
      guest: String, start: String, end: String
    ) throws {
      let result = try Stage.play("launch: \(guest)").result
      let why = try #require(result.steps.first?.failures.first)
      #expect(result.outcome == .errored)
      #expect(why.hasPrefix("`\(guest)` did not become ready: \(start)") && why.hasSuffix(end))
    }

    @Test func `the error for a bundle's missing script names the path in the bundle`() throws {
      let workspace = try Workspace()
      try workspace.write(
        """
        <plist version="1.0"><dict>
          <key>CFBundleIdentifier</key><string>org.example.ex</string>
          <key>CFBundleExecutable</key><string>main.lua</string>
        </dict></plist>
        """, to: "Ex.app/Info.plist")
      let file = try workspace.write(
        """
        apps: { ex: { bundle: org.example.ex, path: Ex.app } }
        steps: [{ launch: ex }]
        """, to: "scenario.yaml")
      let result = try Stage().play(file).result
      let why = try #require(result.steps.first?.failures.first)
      #expect(why.contains("cannot find the script `"))
      #expect(why.contains("/Ex.app/main.lua`: "), "\(why)")
    }

    @Test(arguments: [("ghost", "notStarted"), ("text", "notStarted"), ("quitter", "exited")])
    func `a launch step passes if the app fails with the expected exit`(guest: String, exit: String)
      throws
    {
      let result = try Stage.play("{ launch: \(guest), expect: { exit: \(exit) } }").result
      #expect(result.outcome == .passed, "\(result.steps)")
    }
  }

  /// Tests the telemetry that the SDK would send to Microsoft.
  @Suite struct TelemetryTests {
    private static func scenario(telemetry: String = "true", app: String = "") -> String {
      """
      device: { telemetry: \(telemetry), mdm: { enrolled: true } }
      accounts:
        anna: { upn: anna@contoso.com }
        private: { upn: anna@example.org }
      policies:
        base: { json: { displayName: Base, appGroupType: allApps }, assign: [{ account: anna }] }
      apps:
        mail: { bundle: com.contoso.mail, team: CONTOSO123, sdk: true, multiIdentity: true, mdmManaged: true\(app) }
        viewer: { bundle: org.example.viewer, team: EXAMPLE456 }
      steps:
        - launch: [mail, viewer]
        - signIn: { app: mail, account: anna }
        - signIn: { app: mail, account: private }
        - share: { from: mail, to: viewer, text: one }
        - share: { from: mail, to: viewer, text: two, via: os }
        - copy: { app: mail, text: three }
        - share: { from: viewer, to: mail, text: four }
        - signOut: { app: mail, account: anna }
        - relaunch: mail
      """
    }

    private func telemetry(_ scenario: String) throws -> [Telemetry] {
      let journal = try #require(try Stage().play(text: scenario).journals.first)
      return try journal.split(separator: "\n").compactMap { line in
        guard case .telemetryRecorded(let telemetry) = try JournalEvent(line: String(line)).kind
        else { return nil }
        return telemetry
      }
    }

    private func event(
      _ kind: Telemetry.Kind, _ management: Telemetry.Management, _ call: String? = nil,
      _ result: String? = nil
    ) -> Telemetry {
      Telemetry(
        app: "com.contoso.mail", kind: kind, management: management, call: call, result: result)
    }

    @Test func `telemetry has launches, enrollment calls and actions, but no names`() throws {
      #expect(
        try telemetry(Self.scenario()) == [
          event(.launch, .mdmOnly),
          event(.enrollment, .mamWithMDM, "registerAndEnroll", "enrolled"),
          event(.enrollment, .mamWithMDM, "registerAndEnroll", "notTargeted"),
          event(.action, .mamWithMDM, "share", "allowed"),
          event(.action, .mamWithMDM, "copy", "allowed"),
          event(.enrollment, .mdmOnly, "deRegisterAndUnenroll", "unenrolled"),
          event(.launch, .mdmOnly),
        ])
    }

    @Test func `telemetry of an enrollment call contains the call's status`() throws {
      let told = try telemetry(
        """
        device: { telemetry: true, service: { reachable: false } }
        accounts:
          anna: { upn: anna@contoso.com }
        policies:
          base: { json: { displayName: Base, appGroupType: allApps }, assign: [{ account: anna }] }
        apps:
          mail: { bundle: com.contoso.mail, team: CONTOSO123, sdk: true }
        steps:
          - launch: mail
          - unenroll: { app: mail, account: anna }
          - register: { app: mail, account: anna }
          - service: { reachable: true }
          - login: { app: mail, account: anna }
          - remediate: { app: mail, account: anna }
          - acquireToken: { app: mail, account: anna, resource: https://graph.microsoft.com }
          - unenroll: { app: mail, account: anna }
        """)
      let (enroll, unenroll) = ("registerAndEnroll", "deRegisterAndUnenroll")
      #expect(
        told == [
          event(.launch, .unmanaged),
          event(.enrollment, .unmanaged, unenroll, "appNotEnrolled"),
          event(.enrollment, .unmanaged, enroll, "enrollmentEndPointNetworkFailure"),
          event(.enrollment, .mamOnly, "loginAndEnroll", "newPoliciesReceived"),
          event(.enrollment, .unmanaged, unenroll, "unenrollmentSuccess"),
        ])
    }

    @Test(arguments: [("false", ""), ("true", ", telemetryDisabled: true")])
    func `telemetry is off by default and for apps that opt out`(
      telemetry: String, app: String
    ) throws {
      #expect(try self.telemetry(Self.scenario(telemetry: telemetry, app: app)).isEmpty)
    }

    @Test(arguments: [("<true/>", true), ("<false/>", false)])
    func `an app opts out of telemetry in its bundle`(value: String, isOptedOut: Bool) throws {
      let workspace = try Workspace()
      try workspace.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.contoso.mail</string>
        <key>CFBundlePackageType</key><string>APPL</string>
        <key>IntuneMAMSettings</key><dict><key>MAMTelemetryDisabled</key>\(value)</dict>
        </dict></plist>
        """, to: "Mail.app/Info.plist")
      let told = try telemetry(
        """
        device: { telemetry: true }
        apps:
          mail:
            bundle: com.contoso.mail
            team: CONTOSO123
            sdk: true
            path: \(workspace.path("Mail.app"))
        steps:
          - launch: mail
        """)
      #expect(told.isEmpty == isOptedOut)
    }
  }
}

struct CaseTrafficTests {
  @Test func `an extension's result is returned only once`() {
    let traffic = CaseTraffic()
    traffic.decided(
      RequestDecision(
        request: 7, operation: .completeExtension,
        receiver: Participant(
          guest: "mail", app: "com.contoso.mail", identity: nil, isManaged: false),
        verdict: ExplainedVerdict(
          outcome: .allowed, deciding: .noRuleApplied, reasons: [], changes: [])))
    traffic.sent(Item(text: "HELLO"), by: 7)
    traffic.ended(7, .delivered)
    #expect(traffic.takeReturned() == [7: "HELLO"])
    #expect(traffic.takeReturned().isEmpty)
  }
}

@Suite struct LineSearchTests {
  @Test(arguments: ["sent: 1", "Grüße", "a"])
  func `awaited text is found even if it is split between two chunks of output`(text: String) {
    let output = "first\nbefore \(text) after\nlast"
    for cut in output.indices {
      var search = LineSearch(text)
      search.append(String(output[..<cut]))
      search.append(String(output[cut...]))
      #expect(search.isFound)
    }
  }

  @Test(arguments: [["se", "nt"], ["a sent", "more"], ["sen\nt"], ["s", "e", "n", "t"]])
  func `awaited text is found across chunks but not across lines`(parts: [String]) {
    var search = LineSearch("sent")
    for part in parts { search.append(part) }
    #expect(search.isFound == !parts.contains("sen\nt"))
  }
}
