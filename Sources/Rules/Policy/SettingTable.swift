import Transfer

/// Every setting that policies hold, in the order of ``Setting``.
enum SettingTable {
  static let rows = transfer + functionality + access + conditionalLaunch

  static func row(of setting: Setting) -> SettingRow? { bySetting[setting] }

  private static let bySetting: [Setting: SettingRow] = {
    var bySetting: [Setting: SettingRow] = [:]
    for row in rows { bySetting[row.setting] = row }
    return bySetting
  }()

  private static let transfer: [SettingRow] = [
    .choice(.allowedOutboundDataTransferDestinations, \.allowedOutboundDataTransferDestinations),
    .choice(.allowedInboundDataTransferSources, \.allowedInboundDataTransferSources),
    .relaxation(
      .disableProtectionOfManagedOutboundOpenInData, \.disableProtectionOfManagedOutboundOpenInData),
    .flag(.filterOpenInToOnlyManagedApps, \.filterOpenInToOnlyManagedApps),
    .flag(.protectInboundDataFromUnknownSources, \.protectInboundDataFromUnknownSources),
    SettingRow(
      .exemptedAppProtocols, \.exemptedAppProtocols,
      read: { (member, reader) throws(PolicyError) in try reader.schemes(member) },
      join: { $0.intersection($1) }),
    .links(.exemptedUniversalLinks, \.exemptedUniversalLinks),
    .links(.managedUniversalLinks, \.managedUniversalLinks),
    .flag(.saveAsBlocked, \.saveAsBlocked),
    .services(.allowedDataStorageLocations, \.allowedDataStorageLocations)
      .counting { $0.saveAsBlocked },
    .flag(
      .blockDataIngestionIntoOrganizationDocuments, \.blockDataIngestionIntoOrganizationDocuments),
    .services(.allowedDataIngestionLocations, \.allowedDataIngestionLocations)
      .counting { $0.blockDataIngestionIntoOrganizationDocuments },
    .choice(.allowedOutboundClipboardSharingLevel, \.allowedOutboundClipboardSharingLevel),
    .count(
      .allowedOutboundClipboardSharingExceptionLength,
      \.allowedOutboundClipboardSharingExceptionLength, strictest: { min($0, $1) }),
    .choice(.dialerRestrictionLevel, \.dialerRestrictionLevel),
    .scheme(.customDialerAppProtocol, \.customDialerAppProtocol),
    .choice(.protectedMessagingRedirectAppType, \.protectedMessagingRedirectAppType),
    .scheme(.messagingRedirectAppUrlScheme, \.messagingRedirectAppUrlScheme),
    .choice(.managedBrowser, \.managedBrowser),
    .flag(.managedBrowserToOpenLinksRequired, \.managedBrowserToOpenLinksRequired),
    .scheme(.customBrowserProtocol, \.customBrowserProtocol),
  ]

  private static let functionality: [SettingRow] = [
    .flag(.printBlocked, \.printBlocked),
    .choice(.notificationRestriction, \.notificationRestriction),
    .flag(.contactSyncBlocked, \.contactSyncBlocked),
    .relaxation(.allowWidgetContentSync, \.allowWidgetContentSync),
    .flag(.dataBackupBlocked, \.dataBackupBlocked),
    .flag(.thirdPartyKeyboardsBlocked, \.thirdPartyKeyboardsBlocked),
    .state(.screenCaptureConfigurationState, \.screenCaptureConfigurationState),
    .state(.writingToolsConfigurationState, \.writingToolsConfigurationState),
    .state(.genmojiConfigurationState, \.genmojiConfigurationState),
    .choice(.appDataEncryptionType, \.appDataEncryptionType),
  ]

  private static let access: [SettingRow] = [
    .flag(.pinRequired, \.pinRequired),
    .choice(.pinCharacterSet, \.pinCharacterSet),
    .flag(.simplePinBlocked, \.simplePinBlocked),
    .count(.minimumPinLength, \.minimumPinLength, strictest: { max($0, $1) }),
    .count(.maximumPinRetries, \.maximumPinRetries, strictest: Join.smallestBound),
    .remediation(.appActionIfMaximumPinRetriesExceeded, \.appActionIfMaximumPinRetriesExceeded)
      .counting { $0.maximumPinRetries > 0 },
    .period(.periodBeforePinReset, \.periodBeforePinReset, strictest: Join.smallestBound),
    .count(.previousPinBlockCount, \.previousPinBlockCount, strictest: { max($0, $1) }),
    .flag(.fingerprintBlocked, \.fingerprintBlocked),
    .flag(.faceIdBlocked, \.faceIdBlocked),
    .period(
      .pinRequiredInsteadOfBiometricTimeout, \.pinRequiredInsteadOfBiometricTimeout,
      strictest: Join.smallestBound),
    .relaxation(.disableAppPinIfDevicePinIsSet, \.disableAppPinIfDevicePinIsSet),
    .flag(.organizationalCredentialsRequired, \.organizationalCredentialsRequired),
    .period(
      .periodOnlineBeforeAccessCheck, \.periodOnlineBeforeAccessCheck, strictest: { min($0, $1) }),
  ]

  private static let conditionalLaunch: [SettingRow] = [
    .period(
      .periodOfflineBeforeAccessCheck, \.periodOfflineBeforeAccessCheck,
      strictest: Join.smallestBound),
    .period(
      .periodOfflineBeforeWipeIsEnforced, \.periodOfflineBeforeWipeIsEnforced,
      strictest: Join.smallestBound),
    .flag(.deviceComplianceRequired, \.deviceComplianceRequired),
    .remediation(.appActionIfDeviceComplianceRequired, \.appActionIfDeviceComplianceRequired)
      .counting { $0.deviceComplianceRequired },
    .remediation(.appActionIfUnableToAuthenticateUser, \.appActionIfUnableToAuthenticateUser),
    .remediation(.appActionIfAccountIsClockedOut, \.appActionIfAccountIsClockedOut),
    .version(.minimumRequiredOsVersion, \.minimumRequiredOsVersion, strictest: { max($0, $1) }),
    .version(.minimumWarningOsVersion, \.minimumWarningOsVersion, strictest: { max($0, $1) }),
    .version(.minimumWipeOsVersion, \.minimumWipeOsVersion, strictest: { max($0, $1) }),
    .version(.maximumRequiredOsVersion, \.maximumRequiredOsVersion, strictest: { min($0, $1) }),
    .version(.maximumWarningOsVersion, \.maximumWarningOsVersion, strictest: { min($0, $1) }),
    .version(.maximumWipeOsVersion, \.maximumWipeOsVersion, strictest: { min($0, $1) }),
    .version(.minimumRequiredAppVersion, \.minimumRequiredAppVersion, strictest: { max($0, $1) }),
    .version(.minimumWarningAppVersion, \.minimumWarningAppVersion, strictest: { max($0, $1) }),
    .version(.minimumWipeAppVersion, \.minimumWipeAppVersion, strictest: { max($0, $1) }),
    .version(.minimumRequiredSdkVersion, \.minimumRequiredSdkVersion, strictest: { max($0, $1) }),
    .version(.minimumWarningSdkVersion, \.minimumWarningSdkVersion, strictest: { max($0, $1) }),
    .version(.minimumWipeSdkVersion, \.minimumWipeSdkVersion, strictest: { max($0, $1) }),
    SettingRow(
      .allowedIosDeviceModels, \.allowedIosDeviceModels, read: { $1.models($0) },
      join: { Join.present($0, $1) { $0.intersection($1) } }),
    .remediation(.appActionIfIosDeviceModelNotAllowed, \.appActionIfIosDeviceModelNotAllowed)
      .counting { $0.allowedIosDeviceModels != nil },
    .choice(.maximumAllowedDeviceThreatLevel, \.maximumAllowedDeviceThreatLevel),
    .remediation(.mobileThreatDefenseRemediationAction, \.mobileThreatDefenseRemediationAction)
      .counting { $0.maximumAllowedDeviceThreatLevel != .notConfigured },
  ]
}
