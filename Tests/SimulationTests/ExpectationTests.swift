import JSON
import Scenario
import TestSupport
import Testing

extension RealProcesses {
  /// What becomes of expectations that do not hold, and of steps that cannot be carried out.
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
    func `what was expected and what was found instead are in the report`(
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

    @Test func `the steps after an expectation that failed are carried out`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "{ share: { from: viewer, to: other, text: One }, expect: { verdict: blocked } }",
        "{ share: { from: viewer, to: other, text: Two }, expect: { received: Two } }"
      ).result
      #expect(result.outcome == .failed)
      #expect(result.steps.map { $0.expectations.map(\.isMet) } == [[], [false], [true]])
    }

    @Test func `a repeated step is compared each time`() throws {
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
        ("paste: { app: other }", "`other` is not running; `launch` it first"),
      ])
    func `a step that cannot be carried out says why, and the case is errored`(
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
    func `a program that does not come up is a failure of its launch`(
      guest: String, start: String, end: String
    ) throws {
      let result = try Stage.play("launch: \(guest)").result
      let why = try #require(result.steps.first?.failures.first)
      #expect(result.outcome == .errored)
      #expect(why.hasPrefix("`\(guest)` did not come up: \(start)") && why.hasSuffix(end))
    }

    @Test func `a bundle's script that is missing is missed in the bundle`() throws {
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
    func `a launch can be expected to fail`(guest: String, exit: String) throws {
      let result = try Stage.play("{ launch: \(guest), expect: { exit: \(exit) } }").result
      #expect(result.outcome == .passed, "\(result.steps)")
    }
  }
}
