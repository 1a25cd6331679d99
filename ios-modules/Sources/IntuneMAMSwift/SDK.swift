internal import AppProcess
internal import Dispatch
internal import Foundation
internal import SluiceKit
internal import Synchronization

/// The SDK in this process, which receives the device's messages.
///
/// The first use of any SDK API initializes it.
final class SDK: SDKReceiver {
  static let shared = SDK()

  /// A serial queue for callbacks that have no specified thread.
  private let queue = DispatchQueue(label: "com.microsoft.intune.mam.callbacks")
  /// The accounts that the app must hide, with the reasons. The keys are lowercase names.
  let blocked = Mutex<[String: IntuneMAMBlockAccountReason]>([:])
  /// The accounts that the app has set for each window. The keys are the names of windows.
  let windows = Mutex<[String: [String]]>([:])

  private init() {
    AppProcess.current.setReceiver(self)
  }

  var process: AppProcess { .current }

  /// Calls app code on the serial background queue.
  func call(_ name: String, _ body: @escaping @Sendable () -> Void) {
    Callback.inBackground(name, on: queue, body)
  }
}

extension SDK {
  /// Reports in the trace that a method has no effect. Each method is reported only once.
  func withoutEffect(_ name: String, _ why: String) {
    process.logOnce("`\(name)` has no effect: \(why)")
  }

  /// Returns a handler that reports a refused call in the trace. For example, the device refuses
  /// calls from an app that does not integrate the SDK (`IntuneMAMSettings`, or `sdk` in a
  /// scenario).
  func noting(_ name: String) -> (RequestOutcome) -> Void {
    { [process] outcome in
      guard outcome.end == .refused else { return }
      let rules = outcome.reasons.map(\.rule).joined(separator: ", ")
      process.log("`\(name)` is refused: \(rules)")
    }
  }
}
