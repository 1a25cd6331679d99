internal import Clusters
internal import Sharding
internal import Simulation

/// Waits for a job, and shows how far it is where somebody looks.
enum JobWait {
  /// Submits a job, and waits for it. Ctrl-C cancels the job, and ends the command.
  ///
  /// - Parameter job: submits the job, or finds it; a signal that comes meanwhile waits.
  /// - Throws: ``RunError`` where a part has left no result.
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
