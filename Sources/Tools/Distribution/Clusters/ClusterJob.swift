internal import Encodings
internal import Output
package import Simulation

/// A run whose shards are done elsewhere.
package protocol ClusterJob: Sendable {
  var folder: JobFolder { get }
  /// The number of shards.
  var shards: Int { get }

  /// The state of each shard, by its number. What the scheduler does not know any more has ended.
  ///
  /// - Throws: ``RunError`` where the scheduler does not answer, which it may do again later.
  func states() throws(RunError) -> [Int: ShardState]

  /// What is wrong with hosts, a sentence each; empty where nothing is, or is not known.
  var complaints: [String] { get }

  /// Ends all shards.
  ///
  /// - Throws: ``RunError`` where the scheduler does not take that in.
  func cancel() throws(RunError)
}

extension ClusterJob {
  package var complaints: [String] { [] }
}

/// What becomes of a shard.
package enum ShardState: Sendable, Equatable {
  /// It waits to be begun, for a reason that the scheduler names; nil: it names none.
  case waiting(String?)
  /// It runs, on a host.
  case running(String)
  /// It has ended, or will never begin: the reason, such as `with status 2 on node3`.
  case ended(String)
}

// MARK: - Targets

/// Where the shards of a run go.
package enum ClusterTarget: Sendable, Equatable {
  /// The nodes of a Slurm, as an array job.
  case slurm
  /// Hosts that ssh reaches, as GNU parallel names them.
  case ssh([String])
  /// The nodes of a Kubernetes, as an Indexed Job.
  case kubernetes

  /// Reads `slurm`, `ssh:host,host` or `kubernetes`; nil where it is none.
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

/// Jobs whose submitters have ended.
package enum JobResumption {
  /// A job that was submitted here, as it goes on.
  ///
  /// - Parameter program: the path of Sluice, for parts that are begun anew.
  /// - Throws: ``RunError`` where there is no such job.
  package static func job(
    named name: String, program: String
  ) throws(RunError) -> any ClusterJob {
    let folder = try JobFolder(named: name)
    let record = try folder.read()
    switch record.target {
    case .ssh(let hosts):
      var command = record.command
      // What a file says is no program to start.
      command.program = program
      return try ParallelJob.resume(command, on: hosts, folder: folder)
    case .slurm: return SlurmJob(id: record.id, shards: record.command.shards)
    case .kubernetes:
      throw RunError(.command, "jobs of Kubernetes are not followed", rule: "resume")
    }
  }
}

// MARK: - Command of a shard

/// The command that does a shard, without its number.
package struct ShardCommand: Sendable, Equatable {
  /// The path of Sluice.
  package var program: String
  /// The subcommand and its arguments.
  package var words: [String]
  /// The number of shards, 1 to ``Shard/most``.
  package var shards: Int

  /// The subcommands that have shards.
  private static let subcommands: Set = ["run", "criteria", "walk", "leaks", "replay"]

  /// Creates a command that a script can carry.
  ///
  /// - Parameter words: the subcommand and its arguments.
  /// - Throws: ``RunError`` where the subcommand has no shards, their number is out of range, or a word has a control
  ///   character or line break.
  package init(
    program: String, _ words: [String], shards: Int
  ) throws(RunError) {
    guard let name = words.first, Self.subcommands.contains(name) else {
      throw RunError(
        .command, "`\(words.first ?? "")` is not done in parts elsewhere", rule: "cluster")
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

  /// Checks that scripts and manifests can carry a word: none of its characters breaks a line, or is a control character.
  ///
  /// - Throws: ``RunError`` that names the word.
  static func check(_ word: String) throws(RunError) {
    guard word.unicodeScalars.allSatisfy(\.isPrintable) else {
      throw RunError(
        .command, "`\(word)` has a control character, which no script for other machines carries",
        rule: "cluster")
    }
  }

  /// Lines of a shell script that do a shard, and end the script.
  ///
  /// - Parameters:
  ///   - number: the shard's number, as the shell has it, such as `$1`.
  ///   - folder: the job's folder, as the shell has it.
  func script(number: String, folder: String) -> String {
    """
    folder=\(folder)
    shard=\(number)
    mkdir -p -m 700 "$folder" || exit 73
    # Another node may have done it before it was lost.
    [ -f "$folder/$shard.blob" ] && exit 0
    rm -f "$folder/$shard.log" || exit 73
    \(command) >"$folder/$shard.log" 2>&1
    status=$?
    # What does not hold is a result, too.
    [ "$status" -eq 1 ] && status=0
    exit "$status"

    """
  }

  private var command: String {
    let part = #"--shard "$shard/\#(shards)" --blob "$folder/$shard.blob""#
    let rest = words.dropFirst().map(Self.quoted)
    return ([Self.quoted(program), words[0], part] + rest).joined(separator: " ")
  }

  /// A word as the shell reads it back.
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { plain.contains($0) }
    guard !isPlain else { return word }
    // Byte by byte: a mark that joins a quote makes another character of it.
    var quoted = Array("'".utf8)
    for byte in word.utf8 {
      quoted += byte == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [byte]
    }
    return String(decoding: quoted + [UInt8(ascii: "'")], as: UTF8.self)
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-=:,+@%".utf8)
}
