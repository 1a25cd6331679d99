internal import Foundation
internal import Synchronization

/// Threads that share jobs.
package struct Crew: Sendable {
  /// How many jobs are done at the same time, at least 1.
  let size: Int

  package init(of size: Int) { self.size = size }

  /// Does all jobs, each but once; none is begun after one has failed.
  ///
  /// - Parameter order: indices of the jobs in the order in which they begin; nil: their own.
  /// - Returns: what came of them, in the order of the jobs.
  /// - Throws: why the first of them failed, of those that were begun.
  package func perform<Job: Sendable, Value: Sendable>(
    _ jobs: [Job], beginning order: [Int]? = nil,
    _ body: @escaping @Sendable (_ number: Int, Job) throws(RunError) -> Value
  ) throws(RunError) -> [Value] {
    let board = Board<Value>(order ?? Array(jobs.indices))
    let work = { @Sendable in
      while let number = board.next() {
        board.finish(number, Result { () throws(RunError) in try body(number, jobs[number]) })
      }
    }
    if size == 1 { work() } else { inThreads(work) }
    return try board.results.get()
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

/// What is to be done, and what has come of it.
private final class Board<Value: Sendable>: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// Numbers of the jobs that nobody has taken, the next one last.
    var open: [Int]
    var values: [Int: Value] = [:]
    var failures: [Int: RunError] = [:]
  }

  init(_ order: [Int]) { state = Mutex(State(open: order.reversed())) }

  /// nil where nothing is left, or something has gone wrong.
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

  /// In the order of the jobs.
  var results: Result<[Value], RunError> {
    state.withLock { state in
      if let first = state.failures.min(by: { $0.key < $1.key }) { return .failure(first.value) }
      return .success(state.values.sorted { $0.key < $1.key }.map(\.value))
    }
  }
}
