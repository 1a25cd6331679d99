package import Transfer

extension Settings {
  /// The value of `setting` in the admin centre's words; nil where no policy holds the setting.
  ///
  /// Settings that share a label share their words. Source: Microsoft Learn, "iOS app protection policy
  /// settings".
  package func words(for setting: Setting) -> String? {
    transferWords(for: setting) ?? redirectWords(for: setting) ?? functionWords(for: setting)
      ?? accessWords(for: setting) ?? launchWords(for: setting) ?? versionWords(for: setting)
  }

  private func transferWords(for setting: Setting) -> String? {
    switch setting {
    case .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
      .filterOpenInToOnlyManagedApps:
      SendChoice(of: self).rawValue
    case .allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources:
      ReceiveChoice(of: self).rawValue
    case .exemptedAppProtocols: Words.list(exemptedAppProtocols.sorted(), separator: ";")
    case .exemptedUniversalLinks: Words.list(exemptedUniversalLinks.map(\.text), separator: ";")
    case .managedUniversalLinks: Words.list(managedUniversalLinks.map(\.text), separator: ";")
    case .saveAsBlocked: Words.block(saveAsBlocked)
    case .allowedDataStorageLocations:
      Words.list(StorageService.allCases.filter(allowedDataStorageLocations.contains).map(\.words))
    case .blockDataIngestionIntoOrganizationDocuments:
      Words.block(blockDataIngestionIntoOrganizationDocuments)
    case .allowedDataIngestionLocations:
      Words.list(
        IngestionService.allCases.filter(allowedDataIngestionLocations.contains).map(\.words))
    case .allowedOutboundClipboardSharingLevel: allowedOutboundClipboardSharingLevel.words
    case .allowedOutboundClipboardSharingExceptionLength:
      "\(allowedOutboundClipboardSharingExceptionLength)"
    default: nil
    }
  }

  private func redirectWords(for setting: Setting) -> String? {
    switch setting {
    case .dialerRestrictionLevel: dialerRestrictionLevel.words
    case .customDialerAppProtocol: Words.scheme(customDialerAppProtocol)
    case .protectedMessagingRedirectAppType: protectedMessagingRedirectAppType.words
    case .messagingRedirectAppUrlScheme: Words.scheme(messagingRedirectAppUrlScheme)
    case .managedBrowser, .managedBrowserToOpenLinksRequired: BrowserChoice(of: self).words
    case .customBrowserProtocol: Words.scheme(customBrowserProtocol)
    default: nil
    }
  }

  private func functionWords(for setting: Setting) -> String? {
    switch setting {
    case .printBlocked: Words.block(printBlocked)
    case .notificationRestriction: notificationRestriction.words
    case .contactSyncBlocked: Words.block(contactSyncBlocked)
    case .allowWidgetContentSync: Words.block(!allowWidgetContentSync)
    case .dataBackupBlocked: Words.block(dataBackupBlocked)
    case .thirdPartyKeyboardsBlocked: Words.block(thirdPartyKeyboardsBlocked)
    case .screenCaptureConfigurationState: Words.state(screenCaptureConfigurationState)
    case .writingToolsConfigurationState: Words.state(writingToolsConfigurationState)
    case .genmojiConfigurationState: Words.state(genmojiConfigurationState)
    case .appDataEncryptionType: appDataEncryptionType.words
    default: nil
    }
  }

  private func accessWords(for setting: Setting) -> String? {
    switch setting {
    case .pinRequired: Words.require(pinRequired)
    case .pinCharacterSet: pinCharacterSet.words
    case .simplePinBlocked: Words.block(simplePinBlocked)
    case .minimumPinLength: "\(minimumPinLength)"
    case .maximumPinRetries: maximumPinRetries == 0 ? "none" : "\(maximumPinRetries)"
    case .appActionIfMaximumPinRetriesExceeded:
      appActionIfMaximumPinRetriesExceeded == .block
        ? "Reset PIN" : appActionIfMaximumPinRetriesExceeded.words
    case .periodBeforePinReset: Words.days(periodBeforePinReset, zero: "No")
    case .previousPinBlockCount: "\(previousPinBlockCount)"
    case .fingerprintBlocked: Words.block(fingerprintBlocked)
    case .faceIdBlocked: Words.block(faceIdBlocked)
    case .pinRequiredInsteadOfBiometricTimeout:
      Words.minutes(pinRequiredInsteadOfBiometricTimeout, zero: "Not required")
    case .disableAppPinIfDevicePinIsSet: disableAppPinIfDevicePinIsSet ? "Disable" : "Enable"
    case .organizationalCredentialsRequired: Words.require(organizationalCredentialsRequired)
    case .periodOnlineBeforeAccessCheck:
      Words.minutes(periodOnlineBeforeAccessCheck, zero: "0 minutes")
    default: nil
    }
  }

  private func launchWords(for setting: Setting) -> String? {
    switch setting {
    case .periodOfflineBeforeAccessCheck:
      Words.minutes(periodOfflineBeforeAccessCheck, zero: "none")
    case .periodOfflineBeforeWipeIsEnforced:
      Words.days(periodOfflineBeforeWipeIsEnforced, zero: "none")
    case .deviceComplianceRequired, .appActionIfDeviceComplianceRequired:
      Words.action(deviceComplianceRequired ? appActionIfDeviceComplianceRequired : nil)
    case .appActionIfUnableToAuthenticateUser: Words.action(appActionIfUnableToAuthenticateUser)
    case .appActionIfAccountIsClockedOut: Words.action(appActionIfAccountIsClockedOut)
    case .allowedIosDeviceModels:
      allowedIosDeviceModels.map { Words.list($0.sorted(), separator: ";") } ?? "any"
    case .appActionIfIosDeviceModelNotAllowed: appActionIfIosDeviceModelNotAllowed.words
    case .maximumAllowedDeviceThreatLevel: maximumAllowedDeviceThreatLevel.words
    case .mobileThreatDefenseRemediationAction: mobileThreatDefenseRemediationAction.words
    default: nil
    }
  }

  private func versionWords(for setting: Setting) -> String? {
    switch setting {
    case .minimumRequiredOsVersion: Words.version(minimumRequiredOsVersion)
    case .minimumWarningOsVersion: Words.version(minimumWarningOsVersion)
    case .minimumWipeOsVersion: Words.version(minimumWipeOsVersion)
    case .maximumRequiredOsVersion: Words.version(maximumRequiredOsVersion)
    case .maximumWarningOsVersion: Words.version(maximumWarningOsVersion)
    case .maximumWipeOsVersion: Words.version(maximumWipeOsVersion)
    case .minimumRequiredAppVersion: Words.version(minimumRequiredAppVersion)
    case .minimumWarningAppVersion: Words.version(minimumWarningAppVersion)
    case .minimumWipeAppVersion: Words.version(minimumWipeAppVersion)
    case .minimumRequiredSdkVersion: Words.version(minimumRequiredSdkVersion)
    case .minimumWarningSdkVersion: Words.version(minimumWarningSdkVersion)
    case .minimumWipeSdkVersion: Words.version(minimumWipeSdkVersion)
    default: nil
    }
  }
}
