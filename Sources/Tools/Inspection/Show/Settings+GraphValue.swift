public import Model
public import Policy

extension Settings {
  /// The value of `setting`; nil where no policy holds the setting.
  ///
  /// Lists come in alphabetical order, durations in the largest units that fit.
  public func graphValue(of setting: Setting) -> GraphValue? {
    dataTransferValue(of: setting) ?? functionalityValue(of: setting) ?? accessValue(of: setting)
      ?? launchValue(of: setting) ?? versionValue(of: setting)
  }

  /// Whether `setting` has Graph's documented default, stated or not.
  public func isDefault(_ setting: Setting) -> Bool {
    graphValue(of: setting) == Settings().graphValue(of: setting)
  }

  private func dataTransferValue(of setting: Setting) -> GraphValue? {
    switch setting {
    case .allowedOutboundDataTransferDestinations: .of(allowedOutboundDataTransferDestinations)
    case .allowedInboundDataTransferSources: .of(allowedInboundDataTransferSources)
    case .disableProtectionOfManagedOutboundOpenInData:
      .flag(disableProtectionOfManagedOutboundOpenInData)
    case .filterOpenInToOnlyManagedApps: .flag(filterOpenInToOnlyManagedApps)
    case .protectInboundDataFromUnknownSources: .flag(protectInboundDataFromUnknownSources)
    case .exemptedAppProtocols: .texts(exemptedAppProtocols.sorted())
    case .exemptedUniversalLinks: .texts(exemptedUniversalLinks.map(\.text).sorted())
    case .managedUniversalLinks: .texts(managedUniversalLinks.map(\.text).sorted())
    case .saveAsBlocked: .flag(saveAsBlocked)
    case .allowedDataStorageLocations: .of(allowedDataStorageLocations)
    case .blockDataIngestionIntoOrganizationDocuments:
      .flag(blockDataIngestionIntoOrganizationDocuments)
    case .allowedDataIngestionLocations: .of(allowedDataIngestionLocations)
    case .allowedOutboundClipboardSharingLevel: .of(allowedOutboundClipboardSharingLevel)
    case .allowedOutboundClipboardSharingExceptionLength:
      .number(allowedOutboundClipboardSharingExceptionLength)
    case .dialerRestrictionLevel: .of(dialerRestrictionLevel)
    case .customDialerAppProtocol: .text(customDialerAppProtocol)
    case .protectedMessagingRedirectAppType: .of(protectedMessagingRedirectAppType)
    case .messagingRedirectAppUrlScheme: .text(messagingRedirectAppUrlScheme)
    case .managedBrowser: .of(managedBrowser)
    case .managedBrowserToOpenLinksRequired: .flag(managedBrowserToOpenLinksRequired)
    case .customBrowserProtocol: .text(customBrowserProtocol)
    default: nil
    }
  }

  private func functionalityValue(of setting: Setting) -> GraphValue? {
    switch setting {
    case .printBlocked: .flag(printBlocked)
    case .notificationRestriction: .of(notificationRestriction)
    case .contactSyncBlocked: .flag(contactSyncBlocked)
    case .allowWidgetContentSync: .flag(allowWidgetContentSync)
    case .dataBackupBlocked: .flag(dataBackupBlocked)
    case .thirdPartyKeyboardsBlocked: .flag(thirdPartyKeyboardsBlocked)
    case .screenCaptureConfigurationState: .of(screenCaptureConfigurationState)
    case .writingToolsConfigurationState: .of(writingToolsConfigurationState)
    case .genmojiConfigurationState: .of(genmojiConfigurationState)
    case .appDataEncryptionType: .of(appDataEncryptionType)
    default: nil
    }
  }

  private func accessValue(of setting: Setting) -> GraphValue? {
    switch setting {
    case .pinRequired: .flag(pinRequired)
    case .pinCharacterSet: .of(pinCharacterSet)
    case .simplePinBlocked: .flag(simplePinBlocked)
    case .minimumPinLength: .number(minimumPinLength)
    case .maximumPinRetries: .number(maximumPinRetries)
    case .appActionIfMaximumPinRetriesExceeded: .of(appActionIfMaximumPinRetriesExceeded)
    case .periodBeforePinReset: .duration(periodBeforePinReset)
    case .previousPinBlockCount: .number(previousPinBlockCount)
    case .fingerprintBlocked: .flag(fingerprintBlocked)
    case .faceIdBlocked: .flag(faceIdBlocked)
    case .pinRequiredInsteadOfBiometricTimeout: .duration(pinRequiredInsteadOfBiometricTimeout)
    case .disableAppPinIfDevicePinIsSet: .flag(disableAppPinIfDevicePinIsSet)
    case .organizationalCredentialsRequired: .flag(organizationalCredentialsRequired)
    case .periodOnlineBeforeAccessCheck: .duration(periodOnlineBeforeAccessCheck)
    default: nil
    }
  }

  private func launchValue(of setting: Setting) -> GraphValue? {
    switch setting {
    case .periodOfflineBeforeAccessCheck: .duration(periodOfflineBeforeAccessCheck)
    case .periodOfflineBeforeWipeIsEnforced: .duration(periodOfflineBeforeWipeIsEnforced)
    case .deviceComplianceRequired: .flag(deviceComplianceRequired)
    case .appActionIfDeviceComplianceRequired: .of(appActionIfDeviceComplianceRequired)
    case .appActionIfUnableToAuthenticateUser: .of(appActionIfUnableToAuthenticateUser)
    case .appActionIfAccountIsClockedOut: .of(appActionIfAccountIsClockedOut)
    case .allowedIosDeviceModels:
      allowedIosDeviceModels.map { .text($0.sorted().joined(separator: ";")) } ?? .null
    case .appActionIfIosDeviceModelNotAllowed: .of(appActionIfIosDeviceModelNotAllowed)
    case .maximumAllowedDeviceThreatLevel: .of(maximumAllowedDeviceThreatLevel)
    case .mobileThreatDefenseRemediationAction: .of(mobileThreatDefenseRemediationAction)
    default: nil
    }
  }

  private func versionValue(of setting: Setting) -> GraphValue? {
    switch setting {
    case .minimumRequiredOsVersion: .of(minimumRequiredOsVersion)
    case .minimumWarningOsVersion: .of(minimumWarningOsVersion)
    case .minimumWipeOsVersion: .of(minimumWipeOsVersion)
    case .maximumRequiredOsVersion: .of(maximumRequiredOsVersion)
    case .maximumWarningOsVersion: .of(maximumWarningOsVersion)
    case .maximumWipeOsVersion: .of(maximumWipeOsVersion)
    case .minimumRequiredAppVersion: .of(minimumRequiredAppVersion)
    case .minimumWarningAppVersion: .of(minimumWarningAppVersion)
    case .minimumWipeAppVersion: .of(minimumWipeAppVersion)
    case .minimumRequiredSdkVersion: .of(minimumRequiredSdkVersion)
    case .minimumWarningSdkVersion: .of(minimumWarningSdkVersion)
    case .minimumWipeSdkVersion: .of(minimumWipeSdkVersion)
    default: nil
    }
  }
}

extension GraphValue {
  fileprivate static func of(_ choice: some RawRepresentable<String>) -> GraphValue {
    .text(choice.rawValue)
  }

  fileprivate static func of(_ choice: (some RawRepresentable<String>)?) -> GraphValue {
    choice.map { .text($0.rawValue) } ?? .null
  }

  fileprivate static func of(_ choices: Set<some RawRepresentable<String>>) -> GraphValue {
    .texts(choices.map(\.rawValue).sorted())
  }

  fileprivate static func of(_ version: Version?) -> GraphValue {
    version.map { .text($0.description) } ?? .null
  }

  /// A duration such as `P90D`, `PT12H` or `P1DT30M`; `PT0S` for no time.
  fileprivate static func duration(_ seconds: Int) -> GraphValue {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86400)
    var text = days > 0 ? "P\(days)D" : "P"
    if rest > 0 || days == 0 { text += "T" }
    for (unit, count) in [("H", rest / 3600), ("M", rest / 60 % 60), ("S", rest % 60)]
    where count > 0 || (unit == "S" && seconds == 0) {
      text += "\(count)\(unit)"
    }
    return .text(text)
  }
}
