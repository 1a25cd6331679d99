internal import AppProcess
internal import Dispatch
internal import Foundation
internal import SluiceKit
internal import Synchronization

/// The SDK of this process, which receives the device's messages.
///
/// The first use of any SDK API initializes it.
final class SDK: SDKReceiver {
  static let shared = SDK()

  /// A serial queue for callbacks without a specified thread.
  private let queue = DispatchQueue(label: "com.microsoft.intune.mam.callbacks")
  /// The hidden accounts, with the reasons.
  let blocked = Mutex<[String: IntuneMAMBlockAccountReason]>([:])
  /// The accounts that the app has set for each window, keyed by the window's name.
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
  /// Reports once that a call has no effect.
  func withoutEffect(_ name: String, _ why: String) {
    process.logOnce("`\(name)` has no effect: \(why)")
  }

  /// Returns a handler that reports a refused call in the trace. For example, the device refuses calls of an
  /// app that does not integrate the SDK (`IntuneMAMSettings`, or `sdk` of a scenario).
  func noting(_ name: String) -> (RequestOutcome) -> Void {
    { [process] outcome in
      guard outcome.end == .refused else { return }
      let rules = outcome.reasons.map(\.rule).joined(separator: ", ")
      process.log("`\(name)` is refused: \(rules)")
    }
  }
}
