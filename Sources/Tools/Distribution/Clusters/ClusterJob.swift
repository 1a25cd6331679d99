internal import Encodings
internal import Output
package import Simulation

/// A run with shards, which a scheduler or remote hosts execute.
package protocol ClusterJob: Sendable {
  var folder: JobFolder { get }
  var shards: Int { get }

  /// Returns the state of each shard, keyed by shard number. A shard that the scheduler no longer
  /// lists has ended.
  ///
  /// - Throws: ``RunError`` if the scheduler does not answer. A later call may succeed.
  func states() throws(RunError) -> [Int: ShardState]

  /// Problems with hosts, as one sentence each; empty if none are known.
  var complaints: [String] { get }

  /// Cancels the job.
  ///
  /// - Throws: ``RunError`` if the scheduler rejects the request.
  func cancel() throws(RunError)
}

extension ClusterJob {
  package var complaints: [String] { [] }
}

package enum ShardState: Sendable, Equatable {
  /// The shard is queued. The associated value is the scheduler's reason; nil if it gives none.
  case waiting(String?)
  /// The shard is running on the named host.
  case running(String)
  /// The shard has ended, or will never start. The associated value continues the words `it ended`, for example `with
  /// status 2 on node3`.
  case ended(String)
}

// MARK: - Targets

/// The platform that executes a run's shards.
package enum ClusterTarget: Sendable, Equatable {
  /// The nodes of a Slurm cluster, as an array job.
  case slurm
  /// Hosts that ssh can reach, in the notation of GNU parallel.
  case ssh([String])
  /// The nodes of a Kubernetes cluster, as an Indexed Job.
  case kubernetes

  /// Reads `slurm`, `ssh:host,host` or `kubernetes`. Returns nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "slurm": self = .slurm
    case "kubernetes": self = .kubernetes
    default:  // open: names of hosts
      guard text.hasPrefix("ssh:") else { return nil }
      let hosts = text.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false)
      guard !hosts.isEmpty, hosts.allSatisfy({ !$0.isEmpty && $0.first != "-" }),
        text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0 != "'" })
      else { return nil }
      self = .ssh(hosts.map(String.init))
    }
  }

  package var text: String {
    switch self {
    case .slurm: "slurm"
    case .ssh(let hosts): "ssh:" + hosts.joined(separator: ",")
    case .kubernetes: "kubernetes"
    }
  }
}

// MARK: - Resumption

/// Resumes jobs whose submitting process has exited.
package enum JobResumption {
  /// Returns a submitted job, which may still be running. If it is an ssh job, starts its shards that have no blob.
  ///
  /// - Parameter program: The path of Sluice, for restarting shards.
  /// - Throws: ``RunError`` if there is no such job, it is a Kubernetes job, or GNU parallel cannot be started.
  package static func job(
    named name: String, program: String
  ) throws(RunError) -> any ClusterJob {
    let folder = try JobFolder(named: name)
    let record = try folder.read()
    switch record.target {
    case .ssh(let hosts):
      var command = record.command
      // The path of the program in the job's file is not trusted.
      command.program = program
      return try ParallelJob.resume(command, on: hosts, folder: folder)
    case .slurm: return SlurmJob(id: record.id, shards: record.command.shards)
    case .kubernetes:
      throw RunError(.command, "Kubernetes jobs cannot be followed", rule: "resume")
    }
  }
}

// MARK: - Shard command

/// The command that executes one of a run's shards. ``script(number:folder:)`` adds the number of the shard.
package struct ShardCommand: Sendable, Equatable {
  package var program: String
  /// The subcommand and its arguments.
  package var words: [String]
  /// The number of shards, from 1 to ``Shard/most``.
  package var shards: Int

  private static let subcommands: Set = ["run", "criteria", "walk", "leaks", "replay"]

  /// Creates a command that can be written into a script.
  ///
  /// - Throws: ``RunError`` if the subcommand cannot be sharded, the number of shards is out of
  ///   range, or a word contains a control character or line break.
  package init(
    program: String, _ words: [String], shards: Int
  ) throws(RunError) {
    guard let name = words.first, Self.subcommands.contains(name) else {
      throw RunError(
        .command, "`\(words.first ?? "")` cannot be split into shards", rule: "cluster")
    }
    guard 1...Shard.most ~= shards else {
      throw RunError(
        .command, "expected 1 to \(Shard.most) shards, found \(shards)", rule: "cluster")
    }
    for word in [program] + words { try Self.check(word) }
    self.program = program
    self.words = words
    self.shards = shards
  }

  /// Checks that a word contains no control characters or line breaks, so it can be written into
  /// scripts and manifests.
  ///
  /// - Throws: ``RunError`` that names the word.
  static func check(_ word: String) throws(RunError) {
    guard word.unicodeScalars.allSatisfy(\.isPrintable) else {
      throw RunError(
        .command,
        "`\(word)` contains a control character, which scripts for other machines do not support",
        rule: "cluster")
    }
  }

  /// Returns the lines of a shell script that executes a shard and exits.
  ///
  /// - Parameters:
  ///   - number: The shard number as a shell expression, such as `$1`.
  ///   - folder: The job's folder as a shell expression.
  func script(number: String, folder: String) -> String {
    """
    folder=\(folder)
    shard=\(number)
    mkdir -p -m 700 "$folder" || exit 73
    # Another node may have completed the shard before that node was lost.
    [ -f "$folder/$shard.blob" ] && exit 0
    rm -f "$folder/$shard.log" || exit 73
    \(command) >"$folder/$shard.log" 2>&1
    status=$?
    # An unmet expectation is a result, too.
    [ "$status" -eq 1 ] && status=0
    exit "$status"

    """
  }

  private var command: String {
    let part = #"--shard "$shard/\#(shards)" --blob "$folder/$shard.blob""#
    let rest = words.dropFirst().map(\.quotedForShell)
    return ([program.quotedForShell, words[0], part] + rest).joined(separator: " ")
  }
}
