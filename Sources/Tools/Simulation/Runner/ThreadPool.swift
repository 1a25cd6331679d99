internal import Foundation
internal import Synchronization

package struct ThreadPool: Sendable {
  /// The maximum number of concurrent jobs, at least 1.
  package let size: Int

  package init(of size: Int) { self.size = size }

  package static var ofAllCores: ThreadPool {
    ThreadPool(of: ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Runs each job once. After a failure, no further job begins.
  ///
  /// - Parameter order: The indices of the jobs in the order in which they begin; nil for the order of `jobs`.
  /// - Returns: The values, in the order of `jobs`.
  /// - Throws: The error of the failed job that is first in the order of `jobs`.
  package func perform<Job: Sendable, Value: Sendable>(
    _ jobs: [Job], beginning order: [Int]? = nil,
    _ body: @escaping @Sendable (_ number: Int, Job) throws(RunError) -> Value
  ) throws(RunError) -> [Value] {
    let queue = JobQueue<Value>(order ?? Array(jobs.indices))
    let work = { @Sendable in
      while let number = queue.next() {
        queue.finish(number, Result { () throws(RunError) in try body(number, jobs[number]) })
      }
    }
    if size == 1 { work() } else { inThreads(work) }
    return try queue.results.get()
  }

  private func inThreads(_ work: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<size {
      group.enter()
      let thread = Thread {
        work()
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
  }
}

/// The pending jobs, and the results of the finished jobs.
private final class JobQueue<Value: Sendable>: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// The indices of the pending jobs. The last one begins next.
    var open: [Int]
    var values: [Int: Value] = [:]
    var failures: [Int: RunError] = [:]
  }

  init(_ order: [Int]) { state = Mutex(State(open: order.reversed())) }

  /// Takes the index of the next job; nil if none is left or a job has failed.
  func next() -> Int? {
    state.withLock { $0.failures.isEmpty ? $0.open.popLast() : nil }
  }

  func finish(_ number: Int, _ result: Result<Value, RunError>) {
    state.withLock { state in
      switch result {
      case .success(let value): state.values[number] = value
      case .failure(let error): state.failures[number] = error
      }
    }
  }

  /// The values in the order of the jobs, or the error of the first failed job in that order.
  var results: Result<[Value], RunError> {
    state.withLock { state in
      if let first = state.failures.min(by: { $0.key < $1.key }) { return .failure(first.value) }
      return .success(state.values.sorted { $0.key < $1.key }.map(\.value))
    }
  }
}
