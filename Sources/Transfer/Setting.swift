/// A setting that rules cite: the raw value is the name that Microsoft Graph gives it in
/// `iosManagedAppProtection`, or the key in an app configuration, a profile or an entitlements file.
public enum Setting: String, Sendable, CaseIterable {
  case allowedOutboundDataTransferDestinations
  case allowedInboundDataTransferSources
  case disableProtectionOfManagedOutboundOpenInData
  case filterOpenInToOnlyManagedApps
  case protectInboundDataFromUnknownSources
  case allowedOutboundClipboardSharingLevel
  case allowedOutboundClipboardSharingExceptionLength
  case exemptedAppProtocols
  case managedBrowser
  case managedBrowserToOpenLinksRequired
  case customBrowserProtocol
  /// App configuration: only the accounts that it names may sign in.
  case allowedAccountsOnly = "IntuneMAMAllowedAccountsOnly"
  /// App configuration: the enrolled user's UPN.
  case enrolledUPN = "IntuneMAMUPN"
  /// App configuration: the enrolled user's object id.
  case enrolledObjectID = "IntuneMAMOID"
  /// Restriction of an MDM profile.
  case allowOpenFromManagedToUnmanaged
  /// Entitlement.
  case keychainAccessGroups = "keychain-access-groups"
  /// Entitlement.
  case applicationGroups = "com.apple.security.application-groups"
}
