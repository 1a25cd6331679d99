public import Transfer

extension Rule {
  /// Where the rule comes from: a public document and its section, or `assumed` where those end.
  public var source: String {
    switch self {
    case .sameTenant, .otherTenant: Source.assumed("different managed accounts")
    case .noRuleApplied, .unmanagedSender, .unmanagedReceiver: Source.identities
    case .sameAppSameIdentity, .clipboardSameIdentity: Source.overview
    case .sendAllApps, .sendNone, .sendNoneEncrypts, .sendManagedAppsToManaged,
      .sendManagedAppsToUnmanaged, .sendManagedAppsEncrypts, .openInFilter, .osSharing:
      Source.settings("Send org data to other apps")
    case .unenrolledSDKReceiver: Source.issue(672)
    case .saveNotRestricted, .saveToSelectedService, .saveServiceNotSelected, .saveToOtherAccount:
      Source.settings("Save copies of org data")
    case .openNotRestricted, .openFromSelectedService, .openServiceNotSelected,
      .openFromOtherAccount:
      Source.settings("Open data into Org documents")
    case .saveServiceNotOffered, .openServiceNotOffered:
      Source.assumed("storage locations")
    case .locationHasNoAccount, .noSuchLocation: Source.header("isSaveToAllowedForLocation")
    case .nilAccountIsCurrent: Source.release("15.1.0")
    case .exemptedUniversalLink, .managedUniversalLink: Source.assumed("URLs")
    case .dialerAnyApp, .dialerManagedApp, .dialerUnmanagedApp, .dialerSpecificApp, .dialerOtherApp,
      .dialerBlocked:
      Source.settings("Transfer telecommunication data to")
    case .messagingAnyApp, .messagingManagedApp, .messagingUnmanagedApp, .messagingSpecificApp,
      .messagingOtherApp, .messagingBlocked:
      Source.settings("Transfer messaging data to")
    case .printingAllowed, .printingBlocked: Source.settings("Printing Org data")
    case .notificationsAllowed, .notificationsWithoutOrgData, .notificationsBlocked:
      Source.settings("Org data notifications")
    case .contactSyncAllowed, .contactSyncBlocked, .widgetSyncAllowed, .widgetSyncBlocked:
      Source.settings("Sync policy managed app data with native apps or add-ins")
    case .backupAllowed, .backupBlocked:
      Source.settings("Backup Org data to iTunes and iCloud backups")
    case .keyboardsAllowed, .keyboardsBlocked: Source.settings("Third-party keyboards")
    case .systemFeatureBlocked: Source.header("areSiriIntentsAllowed")
    case .sharingUIAvailable: Source.header("isAppSharingAllowed")
    case .screenCaptureAllowed, .screenCaptureBlocked: Source.settings("Screen capture")
    case .screenCaptureFollowsSend, .screenCaptureNotControlled: Source.release("19.7.6 and 20.2.1")
    case .screenCaptureControlDisabled:
      Source.settings("Send org data to other apps, screen capture")
    case .writingToolsAllowed, .writingToolsBlocked: Source.settings("Writing Tools")
    case .genmojiAllowed, .genmojiBlocked: Source.settings("Genmojis")
    case .writingToolsFollowSend, .genmojiFollowsSend:
      Source.assumed("features of the system")
    case .webViewOfIdentity, .webViewWithoutUpload, .webViewUnmanaged:
      "Intune App SDK for iOS, stage 5, web views"
    case .fileEncryptionRequired, .fileEncryptionByDevice:
      Source.assumed("features of the system")
    case .managedOpenInRestriction, .unmanagedOpenInRestriction, .managedPasteboard,
      .managedContactWriteRestriction, .managedContactReadRestriction:
      "Apple Device Management, Restrictions"
    case .receiveAllApps, .receiveNone, .receiveManagedAppsFromManaged,
      .receiveManagedAppsFromUnmanaged, .incomingOrgData, .documentImport:
      Source.settings("Receive data from other apps")
    case .clipboardAllApps, .clipboardPasteIn, .clipboardPasteInToUnmanaged, .clipboardManagedApps,
      .clipboardManagedAppsToUnmanaged, .clipboardManagedAppsFromUnmanaged, .clipboardBlocked:
      Source.settings("Restrict cut, copy, and paste between other apps")
    case .clipboardException: Source.settings("Cut and copy character limit for any app")
    case .exemptedScheme: Source.settings("Data transfer exemptions")
    case .managedScheme, .unmanagedScheme: Source.header("isURLAllowed")
    case .anyBrowser, .managedBrowserUsed, .managedBrowserRequired:
      Source.settings("Restrict web content transfer with other apps")
    case .customBrowser, .customBrowserRequired: Source.settings("Unmanaged browser protocol")
    case .noAccountRestriction, .accountAllowed, .accountNotAllowed:
      "Intune App SDK for iOS, stage 4, allowed accounts"
    case .singleManagedAccount, .accountSignedIn, .accountNotSignedIn, .signOutAlwaysAllowed:
      Source.identities
    case .accountBeingWiped: Source.header("wipeDataForAccountId")
    case .accountBlocked: Source.header("blockAccountId")
    case .viewOfOneManagedAccount, .viewOfManagedAccounts: Source.overview
    case .fileBegins, .fileHasNoOwner, .fileOfUnmanagedAccount, .fileOfIdentity,
      .fileOwnerTold, .fileKeepsOwner, .fileRemoved:
      "Intune App SDK for iOS, stage 5, File owner"
    case .fileOfOtherIdentity, .fileOwnerNotSignedIn, .ownerNotSignedIn:
      Source.assumed("files")
    case .fileStoredEncrypted, .fileStoredPlain: Source.header("isFileEncryptionRequired")
    case .dataOfManagedAccount, .dataOfUnmanagedAccount:
      "Intune App SDK for iOS, stage 5, Shared data"
    case .fileOutsideContainer, .appGroupNotEntitled:
      "Apple Developer Documentation, Configuring app groups"
    case .keychainDefaultGroup, .keychainGroupEntitled, .keychainGroupNotEntitled,
      .keychainNoGroup:
      "Apple Developer Documentation, Sharing access to keychain items among a collection of apps"
    // Access requirements and conditional launch
    case .noAccessRequirement:
      Source.settings("Access requirements")
    case .minimumSDKVersionMet, .minimumSDKVersionWarns, .minimumSDKVersionBlocks,
      .minimumSDKVersionWipes:
      Source.settings("Min SDK version")
    case .minimumAppVersionMet, .minimumAppVersionWarns, .minimumAppVersionBlocks,
      .minimumAppVersionWipes:
      Source.settings("Min app version")
    case .minimumOSVersionMet, .minimumOSVersionWarns, .minimumOSVersionBlocks,
      .minimumOSVersionWipes:
      Source.settings("Min OS version")
    case .maximumOSVersionMet, .maximumOSVersionWarns, .maximumOSVersionBlocks,
      .maximumOSVersionWipes:
      Source.settings("Max OS version")
    case .notJailbroken, .jailbrokenWarns, .jailbrokenBlocks, .jailbrokenWipes:
      Source.settings("Jailbroken/rooted devices")
    case .deviceModelAllowed, .deviceModelWarns, .deviceModelBlocks, .deviceModelWipes:
      Source.settings("Device model(s)")
    case .threatLevelAccepted, .threatLevelWarns, .threatLevelBlocks, .threatLevelWipes,
      .threatLevelUnknownWarns, .threatLevelUnknownBlocks, .threatLevelUnknownWipes:
      Source.settings("Max allowed device threat level")
    case .accountDisabledWarns, .accountDisabledBlocks, .accountDisabledWipes, .accountEnabled:
      Source.settings("Disabled account")
    case .notClockedOut, .clockedOutWarns, .clockedOutBlocks, .clockedOutWipes:
      Source.settings("Non-working time")
    case .offlineGraceHolds, .offlineGraceBlocks:
      Source.settings("Offline grace period")
    case .offlineGraceWipes, .pinOutdated, .pinDescending:
      Source.assumed("access requirements and conditional launch")
    case .pinWaived:
      Source.settings("App PIN when device PIN is set")
    case .pinRecheckNotDue, .credentialsRecheckNotDue:
      Source.settings("Recheck the access requirements after (minutes of inactivity)")
    case .pinEntered, .pinAsked, .pinWrong, .pinNotSet, .pinAccepted:
      Source.settings("PIN for access")
    case .pinRetriesExceededResets, .pinRetriesExceededWipes, .pinResetRequired:
      Source.settings("Max PIN attempts")
    case .pinExpired:
      Source.settings("PIN reset after number of days")
    case .biometricsAccepted, .biometricsUnavailable, .biometricsBlocked:
      Source.settings("Touch ID and Face ID instead of PIN for access")
    case .biometricsTimedOut:
      Source.settings("Override biometrics with PIN after timeout")
    case .credentialsGiven, .credentialsAsked:
      Source.settings("Work or school account credentials for access")
    case .pinChangeNeedsSignIn:
      "Microsoft Learn, Frequently asked questions about MAM and app protection, Is the PIN secure"
    case .pinNotNumeric, .pinNeedsLetterOrSymbol:
      Source.settings("PIN type")
    case .pinTooShort:
      Source.settings("Select minimum PIN length")
    case .pinNeedsNumberLetterAndSymbol, .pinSimple:
      Source.settings("Simple PIN")
    case .pinUsedBefore:
      Source.settings("Select number of previous PIN values to maintain")
    case .enrollmentAsked, .enrollmentFromExtension, .enrollmentNeedsAccount, .accountNotEnrolled:
      "Intune App SDK for iOS, IntuneMAMEnrollmentManager.h"
    case .remediationBegun, .remediationQueued, .remediationUnderWay:
      "Intune App SDK for iOS, IntuneMAMComplianceManager.h"
    case .protectionApplied, .protectionRequired, .protectionNotDeclared:
      "Intune App SDK for iOS, stage 6, App Protection CA"
    case .tokenUnconditional, .grantControlsMet, .grantControlMissing, .conditionalAccessBlocks,
      .conditionalAccessReports:
      "Microsoft Graph, conditionalAccessPolicy"
    case .conditionTakenAsMet, .conditionTakenAsNotMet: Source.assumed("enrollment")
    case .appWithoutSDK, .remediationLoop, .tokenServiceUnreachable, .tokenAccountDisabled:
      "the device itself"
    case .managedAppProvides, .managedAppNothingSet, .managedAppNotManaged,
      .managedAppOtherSignature:
      "Apple Developer Documentation, Configuring managed apps and extensions"
    case .managedAppReports:
      "Apple Developer Documentation, ManagedApp, Specifying and decoding a configuration"
    case .managedAppManagementRefused:
      "Apple Developer Documentation, Device Management, InstallApplicationCommand"
    case .managedAppNoSuchIdentifier, .managedAppSecretUnusable, .managedAppServerUnreachable:
      "Apple Developer Documentation, ManagedApp, ManagedAppError"
    case .copiedToPasteboard, .pasteboardEmpty: "Apple Developer Documentation, UIPasteboard"
    case .appNotAllowed:
      "Apple, device-management, com.apple.configuration.app.settings"
    case .noSuchDestination, .malformedURL, .unmanagedIdentity, .notMultiIdentity, .nothingToImport,
      .noSuchRepresentation, .extensionOfAnotherPoint, .tagSealBroken, .tagOfAnotherDevice:
      "the device itself"
    case .extensionOfAnotherApp:
      "Apple Developer Documentation, NETunnelProviderSession"
    case .systemCallsExtension:
      "Apple Developer Documentation, NEPacketTunnelProvider and ASAuthorizationProviderExtension"
    case .extensionNotOffered:
      "App Extension Programming Guide, Declaring Supported Data Types for a Share or Action Extension"
    case .keyboardWithoutFullAccess:
      "App Extension Programming Guide, Custom Keyboard: Designing for User Trust"
    }
  }

  /// Whether public facts leave the rule open, so that it takes the answer by which less data moves.
  public var isAssumed: Bool { source.hasPrefix(Source.assumed) }
}

/// The documents that rules cite.
private enum Source {
  static let assumed = "assumed; docs/ASSUMPTIONS.md"
  static func assumed(_ section: String) -> String { "\(assumed), \(section)" }

  static let overview = "Microsoft Learn, App protection policies overview"
  static let identities = "Intune App SDK for iOS, stage 5, Identity overview"
  static func settings(_ setting: String) -> String {
    "Microsoft Learn, iOS app protection policy settings, \(setting)"
  }

  static func header(_ call: String) -> String {
    "Intune App SDK for iOS, IntuneMAMPolicy.h, \(call)"
  }

  static func release(_ version: String) -> String {
    "Intune App SDK for iOS, release notes, \(version)"
  }

  static func issue(_ number: Int) -> String {
    "ms-intune-app-sdk-ios, issue \(number)"
  }
}
