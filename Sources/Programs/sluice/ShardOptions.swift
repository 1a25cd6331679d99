internal import ArgumentParser
internal import Distribution
internal import Foundation
internal import JSON
internal import Output
internal import Simulation

/// The options for running a shard of a command's work.
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

  /// Whether the command runs a shard here, or all shards elsewhere.
  var isSplit: Bool { shard != nil || blob != nil || cluster.on != nil }

  func validate() throws {
    guard cluster.on != nil else { return }
    if shard != nil || blob != nil {
      throw ValidationError("--on gives each part its --shard and --blob.")
    }
  }

  /// Rejects options whose output would stay on other machines.
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

  /// Starts this shard's work on a plan.
  ///
  /// - Throws: ``RunError`` if the durations cannot be read or the blob cannot be written.
  func work(_ plan: Plan) throws(RunError) -> ShardWork {
    if let shard, shard.count > 1, blob == nil {
      Failure.print("note: without --blob, shard \(shard) leaves nothing that can be merged")
    }
    return try ShardWork(plan, shard ?? .whole, times(), blob: blob)
  }

  /// Returns the indices of this shard's pieces, from 0.
  ///
  /// - Throws: ``RunError`` if the durations cannot be read.
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

// MARK: - Other machines

/// The options for running the shards on other machines.
struct ClusterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Have all parts done elsewhere, and merge them: by slurm, as an array job; by ssh:HOST,HOST, with GNU parallel; with --print, by kubernetes. All machines share the folder that the command runs in.",
      valueName: "where"), transform: Self.target)
  var on: ClusterTarget?

  @Option(
    help: ArgumentHelp(
      "The number of parts for --on. Default: for ssh, the number of hosts.", valueName: "n"))
  var shards: Int?

  @Flag(
    name: .customLong("print"),
    help: "Print what --on would submit, as a shell or Kubernetes reads it, and submit nothing.")
  var isPrinted = false

  @Option(help: "The container image that has Sluice, for --on kubernetes.")
  var image = "sluice:\(Version.current)"

  @Option(
    help: "The claim of the volume that has the run's files, for --on kubernetes.")
  var claim = "sluice"

  private static func target(_ text: String) throws -> ClusterTarget {
    guard let target = ClusterTarget(text) else {
      throw ValidationError("expected slurm, ssh:HOST,HOST or kubernetes, found \(text)")
    }
    return target
  }

  func validate() throws {
    guard let on else {
      guard shards == nil, !isPrinted else {
        throw ValidationError("--shards and --print need --on.")
      }
      return
    }
    guard count(on) != nil else {
      throw ValidationError("--on \(on.text) needs --shards, the number of parts.")
    }
    if let shards, !(1...Shard.most).contains(shards) {
      throw ValidationError("--shards must be 1 to \(Shard.most), found \(shards)")
    }
    if on == .kubernetes, !isPrinted {
      throw ValidationError("jobs of Kubernetes are printed only: add --print.")
    }
  }

  private func count(_ target: ClusterTarget) -> Int? {
    if case .ssh(let hosts) = target { return shards ?? hosts.count }
    return shards
  }

  /// Runs the shards where `--on` states, waits for them and shows their report. With
  /// `--print`, prints the job instead.
  ///
  /// - Throws: ``RunError`` if a shard has left no result.
  func run(
    on target: ClusterTarget, _ report: (Merge) -> MergedReport
  ) throws(RunError) {
    let program = target == .kubernetes ? "sluice" : CommandWords.program
    let command = try ShardCommand(
      program: program, CommandWords.ofShards(CommandLine.arguments.dropFirst()),
      shards: count(target) ?? 1)
    guard !isPrinted else { return print(try text(command, target), terminator: "") }
    let merge = try JobWait.merge { () throws(RunError) in try submit(command, target) }
    if try !report(merge).show() { MergeCommand.exit(withError: Failure.expectation) }
  }

  private func text(
    _ command: ShardCommand, _ target: ClusterTarget
  ) throws(RunError) -> String {
    switch target {
    case .slurm: return SlurmJob.text(command)
    case .ssh(let hosts):
      return ParallelJob.text(
        command, on: hosts, in: FileManager.default.currentDirectoryPath)
    case .kubernetes: return try KubernetesJob(command, image: image, claim: claim).manifest
    }
  }

  private func submit(
    _ command: ShardCommand, _ target: ClusterTarget
  ) throws(RunError) -> any ClusterJob {
    guard case .ssh(let hosts) = target else { return try SlurmJob.submit(command) }
    return try ParallelJob.start(command, on: hosts)
  }
}

// MARK: - Command lines

/// Conversions of command lines.
enum CommandWords {
  static var program: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "sluice"
  }

  /// Options that shards do not receive: where they run, and the report, which covers all of them.
  private static let ofWhole = [
    "--on", "--shards", "--image", "--claim", "--format", "--output", "--color",
    "--coverage-output", "--min-coverage",
  ]
  private static let flagsOfWhole = ["--print", "--verbose", "-v", "--coverage"]

  /// Returns the arguments of each shard, from those of the whole command.
  fileprivate static func ofShards(_ words: some Sequence<String>) -> [String] {
    var kept: [String] = []
    var isValue = false
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" { return kept + [word] + rest }
      if isValue {
        isValue = false
      } else if ofWhole.contains(word) {
        isValue = true
      } else if !flagsOfWhole.contains(word), !ofWhole.contains(where: { word.hasPrefix($0 + "=") })
      {
        kept.append(word)
      }
    }
    return kept
  }
}

// MARK: - Waiting

/// Waits for a job and shows its progress on a terminal.
enum JobWait {
  /// Submits a job and waits for it. Ctrl-C cancels the job and ends the command.
  ///
  /// - Parameter job: submits or finds the job. A signal during this call takes effect after it.
  /// - Throws: ``RunError`` if a shard has left no result.
  static func merge(
    _ job: () throws(RunError) -> any ClusterJob
  ) throws(RunError) -> Merge {
    NotedSignal.begin()
    let job = try job()
    let name = job.folder.name
    Failure.print("job \(name); `sluice merge --resume \(name)` goes on where this ends")
    var watch = JobWatch(job, show: ProgressLine.show) { Failure.print("note: \($0)") }
    if let merge = try watch.merge(until: { NotedSignal.received != nil }) {
      NotedSignal.end()
      return merge
    }
    do throws(RunError) {
      try job.cancel()
      Failure.print("job \(name) is cancelled")
    } catch {
      Failure.print("job \(name) runs on: \(error.reason)")
    }
    NotedSignal.endCommand()
  }
}

/// A progress line on standard error, shown only on a terminal.
enum ProgressLine {
  /// Replaces the previous line. Pass `""` at the end.
  static func show(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data(("\r\u{1B}[K" + line).utf8))
  }
}
