internal import Dispatch
internal import Foundation
internal import Synchronization
public import Testing

/// Runs a suite that waits for processes on threads of its own.
///
/// Tasks share as many threads as there are processors. A test that blocks one of them keeps others from running what
/// they wait for, and leaves a processor idle. Tasks also share a queue: whoever goes on after each of many processes
/// would wait for all that is in it, each time. The suite as a whole has the threads, so that it does not begin in that
/// queue either.
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
  /// A few threads, which all such suites share, for tests that wait for processes.
  public static var ownThreads: Self { Self { .shared } }

  /// A thread that no other suite has, for a test of many processes, each of which begins where another has ended.
  public static var ownThread: Self { Self { WaitingThreads(count: 1) } }
}

/// The latest job runs first: a test that goes on precedes one that begins, so that none keeps ended processes, and what
/// they hold, until all others have begun.
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
