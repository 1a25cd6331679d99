internal import Diagnostics
package import Simulation

/// An array job of Slurm, a task for each shard. The folder in which it is submitted is shared by all nodes.
package struct SlurmJob: ClusterJob {
  /// The number that Slurm has given the job.
  private let id: String
  package let shards: Int
  package var folder: JobFolder { JobFolder(Self.name(id)) }

  private static func name(_ id: String) -> String { "slurm-\(id)" }

  /// The job that Slurm knows by a number.
  init(id: String, shards: Int) {
    self.id = id
    self.shards = shards
  }

  /// Submits a job. What `sbatch` takes from its environment, as `SBATCH_PARTITION`, is as usual.
  ///
  /// - Throws: ``RunError`` with the words of `sbatch` where it does not take the job.
  package static func submit(_ command: ShardCommand) throws(RunError) -> SlurmJob {
    let answer: String
    do throws(RunError) {
      answer = try Tool("sbatch").run(options(command), input: script(command))
    } catch {
      // What clients are told whose messages munge refuses, by Slurm 22 and 24.
      guard ["Zero Bytes", "Protocol authentication"].contains(where: error.reason.contains),
        !error.reason.contains("Failed to connect")
      else { throw error }
      throw RunError(
        .command, "\(error.reason); is the clock of this machine off, so that munge refuses it?",
        rule: "cluster")
    }
    // `17` or `17;cluster`.
    let id = answer.prefix { $0.isASCII && $0.isNumber }
    guard !id.isEmpty else {
      throw RunError(
        .command, "sbatch: answered `\(answer)`, and no number of a job", rule: "cluster")
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

  /// What submits the job, as a shell reads it.
  package static func text(_ command: ShardCommand) -> String {
    "sbatch \(options(command).joined(separator: " ")) <<'END'\n\(script(command))END\n"
  }

  package func states() throws(RunError) -> [Int: ShardState] {
    let answer: String
    do throws(RunError) {
      answer = try Tool("scontrol").run(["--oneliner", "show", "job", id])
    } catch {
      // Slurm forgets jobs some minutes after they have ended.
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

  /// Why nodes are not available. Munge's refusal of a node whose clock is off shows as `Not responding`.
  package var complaints: [String] {
    let options = ["--list-reasons", "--noheader", "--format=%N: %E"]
    let lines = (try? Tool("sinfo").run(options)) ?? ""
    return lines.split(separator: "\n").map { line in
      line.contains("Not responding")
        ? "\(line); is it down, or its clock off, so that munge refuses it?" : String(line)
    }
  }

  package func cancel() throws(RunError) { _ = try Tool("scancel").run([id]) }
}
