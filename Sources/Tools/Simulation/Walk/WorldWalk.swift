internal import Diagnostics
internal import Host
internal import Leaks
internal import Model
internal import Scenario

/// A random walk over the apps of a scenario, on real processes. Data of a managed account must come to no place that the
/// search for leaks finds out of reach, and to no app that a query finds out of reach.
///
/// The walk goes in rounds, each on a fresh device. A walk of the same seed takes the same steps.
public struct WorldWalk: Sendable {
  private let run: ScenarioRun
  private let seed: UInt64
  private let steps: Int
  private let scenario: Scenario
  private let text: WorldText
  private let world: LeakWorld
  private let judge: WorldJudge

  /// The number of steps on one device.
  private static let roundLength = 250
  /// The number of walks that may be tried to find a shorter one that fails.
  private static let shrinkingLimit = 200

  /// A walk over the world of a scenario's file.
  ///
  /// - Parameter claimed: the file of a scenario whose leaks are said to be all there are; nil: those of the walk's own.
  /// - Throws: ``RunError`` where the scenario, or a file that it names, cannot be read, where no policy is for an account
  ///   in any of its apps, or no device comes up.
  public init(
    over file: String, _ settings: RunSettings, seed: UInt64, steps: Int,
    claiming claimed: String? = nil
  ) throws(RunError) {
    run = ScenarioRun(settings)
    self.seed = seed
    self.steps = steps
    let source = try ScenarioFiles.text(of: file)
    scenario = try ScenarioFiles.scenario(in: source, file: file)
    text = try WorldText(source, of: scenario).answered
    let question = LeakQuestion(.careless, .any, .stated)
    let study =
      if let claimed {
        try LeakStudy(of: claimed, question, by: run)
      } else {
        try LeakStudy(source, scenario, question, by: run)
      }
    world = study.world
    judge = WorldJudge(study.report, of: study.search)
  }

  /// Takes the steps, until data come where they must not.
  ///
  /// - Throws: ``RunError`` where no device comes up.
  public func walk() throws(RunError) -> WorldWalkReport {
    var report = WorldWalkReport(seed: seed, known: known)
    for round in rounds where report.failure == nil { report.add(try take(round)) }
    return report
  }

  /// The files that the walk has read.
  package var inputFiles: [String] { scenario.inputFiles }

  /// The number of places that the search for leaks finds.
  package var known: Int { judge.known.count }

  /// The rounds of the walk, in their order.
  package var rounds: [PlannedRound] {
    PlannedRound.rounds(seed: seed, steps: steps, length: Self.roundLength)
  }

  /// Takes the steps of one round.
  ///
  /// - Throws: ``RunError`` where no device comes up.
  package func take(_ round: PlannedRound) throws(RunError) -> WorldWalkReport {
    var generator = WorldSteps(over: world, accounts: accounts, seed: round.seed)
    let taken = [generator.launch] + (0..<round.length).map { _ in generator.next() }
    let recording = try record(taken)
    let arrivals = judge.arrivals(recording.events)
    var report = WorldWalkReport(
      seed: seed, known: known, recording.events, steps: round.length,
      seen: arrivals.intersection(judge.known))
    let new = findings(in: recording.events)
    if !new.isEmpty {
      report.failure = try failure(after: taken, new, seed: round.seed, round.length)
    }
    return report
  }

  /// Takes the given steps on a fresh device. Steps that cannot be carried out are left out.
  ///
  /// - Returns: One sentence for each place and app that data reached although the search, or a query, finds no way there.
  /// - Throws: ``RunError`` where no device comes up.
  package func findings(after steps: [String]) throws(RunError) -> Set<String> {
    findings(in: try record(steps).events)
  }

  private func findings(in events: [JournalEvent]) -> Set<String> {
    let arrivals = judge.arrivals(events).filter { !judge.expects($0) }.map(\.text)
    let deliveries = judge.deliveries(events).filter { !judge.expects($0) }.map(\.text)
    return Set(arrivals + deliveries)
  }

  private var accounts: [String] { scenario.accounts.map(\.name) }

  /// The steps that lead to one of the findings, fewer where possible.
  private func failure(
    after steps: [String], _ found: Set<String>, seed: UInt64, _ length: Int
  ) throws(RunError) -> WalkReport.Failure {
    let shrinker = Shrinker<String>(limit: Self.shrinkingLimit) { steps in
      guard let findings = try? findings(after: steps) else { return false }
      return !findings.isDisjoint(with: found)
    }
    let shrunk = shrinker.shrink(steps)
    let left = try findings(after: shrunk).intersection(found)
    let sentence = (left.isEmpty ? found : left).min() ?? ""
    return WalkReport.Failure(
      WalkFinding(invariant: .found, sentence: sentence), seed: seed, number: length,
      after: left.isEmpty ? steps : shrunk)
  }

  /// Carries out steps on a fresh device. What cannot be carried out is passed over.
  private func record(_ steps: [String]) throws(RunError) -> CaseRecording {
    let text = """
      \(text.lines)
      cases:
        - name: walk
          steps:

      """ + steps.map { "      - \($0)\n" }.joined()
    let scenario: Scenario
    do throws(ScenarioError) {
      scenario = try Scenario.read(text, file: self.scenario.file)
    } catch {
      throw RunError(
        .file(self.scenario.file),
        "the scenario's text cannot be made one that walks: \(error.diagnostic.message)",
        rule: "walk")
    }
    let prepared = try run.prepare(scenario.replayable)
    return try run.runAndForget(prepared.cases[0], of: prepared)
  }
}

extension WorldJudge.Delivery {
  /// The delivery in words, which no other has.
  var text: String { "data of \(owner) came from \(from) to \(to)" }
}

extension WorldJudge.Arrival {
  /// The arrival in words, which no other has.
  var text: String { "data of \(owner) reached \(place.text)" }
}
