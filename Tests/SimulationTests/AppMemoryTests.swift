import Model
import Scenario
import Testing

@testable import Simulation

/// Apps that end for want of memory.
@Suite struct AppMemoryTests {
  @Test func `those make room that were used longest ago and run`() {
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
}

extension RealProcesses {
  @Suite struct AppMemoryStepTests {
    @Test
    func
      `an app that was ended comes again when a step addresses it, without what it had in memory`()
      throws
    {
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
      #expect(played.result.outcome == .passed, "\(played.result)")
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

    @Test func `where all stay in memory, an app that does not run is not launched by itself`()
      throws
    {
      let played = try Stage.play(
        "launch: mail", "{ share: { from: viewer, to: mail, text: hello } }")
      #expect(played.result.outcome == .errored)
    }
  }
}
