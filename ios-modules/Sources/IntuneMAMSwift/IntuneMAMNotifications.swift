public import Foundation

/// The SDK's notifications. Naming one brings up the SDK, which posts it on the main thread.
extension NSNotification.Name {
  /// Another policy applies to the account that ``IntuneMAMPolicyDidChangeNotificationAccountId`` names.
  public static let IntuneMAMPolicyDidChange = posted("IntuneMAMPolicyDidChangeNotification")
  /// The data of the account that ``IntuneMAMSDKLifecycleEventAccountId`` names have been removed.
  public static let IntuneMAMWipeDidComplete = posted("IntuneMAMWipeDidCompleteNotification")
  /// The SDK shows something over the app. Never posted: nothing is shown here.
  public static let IntuneMAMSDKDidTakeOverUI = posted("IntuneMAMSDKDidTakeOverUINotification")
  /// The SDK shows nothing more. Never posted.
  public static let IntuneMAMSDKDidReleaseUI = posted("IntuneMAMSDKDidReleaseUINotification")
  /// Other accounts may sign in; the object is the array of their UPNs, or nil.
  public static let IntuneMAMAllowedAccountsDidChange = posted(
    "IntuneMAMAllowedAccountsDidChangeNotification")
  /// Another account is enrolled in MDM. Never posted: an app starts anew when MDM takes it over.
  public static let IntuneMAMMDMEnrolledAccountIdDidChange = posted(
    "IntuneMAMMDMEnrolledAccountIdDidChangeNotification")
  /// Data of the account that ``IntuneMAMDataProtectionDidChangeNotificationAccountId`` names are to be protected again.
  public static let IntuneMAMDataProtectionDidChange = posted(
    "IntuneMAMDataProtectionDidChangeNotification")
  /// The app's configuration for the account that ``IntuneMAMAppConfigDidChangeNotificationAccountId`` names has changed.
  public static let IntuneMAMAppConfigDidChange = posted("IntuneMAMAppConfigDidChangeNotification")
  /// The clock status of a user has changed. Never posted: the device tells apps by `blockAccountId`.
  public static let IntuneMAMUserStatusDidChange = posted(
    "IntuneMAMUserStatusDidChangeNotification")

  private static func posted(_ name: String) -> NSNotification.Name {
    _ = SDK.shared
    return NSNotification.Name(name)
  }
}

/// Keys of the notifications' `userInfo`.
public let IntuneMAMPolicyDidChangeNotificationAccountId =
  "IntuneMAMPolicyDidChangeNotificationAccountId"
public let IntuneMAMSDKLifecycleEventAccountId = "IntuneMAMSDKLifecycleEventAccountId"
public let IntuneMAMUIScene = "IntuneMAMUIScene"
public let IntuneMAMMDMEnrolledAccountIdKey = "IntuneMAMMDMEnrolledAccountIdKey"
public let IntuneMAMDataProtectionDidChangeNotificationAccountId =
  "IntuneMAMDataProtectionDidChangeNotificationAccountId"
public let IntuneMAMAppConfigDidChangeNotificationAccountId =
  "IntuneMAMAppConfigDidChangeNotificationAccountId"
public let IntuneMAMUserStatusDidChangeNotificationAccountId =
  "IntuneMAMUserStatusDidChangeNotificationAccountId"
