import Foundation
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
            # What is expected is the sender's end.
            - share: { from: viewer, to: talker, text: Boom }
              expect: { exit: exited }
            - share: { from: viewer, to: talker, text: Boom }
              expect: { end: undeliverable }
          """
      ).result
      #expect(
        result.steps.map(\.failures) == [
          [], ["`talker` ended unexpectedly: exited with status 70"], [],
          ["`talker` ended unexpectedly: exited with status 70"], [],
        ])
    }

    /// A guest in Python that answers when it is told to leave the screen, or does something else.
    ///
    /// - Parameter answer: Python, in which `ask` is the number of the question.
    private func leaver(_ workspace: borrowing Workspace, _ answer: String) throws -> String {
      let hello = try String(
        contentsOfFile: Repository.path("examples/hello.py"), encoding: .utf8)
      let head = try #require(hello.firstRange(of: "with open(3")).lowerBound
      let path = try workspace.write(
        hello[..<head] + """
          with open(3, "rb") as input, open(3, "wb", closefd=False) as output:
              send(_2=message(_1=1, _2=1))
              assert 2 in receive()
              while (received := receive()) and 11 not in received:
                  if perform := received.get(10):
                      ask = fields(perform)[1]
                      \(answer)
          """, to: "leaver.py")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      return path
    }

    @Test(
      arguments: [
        // What comes with the answer is read before the guest is frozen.
        ("[send(_19=message(_1=ask)), [send(_20=message(_1='more')) for _ in range(4000)]]", nil),
        ("exit(1)", "`leaver` is not running"),
        ("pass", "`leaver` is not running"),
      ] as [(String, String?)])
    func `an app that leaves the screen is suspended when it says so, and ended where it does not`(
      answer: String, failure: String?
    ) throws {
      let workspace = try Workspace()
      let script = try leaver(workspace, answer)
      let result = try Stage().play(
        text: """
          apps:
            leaver: { bundle: org.example.leaver, executable: \(script) }
            viewer: { bundle: org.example.viewer }
          steps:
            - launch: [leaver, viewer]
            - suspend: [leaver, viewer]
            - resume: viewer
            - kill: viewer
          """
      ).result
      let failures = result.steps.map(\.failures)
      #expect(failures[1].first == failure)
      // The other one is suspended in any case.
      #expect([0, 2, 3].allSatisfy { failures[$0].isEmpty }, "\(failures)")
    }

    @Test func `an end that a step expects of its guest is no failure`() throws {
      let workspace = try Workspace()
      let script = try leaver(workspace, "exit(1)")
      expectPass(
        try Stage().play(
          text: """
            apps: { leaver: { bundle: org.example.leaver, executable: \(script) } }
            steps:
              - launch: leaver
              - { suspend: leaver, expect: { exit: exited } }
              - launch: leaver
              - { tap: { app: leaver, button: OK }, expect: { exit: exited } }
            """))
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
