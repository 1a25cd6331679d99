import Scenario
import TestSupport
import Testing

extension RealProcesses {
  /// Guests that are suspended, killed, stopped and started again.
  @Suite struct LifecycleStepTests {
    private func expectPass(
      _ performance: Performance, _ location: SourceLocation = #_sourceLocation
    ) {
      #expect(
        performance.report.isPassed, "\(performance.report.text())", sourceLocation: location)
    }

    @Test func `what is sent to a suspended app arrives when it resumes`() throws {
      expectPass(
        try Stage.play(
          "launch: [viewer, other]",
          "suspend: other",
          """
          concurrently:
                - share: { from: viewer, to: other, text: Directions }
                  expect: { end: delivered, received: Directions }
                - resume: other
          """))
    }

    @Test func `a look at an app's log shows what it has written since the last one`() throws {
      let workspace = try Workspace()
      let script = try workspace.write(
        """
        app.launched(function() log("one") log("two") end)
        app.received(function(item) log("three") end)
        """, to: "main.lua")
      expectPass(
        try Stage().play(
          text: """
            apps:
              talker: { bundle: org.example.talker, executable: \(script) }
              viewer: { bundle: org.example.viewer }
            steps:
              - launch: [talker, viewer]
              - { log: talker, expect: { received: "one\\ntwo" } }
              - share: { from: viewer, to: talker, text: Directions }
              - { log: talker, expect: { received: three } }
              - { log: talker, expect: { received: "" } }
            """))
    }

    @Test func `a step in which an app of one's own crashes has failed, unless it expects that`()
      throws
    {
      let workspace = try Workspace()
      let script = try workspace.write(
        "app.received(function(item) error(item.text) end)", to: "main.lua")
      let result = try Stage().play(
        text: """
          apps:
            talker: { bundle: org.example.talker, executable: \(script) }
            viewer: { bundle: org.example.viewer }
          steps:
            - launch: [talker, viewer]
            - share: { from: viewer, to: talker, text: Boom }
            - relaunch: talker
            - share: { from: viewer, to: talker, text: Boom }
              expect: { exit: exited }
          """
      ).result
      #expect(
        result.steps.map(\.failures) == [
          [], ["`talker` crashed: exited with status 70"], [], [],
        ])
    }

    @Test func `a suspended app asks for nothing`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "suspend: viewer",
        "share: { from: viewer, to: other, text: Directions }"
      ).result
      #expect(result.outcome == .errored)
      #expect(result.steps.last?.failures == ["`viewer` is suspended"])
      #expect(result.steps.allSatisfy { $0.requests.isEmpty })
    }

    @Test func `a suspended app can be killed and stopped`() throws {
      expectPass(
        try Stage.play(
          "launch: [viewer, other]",
          "suspend: [viewer, other]",
          "{ kill: viewer, expect: { exit: killed } }",
          "{ stop: other, expect: { exit: stopped } }"))
    }

    @Test func `an app that resumes acts for the account that it acted for`() throws {
      expectPass(
        try Stage.play(
          "launch: mail",
          "switchIdentity: { app: mail, to: anna }",
          "suspend: mail",
          "{ resume: mail, expect: { identity: anna, managed: true } }"))
    }

    @Test func `an app with several accounts acts for none when it starts again`() throws {
      expectPass(
        try Stage.play(
          "launch: mail",
          "switchIdentity: { app: mail, to: anna }",
          "{ relaunch: mail, expect: { identity: unset, managed: false } }",
          "switchIdentity: { app: mail, to: anna }\n    expect: { verdict: allowed, managed: true }"
        ))
    }

    @Test func `an app that was killed starts when something is shared with it`() throws {
      expectPass(
        try Stage.play(
          "launch: [viewer, other]",
          "{ kill: other, expect: { exit: killed } }",
          "{ share: { from: viewer, to: other, text: Hi }, expect: { received: Hi } }",
          "{ stop: other, expect: { exit: stopped } }"))
    }

    @Test(arguments: ["kill: viewer", "stop: viewer", "suspend: viewer", "resume: viewer"])
    func `an app starts again whatever became of it`(change: String) throws {
      expectPass(
        try Stage.play(
          "launch: [viewer, other]",
          change,
          "relaunch: viewer",
          "{ share: { from: viewer, to: other, text: Hi }, expect: { received: Hi } }",
          "{ stop: viewer, expect: { exit: stopped } }"))
    }

    @Test func `killing and stopping an app that does not run changes nothing`() throws {
      let result = try Stage.play("launch: viewer", "kill: other", "stop: other").result
      #expect(result.outcome == .passed)
    }

    @Test func `an app that is stopped while it starts has stopped in order`() throws {
      let result = try Stage.play(
        "concurrently: [{ launch: viewer }, { stop: viewer }]",
        "{ stop: viewer, expect: { exit: stopped } }"
      ).result
      #expect(result.steps.last?.expectations.map(\.isMet) == [true])
    }
  }
}
