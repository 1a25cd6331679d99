internal import Clusters
internal import Foundation
internal import Sharding
internal import Simulation
internal import Synchronization

/// Waits for a job, and shows how far it is where somebody looks.
struct JobWait {
  private let job: any ClusterJob

  init(for job: any ClusterJob) { self.job = job }

  /// The results of all parts. Ctrl-C cancels the job, and ends the command.
  ///
  /// - Throws: ``RunError`` where a part has left no result.
  func merge() throws(RunError) -> Merge {
    for code in [SIGINT, SIGTERM, SIGHUP] {
      signal(code) { received.store($0, ordering: .relaxed) }
    }
    Failure.print(
      "job \(job.folder.name); `sluice merge --resume \(job.folder.name)` goes on where this ends")
    var watch = JobWatch(job, show: show) { Failure.print("note: \($0)") }
    guard let merge = try watch.merge(until: { received.load(ordering: .relaxed) != 0 }) else {
      Failure.print("job \(job.folder.name) is cancelled")
      Self.end(by: received.load(ordering: .relaxed))
    }
    return merge
  }

  private static func end(by code: Int32) -> Never {
    signal(code, SIG_DFL)
    raise(code)
    // A signal that is blocked does not end the process.
    exit(128 + code)
  }

  private func show(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data(("\r\u{1B}[K" + line).utf8))
  }
}

/// The signal that came; 0: none.
private let received = Atomic<Int32>(0)
