internal import Encodings
internal import Foundation
internal import Output
package import Simulation

/// Shards that GNU parallel starts on hosts reachable by ssh. All hosts share the current folder.
package final class ParallelJob: ClusterJob, @unchecked Sendable {
  package let folder: JobFolder
  package let shards: Int
  private let process: Process

  /// Starts all shards of a new job.
  ///
  /// - Throws: ``RunError`` if GNU parallel cannot be run, the job's folder cannot be written, or the current folder's
  ///   path contains `{`.
  package static func start(
    _ command: ShardCommand, on hosts: [String], folder: JobFolder = freshFolder
  ) throws(RunError) -> ParallelJob {
    try folder.begin(
      JobFolder.Record(target: .ssh(hosts), id: "", command: command))
    return try resume(command, on: hosts, folder: folder)
  }

  /// Starts the shards of a job. A shard whose blob exists ends immediately.
  ///
  /// - Throws: ``RunError``, as for ``start(_:on:folder:)``.
  static func resume(
    _ command: ShardCommand, on hosts: [String], folder: JobFolder
  ) throws(RunError) -> ParallelJob {
    let directory = FileManager.default.currentDirectoryPath
    guard !directory.contains("{") else {
      throw RunError(
        .path(directory), "GNU parallel would replace the braces",
        rule: "cluster")
    }
    let script = "#!/bin/sh\n" + command.script(number: "$1", folder: folder.path)
    try folder.write(Data(script.utf8), to: "shard.sh")
    return try ParallelJob(command.shards, on: hosts, folder: folder)
  }

  private init(
    _ shards: Int, on hosts: [String], folder: JobFolder
  ) throws(RunError) {
    self.folder = folder
    self.shards = shards
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["parallel"] + Self.options(hosts, folder, in: FileManager.default.currentDirectoryPath)
      + ["sh", "\(folder.path)/shard.sh", "{}", ":::"] + (1...shards).map(String.init)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do {
      let complaints = URL(fileURLWithPath: Self.complaints(folder))
      try Data().write(to: complaints)
      process.standardError = try FileHandle(forWritingTo: complaints)
      try process.run()
    } catch {
      throw RunError(.command, "`parallel` cannot be run: \(error)", rule: "cluster")
    }
  }

  private static func complaints(_ folder: JobFolder) -> String { "\(folder.path)/parallel.log" }

  private static func options(
    _ hosts: [String], _ folder: JobFolder, in directory: String
  ) -> [String] {
    [
      "--plain", "--will-cite", "--sshlogin", hosts.joined(separator: ","), "--workdir", directory,
      // If a host is lost, its shard is started on another host.
      "--retries", "3", "--jobs", "1", "--joblog", "\(folder.path)/joblog",
    ]
  }

  package static var freshFolder: JobFolder {
    JobFolder("ssh-\(getpid())-\(Int(Date().timeIntervalSince1970))")
  }

  /// Returns a shell script that starts the shards. A second run of the script fails, because the
  /// job's folder exists.
  package static func text(
    _ command: ShardCommand, on hosts: [String], in directory: String
  ) -> String {
    let folder = freshFolder
    let words =
      ["parallel"] + options(hosts, folder, in: directory) + [
        "sh", "\(folder.path)/shard.sh", "{}",
      ]
      + [":::"] + (1...command.shards).map(String.init)
    return """
      mkdir -p \(JobFolder.all) && mkdir \(folder.path) || exit
      cat >\(folder.path)/shard.sh <<'END'
      \(command.script(number: "$1", folder: folder.path))END
      \(words.map(\.quotedForShell).joined(separator: " "))

      """
  }

  package func states() throws(RunError) -> [Int: ShardState] {
    var states: [Int: ShardState] = [:]
    let log = (try? InputFile.text("\(folder.path)/joblog")) ?? ""
    for line in log.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 7, let number = Int(fields[0]) else { continue }
      states[number] = .ended("with status \(fields[6]) on \(fields[1])")
    }
    for number in 1...shards where states[number] == nil {
      states[number] = process.isRunning ? .waiting(nil) : .ended(why)
    }
    return states
  }

  /// The reason that is reported for shards without a log entry once GNU parallel has ended. It includes the last
  /// message of GNU parallel, if there is one.
  private var why: String {
    let text = (try? InputFile.text(Self.complaints(folder))) ?? ""
    return text.split(separator: "\n").last.map { "before it began: \($0)" } ?? "before it began"
  }

  package func cancel() {
    // The first signal keeps GNU parallel from starting more shards, and the second kills the
    // running shards. Signals are repeated, because pending signals coalesce.
    while process.isRunning {
      process.terminate()
      usleep(200_000)
    }
  }
}
