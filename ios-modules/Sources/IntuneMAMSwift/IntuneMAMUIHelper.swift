internal import AppProcess
public import Foundation
public import UIKit

/// The SDK's user interface. Nothing is drawn, and messages appear in the device's trace.
open class IntuneMAMUIHelper: NSObject {
  /// Reports in the trace that sharing is blocked, and calls the handler on the main thread.
  open class func showSharingBlockedMessage(_ completion: (@Sendable () -> Void)? = nil) {
    SDK.shared.process.log("the user is told that sharing is blocked")
    guard let completion else { return }
    Callback.onMain("the handler of showSharingBlockedMessage(_:)") { completion() }
  }

  /// Returns the message that asks the user to restart the app.
  open class func getRestartApplicationMessage() -> String? {
    "Your organization is now protecting its data in this app. Restart the app to continue."
  }

  /// Always returns nil, because windows are not drawn.
  open class func captureImage(of window: UIWindow) -> UIImage? { nil }
}

/// The SDK's diagnostic console. It is not drawn.
open class IntuneMAMDiagnosticConsole: NSObject {
  open class func display() {
    SDK.shared.withoutEffect("display()", "nothing is drawn; the journal records the events")
  }

  /// Returns the SDK's information about this app.
  open class func getDiagnosticInformation() -> [AnyHashable: Any]? {
    let enrollment = IntuneMAMEnrollmentManager.instance()
    return [
      "BundleID": SDK.shared.process.bundleIdentifier,
      "SDKVersion": IntuneMAMVersionInfo.sdkVersion(),
      "EnrolledAccounts": enrollment.enrolledAccountIds(),
      "ManagedAccounts": IntuneMAMPolicyManager.instance().managedAccountIds,
    ]
  }

  /// Always returns an empty array, because the device's journal replaces the SDK's log.
  open class func getIntuneLogPaths() -> [String]? { [] }
}

/// The simulated version of the SDK.
open class IntuneMAMVersionInfo: NSObject {
  open class func sdkVersion() -> String { "21.7.1" }
}
