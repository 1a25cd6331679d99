internal import Foundation
internal import Synchronization

/// The threads that wait for an answer of the device.
final class OpenReplies: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    var last = 0
    var waiting: [Int: @Sendable () -> Void] = [:]
  }

  /// Notes that a thread waits.
  ///
  /// - Parameter giveUp: wakes the thread without an answer.
  /// - Returns: what takes the note away; nil where the device has gone already.
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

  /// Wakes all threads: nobody will answer any more.
  func giveUp() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for giveUp in waiting { giveUp() }
  }

  /// Ends a thread that cannot go on. The main thread ends the process; any other waits for that.
  static func end() -> Never {
    if Thread.isMainThread { AppProcess.endWithDevice() }
    while true { sleep(.max) }
  }
}
