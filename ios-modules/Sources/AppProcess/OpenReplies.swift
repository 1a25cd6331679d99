internal import Foundation
internal import Synchronization

/// The threads that are waiting for an answer from the device.
final class OpenReplies: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    var last = 0
    var waiting: [Int: @Sendable () -> Void] = [:]
  }

  /// Registers a waiting thread.
  ///
  /// - Parameter giveUp: Wakes the thread without an answer.
  /// - Returns: A closure that removes the registration. Nil if the device no longer exists, so no
  ///   answer will arrive.
  func open(_ giveUp: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    let number: Int? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.last += 1
      state.waiting[state.last] = giveUp
      return state.last
    }
    guard let number else { return nil }
    return { [self] in close(number) }
  }

  private func close(_ number: Int) { state.withLock { $0.waiting[number] = nil } }

  /// Wakes all waiting threads, because no more answers will arrive.
  func giveUp() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for giveUp in waiting { giveUp() }
  }

  /// Stops the calling thread, which cannot continue without an answer. The main thread ends the
  /// process. Any other thread blocks until the process ends.
  static func end() -> Never {
    if Thread.isMainThread { AppProcess.endWithDevice() }
    while true { sleep(.max) }
  }
}
