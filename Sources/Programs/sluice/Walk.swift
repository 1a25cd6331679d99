internal import ArgumentParser
internal import Policy
internal import Simulation

struct Walk: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Walk at random through all that users and apps do, and look for leaks after every step.",
    discussion: """
      Three apps run as real processes: one with an organisation's account and a private one, a peer under the \
      same policy, and one without any. They switch identities, are suspended, killed and started again, hand \
      texts to each other and keep them. After every step, the organisation's data must be readable to nobody \
      else, and all other data must be free. A walk that fails is shrunk to the steps that it takes.

      With a scenario, the walk is over its apps, accounts and policies, as careless apps and users would take it, and data of managed accounts must come to no \
      place that `sluice leaks` finds out of reach.

      Exit status: 0 everything holds, 1 something does not, 2 a policy is invalid, 64 usage, 70 a fault of \
      Sluice itself.
      """)

  @Argument(
    help: "A scenario whose apps are walked over; default: three apps of Sluice's own.",
    completion: .file())
  var scenario: String?

  /// The format in which the report is printed.
  @Option(
    help: "A policy as Microsoft Graph exports it, or a folder of exports; default: a strict one.",
    completion: .file())
  var policy: String?

  @Option(help: "How many steps to take.")
  var steps = 10_000

  @Flag(
    help: "Let faults strike some of the transfers: guests killed, answers lost, the host's death.")
  var faults = false

  @Option(help: "Format of the report.")
  var format = TextFormat.text

  @OptionGroup var device: DeviceOptions

  func validate() throws {
    guard steps > 0 else { throw ValidationError("--steps must be 1 or more.") }
    if scenario != nil, policy != nil || faults {
      throw ValidationError(
        "a scenario has its own policies, and no faults strike: leave out --policy and --faults.")
    }
    guard device.keep == nil else {
      throw ValidationError("a walk removes each of its devices at its end: it has none to --keep.")
    }
  }

  /// The options, beside seed and steps, that lead to the same walk.
  private var options: String {
    (policy.map { " --policy \($0)" } ?? "") + (faults ? " --faults" : "")
  }

  func run() throws {
    do throws(RunError) {
      let seed = device.seed ?? UInt64.random(in: 1...999_999_999)
      let holds: Bool
      if let scenario {
        holds = try walk(over: scenario, seed: seed)
      } else {
        holds = try walk(seed: seed)
      }
      if !holds { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  /// Walks over Sluice's own apps.
  ///
  /// - Returns: whether everything holds.
  private func walk(seed: UInt64) throws(RunError) -> Bool {
    let documents = try policy.map { path throws(RunError) in try PolicyFiles.load(path) } ?? []
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    let report = try Workshop.use(device) { settings throws(RunError) in
      try Simulation.Walk(
        settings, seed: seed, steps: steps, policies: documents, faults: faults ? .drawn : .none
      ).run()
    }
    print(format == .text ? report.text(options: options) : report.json, terminator: "")
    return report.failure == nil
  }

  /// Walks over a scenario's world.
  ///
  /// - Returns: whether everything holds.
  private func walk(over file: String, seed: UInt64) throws(RunError) -> Bool {
    let report = try Workshop.use(device) { settings throws(RunError) in
      try WorldWalk(over: file, settings, seed: seed, steps: steps).walk()
    }
    print(format == .text ? report.text(of: file) : report.json, terminator: "")
    return report.failure == nil
  }
}
