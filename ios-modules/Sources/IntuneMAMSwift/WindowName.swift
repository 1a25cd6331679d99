internal import Foundation
internal import UIKit

extension UIWindow {
  /// The name by which the device knows the window; nil is the main one. Windows belong to the main thread: on another,
  /// every window is taken for the main one, and the device's trace says so.
  nonisolated var nameOnDevice: String? {
    guard Thread.isMainThread else {
      SDK.shared.process.logOnce(
        "a window was named to the SDK on another thread than the main one")
      return nil
    }
    return MainActor.assumeIsolated { deviceName }
  }
}
