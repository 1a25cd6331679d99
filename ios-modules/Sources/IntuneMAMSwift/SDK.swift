internal import AppProcess
internal import Dispatch
internal import Foundation
internal import SluiceKit
internal import Synchronization

/// The SDK of this process: the receiver of what the device says to it.
///
/// Anything of the SDK that the app names brings it up.
final class SDK: SDKReceiver {
  static let shared = SDK()

  /// The thread of the calls that the headers promise no thread for, in order.
  private let queue = DispatchQueue(label: "com.microsoft.intune.mam.callbacks")
  /// The accounts that the app was asked to hide, with the reason.
  let blocked = Mutex<[String: IntuneMAMBlockAccountReason]>([:])
  /// The accounts of each window, as the app has set them, by the window's name.
  let windows = Mutex<[String: [String]]>([:])

  private init() {
    AppProcess.current.setReceiver(self)
  }

  var process: AppProcess { .current }

  /// Calls the app in the background, in the order of such calls.
  func call(_ name: String, _ body: @escaping @Sendable () -> Void) {
    Callback.inBackground(name, on: queue, body)
  }
}

extension SDK {
  /// Says once that a call exists and does nothing.
  func withoutEffect(_ name: String, _ why: String) {
    process.logOnce("`\(name)` has no effect: \(why)")
  }

  /// Says in the trace that the device refuses a call, such as that of an app that does not integrate the SDK
  /// (`IntuneMAMSettings`, or `sdk` of a scenario).
  func noting(_ name: String) -> (RequestOutcome) -> Void {
    { [process] outcome in
      guard outcome.end == .refused else { return }
      let rules = outcome.reasons.map(\.rule).joined(separator: ", ")
      process.log("`\(name)` is refused: \(rules)")
    }
  }
}
