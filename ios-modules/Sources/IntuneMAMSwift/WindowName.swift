internal import Foundation
internal import UIKit

extension UIWindow {
  /// The window's name on the device; nil for the main window. Windows must be used on the main
  /// thread. On another thread, every window is treated as the main window, and the trace reports
  /// it.
  nonisolated var nameOnDevice: String? {
    guard Thread.isMainThread else {
      SDK.shared.process.logOnce(
        "a window was passed to the SDK on a thread other than the main thread")
      return nil
    }
    return MainActor.assumeIsolated { deviceName }
  }
}
