internal import Dispatch
internal import Synchronization

/// An answer that a blocked thread is waiting for.
final class Reply<Answer: Sendable>: Sendable {
  private let answer = Mutex<Answer?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Delivers the answer; only the first call has an effect.
  func give(_ value: Answer) {
    let isFirst = answer.withLock { answer in
      guard answer == nil else { return false }
      answer = value
      return true
    }
    if isFirst { semaphore.signal() }
  }

  /// Wakes the thread without an answer.
  func giveUp() { semaphore.signal() }

  /// Waits for the answer; returns nil if there will be none.
  func wait() -> Answer? {
    semaphore.wait()
    return answer.withLock { $0 }
  }
}
