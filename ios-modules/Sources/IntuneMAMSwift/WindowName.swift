internal import Foundation
internal import UIKit

extension UIWindow {
  /// The window's name on the device; nil for the main window. On a thread other than the main thread, the name of
  /// every window is nil, and the trace reports the access.
  nonisolated var nameOnDevice: String? {
    guard Thread.isMainThread else {
      SDK.shared.process.logOnce(
        "a window was passed to the SDK on a thread other than the main thread")
      return nil
    }
    return MainActor.assumeIsolated { deviceName }
  }
}
