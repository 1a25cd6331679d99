internal import Dispatch
internal import Synchronization

/// An answer for which a blocked thread waits.
final class Reply<Answer: Sendable>: Sendable {
  private let answer = Mutex<Answer?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Delivers the answer. Only the first call has an effect.
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

  /// Waits for the answer. Returns nil if no answer will arrive.
  func wait() -> Answer? {
    semaphore.wait()
    return answer.withLock { $0 }
  }
}
