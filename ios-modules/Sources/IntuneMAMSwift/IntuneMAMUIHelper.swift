internal import AppProcess
public import Foundation
public import UIKit

/// What the SDK shows. Nothing is drawn here: messages are in the device's trace.
open class IntuneMAMUIHelper: NSObject {
  /// Says in the trace that sharing is blocked, and calls the handler on the main thread.
  open class func showSharingBlockedMessage(_ completion: (@Sendable () -> Void)? = nil) {
    SDK.shared.process.log("the user is told that sharing is blocked")
    guard let completion else { return }
    Callback.onMain("the handler of showSharingBlockedMessage(_:)") { completion() }
  }

  /// The sentence that asks the user to start the app anew.
  open class func getRestartApplicationMessage() -> String? {
    "Your organization is now protecting its data in this app. Restart the app to continue."
  }

  /// nil: windows have no picture.
  open class func captureImage(of window: UIWindow) -> UIImage? { nil }
}

/// The console that shows what the SDK does; nothing is drawn here.
open class IntuneMAMDiagnosticConsole: NSObject {
  open class func display() {
    SDK.shared.withoutEffect("display()", "nothing is drawn; the journal has what happens")
  }

  /// What the SDK knows of this app.
  open class func getDiagnosticInformation() -> [AnyHashable: Any]? {
    let enrollment = IntuneMAMEnrollmentManager.instance()
    return [
      "BundleID": SDK.shared.process.bundleIdentifier,
      "SDKVersion": IntuneMAMVersionInfo.sdkVersion(),
      "EnrolledAccounts": enrollment.enrolledAccountIds(),
      "ManagedAccounts": IntuneMAMPolicyManager.instance().managedAccountIds,
    ]
  }

  /// None: the SDK's log is the device's journal.
  open class func getIntuneLogPaths() -> [String]? { [] }
}

/// The version of the SDK that these modules are like.
open class IntuneMAMVersionInfo: NSObject {
  open class func sdkVersion() -> String { "21.7.1" }
}
