/// A notification that the SDK posts to the notification center; here the app's delegate receives it.
public enum IntuneMAMNotification: String, Sendable, CaseIterable {
  /// Another policy applies (`IntuneMAMPolicyDidChangeNotification`).
  case policyDidChange
  /// An account's data has been removed from the app (`IntuneMAMWipeDidCompleteNotification`).
  case wipeDidComplete
  /// Other accounts may sign in (`IntuneMAMAllowedAccountsDidChangeNotification`).
  case allowedAccountsDidChange
  /// Files have to be encrypted, or no longer: the app protects them again
  /// (`IntuneMAMDataProtectionDidChangeNotification`).
  case dataProtectionDidChange
  /// The app's configuration for an account has changed (`IntuneMAMAppConfigDidChangeNotification`).
  case appConfigDidChange
}
