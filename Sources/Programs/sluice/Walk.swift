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

      Exit status: 0 everything holds, 1 something does not, 2 a policy is invalid, 64 usage, 70 a fault of \
      Sluice itself.
      """)

  /// The format in which the report is printed.
  @Option(
    help: "A policy as Microsoft Graph exports it, or a folder of exports; default: a strict one.")
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
      let documents = try policy.map { path throws(RunError) in try PolicyFiles.load(path) } ?? []
      for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
      let seed = device.seed ?? UInt64.random(in: 1...999_999_999)
      let report = try Workshop.use(device) { settings throws(RunError) in
        try Simulation.Walk(
          settings, seed: seed, steps: steps, policies: documents,
          faults: faults ? .drawn : .none
        ).run()
      }
      switch format {
      case .text:
        print(report.text(options: options), terminator: "")
      case .json: print(report.json, terminator: "")
      }
      if report.failure != nil { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }
}
