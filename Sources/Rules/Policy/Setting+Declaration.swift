import JSON
import Model

extension Setting {
  /// The complete declaration of a setting. The switch is exhaustive, so an omission does not compile. Labels
  /// and words are the admin centre's.
  ///
  /// Graph properties share a label if the admin centre combines them into one setting.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings".
  var declaration: SettingRow {
    switch self {
    // Data protection
    case .allowedOutboundDataTransferDestinations:
      .choice(
        "Send org data to other apps", .dataProtection, \.allowedOutboundDataTransferDestinations
      ).saying { SendChoice(of: $0).rawValue }
    case .allowedInboundDataTransferSources:
      .choice("Receive data from other apps", .dataProtection, \.allowedInboundDataTransferSources)
        .saying { ReceiveChoice(of: $0).rawValue }
    case .disableProtectionOfManagedOutboundOpenInData:
      .relaxation(
        "Send org data to other apps", .dataProtection,
        \.disableProtectionOfManagedOutboundOpenInData
      ).saying { SendChoice(of: $0).rawValue }
    case .filterOpenInToOnlyManagedApps:
      .flag("Send org data to other apps", .dataProtection, \.filterOpenInToOnlyManagedApps).saying
      { SendChoice(of: $0).rawValue }
    case .protectInboundDataFromUnknownSources:
      .flag("Receive data from other apps", .dataProtection, \.protectInboundDataFromUnknownSources)
        .saying { ReceiveChoice(of: $0).rawValue }
    case .exemptedAppProtocols:
      SettingRow(
        "Select apps to exempt", .dataProtection, \.exemptedAppProtocols,
        read: { (member, reader) throws(PolicyError) in try reader.schemes(member) },
        value: { .schemes($0.sorted()) },
        join: { $0.intersection($1) }
      ).saying { Words.list($0.exemptedAppProtocols.sorted(), separator: ";") }
    case .exemptedUniversalLinks:
      .links("Select universal links to exempt", .dataProtection, \.exemptedUniversalLinks).saying {
        Words.list($0.exemptedUniversalLinks.map(\.text), separator: ";")
      }
    case .managedUniversalLinks:
      .links("Select managed universal links", .dataProtection, \.managedUniversalLinks).saying {
        Words.list($0.managedUniversalLinks.map(\.text), separator: ";")
      }
    case .saveAsBlocked:
      .flag("Save copies of org data", .dataProtection, \.saveAsBlocked).saying {
        Words.block($0.saveAsBlocked)
      }
    case .allowedDataStorageLocations:
      .services(
        "Allow user to save copies to selected services", .dataProtection,
        \.allowedDataStorageLocations
      ).counting { $0.saveAsBlocked }.saying {
        Words.list(
          Settings.StorageService.allCases.filter($0.allowedDataStorageLocations.contains).map(
            \.words))
      }
    case .blockDataIngestionIntoOrganizationDocuments:
      .flag(
        "Open data into Org documents", .dataProtection,
        \.blockDataIngestionIntoOrganizationDocuments
      ).saying { Words.block($0.blockDataIngestionIntoOrganizationDocuments) }
    case .allowedDataIngestionLocations:
      .services(
        "Allow users to open data from selected services", .dataProtection,
        \.allowedDataIngestionLocations
      ).counting { $0.blockDataIngestionIntoOrganizationDocuments }.saying {
        Words.list(
          Settings.IngestionService.allCases.filter($0.allowedDataIngestionLocations.contains).map(
            \.words))
      }
    case .allowedOutboundClipboardSharingLevel:
      .choice(
        "Restrict cut, copy, and paste between other apps", .dataProtection,
        \.allowedOutboundClipboardSharingLevel
      ).saying { $0.allowedOutboundClipboardSharingLevel.words }
    case .allowedOutboundClipboardSharingExceptionLength:
      .count(
        "Cut and copy character limit for any app", .dataProtection,
        \.allowedOutboundClipboardSharingExceptionLength, strictest: { min($0, $1) }
      ).since(Version(9, 0, 14)).saying { "\($0.allowedOutboundClipboardSharingExceptionLength)" }
    case .dialerRestrictionLevel:
      .choice("Transfer telecommunication data to", .dataProtection, \.dialerRestrictionLevel)
        .since(Version(12, 7, 0)).saying { $0.dialerRestrictionLevel.words }
    case .customDialerAppProtocol:
      .scheme("Dialer App URL Scheme", .dataProtection, \.customDialerAppProtocol).since(
        Version(12, 7, 0)
      ).saying {
        Words.scheme($0.customDialerAppProtocol)
      }
    case .protectedMessagingRedirectAppType:
      .choice("Transfer messaging data to", .dataProtection, \.protectedMessagingRedirectAppType)
        .since(Version(19, 0, 0)).saying { $0.protectedMessagingRedirectAppType.words }
    case .messagingRedirectAppUrlScheme:
      .scheme("Messaging App URL Scheme", .dataProtection, \.messagingRedirectAppUrlScheme).since(
        Version(19, 0, 0)
      ).saying {
        Words.scheme($0.messagingRedirectAppUrlScheme)
      }
    case .managedBrowser:
      .choice("Restrict web content transfer with other apps", .dataProtection, \.managedBrowser)
        .saying { BrowserChoice(of: $0).words }
    case .managedBrowserToOpenLinksRequired:
      .flag(
        "Restrict web content transfer with other apps", .dataProtection,
        \.managedBrowserToOpenLinksRequired
      ).saying { BrowserChoice(of: $0).words }
    case .customBrowserProtocol:
      .scheme("Unmanaged browser protocol", .dataProtection, \.customBrowserProtocol).since(
        Version(11, 0, 9)
      ).saying {
        Words.scheme($0.customBrowserProtocol)
      }
    case .printBlocked:
      .flag("Printing Org data", .dataProtection, \.printBlocked).saying {
        Words.block($0.printBlocked)
      }
    case .notificationRestriction:
      .choice("Org data notifications", .dataProtection, \.notificationRestriction).saying {
        $0.notificationRestriction.words
      }
    case .contactSyncBlocked:
      .flag(
        "Sync policy managed app data with native apps or add-ins", .dataProtection,
        \.contactSyncBlocked
      ).saying { Words.block($0.contactSyncBlocked) }
    case .allowWidgetContentSync:
      .relaxation(
        "Sync policy managed app data with app widgets", .dataProtection, \.allowWidgetContentSync
      ).saying { Words.block(!$0.allowWidgetContentSync) }
    case .dataBackupBlocked:
      .flag("Backup Org data to iTunes and iCloud backups", .dataProtection, \.dataBackupBlocked)
        .saying { Words.block($0.dataBackupBlocked) }
    case .thirdPartyKeyboardsBlocked:
      .flag("Third-party keyboards", .dataProtection, \.thirdPartyKeyboardsBlocked).since(
        Version(8, 0, 14)
      ).saying {
        Words.block($0.thirdPartyKeyboardsBlocked)
      }
    case .screenCaptureConfigurationState:
      .state("Screen capture", .dataProtection, \.screenCaptureConfigurationState).since(
        Version(19, 7, 12), Version(20, 4, 0)
      ).saying {
        Words.state($0.screenCaptureConfigurationState)
      }
    case .writingToolsConfigurationState:
      .state("Writing Tools", .dataProtection, \.writingToolsConfigurationState).since(
        Version(19, 7, 12), Version(20, 4, 0)
      ).saying {
        Words.state($0.writingToolsConfigurationState)
      }
    case .genmojiConfigurationState:
      .state("Genmojis", .dataProtection, \.genmojiConfigurationState).since(
        Version(19, 7, 12), Version(20, 4, 0)
      ).saying {
        Words.state($0.genmojiConfigurationState)
      }
    case .appDataEncryptionType:
      .choice("Encrypt Org data", .dataProtection, \.appDataEncryptionType).saying {
        $0.appDataEncryptionType.words
      }

    // Access requirements
    case .pinRequired:
      .flag("PIN for access", .accessRequirements, \.pinRequired).saying {
        Words.require($0.pinRequired)
      }
    case .pinCharacterSet:
      .choice("PIN type", .accessRequirements, \.pinCharacterSet).since(Version(7, 1, 12)).saying {
        $0.pinCharacterSet.words
      }
    case .simplePinBlocked:
      .flag("Simple PIN", .accessRequirements, \.simplePinBlocked).saying {
        Words.block($0.simplePinBlocked)
      }
    case .minimumPinLength:
      .count(
        "Select minimum PIN length", .accessRequirements, \.minimumPinLength,
        strictest: { max($0, $1) }
      ).saying { "\($0.minimumPinLength)" }
    case .maximumPinRetries:
      .count(
        "Max PIN attempts", .accessRequirements, \.maximumPinRetries, strictest: Join.smallestBound
      ).saying { $0.maximumPinRetries == 0 ? "none" : "\($0.maximumPinRetries)" }
    case .appActionIfMaximumPinRetriesExceeded:
      .remediation("Max PIN attempts", .accessRequirements, \.appActionIfMaximumPinRetriesExceeded)
        .counting { $0.maximumPinRetries > 0 }.saying {
          $0.appActionIfMaximumPinRetriesExceeded == .block
            ? "Reset PIN" : $0.appActionIfMaximumPinRetriesExceeded.words
        }
    case .periodBeforePinReset:
      .period(
        "PIN reset after number of days", .accessRequirements, \.periodBeforePinReset,
        strictest: Join.smallestBound
      ).saying { Words.days($0.periodBeforePinReset, zero: "No") }
    case .previousPinBlockCount:
      .count(
        "Select number of previous PIN values to maintain", .accessRequirements,
        \.previousPinBlockCount, strictest: { max($0, $1) }
      ).saying { "\($0.previousPinBlockCount)" }
    case .fingerprintBlocked:
      .flag("Touch ID instead of PIN for access", .accessRequirements, \.fingerprintBlocked).saying
      { Words.block($0.fingerprintBlocked) }
    case .faceIdBlocked:
      .flag("Face ID instead of PIN for access", .accessRequirements, \.faceIdBlocked).saying {
        Words.block($0.faceIdBlocked)
      }
    case .pinRequiredInsteadOfBiometricTimeout:
      .period(
        "Override biometrics with PIN after timeout", .accessRequirements,
        \.pinRequiredInsteadOfBiometricTimeout, strictest: Join.smallestBound
      ).saying { Words.minutes($0.pinRequiredInsteadOfBiometricTimeout, zero: "Not required") }
    case .disableAppPinIfDevicePinIsSet:
      .relaxation(
        "App PIN when device PIN is set", .accessRequirements, \.disableAppPinIfDevicePinIsSet
      ).since(Version(7, 0, 1)).saying { $0.disableAppPinIfDevicePinIsSet ? "Disable" : "Enable" }
    case .organizationalCredentialsRequired:
      .flag(
        "Work or school account credentials for access", .accessRequirements,
        \.organizationalCredentialsRequired
      ).saying { Words.require($0.organizationalCredentialsRequired) }
    case .periodOnlineBeforeAccessCheck:
      .period(
        "Recheck the access requirements after (minutes of inactivity)", .accessRequirements,
        \.periodOnlineBeforeAccessCheck, strictest: { min($0, $1) }
      ).saying { Words.minutes($0.periodOnlineBeforeAccessCheck, zero: "0 minutes") }

    // Conditional launch
    case .periodOfflineBeforeAccessCheck:
      .period(
        "Offline grace period", .conditionalLaunch, \.periodOfflineBeforeAccessCheck,
        strictest: Join.smallestBound
      ).saying { Words.minutes($0.periodOfflineBeforeAccessCheck, zero: "none") }
    case .periodOfflineBeforeWipeIsEnforced:
      .period(
        "Offline grace period", .conditionalLaunch, \.periodOfflineBeforeWipeIsEnforced,
        strictest: Join.smallestBound
      ).saying { Words.days($0.periodOfflineBeforeWipeIsEnforced, zero: "none") }
    case .deviceComplianceRequired:
      .flag("Jailbroken/rooted devices", .conditionalLaunch, \.deviceComplianceRequired).saying {
        Words.action($0.deviceComplianceRequired ? $0.appActionIfDeviceComplianceRequired : nil)
      }
    case .appActionIfDeviceComplianceRequired:
      .remediation(
        "Jailbroken/rooted devices", .conditionalLaunch, \.appActionIfDeviceComplianceRequired
      ).counting { $0.deviceComplianceRequired }.saying {
        Words.action($0.deviceComplianceRequired ? $0.appActionIfDeviceComplianceRequired : nil)
      }
    case .appActionIfUnableToAuthenticateUser:
      .remediation("Disabled account", .conditionalLaunch, \.appActionIfUnableToAuthenticateUser)
        .saying { Words.action($0.appActionIfUnableToAuthenticateUser) }
    case .appActionIfAccountIsClockedOut:
      .remediation("Non-working time", .conditionalLaunch, \.appActionIfAccountIsClockedOut).saying
      { Words.action($0.appActionIfAccountIsClockedOut) }
    case .minimumRequiredOsVersion:
      .version(
        "Min OS version", .conditionalLaunch, \.minimumRequiredOsVersion, strictest: { max($0, $1) }
      ).since(Version(7, 0, 1)).saying { Words.version($0.minimumRequiredOsVersion) }
    case .minimumWarningOsVersion:
      .version(
        "Min OS version", .conditionalLaunch, \.minimumWarningOsVersion, strictest: { max($0, $1) }
      ).since(Version(7, 0, 1)).saying { Words.version($0.minimumWarningOsVersion) }
    case .minimumWipeOsVersion:
      .version(
        "Min OS version", .conditionalLaunch, \.minimumWipeOsVersion, strictest: { max($0, $1) }
      ).since(Version(7, 0, 1)).saying { Words.version($0.minimumWipeOsVersion) }
    case .maximumRequiredOsVersion:
      .version(
        "Max OS version", .conditionalLaunch, \.maximumRequiredOsVersion, strictest: { min($0, $1) }
      ).since(Version(14, 4, 0)).saying { Words.version($0.maximumRequiredOsVersion) }
    case .maximumWarningOsVersion:
      .version(
        "Max OS version", .conditionalLaunch, \.maximumWarningOsVersion, strictest: { min($0, $1) }
      ).since(Version(14, 4, 0)).saying { Words.version($0.maximumWarningOsVersion) }
    case .maximumWipeOsVersion:
      .version(
        "Max OS version", .conditionalLaunch, \.maximumWipeOsVersion, strictest: { min($0, $1) }
      ).since(Version(14, 4, 0)).saying { Words.version($0.maximumWipeOsVersion) }
    case .minimumRequiredAppVersion:
      .version(
        "Min app version", .conditionalLaunch, \.minimumRequiredAppVersion,
        strictest: { max($0, $1) }
      ).since(Version(7, 0, 1)).saying { Words.version($0.minimumRequiredAppVersion) }
    case .minimumWarningAppVersion:
      .version(
        "Min app version", .conditionalLaunch, \.minimumWarningAppVersion,
        strictest: { max($0, $1) }
      ).since(Version(7, 0, 1)).saying { Words.version($0.minimumWarningAppVersion) }
    case .minimumWipeAppVersion:
      .version(
        "Min app version", .conditionalLaunch, \.minimumWipeAppVersion, strictest: { max($0, $1) }
      ).since(Version(7, 0, 1)).saying { Words.version($0.minimumWipeAppVersion) }
    case .minimumRequiredSdkVersion:
      .version(
        "Min SDK version", .conditionalLaunch, \.minimumRequiredSdkVersion,
        strictest: { max($0, $1) }
      ).saying { Words.version($0.minimumRequiredSdkVersion) }
    case .minimumWarningSdkVersion:
      .version(
        "Min SDK version", .conditionalLaunch, \.minimumWarningSdkVersion,
        strictest: { max($0, $1) }
      ).saying { Words.version($0.minimumWarningSdkVersion) }
    case .minimumWipeSdkVersion:
      .version(
        "Min SDK version", .conditionalLaunch, \.minimumWipeSdkVersion, strictest: { max($0, $1) }
      ).saying { Words.version($0.minimumWipeSdkVersion) }
    case .allowedIosDeviceModels:
      SettingRow(
        "Device model(s)", .conditionalLaunch, \.allowedIosDeviceModels, read: { $1.models($0) },
        value: GraphValue.models,
        join: { Join.present($0, $1) { $0.intersection($1) } }
      ).saying { settings in
        settings.allowedIosDeviceModels.map { Words.list($0.sorted(), separator: ";") } ?? "any"
      }
    case .appActionIfIosDeviceModelNotAllowed:
      .remediation("Device model(s)", .conditionalLaunch, \.appActionIfIosDeviceModelNotAllowed)
        .counting { $0.allowedIosDeviceModels != nil }.saying {
          $0.appActionIfIosDeviceModelNotAllowed.words
        }
    case .maximumAllowedDeviceThreatLevel:
      .choice(
        "Max allowed device threat level", .conditionalLaunch, \.maximumAllowedDeviceThreatLevel
      ).since(Version(12, 0, 15)).saying { $0.maximumAllowedDeviceThreatLevel.words }
    case .mobileThreatDefenseRemediationAction:
      .remediation(
        "Max allowed device threat level", .conditionalLaunch,
        \.mobileThreatDefenseRemediationAction
      ).counting { $0.maximumAllowedDeviceThreatLevel != .notConfigured }.saying {
        $0.mobileThreatDefenseRemediationAction.words
      }

    // Settings outside policies
    case .allowedAccountsOnly: SettingRow(rawValue)
    case .enrolledUPN: SettingRow(rawValue)
    case .enrolledObjectID: SettingRow(rawValue)
    case .screenCaptureControl:
      SettingRow(rawValue).citing {
        $0.sender.app.isScreenCaptureControlDisabled ? "Disabled" : "Enabled"
      }
    case .treatAllWebViewsAsUnmanaged: SettingRow(rawValue)
    case .allowOpenFromManagedToUnmanaged:
      SettingRow(rawValue).citing { "\($0.device.allowOpenFromManagedToUnmanaged)" }
    case .allowOpenFromUnmanagedToManaged:
      SettingRow(rawValue).citing { "\($0.device.allowOpenFromUnmanagedToManaged)" }
    case .requireManagedPasteboard:
      SettingRow(rawValue).citing { "\($0.device.requireManagedPasteboard)" }
    case .allowManagedToWriteUnmanagedContacts:
      SettingRow(rawValue).citing { "\($0.device.allowManagedToWriteUnmanagedContacts)" }
    case .allowUnmanagedToReadManagedContacts:
      SettingRow(rawValue).citing { "\($0.device.allowUnmanagedToReadManagedContacts)" }
    case .allowScreenShot:
      SettingRow(rawValue).citing { "\($0.device.allowScreenShot)" }
    case .allowWritingTools:
      SettingRow(rawValue).citing { "\($0.device.allowWritingTools)" }
    case .allowGenmoji:
      SettingRow(rawValue).citing { "\($0.device.allowGenmoji)" }
    case .keychainAccessGroups: SettingRow("Keychain Sharing")
    case .applicationGroups: SettingRow("App Groups")
    }
  }
}
