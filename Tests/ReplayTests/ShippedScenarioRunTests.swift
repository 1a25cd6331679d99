import Foundation
import Model
import Replay
import Scenario
import Simulation
import SimulationSupport
import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

extension RealProcesses {
  /// The shipped scenarios pass, and their journals are reproducible.
  @Suite struct ShippedScenarioRunTests {
    private static let python = "/usr/bin/python3"
    private static let isPythonThere = FileManager.default.isExecutableFile(atPath: python)

    private static let inPython = Repository.scenarios.filter { file in
      scenario(file).apps.contains { $0.executable?.hasSuffix(".py") ?? false }
    }
    /// The scenarios with real times in their journals. No two of these journals are equal.
    private static let byTheMachinesClock = Repository.scenarios.filter {
      scenario($0).device.beginsNow
    }
    private static let others = Repository.scenarios.filter {
      !inPython.contains($0) && !byTheMachinesClock.contains($0)
    }
    private static let oneByOne = others.filter { !isParallel(scenario($0)) }
    private static let concurrent = others.filter { isParallel(scenario($0)) }

    /// Returns whether processes run in parallel. An extension ends while its caller stores the
    /// returned item.
    private static func isParallel(_ scenario: Scenario) -> Bool {
      scenario.isConcurrent
        || scenario.apps.contains { $0.extensionKind != nil || $0.path != nil }
    }

    private static func scenario(_ file: String) -> Scenario {
      do {
        return try ScenarioFiles.read(Repository.path(file))
      } catch {
        preconditionFailure("\(error)")
      }
    }

    /// Plays cases that must all pass.
    @discardableResult
    private func expectPass(_ file: String, on stage: Stage) throws -> StageResult {
      let played = try stage.play(Repository.path(file))
      #expect(played.report.isPassed, "\(played.report.text())")
      #expect(played.report.suites.map(\.cases.count) == [Self.scenario(file).cases.count])
      for journal in played.journals { try expectSameDecisions(journal) }
      return played
    }

    /// Decides all requests in the journal again, and expects equal decisions.
    private func expectSameDecisions(_ journal: String) throws {
      let folder = try Workspace()
      try folder.write(journal, to: "journal.jsonl")
      let report = try Replay(of: folder.path("journal.jsonl")).report(under: nil)
      #expect(report.isSame, "\(report.text)")
    }

    @Test(.enabled(if: isPythonThere, "there is no /usr/bin/python3"), arguments: inPython)
    func `a scenario with Python guests passes`(file: String) throws {
      try expectPass(file, on: Stage())
    }

    @Test(.serverPrograms, arguments: byTheMachinesClock)
    func `a scenario on the machine's clock passes and reproduces its report`(
      file: String
    ) throws {
      let stage = try Stage()
      let first = try expectPass(file, on: stage).report.json()
      let again = try stage.play(Repository.path(file)).report.json()
      #expect(again == first, "\(again)\n\(first)")
    }

    @Test(arguments: oneByOne)
    func `a shipped scenario passes and reproduces its journals byte for byte`(
      file: String
    ) throws {
      let stage = try Stage()
      let first = try expectPass(file, on: stage).journals
      let again = try stage.play(Repository.path(file)).journals
      #expect(again == first, "\(Self.differences(first, again))")
    }

    /// Returns the first differing lines of two journals, one above the other.
    private static func differences(_ first: [String], _ again: [String]) -> String {
      let pairs = zip(first, again).flatMap { one, other in
        zip(one.split(separator: "\n"), other.split(separator: "\n")).filter { $0 != $1 }
      }
      return pairs.prefix(3).map { "\n\($0)\n\($1)" }.joined()
    }

    @Test(arguments: concurrent)
    func `the order of simultaneous events may differ between journals, but not between reports`(
      file: String
    ) throws {
      let stage = try Stage()
      let first = try expectPass(file, on: stage)
      let again = try stage.play(Repository.path(file))
      #expect(again.journals.map(unordered) == first.journals.map(unordered))
      #expect(again.report.json() == first.report.json())
    }

    @Test func `a different seed changes only the journal line that states the seed`() throws {
      var stage = try Stage()
      let file = Repository.path("scenarios/criteria/SEND.yaml")
      let usual = try stage.play(file).journals.map(lines)
      stage.seed = 4711
      let seeded = try stage.play(file).journals.map(lines)
      #expect(seeded.allSatisfy { $0.first?.contains(#""seed":4711"#) ?? false })
      #expect(seeded.map { $0.dropFirst() } == usual.map { $0.dropFirst() })
    }

    private func lines(_ journal: String) -> [Substring] { journal.split(separator: "\n") }

    /// Returns the lines in alphabetical order, without sequence numbers and the runs of
    /// extensions.
    private func unordered(_ journal: String) -> [String] {
      lines(journal).map {
        String($0).replacing(/"(seq|request)":\d+,?|"(from|stated)":\[[\d,]*\],|#\d+/, with: "")
      }.sorted()
    }
  }
}

extension Scenario {
  /// Whether steps run concurrently, in an undefined order.
  fileprivate var isConcurrent: Bool {
    cases.flatMap(\.steps).contains { step in
      if case .concurrently = step.action { return true }
      if case .traffic = step.action { return true }
      guard case .share(let share) = step.action else { return false }
      return guests(named: share.from).count > 1
    }
  }
}
