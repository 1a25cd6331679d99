internal import Clusters
internal import Foundation
internal import Sharding
internal import Simulation
internal import Synchronization

/// Waits for a job, and shows how far it is where somebody looks.
enum JobWait {
  /// Submits a job, and waits for it. Ctrl-C cancels the job, and ends the command.
  ///
  /// - Parameter job: submits the job, or finds it; a signal that comes meanwhile waits.
  /// - Throws: ``RunError`` where a part has left no result.
  static func merge(
    _ job: () throws(RunError) -> any ClusterJob
  ) throws(RunError) -> Merge {
    received.store(0, ordering: .relaxed)
    noteSignals()
    let job = try job()
    let name = job.folder.name
    Failure.print("job \(name); `sluice merge --resume \(name)` goes on where this ends")
    var watch = JobWatch(job, show: show) { Failure.print("note: \($0)") }
    if let merge = try watch.merge(until: { received.load(ordering: .relaxed) != 0 }) {
      for code in codes where !isIgnored(code) { signal(code, SIG_DFL) }
      return merge
    }
    do throws(RunError) {
      try job.cancel()
      Failure.print("job \(name) is cancelled")
    } catch {
      Failure.print("job \(name) runs on: \(error.reason)")
    }
    end(by: received.load(ordering: .relaxed))
  }

  private static let codes = [SIGINT, SIGTERM, SIGHUP]

  /// Has signals noted but for those that are ignored, as under nohup(1).
  private static func noteSignals() {
    for code in codes where !isIgnored(code) {
      signal(code) { received.store($0, ordering: .relaxed) }
    }
  }

  private static func isIgnored(_ code: Int32) -> Bool {
    var action = sigaction()
    sigaction(code, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func end(by code: Int32) -> Never {
    signal(code, SIG_DFL)
    raise(code)
    // A signal that is blocked does not end the process.
    exit(128 + code)
  }

  private static func show(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data(("\r\u{1B}[K" + line).utf8))
  }
}

/// The signal that came; 0: none.
private let received = Atomic<Int32>(0)
