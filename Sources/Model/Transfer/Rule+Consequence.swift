extension Rule {
  /// What a rule does to a request that it speaks about.
  public enum Consequence: Sendable, CaseIterable {
    case allows
    /// It lets an account open, and the user sees a notification.
    case warns
    /// The receiver gets ciphertext.
    case encrypts
    case blocks
    /// It blocks, and the account's data is removed from the app.
    case wipes
  }

  /// Stated for every rule, so that none permits what nobody thought of.
  public var consequence: Consequence {
    switch self {
    // Identities (reference: stage 5, "Identity overview")
    case .noRuleApplied: .allows
    case .unmanagedSender: .allows
    case .unmanagedReceiver: .allows
    case .sameAppSameIdentity: .allows
    case .sameTenant: .allows
    case .otherTenant: .blocks

    // Send org data to other apps
    case .sendAllApps: .allows
    case .sendNone: .blocks
    case .sendNoneEncrypts: .encrypts
    case .sendManagedAppsToManaged: .allows
    case .sendManagedAppsToUnmanaged: .blocks
    case .sendManagedAppsEncrypts: .encrypts
    case .openInFilter: .blocks
    case .osSharing: .allows
    case .unenrolledSDKReceiver: .encrypts

    // Receive data from other apps
    case .receiveAllApps: .allows
    case .receiveNone: .blocks
    case .receiveManagedAppsFromManaged: .allows
    case .receiveManagedAppsFromUnmanaged: .blocks
    case .incomingOrgData: .allows
    case .documentImport: .allows

    // Restrict cut, copy and paste between other apps
    case .clipboardSameIdentity: .allows
    case .clipboardAllApps: .allows
    case .clipboardPasteIn: .allows
    case .clipboardPasteInToUnmanaged: .blocks
    case .clipboardManagedApps: .allows
    case .clipboardManagedAppsToUnmanaged: .blocks
    case .clipboardManagedAppsFromUnmanaged: .blocks
    case .clipboardBlocked: .blocks
    case .clipboardException: .allows

    // Save copies of org data
    case .saveNotRestricted: .allows
    case .saveToSelectedService: .allows
    case .saveServiceNotSelected: .blocks
    case .saveServiceNotOffered: .blocks
    case .saveToOtherAccount: .blocks

    // Open data into org documents
    case .openNotRestricted: .allows
    case .openFromSelectedService: .allows
    case .openServiceNotSelected: .blocks
    case .openServiceNotOffered: .blocks
    case .openFromOtherAccount: .blocks

    // Storage locations
    case .locationHasNoAccount: .blocks
    case .noSuchLocation: .blocks
    case .nilAccountIsCurrent: .allows

    // URLs
    case .exemptedScheme: .allows
    case .managedScheme: .allows
    case .unmanagedScheme: .blocks
    case .anyBrowser: .allows
    case .managedBrowserUsed: .allows
    case .managedBrowserRequired: .blocks
    case .customBrowser: .allows
    case .customBrowserRequired: .blocks
    case .exemptedUniversalLink: .allows
    case .managedUniversalLink: .allows

    // Transfer telecommunication data to
    case .dialerAnyApp: .allows
    case .dialerManagedApp: .allows
    case .dialerUnmanagedApp: .blocks
    case .dialerSpecificApp: .allows
    case .dialerOtherApp: .blocks
    case .dialerBlocked: .blocks

    // Transfer messaging data to
    case .messagingAnyApp: .allows
    case .messagingManagedApp: .allows
    case .messagingUnmanagedApp: .blocks
    case .messagingSpecificApp: .allows
    case .messagingOtherApp: .blocks
    case .messagingBlocked: .blocks

    // Functionality
    case .printingAllowed: .allows
    case .printingBlocked: .blocks
    case .notificationsAllowed: .allows
    case .notificationsWithoutOrgData: .blocks
    case .notificationsBlocked: .blocks
    case .contactSyncAllowed: .allows
    case .contactSyncBlocked: .blocks
    case .widgetSyncAllowed: .allows
    case .widgetSyncBlocked: .blocks
    case .backupAllowed: .allows
    case .backupBlocked: .blocks
    case .keyboardsAllowed: .allows
    case .keyboardsBlocked: .blocks
    case .systemFeatureBlocked: .blocks
    case .sharingUIAvailable: .allows
    case .screenCaptureAllowed: .allows
    case .screenCaptureBlocked: .blocks
    case .screenCaptureFollowsSend: .blocks
    case .screenCaptureControlDisabled: .allows
    case .screenCaptureNotControlled: .allows
    case .writingToolsAllowed: .allows
    case .writingToolsBlocked: .blocks
    case .writingToolsFollowSend: .blocks
    case .genmojiAllowed: .allows
    case .genmojiBlocked: .blocks
    case .genmojiFollowsSend: .blocks
    case .webViewOfIdentity: .allows
    case .webViewWithoutUpload: .blocks
    case .webViewUnmanaged: .allows
    case .fileEncryptionRequired: .encrypts
    case .fileEncryptionByDevice: .allows

    // Restrictions of the device's MDM profile
    case .managedOpenInRestriction: .blocks
    case .unmanagedOpenInRestriction: .blocks
    case .managedPasteboard: .blocks
    case .managedContactWriteRestriction: .blocks
    case .managedContactReadRestriction: .blocks

    // Accounts
    case .noAccountRestriction: .allows
    case .accountAllowed: .allows
    case .accountNotAllowed: .blocks
    case .singleManagedAccount: .blocks
    case .accountSignedIn: .allows
    case .accountNotSignedIn: .blocks
    case .signOutAlwaysAllowed: .allows
    case .unmanagedIdentity: .allows
    case .notMultiIdentity: .blocks
    case .accountBlocked: .blocks
    case .accountBeingWiped: .blocks
    case .viewOfOneManagedAccount: .allows
    case .viewOfManagedAccounts: .allows

    // Enrollment and conditional access (reference: stage 6)
    case .enrollmentAsked: .allows
    case .enrollmentFromExtension: .blocks
    case .enrollmentNeedsAccount: .blocks
    case .accountNotEnrolled: .blocks
    case .appWithoutSDK: .blocks
    case .remediationBegun: .allows
    case .remediationQueued: .allows
    case .remediationUnderWay: .blocks
    case .remediationLoop: .blocks
    case .tokenUnconditional: .allows
    case .tokenServiceUnreachable: .blocks
    case .tokenAccountDisabled: .blocks
    case .grantControlsMet: .allows
    case .grantControlMissing: .blocks
    case .conditionalAccessBlocks: .blocks
    case .conditionalAccessReports: .allows
    case .conditionTakenAsMet: .allows
    case .conditionTakenAsNotMet: .allows
    case .protectionApplied: .allows
    case .protectionRequired: .blocks
    case .protectionNotDeclared: .blocks

    // Files (reference: stage 5, "File owner")
    case .fileBegins: .allows
    case .fileHasNoOwner: .allows
    case .fileOfUnmanagedAccount: .allows
    case .fileOfIdentity: .allows
    case .fileOfOtherIdentity: .blocks
    case .fileOwnerNotSignedIn: .blocks
    case .fileStoredEncrypted: .allows
    case .fileStoredPlain: .allows
    case .fileOwnerTold: .allows
    case .fileKeepsOwner: .allows
    case .fileRemoved: .allows
    case .fileOutsideContainer: .blocks
    case .appGroupNotEntitled: .blocks
    case .ownerNotSignedIn: .blocks
    case .dataOfManagedAccount: .allows
    case .dataOfUnmanagedAccount: .allows

    // Keychain
    case .keychainDefaultGroup: .allows
    case .keychainGroupEntitled: .allows
    case .keychainGroupNotEntitled: .blocks
    case .keychainNoGroup: .blocks

    // Apple's ManagedApp framework
    case .managedAppProvides: .allows
    case .managedAppNothingSet: .allows
    case .managedAppReports: .allows
    case .managedAppNotManaged: .blocks
    case .managedAppOtherSignature: .blocks
    case .managedAppManagementRefused: .blocks
    case .managedAppNoSuchIdentifier: .allows
    case .managedAppSecretUnusable: .allows
    case .managedAppServerUnreachable: .allows

    // Access requirements and conditional launch
    case .noAccessRequirement: .allows
    case .minimumSDKVersionMet: .allows
    case .minimumSDKVersionWarns: .warns
    case .minimumSDKVersionBlocks: .blocks
    case .minimumSDKVersionWipes: .wipes
    case .minimumAppVersionMet: .allows
    case .minimumAppVersionWarns: .warns
    case .minimumAppVersionBlocks: .blocks
    case .minimumAppVersionWipes: .wipes
    case .minimumOSVersionMet: .allows
    case .minimumOSVersionWarns: .warns
    case .minimumOSVersionBlocks: .blocks
    case .minimumOSVersionWipes: .wipes
    case .maximumOSVersionMet: .allows
    case .maximumOSVersionWarns: .warns
    case .maximumOSVersionBlocks: .blocks
    case .maximumOSVersionWipes: .wipes
    case .notJailbroken: .allows
    case .jailbrokenWarns: .warns
    case .jailbrokenBlocks: .blocks
    case .jailbrokenWipes: .wipes
    case .deviceModelAllowed: .allows
    case .deviceModelWarns: .warns
    case .deviceModelBlocks: .blocks
    case .deviceModelWipes: .wipes
    case .threatLevelAccepted: .allows
    case .threatLevelWarns: .warns
    case .threatLevelBlocks: .blocks
    case .threatLevelWipes: .wipes
    case .threatLevelUnknownWarns: .warns
    case .threatLevelUnknownBlocks: .blocks
    case .threatLevelUnknownWipes: .wipes
    case .accountEnabled: .allows
    case .accountDisabledWarns: .warns
    case .accountDisabledBlocks: .blocks
    case .accountDisabledWipes: .wipes
    case .notClockedOut: .allows
    case .clockedOutWarns: .warns
    case .clockedOutBlocks: .blocks
    case .clockedOutWipes: .wipes
    case .offlineGraceHolds: .allows
    case .offlineGraceBlocks: .blocks
    case .offlineGraceWipes: .wipes
    case .pinWaived: .allows
    case .pinRecheckNotDue: .allows
    case .pinEntered: .allows
    case .pinAsked: .blocks
    case .pinWrong: .blocks
    case .pinRetriesExceededResets: .blocks
    case .pinRetriesExceededWipes: .wipes
    case .pinResetRequired: .blocks
    case .pinNotSet: .blocks
    case .pinExpired: .blocks
    case .pinOutdated: .blocks
    case .biometricsAccepted: .allows
    case .biometricsUnavailable: .blocks
    case .biometricsBlocked: .blocks
    case .biometricsTimedOut: .blocks
    case .credentialsRecheckNotDue: .allows
    case .credentialsGiven: .allows
    case .credentialsAsked: .blocks
    case .pinChangeNeedsSignIn: .blocks
    case .pinAccepted: .allows
    case .pinNotNumeric: .blocks
    case .pinTooShort: .blocks
    case .pinNeedsLetterOrSymbol: .blocks
    case .pinNeedsNumberLetterAndSymbol: .blocks
    case .pinSimple: .blocks
    case .pinDescending: .blocks
    case .pinUsedBefore: .blocks

    // The device itself
    case .copiedToPasteboard: .allows
    case .pasteboardEmpty: .blocks
    case .malformedURL: .blocks
    case .noSuchDestination: .blocks
    case .appNotAllowed: .blocks
    case .nothingToImport: .blocks
    case .noSuchRepresentation: .blocks
    case .extensionNotOffered: .blocks
    case .extensionOfAnotherPoint: .blocks
    case .extensionOfAnotherApp: .blocks
    case .systemCallsExtension: .allows
    case .keyboardWithoutFullAccess: .blocks
    case .tagSealBroken: .blocks
    case .tagOfAnotherDevice: .blocks
    }
  }

  /// What the rule lets a request come to.
  public var effect: Outcome {
    switch consequence {
    case .allows, .warns: .allowed
    case .encrypts: .encrypted
    case .blocks, .wipes: .blocked
    }
  }
}
