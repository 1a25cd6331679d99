internal import Dispatch
internal import Foundation
internal import Synchronization
public import Testing

/// Runs tests that wait for processes on a few threads of their own.
///
/// Tasks share as many threads as there are processors. A test that blocks one of them keeps others from running what
/// they wait for, and leaves a processor idle.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await body() }
  }
}

extension Trait where Self == OwnThreads {
  /// For tests that wait for processes.
  public static var ownThreads: Self { Self() }
}

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
    let job = jobs.withLock { $0.removeFirst() }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
