internal import Dispatch
internal import Foundation

/// Checks that methods are called on the main thread, like the Main Thread Checker.
package enum MainThread {
  /// Reports a call on a background thread. Each method is reported only once.
  package static func check(_ method: String) {
    guard !isMain else { return }
    AppProcess.current.logOnce("`\(method)` must be used from the main thread only")
  }

  /// Whether the caller is on the main thread or on the main queue. Without a main run loop,
  /// another thread runs the main queue.
  private static var isMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
  }

  private static let mark = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
