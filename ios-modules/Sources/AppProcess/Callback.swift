public import Dispatch
internal import Synchronization

/// Calls app code on the thread that Apple's or Microsoft's documentation specifies.
///
/// Slow calls are reported to the device by name.
public enum Callback {
  /// The longest duration of a call that is not reported. Users notice a delay of one second.
  static let patience = Duration.seconds(1)

  /// Calls `body` on the main thread. Calls are executed in FIFO order.
  public static func onMain(_ name: String, _ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { watch(name, "the main thread", body) }
    }
  }

  /// Calls `body` on a background thread.
  ///
  /// - Parameter queue: A serial queue that preserves the order of calls; nil if the order is
  ///   irrelevant.
  public static func inBackground(
    _ name: String, on queue: DispatchQueue? = nil, _ body: @escaping @Sendable () -> Void
  ) {
    (queue ?? .global()).async { watch(name, "a background thread", body) }
  }

  private static func watch(_ name: String, _ thread: String, _ body: () -> Void) {
    let start = ContinuousClock.now
    let isDone = Flag()
    DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
      guard !isDone.isSet else { return }
      AppProcess.current.log("`\(name)` has blocked \(thread) for 5 seconds, and has not returned")
    }
    body()
    isDone.set()
    let time = ContinuousClock.now - start
    guard time > patience else { return }
    AppProcess.current.log("`\(name)` blocked \(thread) for \(time.formatted)")
  }
}

/// A thread-safe flag, which is initially false.
private final class Flag: Sendable {
  private let state = Mutex(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

extension Duration {
  fileprivate var formatted: String {
    let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
    return "\(tenths / 10).\(tenths % 10) seconds"
  }
}
