internal import Dispatch
internal import Foundation
internal import Synchronization
public import Testing

/// Runs a suite whose tests wait for processes on dedicated threads.
///
/// Swift's default executor has one thread per processor. A test that blocks one of them delays the
/// work that other tests wait for and leaves a processor idle. Tasks also share a queue: each time
/// a test resumes, it would wait for all queued jobs. The trait applies to the whole suite, so the
/// suite's start does not wait in that queue either.
public struct OwnThreads: SuiteTrait, TestScoping {
  private let threads: @Sendable () -> WaitingThreads

  fileprivate init(_ threads: @escaping @Sendable () -> WaitingThreads) { self.threads = threads }

  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(threads()) { try await body() }
  }
}

extension Trait where Self == OwnThreads {
  /// Runs the suite on a few threads, shared by all suites with this trait.
  public static var ownThreads: Self { Self { .shared } }

  /// Runs the suite on a thread of its own, for tests that start many processes in sequence.
  public static var ownThread: Self { Self { WaitingThreads(count: 1) } }
}

/// Runs the latest job first. Tests that resume therefore precede tests that begin, and release
/// their exited processes early.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads(count: 4)

  private let jobs = Mutex<[UnownedJob]>([])
  private let count = DispatchSemaphore(value: 0)

  init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { while true { self.runNext() } }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    count.signal()
  }

  private func runNext() {
    count.wait()
    let job = jobs.withLock { $0.removeLast() }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
