internal import Model
internal import Policy

/// The pages of an app protection policy in the Intune admin centre, line by line in their order there.
extension SettingPage {
  /// A line of the admin centre: one Graph property, or several whose combination has a name.
  struct Line: Sendable, Hashable {
    /// The Graph properties; the first gives the line its label and its words.
    let settings: [Setting]
    /// The distinction between lines that share a label, such as `block access`; nil where the label is unique.
    let qualifier: String?

    fileprivate init(_ settings: Setting..., qualifier: String? = nil) {
      self.settings = settings
      self.qualifier = qualifier
    }
  }

  var lines: [Line] {
    switch self {
    case .dataProtection: Self.transferLines + Self.functionalityLines
    case .accessRequirements: Self.accessLines
    case .conditionalLaunch: Self.launchLines
    }
  }

  private static let transferLines = [
    Line(.dataBackupBlocked),
    Line(
      .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
      .filterOpenInToOnlyManagedApps),
    Line(.exemptedAppProtocols), Line(.exemptedUniversalLinks), Line(.managedUniversalLinks),
    Line(.saveAsBlocked), Line(.allowedDataStorageLocations),
    Line(.dialerRestrictionLevel), Line(.customDialerAppProtocol),
    Line(.protectedMessagingRedirectAppType), Line(.messagingRedirectAppUrlScheme),
    Line(.allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources),
    Line(.blockDataIngestionIntoOrganizationDocuments), Line(.allowedDataIngestionLocations),
    Line(.allowedOutboundClipboardSharingLevel),
    Line(.allowedOutboundClipboardSharingExceptionLength),
    Line(.thirdPartyKeyboardsBlocked),
  ]

  private static let functionalityLines = [
    Line(.appDataEncryptionType), Line(.contactSyncBlocked), Line(.printBlocked),
    Line(.managedBrowser, .managedBrowserToOpenLinksRequired), Line(.customBrowserProtocol),
    Line(.notificationRestriction), Line(.allowWidgetContentSync),
    Line(.screenCaptureConfigurationState), Line(.writingToolsConfigurationState),
    Line(.genmojiConfigurationState),
  ]

  private static let accessLines = [
    Line(.pinRequired), Line(.pinCharacterSet), Line(.simplePinBlocked), Line(.minimumPinLength),
    Line(.fingerprintBlocked), Line(.faceIdBlocked), Line(.pinRequiredInsteadOfBiometricTimeout),
    Line(.periodBeforePinReset), Line(.previousPinBlockCount),
    Line(.disableAppPinIfDevicePinIsSet), Line(.organizationalCredentialsRequired),
    Line(.periodOnlineBeforeAccessCheck),
  ]

  private static let launchLines = [
    Line(.maximumPinRetries), Line(.appActionIfMaximumPinRetriesExceeded, qualifier: "action"),
    Line(.periodOfflineBeforeAccessCheck, qualifier: "block access"),
    Line(.periodOfflineBeforeWipeIsEnforced, qualifier: "wipe data"),
    Line(.appActionIfUnableToAuthenticateUser), Line(.appActionIfAccountIsClockedOut),
    Line(.minimumWarningAppVersion, qualifier: "warn"),
    Line(.minimumRequiredAppVersion, qualifier: "block access"),
    Line(.minimumWipeAppVersion, qualifier: "wipe data"),
    Line(.minimumWarningSdkVersion, qualifier: "warn"),
    Line(.minimumRequiredSdkVersion, qualifier: "block access"),
    Line(.minimumWipeSdkVersion, qualifier: "wipe data"),
    Line(.deviceComplianceRequired, .appActionIfDeviceComplianceRequired),
    Line(.minimumWarningOsVersion, qualifier: "warn"),
    Line(.minimumRequiredOsVersion, qualifier: "block access"),
    Line(.minimumWipeOsVersion, qualifier: "wipe data"),
    Line(.maximumWarningOsVersion, qualifier: "warn"),
    Line(.maximumRequiredOsVersion, qualifier: "block access"),
    Line(.maximumWipeOsVersion, qualifier: "wipe data"),
    Line(.allowedIosDeviceModels),
    Line(.appActionIfIosDeviceModelNotAllowed, qualifier: "action"),
    Line(.maximumAllowedDeviceThreatLevel),
    Line(.mobileThreatDefenseRemediationAction, qualifier: "action"),
  ]
}
