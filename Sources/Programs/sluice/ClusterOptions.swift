internal import ArgumentParser
internal import Clusters
internal import Foundation
internal import Sharding
internal import Simulation

/// The options about the machines that do the parts of a run.
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

  /// Has the parts done where `--on` says, waits for them, and shows their report; or prints what would be submitted.
  ///
  /// - Throws: ``RunError`` where a part has left no result.
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
