internal import AppProcess
internal import Dispatch
internal import Foundation

/// The Main Thread Checker.
enum MainThread {
  /// Reports, once for each method, a call on a background thread.
  nonisolated static func check(_ method: String) {
    guard !isMain else { return }
    AppProcess.current.logOnce("`\(method)` must be used from main thread only")
  }

  /// Code on the main queue counts as well: without a main run loop, another thread runs the queue.
  private nonisolated static var isMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
  }

  private nonisolated static let mark = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
