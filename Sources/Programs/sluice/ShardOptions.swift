internal import ArgumentParser
internal import Distribution
internal import Encodings
internal import Foundation
internal import Output
internal import Simulation

struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run only this shard of the cases, such as 2/4. Together, all N shards run each case once.",
      valueName: "i/n"), transform: Self.shard)
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Write the results to this file, for `sluice merge`.", valueName: "file"),
    completion: .file())
  var blob: String?

  @Option(
    help: ArgumentHelp(
      "The durations of an earlier run, to make shards equally long: a file of `--output durations=FILE`, or a certificate as JSON. All shards need the same file.",
      valueName: "file"), completion: .file())
  var durations: String?

  @OptionGroup var cluster: ClusterOptions

  /// Whether the command runs only one shard, writes a blob, or runs its shards on other machines.
  var isSplit: Bool { shard != nil || blob != nil || cluster.executor != nil }

  func validate() throws {
    guard cluster.executor != nil else { return }
    if shard != nil || blob != nil {
      throw ValidationError("--executor sets --shard and --blob of each shard: leave them out")
    }
  }

  /// Rejects `--output-dir` and `--trace` together with `--executor`, because their files would stay on other machines.
  func check(_ device: DeviceOptions) throws {
    guard cluster.executor != nil, device.outputFolder != nil || device.trace != nil else { return }
    throw ValidationError(
      "--output-dir and --trace would write on the machines of --executor: run that case here"
    )
  }

  private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else {
      throw ValidationError(
        "expected I/N, such as 2/4, where I is 1 to N and N at most \(Shard.most), found `\(text)`")
    }
    return shard
  }

  func work(_ plan: Plan) throws(RunError) -> ShardWork {
    if let shard, shard.count > 1, blob == nil {
      Failure.print(
        "note: the results of shard \(shard) cannot be merged, because they are not saved; add --blob"
      )
    }
    return try ShardWork(plan, shard ?? .whole, times(), blob: blob)
  }

  /// Returns the indices of the pieces of work that belong to this shard, from 0.
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
        "the file contains no durations; expected a file of `--output durations=FILE`, or a certificate as JSON",
        rule: "durations")
    }
    return times
  }
}

// MARK: - Other machines

struct ClusterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run all shards elsewhere and merge them: slurm (an array job), ssh:HOST,HOST (with GNU parallel), or kubernetes (with --print). All machines must share the working directory.",
      valueName: "where"), transform: Self.target)
  var executor: ClusterTarget?

  @Option(
    help: ArgumentHelp(
      "The number of shards for --executor. Default: for ssh, the number of hosts.", valueName: "n")
  )
  var shards: Int?

  @Flag(
    name: .customLong("print"),
    help:
      "Print the job for --executor instead of submitting it.")
  var isPrinted = false

  @Option(help: "The container image with Sluice, for --executor kubernetes.")
  var image = "sluice:\(Version.current)"

  @Option(
    help: "The claim of the volume with the run's files, for --executor kubernetes.")
  var claim = "sluice"

  private static func target(_ text: String) throws -> ClusterTarget {
    guard let target = ClusterTarget(text) else {
      throw ValidationError("expected slurm, ssh:HOST,HOST or kubernetes, found `\(text)`")
    }
    return target
  }

  func validate() throws {
    guard let executor else {
      guard shards == nil, !isPrinted else {
        throw ValidationError("--shards and --print need --executor")
      }
      return
    }
    guard count(executor) != nil else {
      throw ValidationError("--executor \(executor.text) needs --shards, the number of shards")
    }
    if let shards, !(1...Shard.most).contains(shards) {
      throw ValidationError("--shards must be 1 to \(Shard.most), found \(shards)")
    }
    if executor == .kubernetes, !isPrinted {
      throw ValidationError(
        "--executor kubernetes needs --print: Kubernetes jobs are printed, not submitted")
    }
  }

  private func count(_ target: ClusterTarget) -> Int? {
    if case .ssh(let hosts) = target { return shards ?? hosts.count }
    return shards
  }

  /// Runs all shards on the executor, waits for them, and writes the merged report. With `--print`, only prints the
  /// job.
  func run(
    on target: ClusterTarget, _ report: (Merge) -> MergedReport
  ) throws(RunError) {
    let program = target == .kubernetes ? "sluice" : CommandWords.program
    let command = try ShardCommand(
      program: program, CommandWords.ofShards(PresentSpelling.ofProcess.arguments),
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

/// Derives the command line of a shard from that of the whole run.
enum CommandWords {
  static var program: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "sluice"
  }

  /// The options that are not passed to shards, because they concern the executor or the merged report.
  private static let ofWhole = [
    "--executor", "--shards", "--image", "--claim", "--format", "--output", "-o", "--color",
    "--coverage-output", "--min-coverage", "--min-evidence",
  ]
  private static let flagsOfWhole = [
    "--print", "--verbose", "-v", "--quiet", "-q", "--coverage",
  ]

  /// Returns the arguments that each shard gets, derived from the arguments of the whole run.
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

/// Waits for a job, and shows its progress on a terminal.
enum JobWait {
  /// Submits a job, waits for its shards, and returns their merged results. Ctrl-C cancels the job and ends the
  /// command.
  ///
  /// - Parameter job: Submits or finds the job. A signal during this call takes effect after it.
  /// - Throws: ``RunError`` if `job` throws, or a shard has left no result.
  static func merge(
    _ job: () throws(RunError) -> any ClusterJob
  ) throws(RunError) -> Merge {
    NotedSignal.begin()
    let job = try job()
    let name = job.folder.name
    Failure.print(
      "waiting for job \(name); if this command is killed, `sluice merge --resume \(name)` waits for the job again"
    )
    var watch = JobWatch(job, show: ProgressLine.show) { Failure.print("note: \($0)") }
    if let merge = try watch.merge(until: { NotedSignal.received != nil }) {
      NotedSignal.end()
      return merge
    }
    do throws(RunError) {
      try job.cancel()
      Failure.print("job \(name) is cancelled")
    } catch {
      Failure.print("job \(name) continues to run: \(error.reason)")
    }
    NotedSignal.endCommand()
  }
}

/// A progress line on standard error, shown only on a terminal.
enum ProgressLine {
  /// Replaces the line that was shown before. Does nothing if standard error is not a terminal. An empty `line` removes
  /// the progress line.
  static func show(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data(("\r\u{1B}[K" + line).utf8))
  }
}
