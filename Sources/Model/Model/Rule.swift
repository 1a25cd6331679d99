/// A rule that took part in a verdict. Verdicts, journals and scenarios cite rules by raw value.
public enum Rule: String, Sendable, CaseIterable {
  // Identities (reference: stage 5, "Identity overview")
  case noRuleApplied
  case unmanagedSender
  case unmanagedReceiver
  case sameAppSameIdentity
  case sameTenant
  case otherTenant

  // Send org data to other apps
  case sendAllApps
  case sendNone
  case sendNoneEncrypts
  case sendManagedAppsToManaged
  case sendManagedAppsToUnmanaged
  case sendManagedAppsEncrypts
  case openInFilter
  case osSharing
  case unenrolledSDKReceiver

  // Receive data from other apps
  case receiveAllApps
  case receiveNone
  case receiveManagedAppsFromManaged
  case receiveManagedAppsFromUnmanaged
  case incomingOrgData
  case workAccountRequired
  case documentImport

  // Restrict cut, copy and paste between other apps
  case clipboardSameIdentity
  case clipboardAllApps
  case clipboardPasteIn
  case clipboardPasteInToUnmanaged
  case clipboardManagedApps
  case clipboardManagedAppsToUnmanaged
  case clipboardManagedAppsFromUnmanaged
  case clipboardBlocked
  case clipboardException

  // Save copies of org data
  case saveNotRestricted
  case saveAlwaysRestricted
  case saveToSelectedService
  case saveServiceNotSelected
  case saveServiceNotOffered
  case saveToOtherAccount

  // Open data into org documents
  case openNotRestricted
  case openFromSelectedService
  case openServiceNotSelected
  case openServiceNotOffered
  case openFromOtherAccount

  // Storage locations
  case locationHasNoAccount
  case noSuchLocation
  case nilAccountIsCurrent

  // URLs
  case exemptedScheme
  case managedScheme
  case unmanagedScheme
  case anyBrowser
  case managedBrowserUsed
  case managedBrowserRequired
  case customBrowser
  case customBrowserRequired
  case exemptedUniversalLink
  case managedUniversalLink

  // Transfer telecommunication data to
  case dialerAnyApp
  case dialerManagedApp
  case dialerUnmanagedApp
  case dialerSpecificApp
  case dialerOtherApp
  case dialerBlocked

  // Transfer messaging data to
  case messagingAnyApp
  case messagingManagedApp
  case messagingUnmanagedApp
  case messagingSpecificApp
  case messagingOtherApp
  case messagingBlocked

  // Functionality
  case printingAllowed
  case printingBlocked
  case notificationsAllowed
  case notificationsWithoutOrgData
  case notificationsBlocked
  case contactSyncAllowed
  case contactSyncBlocked
  case widgetSyncAllowed
  case widgetSyncBlocked
  case backupAllowed
  case backupBlocked
  case keyboardsAllowed
  case keyboardsBlocked
  case systemFeatureBlocked
  case sharingUIAvailable
  case screenCaptureAllowed
  case screenCaptureBlocked
  case screenCaptureFollowsSend
  case screenCaptureControlDisabled
  case screenCaptureNotControlled
  case settingNotRead
  case writingToolsAllowed
  case writingToolsBlocked
  case writingToolsFollowSend
  case genmojiAllowed
  case genmojiBlocked
  case genmojiFollowsSend
  case webViewOfIdentity
  case webViewWithoutUpload
  case webViewUnmanaged
  case fileEncryptionRequired
  case fileEncryptionByDevice

  // Restrictions of the device's MDM profile
  case managedOpenInRestriction
  case unmanagedOpenInRestriction
  case managedPasteboard
  case managedContactWriteRestriction
  case managedContactReadRestriction
  case screenCaptureRestriction
  case writingToolsRestriction
  case genmojiRestriction

  // Accounts
  case noAccountRestriction
  case accountAllowed
  case accountNotAllowed
  case singleManagedAccount
  case notEnrolledUser
  case enrolledUserFirst
  case accountSignedIn
  case accountNotSignedIn
  case signOutAlwaysAllowed
  case unmanagedIdentity
  case notMultiIdentity
  case accountBlocked
  case identitySwitchRefused
  case accountBeingWiped
  case threadOfOtherAccount
  case viewOfOneManagedAccount
  case viewOfManagedAccounts

  // Enrollment and conditional access (reference: stage 6)
  case enrollmentAsked
  case registrationUnderWay
  case enrollmentFromExtension
  case enrollmentNeedsAccount
  case accountNotEnrolled
  case appWithoutSDK
  case remediationBegun
  case remediationQueued
  case remediationUnderWay
  case remediationLoop
  case tokenUnconditional
  case tokenServiceUnreachable
  case tokenAccountDisabled
  case grantControlsMet
  case grantControlMissing
  case conditionalAccessBlocks
  case conditionalAccessReports
  case conditionTakenAsMet
  case conditionTakenAsNotMet
  case protectionApplied
  case protectionRequired
  case protectionNotDeclared

  // Files (reference: stage 5, "File owner")
  case fileBegins
  case fileHasNoOwner
  case fileOfUnmanagedAccount
  case fileOfIdentity
  case fileOfOtherIdentity
  case fileOwnerNotSignedIn
  case fileStoredEncrypted
  case fileStoredPlain
  case fileOwnerTold
  case fileKeepsOwner
  case fileRemoved
  case fileOutsideContainer
  case appGroupNotEntitled
  case ownerNotSignedIn
  case dataOfManagedAccount
  case dataOfUnmanagedAccount

  // Keychain
  case keychainDefaultGroup
  case keychainGroupEntitled
  case keychainGroupNotEntitled
  case keychainNoGroup

  // Apple's ManagedApp framework
  case managedAppProvides
  case managedAppNothingSet
  case managedAppReports
  case managedAppNotManaged
  case managedAppOtherSignature
  case managedAppManagementRefused
  case managedAppNoSuchIdentifier
  case managedAppSecretUnusable
  case managedAppServerUnreachable

  // Access requirements and conditional launch
  case noAccessRequirement
  case minimumSDKVersionMet
  case minimumSDKVersionWarns
  case minimumSDKVersionBlocks
  case minimumSDKVersionWipes
  case minimumAppVersionMet
  case minimumAppVersionWarns
  case minimumAppVersionBlocks
  case minimumAppVersionWipes
  case minimumOSVersionMet
  case minimumOSVersionWarns
  case minimumOSVersionBlocks
  case minimumOSVersionWipes
  case maximumOSVersionMet
  case maximumOSVersionWarns
  case maximumOSVersionBlocks
  case maximumOSVersionWipes
  case notJailbroken
  case jailbreakCheckNotDue
  case jailbrokenWarns
  case jailbrokenBlocks
  case jailbrokenWipes
  case devicePINMissing
  case deviceModelAllowed
  case deviceModelWarns
  case deviceModelBlocks
  case deviceModelWipes
  case threatLevelAccepted
  case threatLevelWarns
  case threatLevelBlocks
  case threatLevelWipes
  case threatLevelUnknownWarns
  case threatLevelUnknownBlocks
  case threatLevelUnknownWipes
  case accountEnabled
  case accountDisabledWarns
  case accountDisabledBlocks
  case accountDisabledWipes
  case notClockedOut
  case clockedOutWarns
  case clockedOutBlocks
  case clockedOutWipes
  case offlineGraceHolds
  case offlineGraceBlocks
  case offlineGraceWipes
  case pinWaived
  case pinRecheckNotDue
  case pinEntered
  case pinAsked
  case pinWrong
  case pinRetriesExceededResets
  case pinRetriesExceededWipes
  case pinResetRequired
  case pinNotSet
  case pinExpired
  case pinOutdated
  case biometricsAccepted
  case biometricsUnavailable
  case biometricsBlocked
  case biometricsTimedOut
  case credentialsRecheckNotDue
  case credentialsGiven
  case credentialsAsked
  case pinChangeNeedsSignIn
  case pinAccepted
  case pinNotNumeric
  case pinTooShort
  case pinNeedsLetterOrSymbol
  case pinNeedsNumberLetterAndSymbol
  case pinSimple
  case pinDescending
  case pinUsedBefore

  // The device itself
  case copiedToPasteboard
  case pasteboardEmpty
  case universalClipboard
  case toAnotherDevice
  case fromAnotherDevice
  case localOnlyPasteboard
  case handoffOff
  case nothingReceived
  case noSuchDevice
  case malformedURL
  case noSuchDestination
  case appNotAllowed
  case nothingToImport
  case noSuchRepresentation
  case extensionNotOffered
  case extensionOfAnotherPoint
  case extensionOfAnotherApp
  case systemCallsExtension
  case keyboardWithoutFullAccess
  case tagSealBroken
  case tagOfAnotherDevice

  /// The effect of a rule on a request.
  public enum Consequence: Sendable, CaseIterable {
    case allows
    /// The account opens, and the user sees a notification.
    case warns
    /// The receiver gets ciphertext.
    case encrypts
    case blocks
    /// The request is blocked, and the account's data is removed from the app.
    case wipes
  }

  public var consequence: Consequence { row.consequence }

  /// The most permissive outcome that a verdict with this rule can have.
  public var effect: Outcome {
    switch consequence {
    case .allows, .warns: .allowed
    case .encrypts: .encrypted
    case .blocks, .wipes: .blocked
    }
  }

  /// Returns the rule's explanation for `side`: one sentence, lower case, no full stop.
  public func text(for side: Side) -> String { Self.texts[side.index][index] }

  /// The explanations of all rules, by side and rule. Computed once, because every verdict is explained.
  private static let texts = Side.allCases.map { side in
    allCases.map { $0.row.text.replacing("{side}", with: side.rawValue) }
  }

  /// The rule's source: a public document and its section, or `assumed` and a section of
  /// `docs/ASSUMPTIONS.md`.
  public var source: String { row.source.description }

  /// Whether no public document settles the rule. An assumed rule chooses the result that moves
  /// less data.
  public var isAssumed: Bool {
    if case .assumed = row.source { true } else { false }
  }
}

/// The document that a rule follows, or the assumption if no public document settles the rule.
public enum RuleSource: Sendable, Hashable, CustomStringConvertible {
  /// A section of `docs/ASSUMPTIONS.md`. No public document settles the rule, so it chooses the
  /// result that moves less data.
  case assumed(String)
  /// Microsoft Learn, "App protection policies overview".
  case overview
  /// Intune App SDK for iOS, stage 5, "Identity overview".
  case identities
  /// A setting on Microsoft Learn's page on iOS app protection policy settings, by its name there.
  case setting(String)
  /// The comment on a call in the SDK's `IntuneMAMPolicy.h`.
  case header(String)
  /// A version in the SDK's release notes.
  case release(String)
  /// An issue in the SDK's repository.
  case issue(Int)
  /// Another document, and its section.
  case document(String)
  /// The simulated device itself, which no document describes.
  case device

  public var description: String {
    switch self {
    case .assumed(let section): "assumed; docs/ASSUMPTIONS.md, \(section)"
    case .overview: "Microsoft Learn, App protection policies overview"
    case .identities: "Intune App SDK for iOS, stage 5, Identity overview"
    case .setting(let name): "Microsoft Learn, iOS app protection policy settings, \(name)"
    case .header(let call): "Intune App SDK for iOS, IntuneMAMPolicy.h, \(call)"
    case .release(let version): "Intune App SDK for iOS, release notes, \(version)"
    case .issue(let number): "ms-intune-app-sdk-ios, issue \(number)"
    case .document(let name): name
    case .device: "the device itself"
    }
  }
}
