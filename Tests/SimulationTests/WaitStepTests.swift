import Foundation
import Scenario
import TestSupport
import Testing

extension RealProcesses {
  /// Steps that wait for programs with a mind of their own.
  @Suite struct WaitStepTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// - Parameter steps: a line each.
    private func play(
      _ program: String, _ steps: [String], limit: UInt64? = nil
    ) throws -> CaseResult {
      let lines = steps.map { "  - \($0)\n" }.joined()
      let file = try workspace.write(
        """
        apps:
          own: { bundle: org.example.own, executable: \(program) }
          viewer: { bundle: org.example.viewer }
          other: { bundle: org.example.other }
        steps:
        \(lines)
        """, to: "scenario.yaml")
      var stage = try Stage()
      stage.stepLimit = limit
      return try stage.play(file).result
    }

    private func expectPass(
      _ result: CaseResult, _ location: SourceLocation = #_sourceLocation
    ) {
      #expect(
        result.outcome == .passed, "\(result.steps.map(\.failures))", sourceLocation: location)
    }

    private func writeSender() throws -> String {
      try workspace.write(
        """
        app.launched(function()
          device.pause(300)
          app.share { to = "viewer", text = "one" }
          app.share { to = "viewer", text = "two" }
        end)
        """, to: "sender.lua")
    }

    @Test func `an item that a program sends by itself is waited for`() throws {
      expectPass(
        try play(
          writeSender(),
          [
            "launch: [viewer, own]",
            "wait: { received: { app: viewer, text: two, type: public.utf8-plain-text, from: own } }",
            "wait: { received: { app: viewer, text: one, from: org.example.own } }",
          ]))
    }

    @Test func `an item that came before the wait counts, once`() throws {
      let result = try play(
        writeSender(),
        [
          "launch: [viewer, own]",
          "share: { from: other, to: viewer, text: one }", "launch: other",
          "share: { from: other, to: viewer, text: one }",
          "wait: { received: { app: viewer, text: two, from: own } }",
          "wait: { received: { app: viewer, text: one, from: other } }",
          "wait: { received: { app: viewer, from: other } }",
        ], limit: 5_000)
      #expect(
        result.steps.last?.failures == [
          "it did not end within 5 seconds: `viewer` did not get an item from other; it got `one` of "
            + "the type public.utf8-plain-text from own"
        ])
      #expect(result.steps.filter { !$0.failures.isEmpty }.map(\.number) == [2, 7])
    }

    @Test func `a decision on what a program asks for by itself is waited for, once`() throws {
      try workspace.write(
        """
        app.launched(function()
          device.pause(300)
          app.share { to = "viewer", text = "one" }
          app.share { to = "nobody.example.org", text = "two" }
        end)
        """, to: "asker.lua")
      let result = try play(
        "asker.lua",
        [
          "launch: [viewer, own]",
          "wait: { decided: { app: own, request: share, verdict: blocked } }",
          "wait: { decided: { app: own, with: org.example.viewer, decidedBy: noRuleApplied } }",
          "wait: { decided: { app: own, verdict: allowed } }",
        ], limit: 5_000)
      #expect(
        result.steps.last?.failures == [
          "it did not end within 5 seconds: the device did not decide on a request of own, allowed"
        ])
      #expect(result.steps.filter { !$0.failures.isEmpty }.map(\.number) == [4])
    }

    @Test func `idle is when a program has done what it was at, also what nobody waits for`() throws
    {
      let program = try String(
        contentsOfFile: Repository.path("examples/hello.py"), encoding: .utf8
      )
      .replacing("org.example.notekeeper", with: "org.example.viewer")
      let share = "            send(_1=request, _4=message(_1=DESTINATION, _2=item))  # Share\n"
      let acknowledge =
        "            send(_3=message(_1=fields(delivery)[1]))  # Acknowledge\n"
      #expect(program.contains(share + acknowledge))
      // It confirms what it got, works, and only then shares.
      let slow =
        "            output.flush()\n            sum(number * number for number in range(3_000_000))\n"
      try workspace.write(
        program.replacing(share + acknowledge, with: acknowledge + slow + share), to: "slow.py")
      try Executable.make(workspace.path("slow.py"))
      expectPass(
        try play(
          "slow.py",
          [
            "launch: [viewer, own]", "share: { from: viewer, to: own, text: Hi }", "wait: idle",
            "kill: own",
            "wait: { received: { app: viewer, text: Hello from Python, from: own } }",
          ], limit: 30_000))
    }

    @Test func `with nobody at work it is idle at once`() throws {
      expectPass(
        try play(
          "none.lua",
          ["wait: idle", "launch: [viewer, other]", "suspend: other", "wait: idle", "stop: viewer"]
        ))
    }

    @Test func `a duration is real time, and the device's clock stands still`() throws {
      let start = ContinuousClock.now
      let result = try play("none.lua", ["wait: PT1S"])
      expectPass(result)
      #expect(ContinuousClock.now - start >= .seconds(1))
      #expect(result.steps.map(\.text) == ["wait PT1S of real time"])
    }
  }
}
