public import Transfer

extension Setting {
  /// The name of the setting where an administrator finds it: the Intune admin centre's label, or the key
  /// itself where there is none.
  ///
  /// Several Graph properties share one label, because the admin centre offers their combinations as the
  /// values of one setting. Source: Microsoft Learn, "iOS app protection policy settings".
  public var label: String {
    switch self {
    case .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
      .filterOpenInToOnlyManagedApps:
      "Send org data to other apps"
    case .allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources:
      "Receive data from other apps"
    case .exemptedAppProtocols: "Select apps to exempt"
    case .exemptedUniversalLinks: "Select universal links to exempt"
    case .managedUniversalLinks: "Select managed universal links"
    case .saveAsBlocked: "Save copies of org data"
    case .allowedDataStorageLocations: "Allow user to save copies to selected services"
    case .blockDataIngestionIntoOrganizationDocuments: "Open data into Org documents"
    case .allowedDataIngestionLocations: "Allow users to open data from selected services"
    case .allowedOutboundClipboardSharingLevel: "Restrict cut, copy, and paste between other apps"
    case .allowedOutboundClipboardSharingExceptionLength:
      "Cut and copy character limit for any app"
    case .dialerRestrictionLevel: "Transfer telecommunication data to"
    case .customDialerAppProtocol: "Dialer App URL Scheme"
    case .protectedMessagingRedirectAppType: "Transfer messaging data to"
    case .messagingRedirectAppUrlScheme: "Messaging App URL Scheme"
    case .managedBrowser, .managedBrowserToOpenLinksRequired:
      "Restrict web content transfer with other apps"
    case .customBrowserProtocol: "Unmanaged browser protocol"
    case .printBlocked: "Printing Org data"
    case .notificationRestriction: "Org data notifications"
    case .contactSyncBlocked: "Sync policy managed app data with native apps or add-ins"
    case .allowWidgetContentSync: "Sync policy managed app data with app widgets"
    case .dataBackupBlocked: "Backup Org data to iTunes and iCloud backups"
    case .thirdPartyKeyboardsBlocked: "Third-party keyboards"
    case .screenCaptureConfigurationState: "Screen capture"
    case .writingToolsConfigurationState: "Writing Tools"
    case .genmojiConfigurationState: "Genmojis"
    case .appDataEncryptionType: "Encrypt Org data"
    case .pinRequired: "PIN for access"
    case .pinCharacterSet: "PIN type"
    case .simplePinBlocked: "Simple PIN"
    case .minimumPinLength: "Select minimum PIN length"
    case .maximumPinRetries, .appActionIfMaximumPinRetriesExceeded: "Max PIN attempts"
    case .periodBeforePinReset: "PIN reset after number of days"
    case .previousPinBlockCount: "Select number of previous PIN values to maintain"
    case .fingerprintBlocked: "Touch ID instead of PIN for access"
    case .faceIdBlocked: "Face ID instead of PIN for access"
    case .pinRequiredInsteadOfBiometricTimeout: "Override biometrics with PIN after timeout"
    case .disableAppPinIfDevicePinIsSet: "App PIN when device PIN is set"
    case .organizationalCredentialsRequired: "Work or school account credentials for access"
    case .periodOnlineBeforeAccessCheck:
      "Recheck the access requirements after (minutes of inactivity)"
    case .periodOfflineBeforeAccessCheck, .periodOfflineBeforeWipeIsEnforced:
      "Offline grace period"
    case .deviceComplianceRequired, .appActionIfDeviceComplianceRequired:
      "Jailbroken/rooted devices"
    case .appActionIfUnableToAuthenticateUser: "Disabled account"
    case .appActionIfAccountIsClockedOut: "Non-working time"
    case .minimumRequiredOsVersion, .minimumWarningOsVersion, .minimumWipeOsVersion:
      "Min OS version"
    case .maximumRequiredOsVersion, .maximumWarningOsVersion, .maximumWipeOsVersion:
      "Max OS version"
    case .minimumRequiredAppVersion, .minimumWarningAppVersion, .minimumWipeAppVersion:
      "Min app version"
    case .minimumRequiredSdkVersion, .minimumWarningSdkVersion, .minimumWipeSdkVersion:
      "Min SDK version"
    case .allowedIosDeviceModels, .appActionIfIosDeviceModelNotAllowed: "Device model(s)"
    case .maximumAllowedDeviceThreatLevel, .mobileThreatDefenseRemediationAction:
      "Max allowed device threat level"
    case .allowedAccountsOnly, .enrolledUPN, .enrolledObjectID, .screenCaptureControl,
      .treatAllWebViewsAsUnmanaged, .allowOpenFromManagedToUnmanaged,
      .allowOpenFromUnmanagedToManaged, .requireManagedPasteboard,
      .allowManagedToWriteUnmanagedContacts, .allowUnmanagedToReadManagedContacts:
      rawValue
    case .keychainAccessGroups: "Keychain Sharing"
    case .applicationGroups: "App Groups"
    }
  }
}
