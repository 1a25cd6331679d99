/// A setting that a rule can read.
///
/// The raw value is the setting's name in Microsoft Graph's `iosManagedAppProtection`, or its key in an app
/// configuration, a profile or an entitlements file.
public enum Setting: String, Sendable, CaseIterable {
  // Data transfer
  case allowedOutboundDataTransferDestinations
  case allowedInboundDataTransferSources
  case disableProtectionOfManagedOutboundOpenInData
  case filterOpenInToOnlyManagedApps
  case protectInboundDataFromUnknownSources
  case exemptedAppProtocols
  case exemptedUniversalLinks
  case managedUniversalLinks
  case saveAsBlocked
  case allowedDataStorageLocations
  case blockDataIngestionIntoOrganizationDocuments
  case allowedDataIngestionLocations
  case allowedOutboundClipboardSharingLevel
  case allowedOutboundClipboardSharingExceptionLength
  case dialerRestrictionLevel
  case customDialerAppProtocol
  case protectedMessagingRedirectAppType
  case messagingRedirectAppUrlScheme
  case managedBrowser
  case managedBrowserToOpenLinksRequired
  case customBrowserProtocol

  // Functionality
  case printBlocked
  case notificationRestriction
  case contactSyncBlocked
  case allowWidgetContentSync
  case dataBackupBlocked
  case thirdPartyKeyboardsBlocked
  case screenCaptureConfigurationState
  case writingToolsConfigurationState
  case genmojiConfigurationState
  case appDataEncryptionType

  // Access requirements
  case pinRequired
  case pinCharacterSet
  case simplePinBlocked
  case minimumPinLength
  case maximumPinRetries
  case appActionIfMaximumPinRetriesExceeded
  case periodBeforePinReset
  case previousPinBlockCount
  case fingerprintBlocked
  case faceIdBlocked
  case pinRequiredInsteadOfBiometricTimeout
  case disableAppPinIfDevicePinIsSet
  case organizationalCredentialsRequired
  case periodOnlineBeforeAccessCheck

  // Conditional launch
  case periodOfflineBeforeAccessCheck
  case periodOfflineBeforeWipeIsEnforced
  case deviceComplianceRequired
  case appActionIfDeviceComplianceRequired
  case appActionIfUnableToAuthenticateUser
  case appActionIfAccountIsClockedOut
  case minimumRequiredOsVersion
  case minimumWarningOsVersion
  case minimumWipeOsVersion
  case maximumRequiredOsVersion
  case maximumWarningOsVersion
  case maximumWipeOsVersion
  case minimumRequiredAppVersion
  case minimumWarningAppVersion
  case minimumWipeAppVersion
  case minimumRequiredSdkVersion
  case minimumWarningSdkVersion
  case minimumWipeSdkVersion
  case allowedIosDeviceModels
  case appActionIfIosDeviceModelNotAllowed
  case maximumAllowedDeviceThreatLevel
  case mobileThreatDefenseRemediationAction

  /// App configuration: only the configured accounts may sign in.
  case allowedAccountsOnly = "IntuneMAMAllowedAccountsOnly"
  /// App configuration: the enrolled user's UPN.
  case enrolledUPN = "IntuneMAMUPN"
  /// App configuration: the enrolled user's object id.
  case enrolledObjectID = "IntuneMAMOID"
  /// App configuration: the app receives no org data until the enrolled user has signed in.
  case requireAccounts = "IntuneMAMRequireAccounts"
  /// App configuration: `Disabled` allows screen capture.
  case screenCaptureControl = "com.microsoft.intune.mam.screencapturecontrol"
  /// `IntuneMAMSettings`: every web view is unmanaged, whatever the app's identity.
  case treatAllWebViewsAsUnmanaged = "TreatAllWebViewsAsUnmanaged"

  // Restrictions of an MDM profile
  case allowOpenFromManagedToUnmanaged
  case allowOpenFromUnmanagedToManaged
  case requireManagedPasteboard
  case allowManagedToWriteUnmanagedContacts
  case allowUnmanagedToReadManagedContacts
  case allowScreenShot
  case allowWritingTools
  case allowGenmoji

  // Entitlements
  case keychainAccessGroups = "keychain-access-groups"
  case applicationGroups = "com.apple.security.application-groups"

  /// The kind of document that contains a setting.
  public enum Holder: Sendable {
    /// An app protection policy.
    case policy
    /// The app's configuration, its `IntuneMAMSettings` or its entitlements.
    case app
    /// A profile of the device's MDM.
    case profile
  }

  /// The kind of document that contains the setting.
  public var holder: Holder {
    if Self.ofApps.contains(self) { return .app }
    return Self.ofProfiles.contains(self) ? .profile : .policy
  }

  private static let ofApps: Set<Setting> = [
    .allowedAccountsOnly, .enrolledUPN, .enrolledObjectID, .requireAccounts, .screenCaptureControl,
    .treatAllWebViewsAsUnmanaged, .keychainAccessGroups, .applicationGroups,
  ]

  private static let ofProfiles: Set<Setting> = [
    .allowOpenFromManagedToUnmanaged, .allowOpenFromUnmanagedToManaged, .requireManagedPasteboard,
    .allowManagedToWriteUnmanagedContacts, .allowUnmanagedToReadManagedContacts, .allowScreenShot,
    .allowWritingTools, .allowGenmoji,
  ]
}
