internal import Diagnostics
package import Simulation

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
