internal import Foundation
internal import Output
package import Simulation

/// A Slurm array job with one task for each shard. All nodes share the folder from which it is
/// submitted.
package struct SlurmJob: ClusterJob {
  private let id: String
  package let shards: Int
  package var folder: JobFolder { JobFolder(Self.name(id)) }

  private static func name(_ id: String) -> String { "slurm-\(id)" }

  init(id: String, shards: Int) {
    self.id = id
    self.shards = shards
  }

  /// Submits a job. `sbatch` also reads its usual environment variables, such as `SBATCH_PARTITION`.
  ///
  /// - Throws: ``RunError`` with the output of `sbatch` if it rejects the job, or if the job's folder cannot be
  ///   written.
  package static func submit(_ command: ShardCommand) throws(RunError) -> SlurmJob {
    let answer: String
    do throws(RunError) {
      answer = try Tool("sbatch").run(options(command), input: script(command))
    } catch {
      // Slurm 22 and 24 report these errors if munge rejects a client's message.
      guard ["Zero Bytes", "Protocol authentication"].contains(where: error.reason.contains),
        !error.reason.contains("Failed to connect")
      else { throw error }
      throw RunError(
        .command, "\(error.reason); check this machine's clock, because munge rejects a wrong time",
        rule: "cluster")
    }
    // The answer is `17` or `17;cluster`.
    let id = answer.prefix { $0.isASCII && $0.isNumber }
    guard !id.isEmpty else {
      throw RunError(
        .command, "`sbatch` must print a job number, found `\(answer)`", rule: "cluster")
    }
    let job = SlurmJob(id: String(id), shards: command.shards)
    do throws(RunError) {
      try job.folder.begin(
        JobFolder.Record(target: .slurm, id: job.id, command: command))
    } catch {
      try job.cancel()
      throw error
    }
    return job
  }

  private static func options(_ command: ShardCommand) -> [String] {
    [
      "--parsable", "--job-name=sluice", "--array=1-\(command.shards)", "--requeue",
      "--output=/dev/null",
    ]
  }

  private static func script(_ command: ShardCommand) -> String {
    "#!/bin/sh\n"
      + command.script(
        number: "$SLURM_ARRAY_TASK_ID", folder: "\(JobFolder.all)/\(name("$SLURM_ARRAY_JOB_ID"))")
  }

  /// Returns the shell command that submits the job.
  package static func text(_ command: ShardCommand) -> String {
    "sbatch \(options(command).joined(separator: " ")) <<'END'\n\(script(command))END\n"
  }

  package func states() throws(RunError) -> [Int: ShardState] {
    let answer: String
    do throws(RunError) {
      answer = try Tool("scontrol").run(["--oneliner", "show", "job", id])
    } catch {
      // Slurm forgets a job some minutes after its end.
      guard error.reason.contains("Invalid job id") else { throw error }
      return [:]
    }
    var states: [Int: ShardState] = [:]
    for line in answer.split(separator: "\n") {
      let task = SlurmTask(line)
      for number in task.numbers { states[number] = task.state }
    }
    return states
  }

  /// The reasons why nodes are unavailable. If munge rejects a node because of its wrong clock, the
  /// reason is `Not responding`.
  package var complaints: [String] {
    let options = ["--list-reasons", "--noheader", "--format=%N: %E"]
    let lines = (try? Tool("sinfo").run(options)) ?? ""
    return lines.split(separator: "\n").map { line in
      line.contains("Not responding")
        ? "\(line); check that the node is running, and its clock, because munge rejects a wrong time"
        : String(line)
    }
  }

  package func cancel() throws(RunError) { _ = try Tool("scancel").run([id]) }
}

// MARK: - Job tasks

/// A task of an array job, or several queued tasks, parsed from a line of `scontrol --oneliner show job`.
struct SlurmTask {
  private let fields: [Substring: Substring]

  /// Parses a line of the form `Name=value Name=value …`.
  init(_ line: Substring) {
    var fields: [Substring: Substring] = [:]
    for field in line.split(separator: " ") {
      guard let sign = field.firstIndex(of: "=") else { continue }
      fields[field[..<sign]] = field[field.index(after: sign)...]
    }
    self.fields = fields
  }

  /// The task numbers, parsed from a text such as `3`. Queued tasks have a text such as `3-5,7%2`. Its `%2` means that
  /// at most two tasks run at the same time.
  var numbers: [Int] {
    let list = (fields["ArrayTaskId"] ?? "").prefix { $0 != "%" }
    return list.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }

  var state: ShardState {
    let (state, reason) = (fields["JobState"] ?? "", fields["Reason"] ?? "")
    switch state {
    case "PENDING" where reason.contains("Held") || reason.contains("held"):
      return .ended("before it started: Slurm put it on hold (\(reason))")
    case "PENDING", "CONFIGURING", "REQUEUED", "SUSPENDED", "STOPPED":
      return .waiting(reason == "None" ? String(state).lowercased() : String(reason))
    case "RUNNING", "COMPLETING": return .running(host)
    case "COMPLETED": return .ended("on \(host)")
    case "FAILED": return .ended("\(exit) on \(host)")
    default: return .ended("\(state.lowercased()) on \(host)")  // open: any other state
    }
  }

  /// The task's result as text, parsed from `status:signal`.
  private var exit: String {
    let parts = (fields["ExitCode"] ?? "").split(separator: ":")
    guard parts.count == 2 else { return "failed" }
    if fields["Reason"] == "JobLaunchFailure", parts[1] == "53" { return "before it began" }
    return parts[1] == "0" ? "with status \(parts[0])" : "by signal \(parts[1])"
  }

  private var host: String {
    fields["NodeList"].map { $0.isEmpty || $0 == "(null)" ? "no node" : String($0) } ?? "no node"
  }
}

// MARK: - Slurm programs

/// An external program that is run to completion.
private struct Tool {
  private let name: String

  /// Creates a reference to a program that is found in `PATH`.
  init(_ name: String) { self.name = name }

  /// Runs the program, and returns its standard output.
  ///
  /// - Throws: ``RunError`` if the program is missing, or if its exit status is not 0. In the second case, the error
  ///   contains the program's standard error.
  func run(_ arguments: [String], input: String = "") throws(RunError) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let (into, out, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (into, out, errors)
    // A program that ignores its input must not cause SIGPIPE here, because its own error is then
    // reported.
    signal(SIGPIPE, SIG_IGN)
    do {
      try process.run()
    } catch {
      throw failure("cannot be run: \(error)")
    }
    try? into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? into.fileHandleForWriting.close()
    let output = out.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let text = String(decoding: complaint, as: UTF8.self)
        .split(separator: "\n").joined(separator: "; ")
      throw failure(text.isEmpty ? "ended with status \(process.terminationStatus)" : text)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func failure(_ message: String) -> RunError {
    RunError(.command, "\(name): \(message)", rule: "cluster")
  }
}
