internal import Host
internal import Leaks
internal import Model
internal import Output
internal import Policy
internal import Scenario
package import Simulation

/// A random walk over the apps of a scenario, on real processes. The walk fails if a managed account's data reaches a
/// place or an app that the data cannot reach according to the leak search or a query.
///
/// The walk consists of rounds, each on a fresh device. Walks with the same seed perform the same steps.
package struct WorldWalk: Sendable {
  private let run: ScenarioRun
  private let seed: UInt64
  private let steps: Int
  private let scenario: Scenario
  private let text: WorldText
  private let world: LeakWorld
  private let judge: WorldJudge

  /// The maximum number of steps on one device.
  private static let roundLength = 250
  /// The maximum number of walks that are tried in order to shorten a failing walk.
  private static let shrinkingLimit = 200

  /// Creates a walk over the apps of a scenario file.
  ///
  /// - Parameter claimed: The path of another scenario, against whose leaks the walk's transfers are checked; nil to
  ///   use the leaks of the scenario in `file`.
  /// - Throws: ``RunError`` if an input file cannot be read, no device can start, or no policy applies to an account in
  ///   the scenario's apps.
  package init(
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

  /// Performs the steps until data reaches an unexpected place.
  package func walk() throws(RunError) -> WalkReport {
    var report = WalkReport(seed: seed, over: reportedWorld)
    for round in rounds where report.failure == nil { report.add(try run(round)) }
    return report
  }

  package var inputFiles: [String] { scenario.inputFiles }

  package var reportedWorld: WalkReport.World {
    WalkReport.World(file: scenario.file, known: judge.known.count)
  }

  package var rounds: [PlannedRound] {
    PlannedRound.rounds(seed: seed, steps: steps, length: Self.roundLength)
  }

  package func run(_ round: PlannedRound) throws(RunError) -> WalkReport {
    var generator = WorldSteps(over: world, accounts: accounts, seed: round.seed)
    let taken = [generator.launch] + (0..<round.length).map { _ in generator.next() }
    let recording = try record(taken)
    var decisions = WalkCounts()
    for case .decided(let decision) in recording.events.map(\.kind) {
      decisions.add(decision.operation.rawValue, decision.verdict.outcome.rawValue)
    }
    let seen = judge.arrivals(recording.events).intersection(judge.known)
    var report = WalkReport(
      seed: seed, decisions, steps: round.length, over: reportedWorld, seen: Set(seen.map(\.text)))
    let new = findings(in: recording.events)
    if !new.isEmpty {
      report.failure = try failure(after: taken, new, seed: round.seed, round.length)
    }
    return report
  }

  /// Performs the given steps on a fresh device. Steps that cannot be performed are skipped.
  ///
  /// - Returns: One sentence for each place or app that data reached although the search or a query finds no path
  ///   there.
  package func findings(after steps: [String]) throws(RunError) -> Set<String> {
    findings(in: try record(steps).events)
  }

  private func findings(in events: [JournalEvent]) -> Set<String> {
    let arrivals = judge.arrivals(events).filter { !judge.expects($0) }.map(\.text)
    let deliveries = judge.deliveries(events).filter { !judge.expects($0) }.map(\.text)
    return Set(arrivals + deliveries)
  }

  private var accounts: [String] { scenario.accounts.map(\.name) }

  /// Returns the failure for one of the findings. Its steps are the shortest list that was found to cause such a
  /// finding.
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
      InvariantFailure(invariant: .found, sentence: sentence), seed: seed, number: length,
      after: left.isEmpty ? steps : shrunk)
  }

  /// Performs steps on a fresh device. Steps that cannot be performed are skipped.
  private func record(_ steps: [String]) throws(RunError) -> CaseRecording {
    let text = """
      \(text.lines)
      cases:
        - name: walk
          steps:

      """ + steps.map { "      - \($0)\n" }.joined()
    let scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try Scenario.read(text, file: self.scenario.file)
    } catch {
      throw RunError(
        .file(self.scenario.file),
        "cannot turn the scenario into one for a walk: \(error.reason)",
        rule: "walk")
    }
    let prepared = try run.prepare(scenario.replayable)
    return try run.runAndForget(prepared.cases[0], of: prepared)
  }
}

extension WorldJudge.Delivery {
  /// A sentence that describes the delivery. Different deliveries have different sentences.
  var text: String { "data of \(owner) reached \(to) from \(from)" }
}

extension WorldJudge.Arrival {
  /// A sentence that describes the arrival. Different arrivals have different sentences.
  var text: String { "data of \(owner) reached \(place.text)" }
}

// MARK: - Steps

/// Generates random steps over a world's apps, each as an element of a case's `steps`. The same
/// seed generates the same steps.
private struct WorldSteps {
  private let apps: [LeakWorld.App]
  /// The apps, without extensions.
  private let senders: [LeakWorld.App]
  private let accounts: [String]
  private var numbers: SplitMix
  private var texts = 0

  /// Creates a generator.
  ///
  /// - Parameter accounts: The names of the accounts that may sign in.
  init(over world: LeakWorld, accounts: [String], seed: UInt64) {
    apps = world.beginning
    senders = apps.filter { $0.kind == .app }
    self.accounts = accounts
    numbers = SplitMix(seed: seed)
  }

  /// The step that starts all apps.
  var launch: String {
    "launch: [\(senders.map { YAMLScalar.text($0.name) }.joined(separator: ", "))]"
  }

  private enum Kind {
    case switchIdentity, signIn, signOut, share, openIn, drop, copy, paste, save, open, use, openURL
  }

  /// The kinds of steps, repeated according to their weight.
  private static let wheel: [Kind] = {
    let shares: [(Kind, Int)] = [
      (.switchIdentity, 14), (.signIn, 5), (.signOut, 3), (.share, 40), (.openIn, 8), (.drop, 8),
      (.copy, 12), (.paste, 12), (.save, 10), (.open, 3), (.use, 12), (.openURL, 3),
    ]
    return shares.flatMap { kind, count in repeatElement(kind, count: count) }
  }()

  mutating func next() -> String {
    let app = numbers.pick(senders)
    let name = YAMLScalar.text(app.name)
    switch numbers.pick(Self.wheel) {
    case .switchIdentity:
      guard app.isMultiIdentity else { return share(from: app, "") }
      return "switchIdentity: { app: \(name), to: \(identity()) }"
    case .signIn: return "signIn: { app: \(name), account: \(account()) }"
    case .signOut: return "signOut: { app: \(name), account: \(account()) }"
    case .share: return share(from: app, numbers.next() % 3 == 0 ? ", via: os" : "")
    case .openIn:
      let receiver = YAMLScalar.text(numbers.pick(senders).name)
      return "share: { from: \(name), to: \(receiver), \(item()), openIn: true }" + task(of: app)
    case .drop:
      let receiver = YAMLScalar.text(numbers.pick(senders).name)
      return "drop: { from: \(name), to: \(receiver), \(item()) }" + task(of: app)
    case .copy: return "copy: { app: \(name), \(item()) }" + task(of: app)
    case .paste: return "paste: { app: \(name) }" + task(of: app)
    case .save:
      return "saveTo: { from: \(name), \(place(in: StorageLocation.saveLocations)), \(item()) }"
        + task(of: app)
    case .open:
      return "openFrom: { into: \(name), \(place(in: StorageLocation.openLocations)) }"
        + task(of: app)
    case .use:
      return "use: { app: \(name), feature: \(numbers.pick(Self.features)), \(item()) }"
        + task(of: app)
    case .openURL:
      return "openURL: { from: \(name), url: \"\(numbers.pick(Self.urls))\" }" + task(of: app)
    }
  }

  private static let features = Channel.allCases
    .filter {
      $0.counterpart == .system && !$0.isIncoming && $0 != .fileEncryption && $0 != .webView
    }
    .map(\.rawValue)
  private static let urls = ["https://example.org/", "tel:1", "sms:1"]

  private mutating func share(from app: LeakWorld.App, _ path: String) -> String {
    let receiver = numbers.pick(apps)
    let ends = "from: \(YAMLScalar.text(app.name)), to: \(YAMLScalar.text(receiver.name))"
    let handsBack = receiver.kind == .extension ? ", handsBack: { \(result()) }" : ""
    return "share: { \(ends), \(item())\(path)\(handsBack) }" + task(of: app)
  }

  /// Returns the content that an extension passes back to its caller: a new text or the received item.
  private mutating func result() -> String {
    switch numbers.next() % 3 {
    case 0:
      texts += 1
      return "text: text \(texts)"
    case 1: return "item: received"
    default: return "item: retyped"  // open: the remaining number
    }
  }

  /// Returns a new text, or the item that the app has received last.
  private mutating func item() -> String {
    switch numbers.next() % 4 {
    case 0, 1:
      texts += 1
      return "text: text \(texts)"
    case 2: return "item: received"
    default: return "item: retyped"  // open: the remaining number
    }
  }

  private mutating func place(in locations: [StorageLocation]) -> String {
    let location = numbers.pick(locations)
    let account = location.hasAccount ? ", account: \(identity())" : ""
    return "location: \(location.rawValue)\(account)"
  }

  /// Returns an `as` key with a random identity, for about one in four tasks of a multi-identity app; otherwise an
  /// empty string.
  private mutating func task(of app: LeakWorld.App) -> String {
    guard app.isMultiIdentity, numbers.next() % 4 == 0 else { return "" }
    return "\n        as: \(identity())"
  }

  private mutating func account() -> String { YAMLScalar.text(numbers.pick(accounts)) }

  private mutating func identity() -> String {
    YAMLScalar.text(numbers.pick(accounts + ["unknown", "unset"]))
  }
}

extension LeakWorld.App {
  fileprivate var isMultiIdentity: Bool { personas.contains { $0.party.app.isMultiIdentity } }
}
