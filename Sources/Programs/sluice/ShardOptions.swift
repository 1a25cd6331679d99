internal import ArgumentParser
internal import Diagnostics
internal import JSON
internal import Sharding
internal import Simulation

/// The options about the part of a run that a command does.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Do only this part of the work, such as 2/4: all N parts together do each case once.",
      valueName: "i/n"), transform: Self.shard)
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Leave all results in this file, of which `sluice merge` makes reports.", valueName: "file"),
    completion: .file())
  var blob: String?

  @Option(
    help: ArgumentHelp(
      "The times of an earlier run, by which the parts are made equally long: what `--output durations=FILE` wrote, or a certificate of criteria as JSON. All parts need the same.",
      valueName: "file"), completion: .file())
  var durations: String?

  @OptionGroup var cluster: ClusterOptions

  func validate() throws {
    guard cluster.on != nil else { return }
    if shard != nil || blob != nil {
      throw ValidationError("--on gives each part its --shard and --blob.")
    }
  }

  private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else {
      throw ValidationError(
        "expected I/N, such as 2/4, where I is 1 to N and N at most \(Shard.most), found \(text)")
    }
    return shard
  }

  /// Begins the part of a plan.
  ///
  /// - Throws: ``RunError`` where the report cannot be read, or the blob cannot be written.
  func work(_ plan: Plan) throws(RunError) -> ShardWork {
    try ShardWork(plan, shard ?? .whole, durations.map(Self.times) ?? PieceTimes(), blob: blob)
  }

  private static func times(in report: String) throws(RunError) -> PieceTimes {
    let text = try InputFile.text(report)
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(text)
    } catch {
      throw RunError(.file(report, error.position), error.message, rule: "durations")
    }
    guard let times = PieceTimes(report: value) else {
      throw RunError(
        .file(report),
        "it tells no durations; expected what `--output durations=FILE` wrote, or a certificate of criteria as JSON",
        rule: "durations")
    }
    return times
  }
}
