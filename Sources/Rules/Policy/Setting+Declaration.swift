import Model

extension Setting {
  /// Everything that Sluice knows about a setting, as a row of the table. The switch is exhaustive, so a setting
  /// without a row does not compile. Labels and words are the admin centre's.
  ///
  /// Several Graph properties have the same label if they are one setting in the admin centre.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings".
  var declaration: SettingRow {
    switch self {
    // Data protection
    case .allowedOutboundDataTransferDestinations:
      .choice(
        "Send org data to other apps", .dataProtection, \.allowedOutboundDataTransferDestinations
      )
      .saying { SendChoice(of: $0).rawValue }
      .logged("AppSharingToLevel", .sharing) {
        switch $0.allowedOutboundDataTransferDestinations {
        case .none: .number(0)
        case .managedApps: .number(1)
        case .allApps: .number(2)
        }
      }
    case .allowedInboundDataTransferSources:
      .choice("Receive data from other apps", .dataProtection, \.allowedInboundDataTransferSources)
        .saying { ReceiveChoice(of: $0).rawValue }
        .logged("AppSharingFromLevel", .sharing) {
          switch $0.allowedInboundDataTransferSources {
          case .none: .number(0)
          case .managedApps: .number(1)
          case .allApps: .number(2)
          }
        }
    case .disableProtectionOfManagedOutboundOpenInData:
      .relaxation(
        "Send org data to other apps", .dataProtection,
        \.disableProtectionOfManagedOutboundOpenInData
      )
      .saying { SendChoice(of: $0).rawValue }
      // Assumption: the logged value follows Graph's flag. Microsoft's table states that it is true with the
      // filter and can be true with OS sharing.
      .logged(
        LogField("ProtectManagedOpenInData", .falseOrTrue) {
          .flag(
            $0.allowedOutboundDataTransferDestinations == .managedApps
              && !$0.disableProtectionOfManagedOutboundOpenInData)
        }.also(.allowedOutboundDataTransferDestinations)
          .open { $0.disableProtectionOfManagedOutboundOpenInData })
    case .filterOpenInToOnlyManagedApps:
      .flag("Send org data to other apps", .dataProtection, \.filterOpenInToOnlyManagedApps)
        .saying { SendChoice(of: $0).rawValue }
        .logged("EnableOpenInFilter", .flag("Disabled", "Enabled"))
    case .protectInboundDataFromUnknownSources:
      .flag("Receive data from other apps", .dataProtection, \.protectInboundDataFromUnknownSources)
        .saying { ReceiveChoice(of: $0).rawValue }
    case .exemptedAppProtocols:
      SettingRow(
        "Select apps to exempt", .dataProtection, \.exemptedAppProtocols,
        .schemes(\.exemptedAppProtocols),
        read: { (member, reader) throws(PolicyError) in try reader.schemes(member) },
        value: { .schemes($0.sorted()) },
        merge: { $0.intersection($1) }
      )
      .saying { DisplayText.list($0.exemptedAppProtocols.sorted(), separator: ";") }
      .logged("ProtocolExclusions", .list(";")) { .words($0.exemptedAppProtocols) }
    case .exemptedUniversalLinks:
      .links("Select universal links to exempt", .dataProtection, \.exemptedUniversalLinks)
        .logged("UniversalLinkExclusions", .list("|"))
    case .managedUniversalLinks:
      .links("Select managed universal links", .dataProtection, \.managedUniversalLinks)
        .logged("ManagedUniversalLinks", .list("|"))
    case .saveAsBlocked:
      .flag("Save copies of org data", .dataProtection, \.saveAsBlocked)
        .logged("FileSharingSaveAsDisabled", .allowOrBlock)
        .deciding(.saveTo)
    case .allowedDataStorageLocations:
      .services(
        "Allow user to save copies to selected services", .dataProtection,
        \.allowedDataStorageLocations
      )
      .counting { $0.saveAsBlocked }
      .logged(
        "ManagedLocations",
        .locations([
          1: "OneDrive for Business", 2: "SharePoint", 4: "Box", 32: "Local Storage",
          128: "Photo Library",
        ])
      )
    case .blockDataIngestionIntoOrganizationDocuments:
      .flag(
        "Open data into Org documents", .dataProtection,
        \.blockDataIngestionIntoOrganizationDocuments
      )
      .logged("OpenDataIntoOrgDocumentsBlocked", .allowOrBlock)
      .deciding(.openFrom, on: [.receiver])
    case .allowedDataIngestionLocations:
      .services(
        "Allow users to open data from selected services", .dataProtection,
        \.allowedDataIngestionLocations
      )
      .counting { $0.blockDataIngestionIntoOrganizationDocuments }
      .logged(
        "OpenDataFromManagedLocations",
        .locations([
          1: "OneDrive for Business", 2: "SharePoint", 4: "Camera", 8: "Local Storage",
          16: "Photo Library",
        ])
      )
    case .allowedOutboundClipboardSharingLevel:
      .choice(
        "Restrict cut, copy, and paste between other apps", .dataProtection,
        \.allowedOutboundClipboardSharingLevel
      )
      .saying { $0.allowedOutboundClipboardSharingLevel.words }
      .logged(
        "ClipboardSharingLevel",
        .level([
          0: "Blocked", 1: "Policy managed apps", 2: "Policy managed apps with paste in",
          3: "Any app",
        ])
      ) {
        switch $0.allowedOutboundClipboardSharingLevel {
        case .blocked: .number(0)
        case .managedApps: .number(1)
        case .managedAppsWithPasteIn: .number(2)
        case .allApps: .number(3)
        }
      }
    case .allowedOutboundClipboardSharingExceptionLength:
      .count(
        "Cut and copy character limit for any app", .dataProtection,
        \.allowedOutboundClipboardSharingExceptionLength, strictest: { min($0, $1) }
      )
      .since(Version(9, 0, 14))
      .logged("ClipboardCharacterLengthException", .count("characters"))
    case .dialerRestrictionLevel:
      .choice("Transfer telecommunication data to", .dataProtection, \.dialerRestrictionLevel)
        .since(Version(12, 7, 0))
        .saying { $0.dialerRestrictionLevel.words }
        // Assumption: 2 is `managedApps`. Microsoft's table has no 2, and the admin centre has no such choice
        // for iOS.
        .logged(
          "DialerRestrictionLevel",
          .level([
            0: "None, do not transfer this data between apps", 1: "A specific dialer app",
            2: "Any policy-managed dialer app", 3: "Any dialer app",
          ])
        ) {
          switch $0.dialerRestrictionLevel {
          case .blocked: .number(0)
          case .customApp: .number(1)
          case .managedApps: .number(2)
          case .allApps: .number(3)
          }
        }
    case .customDialerAppProtocol:
      .scheme("Dialer App URL Scheme", .dataProtection, \.customDialerAppProtocol)
        .since(Version(12, 7, 0))
        .logged("SpecificDialerProtocol", .text)
    case .protectedMessagingRedirectAppType:
      .choice("Transfer messaging data to", .dataProtection, \.protectedMessagingRedirectAppType)
        .since(Version(19, 0, 0))
        .saying { $0.protectedMessagingRedirectAppType.words }
    case .messagingRedirectAppUrlScheme:
      .scheme("Messaging App URL Scheme", .dataProtection, \.messagingRedirectAppUrlScheme)
        .since(Version(19, 0, 0))
    case .managedBrowser:
      .choice("Restrict web content transfer with other apps", .dataProtection, \.managedBrowser)
        .saying { BrowserChoice(of: $0).words }
    case .managedBrowserToOpenLinksRequired:
      .flag(
        "Restrict web content transfer with other apps", .dataProtection,
        \.managedBrowserToOpenLinksRequired
      )
      .saying { BrowserChoice(of: $0).words }
      .logged(
        LogField("ManagedBrowserRequired", .falseOrTrue) {
          .flag($0.managedBrowserToOpenLinksRequired || $0.managedBrowser == .microsoftEdge)
        }.also(.managedBrowser))
    case .customBrowserProtocol:
      .scheme("Unmanaged browser protocol", .dataProtection, \.customBrowserProtocol)
        .since(Version(11, 0, 9))
        .logged("UnmanagedBrowserProtocol", .text)
    case .printBlocked:
      .flag("Printing Org data", .dataProtection, \.printBlocked)
        .logged("PrintingBlocked", .allowOrBlock)
        .deciding(.print)
    case .notificationRestriction:
      .choice("Org data notifications", .dataProtection, \.notificationRestriction)
        .saying { $0.notificationRestriction.words }
        .logged(
          "NotificationRestriction", .level([0: "Allow", 1: "Block Org Data", 2: "Block"])
        ) {
          switch $0.notificationRestriction {
          case .allow: .number(0)
          case .blockOrganizationalData: .number(1)
          case .block: .number(2)
          }
        }
        .deciding(.notification)
    case .contactSyncBlocked:
      .flag(
        "Sync policy managed app data with native apps or add-ins", .dataProtection,
        \.contactSyncBlocked
      )
      .logged("ContactSyncDisabled", .allowOrBlock)
      .deciding(.contactSync)
    case .allowWidgetContentSync:
      .relaxation(
        "Sync policy managed app data with app widgets", .dataProtection, \.allowWidgetContentSync
      )
      .deciding(.widget)
    case .dataBackupBlocked:
      .flag("Backup Org data to iTunes and iCloud backups", .dataProtection, \.dataBackupBlocked)
        .logged("DataBackupDisabled", .allowOrBlock)
        .deciding(.backup)
    case .thirdPartyKeyboardsBlocked:
      .flag("Third-party keyboards", .dataProtection, \.thirdPartyKeyboardsBlocked)
        .since(Version(8, 0, 14))
        .logged("ThirdPartyKeyboardsBlocked", .allowOrBlock)
        .deciding(.keyboard, on: [.owner, .sender, .app])
    case .screenCaptureConfigurationState:
      .state("Screen capture", .dataProtection, \.screenCaptureConfigurationState)
        .since(Version(19, 7, 12), Version(20, 4, 0))
        .logged("ScreenCaptureConfigurationState", .state)
        .deciding(.screenCapture)
    case .writingToolsConfigurationState:
      .state("Writing Tools", .dataProtection, \.writingToolsConfigurationState)
        .since(Version(19, 7, 12), Version(20, 4, 0))
        .logged("WritingToolsConfigurationState", .state)
        .deciding(.writingTools)
    case .genmojiConfigurationState:
      .state("Genmojis", .dataProtection, \.genmojiConfigurationState)
        .since(Version(19, 7, 12), Version(20, 4, 0))
        .logged("GenmojiConfigurationState", .state)
        .deciding(.genmoji)
    case .appDataEncryptionType:
      .choice("Encrypt Org data", .dataProtection, \.appDataEncryptionType)
        .saying { $0.appDataEncryptionType.words }
        .logged(
          "FileEncryptionLevel",
          .level([
            0: "When device is locked", 1: "When device is locked and there are open files",
            2: "After device restart", 3: "Use device settings",
          ])
        ) {
          switch $0.appDataEncryptionType {
          case .whenDeviceLocked: .number(0)
          case .whenDeviceLockedExceptOpenFiles: .number(1)
          case .afterDeviceRestart: .number(2)
          case .useDeviceSettings: .number(3)
          }
        }
        .deciding(.fileEncryption)

    // Access requirements
    case .pinRequired:
      .flag("PIN for access", .accessRequirements, \.pinRequired)
        .saying { DisplayText.require($0.pinRequired) }
        .logged("PINEnabled", .notRequiredOrRequire)
    case .pinCharacterSet:
      .choice("PIN type", .accessRequirements, \.pinCharacterSet)
        .since(Version(7, 1, 12))
        .saying { $0.pinCharacterSet.words }
        .logged("PINCharacterType", .level([0: "Passcode", 1: "Numeric"])) {
          .number($0.pinCharacterSet == .numeric ? 1 : 0)
        }
    case .simplePinBlocked:
      .flag("Simple PIN", .accessRequirements, \.simplePinBlocked)
        .logged("SimplePINAllowed", .blockOrAllow) { .flag(!$0.simplePinBlocked) }
    case .minimumPinLength:
      .count(
        "Select minimum PIN length", .accessRequirements, \.minimumPinLength,
        strictest: { max($0, $1) }
      )
      .logged("PINMinLength", .count("characters"))
    case .maximumPinRetries:
      .count(
        "Max PIN attempts", .conditionalLaunch, \.maximumPinRetries,
        strictest: MergeRule.smallestBound
      )
      .saying { $0.maximumPinRetries == 0 ? "none" : "\($0.maximumPinRetries)" }
      .logged("PINNumRetry", .count("attempts"))
    case .appActionIfMaximumPinRetriesExceeded:
      .remediation("Max PIN attempts", .conditionalLaunch, \.appActionIfMaximumPinRetriesExceeded)
        .counting { $0.maximumPinRetries > 0 }
        .saying {
          $0.appActionIfMaximumPinRetriesExceeded == .block
            ? "Reset PIN" : $0.appActionIfMaximumPinRetriesExceeded.words
        }
        .qualified("action")
        .logged("MaxPinRetryExceededAction", .level([0: "Reset PIN", 1: "Wipe data", 2: "Warn"]))
    case .periodBeforePinReset:
      .period(
        "PIN reset after number of days", .accessRequirements, \.periodBeforePinReset, in: .day,
        zero: "No", strictest: MergeRule.smallestBound
      )
      .logged("PINExpiryDays", .count("days")) { .number($0.periodBeforePinReset / 86400) }
    case .previousPinBlockCount:
      .count(
        "Select number of previous PIN values to maintain", .accessRequirements,
        \.previousPinBlockCount, strictest: { max($0, $1) }
      )
    case .fingerprintBlocked:
      .flag("Touch ID instead of PIN for access", .accessRequirements, \.fingerprintBlocked)
        .logged("TouchIDEnabled", .blockOrAllow) { .flag(!$0.fingerprintBlocked) }
    case .faceIdBlocked:
      .flag("Face ID instead of PIN for access", .accessRequirements, \.faceIdBlocked)
        .logged("FaceIDEnabled", .blockOrAllow) { .flag(!$0.faceIdBlocked) }
    case .pinRequiredInsteadOfBiometricTimeout:
      .period(
        "Override biometrics with PIN after timeout", .accessRequirements,
        \.pinRequiredInsteadOfBiometricTimeout, in: .minute, zero: "Not required",
        strictest: MergeRule.smallestBound
      )
      .logged("NonBioPassTimeOutRequired", .notRequiredOrRequire) {
        .flag($0.pinRequiredInsteadOfBiometricTimeout > 0)
      }
      .logged("NonBioPassTimeout", .minutes)
    case .disableAppPinIfDevicePinIsSet:
      .relaxation(
        "App PIN when device PIN is set", .accessRequirements, \.disableAppPinIfDevicePinIsSet
      )
      .since(Version(7, 0, 1))
      .saying { $0.disableAppPinIfDevicePinIsSet ? "Disable" : "Enable" }
      .logged("AppPinDisabled", .flag("Require", "Not required"))
    case .organizationalCredentialsRequired:
      .flag(
        "Work or school account credentials for access", .accessRequirements,
        \.organizationalCredentialsRequired
      )
      .saying { DisplayText.require($0.organizationalCredentialsRequired) }
      .logged("AuthenticationEnabled", .notRequiredOrRequire)
    case .periodOnlineBeforeAccessCheck:
      .period(
        "Recheck the access requirements after (minutes of inactivity)", .accessRequirements,
        \.periodOnlineBeforeAccessCheck, in: .minute, zero: "0 minutes", strictest: { min($0, $1) }
      )
      .logged("AccessRecheckOnlineTimeout", .minutes)

    // Conditional launch
    case .periodOfflineBeforeAccessCheck:
      .period(
        "Offline grace period", .conditionalLaunch, \.periodOfflineBeforeAccessCheck, in: .minute,
        zero: "none", strictest: MergeRule.smallestBound
      )
      .qualified("block access")
      .logged("AccessRecheckOfflineTimeout", .minutes)
    case .periodOfflineBeforeWipeIsEnforced:
      .period(
        "Offline grace period", .conditionalLaunch, \.periodOfflineBeforeWipeIsEnforced, in: .day,
        zero: "none", strictest: MergeRule.smallestBound
      )
      .qualified("wipe data")
    case .deviceComplianceRequired:
      .flag("Jailbroken/rooted devices", .conditionalLaunch, \.deviceComplianceRequired)
        .saying {
          DisplayText.action(
            $0.deviceComplianceRequired ? $0.appActionIfDeviceComplianceRequired : nil)
        }
        .logged("DeviceComplianceEnabled", .falseOrTrue)
    case .appActionIfDeviceComplianceRequired:
      .remediation(
        "Jailbroken/rooted devices", .conditionalLaunch, \.appActionIfDeviceComplianceRequired
      )
      .counting { $0.deviceComplianceRequired }
      .saying {
        DisplayText.action(
          $0.deviceComplianceRequired ? $0.appActionIfDeviceComplianceRequired : nil)
      }
      .logged("DeviceComplianceFailureAction", .remediation)
    case .appActionIfUnableToAuthenticateUser:
      .remediation("Disabled account", .conditionalLaunch, \.appActionIfUnableToAuthenticateUser)
        .logged(
          LogField("AppActionIfUnableToAuthenticateUser", .remediation) {
            $0.appActionIfUnableToAuthenticateUser.map(LogValue.action)
          }.quoted)
    case .appActionIfAccountIsClockedOut:
      .remediation("Non-working time", .conditionalLaunch, \.appActionIfAccountIsClockedOut)
    case .minimumRequiredOsVersion:
      .minimum("Min OS version", \.minimumRequiredOsVersion)
        .since(Version(7, 0, 1))
        .qualified("block access")
        .logged("MinOsVersion", .minimum)
    case .minimumWarningOsVersion:
      .minimum("Min OS version", \.minimumWarningOsVersion)
        .since(Version(7, 0, 1))
        .qualified("warn")
        .logged("MinOsVersionWarning", .minimum)
    case .minimumWipeOsVersion:
      .minimum("Min OS version", \.minimumWipeOsVersion)
        .since(Version(7, 0, 1))
        .qualified("wipe data")
        .logged("MinOSVersionWipe", .minimum)
    case .maximumRequiredOsVersion:
      .maximum("Max OS version", \.maximumRequiredOsVersion)
        .since(Version(14, 4, 0))
        .qualified("block access")
        .logged("MaxOsVersion", .maximum)
    case .maximumWarningOsVersion:
      .maximum("Max OS version", \.maximumWarningOsVersion)
        .since(Version(14, 4, 0))
        .qualified("warn")
        .logged("MaxOsVersionWarning", .maximum)
    case .maximumWipeOsVersion:
      .maximum("Max OS version", \.maximumWipeOsVersion)
        .since(Version(14, 4, 0))
        .qualified("wipe data")
        .logged("MaxOsVersionWipe", .maximum)
    case .minimumRequiredAppVersion:
      .minimum("Min app version", \.minimumRequiredAppVersion)
        .since(Version(7, 0, 1))
        .qualified("block access")
        .logged("MinAppVersion", .minimum)
    case .minimumWarningAppVersion:
      .minimum("Min app version", \.minimumWarningAppVersion)
        .since(Version(7, 0, 1))
        .qualified("warn")
        .logged("MinAppVersionWarning", .minimum)
    case .minimumWipeAppVersion:
      .minimum("Min app version", \.minimumWipeAppVersion)
        .since(Version(7, 0, 1))
        .qualified("wipe data")
        .logged("MinAppVersionWipe", .minimum)
    case .minimumRequiredSdkVersion:
      .minimum("Min SDK version", \.minimumRequiredSdkVersion)
        .qualified("block access")
        .logged("MinSDKVersion", .minimum)
    case .minimumWarningSdkVersion:
      .minimum("Min SDK version", \.minimumWarningSdkVersion)
        .qualified("warn")
        .logged("MinSDKVersionWarning", .minimum)
    case .minimumWipeSdkVersion:
      .minimum("Min SDK version", \.minimumWipeSdkVersion)
        .qualified("wipe data")
        .logged("MinSDKVersionWipe", .minimum)
    case .allowedIosDeviceModels:
      SettingRow(
        "Device model(s)", .conditionalLaunch, \.allowedIosDeviceModels,
        .models(\.allowedIosDeviceModels), read: { $1.models($0) },
        value: GraphValue.models,
        merge: { MergeRule.present($0, $1) { $0.intersection($1) } }
      )
      .saying { settings in
        settings.allowedIosDeviceModels.map { DisplayText.list($0.sorted(), separator: ";") }
          ?? "any"
      }
      .logged(
        LogField("AllowedIOSModelsElseBlock", .list(";")) { $0.loggedModels(unless: .block) }
          .also(.appActionIfIosDeviceModelNotAllowed)
      )
      .logged(
        LogField("AllowedIOSModelsElseWipe", .list(";")) { $0.loggedModels(unless: .wipe) }
          .also(.appActionIfIosDeviceModelNotAllowed))
    case .appActionIfIosDeviceModelNotAllowed:
      .remediation("Device model(s)", .conditionalLaunch, \.appActionIfIosDeviceModelNotAllowed)
        .counting { $0.allowedIosDeviceModels != nil }
        .qualified("action")
    case .maximumAllowedDeviceThreatLevel:
      .choice(
        "Max allowed device threat level", .conditionalLaunch, \.maximumAllowedDeviceThreatLevel
      )
      .since(Version(12, 0, 15))
      .saying { $0.maximumAllowedDeviceThreatLevel.words }
      .logged(
        LogField(
          "MinimumRequiredDeviceThreatProtectionLevel",
          .level([0: "Not configured", 1: "Secured", 2: "Low", 3: "Medium", 4: "High"])
        ) {
          switch $0.maximumAllowedDeviceThreatLevel {
          case .notConfigured: .number(0)
          case .secured: .number(1)
          case .low: .number(2)
          case .medium: .number(3)
          case .high: .number(4)
          }
        }.quoted)
    case .mobileThreatDefenseRemediationAction:
      .remediation(
        "Max allowed device threat level", .conditionalLaunch,
        \.mobileThreatDefenseRemediationAction
      )
      .counting { $0.maximumAllowedDeviceThreatLevel != .notConfigured }
      .qualified("action")
      .logged("MobileThreatDefenseRemediationAction", .remediation)

    // Settings outside policies
    case .allowedAccountsOnly: SettingRow(rawValue)
    case .enrolledUPN: SettingRow(rawValue)
    case .enrolledObjectID: SettingRow(rawValue)
    case .requireAccounts:
      SettingRow(rawValue).citing { $0.receiver.app.lacksRequiredAccount ? "Enabled" : "Disabled" }
    case .screenCaptureControl:
      SettingRow(rawValue).citing {
        $0.sender.app.isScreenCaptureControlDisabled ? "Disabled" : "Enabled"
      }
    case .treatAllWebViewsAsUnmanaged: SettingRow(rawValue)
    case .allowOpenFromManagedToUnmanaged: deviceSetting(\.allowOpenFromManagedToUnmanaged)
    case .allowOpenFromUnmanagedToManaged: deviceSetting(\.allowOpenFromUnmanagedToManaged)
    case .requireManagedPasteboard: deviceSetting(\.requireManagedPasteboard)
    case .allowManagedToWriteUnmanagedContacts:
      deviceSetting(\.allowManagedToWriteUnmanagedContacts)
    case .allowUnmanagedToReadManagedContacts:
      deviceSetting(\.allowUnmanagedToReadManagedContacts)
    case .allowScreenShot: deviceSetting(\.allowScreenShot)
    case .allowWritingTools: deviceSetting(\.allowWritingTools)
    case .allowGenmoji: deviceSetting(\.allowGenmoji)
    case .keychainAccessGroups: SettingRow("Keychain Sharing")
    case .applicationGroups: SettingRow("App Groups")
    }
  }

  /// Returns the row of a restriction in the device's MDM profile. Explanations of verdicts cite its value.
  private func deviceSetting(
    _ path: any KeyPath<DeviceRestrictions, Bool> & Sendable
  ) -> SettingRow {
    SettingRow(rawValue).citing { "\($0.device[keyPath: path])" }
  }
}

// MARK: - Lines of the pages

extension SettingPage {
  /// The settings in the order in which the admin centre lists them. A setting that is not in this list comes last on
  /// its page.
  static let order: [Setting] = [
    // Data protection
    .dataBackupBlocked, .allowedOutboundDataTransferDestinations, .exemptedAppProtocols,
    .exemptedUniversalLinks, .managedUniversalLinks, .saveAsBlocked, .allowedDataStorageLocations,
    .dialerRestrictionLevel, .customDialerAppProtocol, .protectedMessagingRedirectAppType,
    .messagingRedirectAppUrlScheme, .allowedInboundDataTransferSources,
    .blockDataIngestionIntoOrganizationDocuments, .allowedDataIngestionLocations,
    .allowedOutboundClipboardSharingLevel, .allowedOutboundClipboardSharingExceptionLength,
    .thirdPartyKeyboardsBlocked, .appDataEncryptionType, .contactSyncBlocked, .printBlocked,
    .managedBrowser, .customBrowserProtocol, .notificationRestriction, .allowWidgetContentSync,
    .screenCaptureConfigurationState, .writingToolsConfigurationState, .genmojiConfigurationState,

    // Access requirements
    .pinRequired, .pinCharacterSet, .simplePinBlocked, .minimumPinLength, .fingerprintBlocked,
    .faceIdBlocked, .pinRequiredInsteadOfBiometricTimeout, .periodBeforePinReset,
    .previousPinBlockCount, .disableAppPinIfDevicePinIsSet, .organizationalCredentialsRequired,
    .periodOnlineBeforeAccessCheck,

    // Conditional launch
    .maximumPinRetries, .appActionIfMaximumPinRetriesExceeded, .periodOfflineBeforeAccessCheck,
    .periodOfflineBeforeWipeIsEnforced, .appActionIfUnableToAuthenticateUser,
    .appActionIfAccountIsClockedOut, .minimumWarningAppVersion, .minimumRequiredAppVersion,
    .minimumWipeAppVersion, .minimumWarningSdkVersion, .minimumRequiredSdkVersion,
    .minimumWipeSdkVersion, .deviceComplianceRequired, .minimumWarningOsVersion,
    .minimumRequiredOsVersion, .minimumWipeOsVersion, .maximumWarningOsVersion,
    .maximumRequiredOsVersion, .maximumWipeOsVersion, .allowedIosDeviceModels,
    .appActionIfIosDeviceModelNotAllowed, .maximumAllowedDeviceThreatLevel,
    .mobileThreatDefenseRemediationAction,
  ]
}
