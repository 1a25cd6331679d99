import Model

extension Setting {
  /// The complete declaration of a setting. The switch is exhaustive, so an omission does not
  /// compile. Labels and words are the admin centre's.
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
        .logged("EnableOpenInFilter", .flag("Disabled", "Enabled")) {
          .flag($0.filterOpenInToOnlyManagedApps)
        }
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
        .saying { DisplayText.list($0.exemptedUniversalLinks.map(\.text), separator: ";") }
        .logged("UniversalLinkExclusions", .list("|")) {
          .words($0.exemptedUniversalLinks.map(\.text))
        }
    case .managedUniversalLinks:
      .links("Select managed universal links", .dataProtection, \.managedUniversalLinks)
        .saying { DisplayText.list($0.managedUniversalLinks.map(\.text), separator: ";") }
        .logged("ManagedUniversalLinks", .list("|")) {
          .words($0.managedUniversalLinks.map(\.text))
        }
    case .saveAsBlocked:
      .flag("Save copies of org data", .dataProtection, \.saveAsBlocked)
        .saying { DisplayText.block($0.saveAsBlocked) }
        .logged("FileSharingSaveAsDisabled", .allowOrBlock) { .flag($0.saveAsBlocked) }
        .deciding(.saveTo)
    case .allowedDataStorageLocations:
      .services(
        "Allow user to save copies to selected services", .dataProtection,
        \.allowedDataStorageLocations
      )
      .counting { $0.saveAsBlocked }
      .saying {
        DisplayText.list(
          Settings.StorageService.allCases.filter($0.allowedDataStorageLocations.contains).map(
            \.words))
      }
      .logged(
        "ManagedLocations",
        .locations([
          1: "OneDrive for Business", 2: "SharePoint", 4: "Box", 32: "Local Storage",
          128: "Photo Library",
        ])
      ) { .number($0.allowedDataStorageLocations.reduce(0) { $0 | $1.bit }) }
    case .blockDataIngestionIntoOrganizationDocuments:
      .flag(
        "Open data into Org documents", .dataProtection,
        \.blockDataIngestionIntoOrganizationDocuments
      )
      .saying { DisplayText.block($0.blockDataIngestionIntoOrganizationDocuments) }
      .logged("OpenDataIntoOrgDocumentsBlocked", .allowOrBlock) {
        .flag($0.blockDataIngestionIntoOrganizationDocuments)
      }
      .deciding(.openFrom, on: [.receiver])
    case .allowedDataIngestionLocations:
      .services(
        "Allow users to open data from selected services", .dataProtection,
        \.allowedDataIngestionLocations
      )
      .counting { $0.blockDataIngestionIntoOrganizationDocuments }
      .saying {
        DisplayText.list(
          Settings.IngestionService.allCases.filter($0.allowedDataIngestionLocations.contains).map(
            \.words))
      }
      .logged(
        "OpenDataFromManagedLocations",
        .locations([
          1: "OneDrive for Business", 2: "SharePoint", 4: "Camera", 8: "Local Storage",
          16: "Photo Library",
        ])
      ) { .number($0.allowedDataIngestionLocations.reduce(0) { $0 | $1.bit }) }
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
      .saying { "\($0.allowedOutboundClipboardSharingExceptionLength)" }
      .logged("ClipboardCharacterLengthException", .count("characters")) {
        .number($0.allowedOutboundClipboardSharingExceptionLength)
      }
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
        .saying { DisplayText.scheme($0.customDialerAppProtocol) }
        .logged("SpecificDialerProtocol", .text) { .text($0.customDialerAppProtocol.lowercased()) }
    case .protectedMessagingRedirectAppType:
      .choice("Transfer messaging data to", .dataProtection, \.protectedMessagingRedirectAppType)
        .since(Version(19, 0, 0))
        .saying { $0.protectedMessagingRedirectAppType.words }
    case .messagingRedirectAppUrlScheme:
      .scheme("Messaging App URL Scheme", .dataProtection, \.messagingRedirectAppUrlScheme)
        .since(Version(19, 0, 0))
        .saying { DisplayText.scheme($0.messagingRedirectAppUrlScheme) }
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
        .saying { DisplayText.scheme($0.customBrowserProtocol) }
        .logged("UnmanagedBrowserProtocol", .text) { .text($0.customBrowserProtocol.lowercased()) }
    case .printBlocked:
      .flag("Printing Org data", .dataProtection, \.printBlocked)
        .saying { DisplayText.block($0.printBlocked) }
        .logged("PrintingBlocked", .allowOrBlock) { .flag($0.printBlocked) }
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
      .saying { DisplayText.block($0.contactSyncBlocked) }
      .logged("ContactSyncDisabled", .allowOrBlock) { .flag($0.contactSyncBlocked) }
      .deciding(.contactSync)
    case .allowWidgetContentSync:
      .relaxation(
        "Sync policy managed app data with app widgets", .dataProtection, \.allowWidgetContentSync
      )
      .saying { DisplayText.block(!$0.allowWidgetContentSync) }
      .deciding(.widget)
    case .dataBackupBlocked:
      .flag("Backup Org data to iTunes and iCloud backups", .dataProtection, \.dataBackupBlocked)
        .saying { DisplayText.block($0.dataBackupBlocked) }
        .logged("DataBackupDisabled", .allowOrBlock) { .flag($0.dataBackupBlocked) }
        .deciding(.backup)
    case .thirdPartyKeyboardsBlocked:
      .flag("Third-party keyboards", .dataProtection, \.thirdPartyKeyboardsBlocked)
        .since(Version(8, 0, 14))
        .saying { DisplayText.block($0.thirdPartyKeyboardsBlocked) }
        .logged("ThirdPartyKeyboardsBlocked", .allowOrBlock) {
          .flag($0.thirdPartyKeyboardsBlocked)
        }
        .deciding(.keyboard, on: [.owner, .sender, .app])
    case .screenCaptureConfigurationState:
      .state("Screen capture", .dataProtection, \.screenCaptureConfigurationState)
        .since(Version(19, 7, 12), Version(20, 4, 0))
        .saying { DisplayText.state($0.screenCaptureConfigurationState) }
        .logged("ScreenCaptureConfigurationState", .state) {
          .state($0.screenCaptureConfigurationState)
        }
        .deciding(.screenCapture)
    case .writingToolsConfigurationState:
      .state("Writing Tools", .dataProtection, \.writingToolsConfigurationState)
        .since(Version(19, 7, 12), Version(20, 4, 0))
        .saying { DisplayText.state($0.writingToolsConfigurationState) }
        .logged("WritingToolsConfigurationState", .state) {
          .state($0.writingToolsConfigurationState)
        }
        .deciding(.writingTools)
    case .genmojiConfigurationState:
      .state("Genmojis", .dataProtection, \.genmojiConfigurationState)
        .since(Version(19, 7, 12), Version(20, 4, 0))
        .saying { DisplayText.state($0.genmojiConfigurationState) }
        .logged("GenmojiConfigurationState", .state) { .state($0.genmojiConfigurationState) }
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
        .logged("PINEnabled", .notRequiredOrRequire) { .flag($0.pinRequired) }
    case .pinCharacterSet:
      .choice("PIN type", .accessRequirements, \.pinCharacterSet)
        .since(Version(7, 1, 12))
        .saying { $0.pinCharacterSet.words }
        .logged("PINCharacterType", .level([0: "Passcode", 1: "Numeric"])) {
          .number($0.pinCharacterSet == .numeric ? 1 : 0)
        }
    case .simplePinBlocked:
      .flag("Simple PIN", .accessRequirements, \.simplePinBlocked)
        .saying { DisplayText.block($0.simplePinBlocked) }
        .logged("SimplePINAllowed", .blockOrAllow) { .flag(!$0.simplePinBlocked) }
    case .minimumPinLength:
      .count(
        "Select minimum PIN length", .accessRequirements, \.minimumPinLength,
        strictest: { max($0, $1) }
      )
      .saying { "\($0.minimumPinLength)" }
      .logged("PINMinLength", .count("characters")) { .number($0.minimumPinLength) }
    case .maximumPinRetries:
      .count(
        "Max PIN attempts", .conditionalLaunch, \.maximumPinRetries,
        strictest: MergeRule.smallestBound
      )
      .saying { $0.maximumPinRetries == 0 ? "none" : "\($0.maximumPinRetries)" }
      .logged("PINNumRetry", .count("attempts")) { .number($0.maximumPinRetries) }
    case .appActionIfMaximumPinRetriesExceeded:
      .remediation("Max PIN attempts", .conditionalLaunch, \.appActionIfMaximumPinRetriesExceeded)
        .counting { $0.maximumPinRetries > 0 }
        .saying {
          $0.appActionIfMaximumPinRetriesExceeded == .block
            ? "Reset PIN" : $0.appActionIfMaximumPinRetriesExceeded.words
        }
        .qualified("action")
        .logged("MaxPinRetryExceededAction", .level([0: "Reset PIN", 1: "Wipe data", 2: "Warn"])) {
          .action($0.appActionIfMaximumPinRetriesExceeded)
        }
    case .periodBeforePinReset:
      .period(
        "PIN reset after number of days", .accessRequirements, \.periodBeforePinReset, in: .day,
        strictest: MergeRule.smallestBound
      )
      .saying { DisplayText.period($0.periodBeforePinReset, zero: "No") }
      .logged("PINExpiryDays", .count("days")) { .number($0.periodBeforePinReset / 86400) }
    case .previousPinBlockCount:
      .count(
        "Select number of previous PIN values to maintain", .accessRequirements,
        \.previousPinBlockCount, strictest: { max($0, $1) }
      )
      .saying { "\($0.previousPinBlockCount)" }
    case .fingerprintBlocked:
      .flag("Touch ID instead of PIN for access", .accessRequirements, \.fingerprintBlocked)
        .saying { DisplayText.block($0.fingerprintBlocked) }
        .logged("TouchIDEnabled", .blockOrAllow) { .flag(!$0.fingerprintBlocked) }
    case .faceIdBlocked:
      .flag("Face ID instead of PIN for access", .accessRequirements, \.faceIdBlocked)
        .saying { DisplayText.block($0.faceIdBlocked) }
        .logged("FaceIDEnabled", .blockOrAllow) { .flag(!$0.faceIdBlocked) }
    case .pinRequiredInsteadOfBiometricTimeout:
      .period(
        "Override biometrics with PIN after timeout", .accessRequirements,
        \.pinRequiredInsteadOfBiometricTimeout, in: .minute, strictest: MergeRule.smallestBound
      )
      .saying { DisplayText.period($0.pinRequiredInsteadOfBiometricTimeout, zero: "Not required") }
      .logged("NonBioPassTimeOutRequired", .notRequiredOrRequire) {
        .flag($0.pinRequiredInsteadOfBiometricTimeout > 0)
      }
      .logged("NonBioPassTimeout", .minutes) {
        .number($0.pinRequiredInsteadOfBiometricTimeout / 60)
      }
    case .disableAppPinIfDevicePinIsSet:
      .relaxation(
        "App PIN when device PIN is set", .accessRequirements, \.disableAppPinIfDevicePinIsSet
      )
      .since(Version(7, 0, 1))
      .saying { $0.disableAppPinIfDevicePinIsSet ? "Disable" : "Enable" }
      .logged("AppPinDisabled", .flag("Require", "Not required")) {
        .flag($0.disableAppPinIfDevicePinIsSet)
      }
    case .organizationalCredentialsRequired:
      .flag(
        "Work or school account credentials for access", .accessRequirements,
        \.organizationalCredentialsRequired
      )
      .saying { DisplayText.require($0.organizationalCredentialsRequired) }
      .logged("AuthenticationEnabled", .notRequiredOrRequire) {
        .flag($0.organizationalCredentialsRequired)
      }
    case .periodOnlineBeforeAccessCheck:
      .period(
        "Recheck the access requirements after (minutes of inactivity)", .accessRequirements,
        \.periodOnlineBeforeAccessCheck, in: .minute, strictest: { min($0, $1) }
      )
      .saying { DisplayText.period($0.periodOnlineBeforeAccessCheck, zero: "0 minutes") }
      .logged("AccessRecheckOnlineTimeout", .minutes) {
        .number($0.periodOnlineBeforeAccessCheck / 60)
      }

    // Conditional launch
    case .periodOfflineBeforeAccessCheck:
      .period(
        "Offline grace period", .conditionalLaunch, \.periodOfflineBeforeAccessCheck, in: .minute,
        strictest: MergeRule.smallestBound
      )
      .saying { DisplayText.period($0.periodOfflineBeforeAccessCheck, zero: "none") }
      .qualified("block access")
      .logged("AccessRecheckOfflineTimeout", .minutes) {
        .number($0.periodOfflineBeforeAccessCheck / 60)
      }
    case .periodOfflineBeforeWipeIsEnforced:
      .period(
        "Offline grace period", .conditionalLaunch, \.periodOfflineBeforeWipeIsEnforced, in: .day,
        strictest: MergeRule.smallestBound
      )
      .saying { DisplayText.period($0.periodOfflineBeforeWipeIsEnforced, zero: "none") }
      .qualified("wipe data")
    case .deviceComplianceRequired:
      .flag("Jailbroken/rooted devices", .conditionalLaunch, \.deviceComplianceRequired)
        .saying {
          DisplayText.action(
            $0.deviceComplianceRequired ? $0.appActionIfDeviceComplianceRequired : nil)
        }
        .logged("DeviceComplianceEnabled", .falseOrTrue) { .flag($0.deviceComplianceRequired) }
    case .appActionIfDeviceComplianceRequired:
      .remediation(
        "Jailbroken/rooted devices", .conditionalLaunch, \.appActionIfDeviceComplianceRequired
      )
      .counting { $0.deviceComplianceRequired }
      .saying {
        DisplayText.action(
          $0.deviceComplianceRequired ? $0.appActionIfDeviceComplianceRequired : nil)
      }
      .logged("DeviceComplianceFailureAction", .remediation) {
        .action($0.appActionIfDeviceComplianceRequired)
      }
    case .appActionIfUnableToAuthenticateUser:
      .remediation("Disabled account", .conditionalLaunch, \.appActionIfUnableToAuthenticateUser)
        .saying { DisplayText.action($0.appActionIfUnableToAuthenticateUser) }
        .logged(
          LogField("AppActionIfUnableToAuthenticateUser", .remediation) {
            $0.appActionIfUnableToAuthenticateUser.map(LogValue.action)
          }.quoted)
    case .appActionIfAccountIsClockedOut:
      .remediation("Non-working time", .conditionalLaunch, \.appActionIfAccountIsClockedOut)
        .saying { DisplayText.action($0.appActionIfAccountIsClockedOut) }
    case .minimumRequiredOsVersion:
      .version(
        "Min OS version", .conditionalLaunch, \.minimumRequiredOsVersion, strictest: { max($0, $1) }
      )
      .since(Version(7, 0, 1))
      .saying { DisplayText.version($0.minimumRequiredOsVersion) }
      .qualified("block access")
      .logged("MinOsVersion", .minimum) { .bound($0.minimumRequiredOsVersion) }
    case .minimumWarningOsVersion:
      .version(
        "Min OS version", .conditionalLaunch, \.minimumWarningOsVersion, strictest: { max($0, $1) }
      )
      .since(Version(7, 0, 1))
      .saying { DisplayText.version($0.minimumWarningOsVersion) }
      .qualified("warn")
      .logged("MinOsVersionWarning", .minimum) { .bound($0.minimumWarningOsVersion) }
    case .minimumWipeOsVersion:
      .version(
        "Min OS version", .conditionalLaunch, \.minimumWipeOsVersion, strictest: { max($0, $1) }
      )
      .since(Version(7, 0, 1))
      .saying { DisplayText.version($0.minimumWipeOsVersion) }
      .qualified("wipe data")
      .logged("MinOSVersionWipe", .minimum) { .bound($0.minimumWipeOsVersion) }
    case .maximumRequiredOsVersion:
      .version(
        "Max OS version", .conditionalLaunch, \.maximumRequiredOsVersion, strictest: { min($0, $1) }
      )
      .since(Version(14, 4, 0))
      .saying { DisplayText.version($0.maximumRequiredOsVersion) }
      .qualified("block access")
      .logged("MaxOsVersion", .maximum) { .bound($0.maximumRequiredOsVersion) }
    case .maximumWarningOsVersion:
      .version(
        "Max OS version", .conditionalLaunch, \.maximumWarningOsVersion, strictest: { min($0, $1) }
      )
      .since(Version(14, 4, 0))
      .saying { DisplayText.version($0.maximumWarningOsVersion) }
      .qualified("warn")
      .logged("MaxOsVersionWarning", .maximum) { .bound($0.maximumWarningOsVersion) }
    case .maximumWipeOsVersion:
      .version(
        "Max OS version", .conditionalLaunch, \.maximumWipeOsVersion, strictest: { min($0, $1) }
      )
      .since(Version(14, 4, 0))
      .saying { DisplayText.version($0.maximumWipeOsVersion) }
      .qualified("wipe data")
      .logged("MaxOsVersionWipe", .maximum) { .bound($0.maximumWipeOsVersion) }
    case .minimumRequiredAppVersion:
      .version(
        "Min app version", .conditionalLaunch, \.minimumRequiredAppVersion,
        strictest: { max($0, $1) }
      )
      .since(Version(7, 0, 1))
      .saying { DisplayText.version($0.minimumRequiredAppVersion) }
      .qualified("block access")
      .logged("MinAppVersion", .minimum) { .bound($0.minimumRequiredAppVersion) }
    case .minimumWarningAppVersion:
      .version(
        "Min app version", .conditionalLaunch, \.minimumWarningAppVersion,
        strictest: { max($0, $1) }
      )
      .since(Version(7, 0, 1))
      .saying { DisplayText.version($0.minimumWarningAppVersion) }
      .qualified("warn")
      .logged("MinAppVersionWarning", .minimum) { .bound($0.minimumWarningAppVersion) }
    case .minimumWipeAppVersion:
      .version(
        "Min app version", .conditionalLaunch, \.minimumWipeAppVersion, strictest: { max($0, $1) }
      )
      .since(Version(7, 0, 1))
      .saying { DisplayText.version($0.minimumWipeAppVersion) }
      .qualified("wipe data")
      .logged("MinAppVersionWipe", .minimum) { .bound($0.minimumWipeAppVersion) }
    case .minimumRequiredSdkVersion:
      .version(
        "Min SDK version", .conditionalLaunch, \.minimumRequiredSdkVersion,
        strictest: { max($0, $1) }
      )
      .saying { DisplayText.version($0.minimumRequiredSdkVersion) }
      .qualified("block access")
      .logged("MinSDKVersion", .minimum) { .bound($0.minimumRequiredSdkVersion) }
    case .minimumWarningSdkVersion:
      .version(
        "Min SDK version", .conditionalLaunch, \.minimumWarningSdkVersion,
        strictest: { max($0, $1) }
      )
      .saying { DisplayText.version($0.minimumWarningSdkVersion) }
      .qualified("warn")
      .logged("MinSDKVersionWarning", .minimum) { .bound($0.minimumWarningSdkVersion) }
    case .minimumWipeSdkVersion:
      .version(
        "Min SDK version", .conditionalLaunch, \.minimumWipeSdkVersion, strictest: { max($0, $1) }
      )
      .saying { DisplayText.version($0.minimumWipeSdkVersion) }
      .qualified("wipe data")
      .logged("MinSDKVersionWipe", .minimum) { .bound($0.minimumWipeSdkVersion) }
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
        .saying { $0.appActionIfIosDeviceModelNotAllowed.words }
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
      .saying { $0.mobileThreatDefenseRemediationAction.words }
      .qualified("action")
      .logged("MobileThreatDefenseRemediationAction", .remediation) {
        .action($0.mobileThreatDefenseRemediationAction)
      }

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

// MARK: - Lines of the pages

extension SettingPage {
  /// The settings in the order of the admin centre. Settings missing from this list are at the end
  /// of their page.
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
