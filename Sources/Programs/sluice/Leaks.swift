internal import ArgumentParser
internal import Diagnostics
internal import Leaks
internal import Model
internal import Picture
internal import Sharding
internal import Simulation

/// The language in which a search's states and moves are written.
enum ModelLanguage: String, CaseIterable, ExpressibleByArgument {
  case promela, murphi
}

struct Leaks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaks",
    abstract:
      "Find every way by which data of managed accounts can leave the organisation, over any number of hops.",
    discussion: """
      Searches the world of a scenario, its apps, accounts and policies, not its cases, or with --apps that of one \
      user who has the listed apps under a policy, or a folder of them: all states that data can \
      reach by what the policies let through. For each app, account and place without policy that data reach, it \
      shows the shortest way, with the rules that let the data through and what would stop them. \
      No process is started, unless --verify replays each way on real ones. Data that are out are not followed further; \
      --to APP asks whether data can reach that app by any way, also through apps and locations without a policy.

      Exit status: 0 no leak, or no app after --to is reached, 1 there are some, or one is reached, 2 the scenario or a \
      file that it names is invalid or cannot be read, or no policy is for an account in any of its apps, 64 usage, 70 \
      real processes do not have a leak that was found, which is a fault of Sluice.
      """)

  @Argument(
    help:
      "The scenario whose world is searched, - for standard input; with --apps a policy as Microsoft Graph exports it, or a folder of exports.",
    completion: .file())
  var world: String

  @Option(
    help: ArgumentHelp(
      "A file with the apps of one user's device, a line each: `com.contoso.mail: managed`, `multiIdentity` with a private account beside, or `unmanaged`; in place of the bundle id the path of a bundle will do.",
      valueName: "file"), completion: .file())
  var apps: String?

  @Option(
    help:
      "What apps do with what they were handed: honest ones hand it on under its tag, careless ones let their users type it in anew, too, and hostile ones also what they remember of an account that has gone."
  )
  var behaviour = LeakSearch.Behaviour.careless

  @Option(
    help:
      "Who signs in to apps, and out of them: any account that their configurations let in, or nobody beside those that the world states."
  )
  var signIns = SignInChoice.any

  @Option(
    help:
      "On which devices: that of the world, or also each that differs in MDM enrollment, network, or the SDK's release in its apps."
  )
  var device = DeviceChoice.stated

  @Option(
    help: ArgumentHelp(
      "Ask whether data reach this app, also once they are out: REACHED by a way, or NOT REACHED; can be repeated.",
      valueName: "app"))
  var to: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --to: the app in which the data begin; can be repeated. Without it they begin in every other app.",
      valueName: "app"))
  var from: [String] = []

  @Flag(
    help:
      "Replay each leak, or each way to the apps after --to, on real processes, with a text that nobody else has."
  )
  var verify = false

  @Option(
    help: ArgumentHelp(
      "Write a scenario with a case for each leak, or each way to the apps after --to, on the world's own device to this file.",
      valueName: "file"), completion: .file())
  var witness: String?

  @Option(
    help: ArgumentHelp(
      "A share that what closes leaks must leave possible, such as mail:notes; can be repeated.",
      valueName: "from:to"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show what is new and what is closed against this world, or these policies; only what is new counts for the exit status.",
      valueName: "world"), completion: .file())
  var against: String?

  @Option(
    help:
      "Print the states and moves of the search, unreduced, for a model checker instead of what was found: promela for SPIN, murphi for Rumur."
  )
  var emit: ModelLanguage?

  @Option(
    help:
      "Format of the leaks; sarif has each at the line of the setting that lets the data out, junit a case that fails for each, html is a page."
  )
  var format = LeakFormat.text

  @OptionGroup var shards: ShardOptions

  func validate() throws {
    if shards.isSplit {
      guard verify else {
        throw ValidationError(
          "the search takes moments, and every part makes it: --shard and --blob are for what --verify replays."
        )
      }
      guard against == nil, world != "-" else {
        throw ValidationError("parts of a run need files, and no --against.")
      }
    }
    for flow in keep where flow.split(separator: ":").count != 2 {
      throw ValidationError("--keep needs two apps, as in mail:notes, not `\(flow)`.")
    }
    if to.isEmpty, !from.isEmpty {
      throw ValidationError("--from needs --to, the app that is asked about.")
    }
    if !to.isEmpty { try validateQuery() }
    if against != nil, format != .text { throw ValidationError("--against is text.") }
    if emit != nil, device == .any {
      throw ValidationError("--emit prints the model of the world's own device.")
    }
    if emit != nil, verify || witness != nil || against != nil || format != .text {
      throw ValidationError(
        "--emit prints a model alone, without --verify, --witness, --against and --format.")
    }
  }

  /// Refuses what belongs to the search for all leaks.
  private func validateQuery() throws {
    if against != nil {
      throw ValidationError(
        "--against compares all places that data reach; to compare --to, ask it of each world.")
    }
    if emit != nil {
      throw ValidationError(
        "--emit prints the search for all leaks, which follows nothing that is out; --to does.")
    }
    if !keep.isEmpty {
      throw ValidationError("--keep limits the changes that close leaks; --to proposes none.")
    }
  }

  func run() throws {
    do throws(RunError) {
      if let target = shards.cluster.on {
        return try shards.cluster.run(on: target) { MergedReport($0, MergeFormat(format)) }
      }
      let isClean = try Workshop.use { settings throws(RunError) in
        let run = ScenarioRun(settings)
        let study = try study(of: world, keeping: flows, by: run)
        if let emit {
          print(emit == .promela ? study.model.promela : study.model.murphi, terminator: "")
          return true
        }
        if let witness, let text = try study.witnesses(for: witness) {
          try TextFile.write(text, to: witness)
        }
        if verify { try replay(study, by: run) }
        return try show(study.report, by: run)
      }
      if !isClean { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  private var flows: [LeakSearch.Flow] {
    keep.map { $0.split(separator: ":").map(String.init) }
      .map { LeakSearch.Flow(from: $0[0], to: $0[1]) }
  }

  /// The search in a scenario's world, or in that of the listed apps under policies.
  private func study(
    of world: String, keeping flows: [LeakSearch.Flow], by run: ScenarioRun
  ) throws(RunError) -> LeakStudy {
    let query = to.isEmpty ? nil : LeakQuery(from: from, to: to)
    let question = LeakQuestion(behaviour, signIns, device, keeping: flows, asking: query)
    guard let apps else {
      return try LeakStudy(of: world, question, by: run)
    }
    return try LeakStudy(of: apps, under: world, question, by: run)
  }

  /// Prints the leaks, or what is other than in the world that they are compared with.
  ///
  /// - Returns: whether there is no leak that counts.
  private func show(_ report: LeakReport, by run: ScenarioRun) throws(RunError) -> Bool {
    guard let against else {
      print(format.render(report, of: world), terminator: "")
      return report.isClean
    }
    let old = try study(of: against, keeping: [], by: run).report
    let comparison = LeakComparison(report, against: old)
    print(comparison.text, terminator: "")
    return comparison.new.isEmpty
  }

  /// Replays the leaks of this part on real processes.
  ///
  /// - Throws: ``RunError`` where the processes do not have one, or the blob cannot be written.
  private func replay(_ study: LeakStudy, by run: ScenarioRun) throws(RunError) {
    let witnesses = try study.witnesses(by: run)
    let facts = LeakFacts(study.report, of: world)
    let plan = Plan(
      "leaks", version: Version.text, options: options,
      files: shards.blob == nil ? [:] : try InputDigests.of(files: study.inputFiles),
      pieces: witnesses.map { Piece(file: world, name: $0.name, steps: $0.steps) },
      facts: shards.blob == nil ? { _ in } : facts.writeMembers)
    let work = try shards.work(plan)
    let recordings = try work.perform(by: Crew(of: 1)) { number throws(RunError) in
      try witnesses[number].replay(by: run, number: number + 1)
    }
    if shards.blob != nil { try work.end(facts.picture().texts) }
    try LeakReplay(plan, recordings).check(world)
  }

  /// The options on which results depend, as a command line has them.
  private var options: [String] {
    [
      "--behaviour", behaviour.rawValue, "--sign-ins", signIns.rawValue, "--device",
      device.rawValue,
    ] + keep.flatMap { ["--keep", $0] } + to.flatMap { ["--to", $0] }
      + from.flatMap { ["--from", $0] } + (apps.map { ["--apps", $0] } ?? [])
  }
}
