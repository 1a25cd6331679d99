internal import ArgumentParser
internal import Conformance
internal import Distribution
internal import Encodings
internal import Output
internal import Scenario
internal import Simulation

struct Walk: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "walk",
    abstract: "Perform random steps of users and apps, and check for leaks after each.",
    discussion: """
      Three apps run as real processes: one with an organisation's account and a personal one, a peer under the \
      same policy, and one without a policy. They switch identities, are suspended, killed and restarted, and \
      exchange and store texts. After each step, only the organisation's apps may read its data, and all apps may \
      read other data. A failing walk is reduced to the necessary steps.

      With a scenario, the walk uses its apps, accounts and policies, with careless apps and users. Data of managed \
      accounts must not reach a place that `sluice leaks` finds unreachable.

      Exit status: 0 all checks passed, 1 a check failed, 2 a policy is invalid, 64 usage, 70 an error of \
      Sluice itself.
      """)

  @Argument(
    help: "The scenario with the apps. Default: three built-in apps.",
    completion: .file())
  var scenario: String?

  @Option(
    name: .shortAndLong, help: .policies("Default: a strict one."), completion: .file())
  var policy: [String] = []

  @Option(help: "The number of steps.")
  var steps = 10_000

  @Flag(
    help: "Inject faults into some transfers: killed apps, lost answers, a killed device.")
  var faults = false

  @OptionGroup var report: ReportOptions<TextFormat>
  @OptionGroup var quiet: QuietOption

  @Option(
    help: ArgumentHelp(
      "The number of rounds to run at the same time, each on its own device.", valueName: "n"))
  var jobs = 1

  @OptionGroup var shards: ShardOptions
  @OptionGroup var device: DeviceOptions

  func validate() throws {
    guard (1...64).contains(jobs) else {
      throw ValidationError("--jobs must be 1 to 64, found \(jobs)")
    }
    if shards.isSplit, scenario == "-" {
      throw ValidationError("shards cannot share standard input; name a file")
    }
    if shards.shard != nil || shards.cluster.executor != nil, device.seed == nil {
      throw ValidationError("all shards need the same --seed; state one")
    }
    guard steps > 0 else { throw ValidationError("--steps must be 1 or more") }
    if scenario != nil, !policy.isEmpty || faults {
      throw ValidationError(
        "a walk with a scenario uses its policies and injects no faults: leave out --policy and --faults"
      )
    }
    guard device.outputFolder == nil else {
      throw ValidationError(
        "a walk removes its devices: leave out --output-dir")
    }
  }

  func perform() throws(RunError) {
    if let target = shards.cluster.executor {
      return try shards.cluster.run(on: target) { merge in
        MergedReport(
          merge, to: report.targets.map(MergeFormat.init), .auto,
          TextExtent(detail: quiet.detail))
      }
    }
    let seed = device.seed ?? UInt64.random(in: 1...999_999_999)
    let documents = try PolicyArguments.documents(policy)
    let results = try Workshop.use(device) { settings throws(RunError) in
      if let scenario {
        let walk = try WorldWalk(over: scenario, settings, seed: seed, steps: steps)
        let facts = WalkFacts(seed: seed, world: walk.reportedWorld)
        return try self.results(of: walk.rounds, facts, reading: walk.inputFiles, walk.run)
      }
      let walk = Conformance.Walk(
        settings, seed: seed, steps: steps, policies: documents, faults: faults ? .drawn : .none)
      let again = policy.map { " --policy \($0)" }.joined() + (faults ? " --faults" : "")
      let files = policy.flatMap(InputFolder.files(at:))
      return try self.results(
        of: walk.rounds, WalkFacts(seed: seed, again: again), reading: files, walk.run)
    }
    try report.targets.write { format, _ in results.text(format, quiet.detail) }
    if !results.holds { Self.exit(withError: Failure.expectation) }
  }

  /// Runs the rounds of this shard, and returns their results.
  ///
  /// - Parameter take: Runs one round.
  private func results(
    of rounds: [PlannedRound], _ facts: WalkFacts, reading files: [String],
    _ take: @escaping @Sendable (PlannedRound) throws(RunError) -> WalkReport
  ) throws(RunError) -> WalkResults {
    let plan = Plan(
      "walk", version: Version.text,
      options: ["--seed", "\(facts.seed)", "--steps", "\(steps)"] + device.reproducing
        + (faults ? ["--faults"] : []),
      files: shards.blob == nil ? [:] : try InputDigests.of(files: files),
      pieces: rounds.enumerated().map { number, round in
        Piece(file: scenario ?? "", name: "round \(number + 1)", steps: round.length)
      }, facts: facts.writeMembers)
    let work = try shards.work(plan)
    let first = FirstFailure()
    let outcomes = try work.perform(by: ThreadPool(of: jobs)) { number throws(RunError) in
      RoundOutcome(
        try first.run(number) { () throws(RunError) in try take(rounds[number]) })
    }
    try work.end([:])
    return WalkResults(facts, outcomes.compactMap(\.self))
  }
}

// MARK: - Results

/// The parts of a walk's report that do not come from a single round.
struct WalkFacts: Sendable {
  var seed: UInt64
  /// The options with which the walk can be repeated, apart from `--seed` and `--steps`.
  var again = ""
  /// The scenario whose apps the walk uses; nil if it uses Sluice's own apps.
  var world: WalkReport.World?

  init(seed: UInt64, again: String = "", world: WalkReport.World? = nil) {
    self.seed = seed
    self.again = again
    self.world = world
  }

  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    seed = facts?["seed"]?.string.flatMap(UInt64.init) ?? 0
    again = facts?["again"]?.string ?? ""
    if let file = facts?["file"]?.string, let known = facts?["known"]?.int {
      world = WalkReport.World(file: file, known: known)
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("seed", "\(seed)")
    writer.member("again", again)
    writer.member("file", world?.file)
    writer.member("known", world?.known)
  }
}

/// The results of a walk's rounds: those of one shard, or all.
struct WalkResults {
  private let facts: WalkFacts
  private let rounds: [WalkReport]

  /// Creates the results of the performed rounds. Rounds that were skipped after a failed round are left out.
  init(_ facts: WalkFacts, _ outcomes: [RoundOutcome]) {
    self.facts = facts
    rounds = outcomes.compactMap(\.report)
  }

  /// Creates the results of a whole walk.
  ///
  /// - Throws: ``RunError`` if a round was not performed although no earlier round failed.
  init(_ facts: WalkFacts, whole outcomes: [RoundOutcome]) throws(RunError) {
    let failed = outcomes.firstIndex { $0.report?.failure != nil } ?? outcomes.endIndex
    guard outcomes[..<failed].allSatisfy({ $0.report != nil }) else {
      throw RunError(
        .command, "a round is missing from the blobs, although no earlier round failed",
        rule: "merge")
    }
    self.init(facts, outcomes)
  }

  var holds: Bool { rounds.allSatisfy { $0.failure == nil } }

  func text(_ format: TextFormat, _ detail: ReportDetail) -> String {
    let report = WalkReport(seed: facts.seed, over: facts.world, of: rounds)
    return format == .text ? report.text(options: facts.again, detail) : report.json
  }
}
