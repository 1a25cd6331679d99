import Foundation
import Model
import Scenario
import SimulationSupport
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// Tests guests that are suspended, killed, stopped and started again.
  @Suite struct LifecycleStepTests {
    private static let hi =
      "{ share: { from: viewer, to: other, text: Hi }, expect: { received: Hi } }"

    static let passing =
      [
        Steps(
          "an item for a suspended app arrives when the app resumes",
          "launch: [viewer, other]", "suspend: other",
          """
          concurrently:
                - share: { from: viewer, to: other, text: Directions }
                  expect: { end: delivered, received: Directions }
                - resume: other
          """),
        Steps(
          "a suspended app can be killed and stopped",
          "launch: [viewer, other]", "suspend: [viewer, other]",
          "{ kill: viewer, expect: { exit: killed } }",
          "{ stop: other, expect: { exit: stopped } }"),
        Steps(
          "an app that resumes acts for the account that it acted for",
          "launch: mail", "switchIdentity: { app: mail, to: anna }", "suspend: mail",
          "{ resume: mail, expect: { identity: anna, managed: true } }"),
        Steps(
          "an app with several accounts acts for none when it starts again",
          "launch: mail", "switchIdentity: { app: mail, to: anna }",
          "{ relaunch: mail, expect: { identity: unset, managed: false } }",
          "switchIdentity: { app: mail, to: anna }\n    expect: { verdict: allowed, managed: true }"
        ),
        Steps(
          "a killed app starts when an item is shared with it",
          "launch: [viewer, other]", "{ kill: other, expect: { exit: killed } }", hi,
          "{ stop: other, expect: { exit: stopped } }"),
        Steps(
          "killing and stopping an app that is not running changes nothing",
          "launch: viewer", "kill: other", "stop: other"),
      ]
      + ["kill: viewer", "stop: viewer", "suspend: viewer", "resume: viewer"].map {
        Steps(
          "an app starts again whatever became of it, such as by `\($0)`",
          "launch: [viewer, other]", $0, "relaunch: viewer", hi,
          "{ stop: viewer, expect: { exit: stopped } }")
      }

    @Test(arguments: passing) func `guests are suspended, resumed, stopped and restarted by steps`(
      steps: Steps
    ) throws {
      expectPass(try Stage.play(steps.lines))
    }

    @Test func `a log step shows the lines since the previous log step`() throws {
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

    @Test func `a crash of an app fails the running step unless it is expected`() throws {
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

    /// Writes a guest in Python with a scripted reaction to leaving the screen.
    ///
    /// - Parameter answer: Python, in which `ask` is the number of the question.
    private func leaver(_ workspace: borrowing Workspace, _ answer: String) throws -> String {
      let hello = try String(
        contentsOfFile: Repository.path("examples/hello.py"), encoding: .utf8)
      let head = try #require(hello.firstRange(of: "with open(3")).lowerBound
      let path = try workspace.write(
        hello[..<head] + """
          with open(3, "rb") as input, open(3, "wb", closefd=False) as output:
              send(_2=message(_1=1, _2=2))
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
        // Messages that arrive with the answer are read before the guest is frozen.
        ("[send(_19=message(_1=ask)), [send(_20=message(_1='more')) for _ in range(4000)]]", nil),
        ("exit(1)", "`leaver` is not running"),
        ("pass", "`leaver` is not running"),
      ] as [(String, String?)])
    func `suspending an app that exits or does not answer ends the app`(
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
      // The other guest is always suspended.
      #expect([0, 2, 3].allSatisfy { failures[$0].isEmpty }, "\(failures)")
    }

    @Test func `an expected exit of a guest is not a failure`() throws {
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

    @Test func `a suspended app makes no requests`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "suspend: viewer",
        "share: { from: viewer, to: other, text: Directions }"
      ).result
      #expect(result.outcome == .errored)
      #expect(result.steps.last?.failures == ["`viewer` is suspended"])
      #expect(result.steps.allSatisfy { $0.requests.isEmpty })
    }
  }

  /// Tests guests that an item starts, or that are not running when it arrives.
  @Suite struct StartedGuestTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func failures(_ text: String) throws -> [String] {
      let result = try Stage().play(workspace.write(text, to: "scenario.yaml")).result
      #expect(result.outcome == .passed || !result.steps.flatMap(\.failures).isEmpty)
      return result.steps.flatMap(\.failures)
    }

    @Test
    func `a program without a launch handler becomes idle after it is launched to open content`()
      throws
    {
      let hello = try String(contentsOfFile: Repository.path("examples/hello.py"), encoding: .utf8)
      let answer = try #require(hello.range(of: "        elif ask := received.get(10)"))
      let program = try workspace.write(String(hello[..<answer.lowerBound]), to: "own.py")
      try Executable.make(program)
      #expect(
        try failures(
          """
          apps:
            own: { bundle: org.example.own, executable: \(program) }
            viewer: { bundle: org.example.viewer }
          steps:
            - launch: viewer
            - { share: { from: viewer, to: own, text: Hello }, expect: { end: delivered } }
            - wait: idle
            - { stop: own, expect: { exit: stopped } }
          """) == [])
    }

    @Test func `a wait step matches only lines of the named app`() throws {
      let sender = try workspace.write(
        """
        app.launched(function()
          device.pause(300)
          app.share { to = "receiver", text = "one" }
        end)
        """, to: "sender.lua")
      let receiver = try workspace.write(
        "app.received(function() print(\"it has come\") end)", to: "receiver.lua")
      let apps = """
        apps:
          sender: { bundle: org.example.sender, executable: \(sender) }
          receiver: { bundle: org.example.receiver, executable: \(receiver) }
          viewer: { bundle: org.example.viewer }
        """
      let wait = "wait: { said: { app: receiver, text: it has come } }"
      #expect(try failures("\(apps)\nsteps:\n  - launch: sender\n  - \(wait)\n") == [])
      let alone = try failures("\(apps)\nsteps:\n  - launch: viewer\n  - \(wait)\n")
      #expect(alone.count == 1 && alone[0].hasSuffix("and is not running"), "\(alone)")
    }

    @Test func `a wait for a decision fails once the app has exited`() throws {
      let own = try workspace.write(
        "app.launched(function() error(\"stopped\") end)", to: "own.lua")
      let failures = try failures(
        """
        apps:
          own: { bundle: org.example.own, executable: \(own) }
        steps:
          - { launch: own, expect: { exit: exited } }
          - wait: { decided: { app: own, request: share } }
        """)
      #expect(failures.count == 1, "\(failures)")
      #expect(failures.last?.contains("and `own` is not running: ") == true, "\(failures)")
    }

    @Test func `a step on an app whose account is locked fails with the reason`() throws {
      let failures = try failures(
        """
        device: { prompts: asked }
        accounts:
          anna: { upn: anna@contoso.com, tenant: contoso.com }
        policies:
          pin:
            json: { displayName: PIN, pinRequired: true }
            assign: [{ account: anna, apps: [com.contoso.mail] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        steps:
          - concurrently: [{ launch: mail }, { copy: { app: mail, text: a } }]
        """)
      #expect(failures.contains { $0.contains("the account of `mail` is locked") }, "\(failures)")
    }
  }
}

/// Tests apps that are terminated because memory is low.
@Suite struct AppMemoryTests {
  @Test func `the least recently used running apps are terminated under memory pressure`() {
    var memory = AppMemory(limit: 2)
    var running: Set<String> = []
    func use(_ apps: String...) -> [String] {
      let leaving = memory.use(apps) { running.contains($0) }
      running.subtract(leaving)
      running.formUnion(apps)
      return leaving
    }
    #expect(use("a") == [])
    #expect(use("b") == [])
    #expect(use("c") == ["a"])
    #expect(use("b") == [])
    #expect(use("d") == ["c"])
    running.remove("b")
    #expect(use("a") == [])
    #expect(use("a", "c") == ["d"])
    #expect(use("e") == ["a"])
  }

  @Suite struct AppMemoryStepTests {
    @Test func `an app terminated for low memory restarts for a step and keeps its files`() throws {
      let played = try Stage().play(
        text: """
          apps:
            a: { bundle: com.contoso.a }
            b: { bundle: org.example.b }
            c: { bundle: org.example.c }
          device: { appsInMemory: 2 }
          steps:
            - launch: [a, b, c]
            - { writeFile: { app: a, path: x.txt, text: kept } }
            - { share: { from: a, to: b, text: hello }, expect: { received: hello } }
            - { copy: { app: c, text: copied }, expect: { verdict: allowed } }
            - { paste: { app: b }, expect: { received: copied } }
            - { readFile: { app: a, path: x.txt }, expect: { received: kept } }
          """)
      expectPass(played)
      var running: Set<String> = []
      var ended = 0
      for line in played.journals[0].split(separator: "\n") {
        let event = try JournalEvent(line: String(line)).kind
        if case .guestReady(let guest) = event { running.insert(guest) }
        if case .guestExited(let guest, let cause, _) = event {
          running.remove(guest)
          if cause == ExitCause.memoryPressure.code { ended += 1 }
        }
        #expect(running.count <= 2)
      }
      #expect(ended == 5)
    }
  }

  /// Tests steps that wait for programs that act on their own.
  @Suite struct WaitStepTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// Runs a case.
    ///
    /// - Parameter steps: One step per line.
    private func play(
      _ program: String, _ steps: [String], limit: UInt64? = nil
    ) throws -> StageResult {
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
      return try stage.play(file)
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

    @Test func `a wait step matches an item that a program sends by itself`() throws {
      expectPass(
        try play(
          writeSender(),
          [
            "launch: [viewer, own]",
            "wait: { received: { app: viewer, text: two, type: public.utf8-plain-text, from: own } }",
            "wait: { received: { app: viewer, text: one, from: org.example.own } }",
          ]))
    }

    @Test func `a wait step matches each item that arrived earlier only once`() throws {
      let result = try play(
        writeSender(),
        [
          "launch: [viewer, own]",
          "share: { from: other, to: viewer, text: one }", "launch: other",
          "share: { from: other, to: viewer, text: one }",
          "wait: { received: { app: viewer, text: two, from: own } }",
          "wait: { received: { app: viewer, text: one, from: other } }",
          "wait: { received: { app: viewer, from: other } }",
        ], limit: 5_000
      ).result
      #expect(
        result.steps.last?.failures == [
          "the step did not end within 5 seconds: `viewer` did not get an item from other; it got `one` of "
            + "the type public.utf8-plain-text from own"
        ])
      #expect(result.steps.filter { !$0.failures.isEmpty }.map(\.number) == [2, 7])
    }

    @Test func `a wait step matches each decision on a program's own request only once`() throws {
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
        ], limit: 5_000
      ).result
      #expect(
        result.steps.last?.failures == [
          "the step did not end within 5 seconds: the device did not decide on a request of own, allowed"
        ])
      #expect(result.steps.filter { !$0.failures.isEmpty }.map(\.number) == [4])
    }

    @Test func `a wait for idle ends only after a program has finished all its work`() throws {
      let program = try String(
        contentsOfFile: Repository.path("examples/hello.py"), encoding: .utf8
      )
      .replacing("org.example.notekeeper", with: "org.example.viewer")
      let share = "            send(_1=request, _4=message(_1=DESTINATION, _2=item))  # Share\n"
      let acknowledge =
        "            send(_3=message(_1=fields(delivery)[1]))  # Acknowledge\n"
      #expect(program.contains(share + acknowledge))
      // The guest confirms the item, works, and then shares.
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

    @Test func `a wait for idle ends immediately on a device without work`() throws {
      expectPass(
        try play(
          "none.lua",
          ["wait: idle", "launch: [viewer, other]", "suspend: other", "wait: idle", "stop: viewer"]
        ))
    }

    @Test func `a wait for a duration takes real time and does not advance the virtual clock`()
      throws
    {
      let start = ContinuousClock.now
      let played = try play("none.lua", ["wait: PT1S"])
      expectPass(played)
      #expect(ContinuousClock.now - start >= .seconds(1))
      #expect(played.result.steps.map(\.text) == ["wait PT1S of real time"])
    }
  }
}
