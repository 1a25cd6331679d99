internal import AppProcess
internal import Dispatch
internal import Foundation

/// What the Main Thread Checker finds.
enum MainThread {
  /// Tells the device, once for each method, that it was called on another thread.
  nonisolated static func check(_ method: String) {
    guard !isMain else { return }
    AppProcess.current.logOnce("`\(method)` must be used from main thread only")
  }

  /// Code of the main queue counts, too: where no run loop serves it, another thread does.
  private nonisolated static var isMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
  }

  private nonisolated static let mark = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
