internal import Diagnostics
package import Simulation

/// Jobs whose submitters have ended.
package enum JobResumption {
  /// A job that was submitted here, as it goes on.
  ///
  /// - Throws: ``RunError`` where there is no such job.
  package static func job(named name: String) throws(RunError) -> any ClusterJob {
    let folder = JobFolder(name)
    let record = try folder.read()
    switch record.target {
    case .ssh(let hosts): return try ParallelJob.start(record.command, on: hosts, folder: folder)
    case .slurm: return SlurmJob(id: record.id, shards: record.command.shards)
    case .kubernetes:
      throw RunError(.command, "jobs of Kubernetes are not followed", rule: "resume")
    }
  }
}
