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

  /// Whether the command does a part of the work here, or all of it elsewhere.
  var isSplit: Bool { shard != nil || blob != nil || cluster.on != nil }

  func validate() throws {
    guard cluster.on != nil else { return }
    if shard != nil || blob != nil {
      throw ValidationError("--on gives each part its --shard and --blob.")
    }
  }

  /// Checks that parts that run elsewhere keep nothing there.
  func check(_ device: DeviceOptions) throws {
    guard cluster.on != nil, device.keep != nil || device.trace != nil else { return }
    throw ValidationError(
      "what --keep and --trace write stays on the machines of --on: run that case here.")
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
  /// - Throws: ``RunError`` where the durations cannot be read, or the blob cannot be written.
  func work(_ plan: Plan) throws(RunError) -> ShardWork {
    if let shard, shard.count > 1, blob == nil {
      Failure.print("note: without --blob, shard \(shard) leaves nothing that can be merged")
    }
    return try ShardWork(plan, shard ?? .whole, times(), blob: blob)
  }

  /// The numbers of the pieces that this part does, from 0.
  ///
  /// - Throws: ``RunError`` where the durations cannot be read.
  func numbers(of pieces: [Piece]) throws(RunError) -> Set<Int> {
    let shard = shard ?? .whole
    return Set(Assignment(of: pieces, to: shard.count, try times()).pieces(of: shard))
  }

  private func times() throws(RunError) -> PieceTimes {
    guard let durations else { return PieceTimes() }
    return try Self.times(in: durations)
  }

  private static func times(in report: String) throws(RunError) -> PieceTimes {
    let text = try InputFile.documentText(report)
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
