public import Foundation

/// The SDK's notifications. The first use of one of these names initializes the SDK. The SDK posts
/// notifications on the main thread.
extension NSNotification.Name {
  /// The policy of an account has changed. ``IntuneMAMPolicyDidChangeNotificationAccountId`` is the `userInfo` key of
  /// the account.
  public static let IntuneMAMPolicyDidChange = posted("IntuneMAMPolicyDidChangeNotification")
  /// The data of an account has been deleted. ``IntuneMAMSDKLifecycleEventAccountId`` is the `userInfo` key of the
  /// account.
  public static let IntuneMAMWipeDidComplete = posted("IntuneMAMWipeDidCompleteNotification")
  /// The SDK covers the app's UI. This notification is never posted, because the simulated SDK
  /// shows nothing.
  public static let IntuneMAMSDKDidTakeOverUI = posted("IntuneMAMSDKDidTakeOverUINotification")
  /// The SDK no longer covers the app's UI. This notification is never posted.
  public static let IntuneMAMSDKDidReleaseUI = posted("IntuneMAMSDKDidReleaseUINotification")
  /// The accounts that may sign in have changed. The object is the array of their UPNs, or nil.
  public static let IntuneMAMAllowedAccountsDidChange = posted(
    "IntuneMAMAllowedAccountsDidChangeNotification")
  /// The MDM account has changed. This notification is never posted, because the app restarts when MDM begins to manage
  /// it.
  public static let IntuneMAMMDMEnrolledAccountIdDidChange = posted(
    "IntuneMAMMDMEnrolledAccountIdDidChangeNotification")
  /// The app must again protect the data of an account. ``IntuneMAMDataProtectionDidChangeNotificationAccountId`` is
  /// the `userInfo` key of the account.
  public static let IntuneMAMDataProtectionDidChange = posted(
    "IntuneMAMDataProtectionDidChangeNotification")
  /// The configuration for an account has changed. ``IntuneMAMAppConfigDidChangeNotificationAccountId`` is the
  /// `userInfo` key of the account.
  public static let IntuneMAMAppConfigDidChange = posted("IntuneMAMAppConfigDidChangeNotification")
  /// The working-time status of a user has changed. This notification is never posted; the device
  /// calls `blockAccountId` instead.
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
