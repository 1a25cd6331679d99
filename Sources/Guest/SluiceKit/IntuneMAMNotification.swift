/// What the SDK posts to the notification center; here the app's delegate hears of it.
public enum IntuneMAMNotification: String, Sendable, CaseIterable {
  /// Another policy applies (`IntuneMAMPolicyDidChangeNotification`).
  case policyDidChange
  /// An account's data has been removed from the app (`IntuneMAMWipeDidCompleteNotification`).
  case wipeDidComplete
  /// The accounts that may sign in are others (`IntuneMAMAllowedAccountsDidChangeNotification`).
  case allowedAccountsDidChange
  /// Files have to be encrypted, or need be no longer: the app protects them again
  /// (`IntuneMAMDataProtectionDidChangeNotification`).
  case dataProtectionDidChange
  /// The app's configuration for an account is another (`IntuneMAMAppConfigDidChangeNotification`).
  case appConfigDidChange
}
