/// The properties of a rule: its effect, its source and its explanation.
public struct RuleRow: Sendable {
  public let consequence: Rule.Consequence
  /// The document that states the rule, or the assumption on which the rule is based.
  public let source: RuleSource
  /// One sentence that explains the rule in verdicts, in lower case, without a full stop. `{side}` stands for the side
  /// whose policy the rule read, such as `sender`.
  public let text: String

  fileprivate init(_ consequence: Rule.Consequence, _ source: RuleSource, _ text: String) {
    self.consequence = consequence
    self.source = source
    self.text = text
  }
}

/// Sources that several rules have in common.
fileprivate extension RuleSource {
  static var send: RuleSource { .setting("Send org data to other apps") }
  static var restrictions: RuleSource { .document("Apple Device Management, Restrictions") }
  static var clipboard: RuleSource { .setting("Restrict cut, copy, and paste between other apps") }
  static var fileOwner: RuleSource { .document("Intune App SDK for iOS, stage 5, File owner") }
  static var threatLevel: RuleSource { .setting("Max allowed device threat level") }
  static var receive: RuleSource { .setting("Receive data from other apps") }
  static var dialer: RuleSource { .setting("Transfer telecommunication data to") }
  static var messaging: RuleSource { .setting("Transfer messaging data to") }
  static var save: RuleSource { .setting("Save copies of org data") }
  static var conditionalAccess: RuleSource { .document("Microsoft Graph, conditionalAccessPolicy") }
  static var pin: RuleSource { .setting("PIN for access") }
  static var open: RuleSource { .setting("Open data into Org documents") }
  static var sync: RuleSource {
    .setting("Sync policy managed app data with native apps or add-ins")
  }
  static var enrollmentManager: RuleSource {
    .document("Intune App SDK for iOS, IntuneMAMEnrollmentManager.h")
  }
  static var keychainGroups: RuleSource {
    .document(
      "Apple Developer Documentation, Sharing access to keychain items among a collection of apps")
  }
  static var managedApps: RuleSource {
    .document("Apple Developer Documentation, Configuring managed apps and extensions")
  }
  static var minimumSDK: RuleSource { .setting("Min SDK version") }
  static var minimumApp: RuleSource { .setting("Min app version") }
  static var minimumOS: RuleSource { .setting("Min OS version") }
  static var maximumOS: RuleSource { .setting("Max OS version") }
  static var jailbroken: RuleSource { .setting("Jailbroken/rooted devices") }
  static var deviceModel: RuleSource { .setting("Device model(s)") }
  static var disabledAccount: RuleSource { .setting("Disabled account") }
  static var nonWorkingTime: RuleSource { .setting("Non-working time") }
  static var webContent: RuleSource { .setting("Restrict web content transfer with other apps") }
  static var notifications: RuleSource { .setting("Org data notifications") }
  static var webViews: RuleSource { .document("Intune App SDK for iOS, stage 5, web views") }
  static var allowedAccounts: RuleSource {
    .document("Intune App SDK for iOS, stage 4, allowed accounts")
  }
  static var assumedOfEnrollment: RuleSource { .assumed("enrollment") }
  static var complianceManager: RuleSource {
    .document("Intune App SDK for iOS, IntuneMAMComplianceManager.h")
  }
  static var appProtectionCA: RuleSource {
    .document("Intune App SDK for iOS, stage 6, App Protection CA")
  }
  static var assumedOfFiles: RuleSource { .assumed("files") }
  static var encryption: RuleSource { .setting("Encrypt Org data") }
  static var managedAppError: RuleSource {
    .document("Apple Developer Documentation, ManagedApp, ManagedAppError")
  }
  static var recheck: RuleSource {
    .setting("Recheck the access requirements after (minutes of inactivity)")
  }
  static var offlineGrace: RuleSource { .setting("Offline grace period") }
  static var pinAttempts: RuleSource { .setting("Max PIN attempts") }
  static var biometrics: RuleSource { .setting("Touch ID and Face ID instead of PIN for access") }
  static var assumedOfDevices: RuleSource { .assumed("several devices") }
}

extension Rule {
  /// The rule's effect, source and explanation. Each rule must state its effect, so no rule allows a request by
  /// default.
  @inline(__always)
  public var row: RuleRow {
    switch self {
    // Identities (reference: stage 5, "Identity overview")
    case .noRuleApplied:
      RuleRow(.allows, .identities, "no managed identity takes part, so no policy applies")
    case .unmanagedSender:
      RuleRow(.allows, .identities, "the sender is unmanaged, so no policy restricts sending")
    case .unmanagedReceiver:
      RuleRow(.allows, .identities, "the receiver is unmanaged, so no policy restricts receiving")
    case .sameAppSameIdentity:
      RuleRow(.allows, .overview, "the data stays in one app under one identity")
    case .sameTenant:
      RuleRow(
        .allows, .assumed("different managed accounts"),
        "the managed account at the other end belongs to the same organisation and counts as policy managed"
      )
    case .otherTenant:
      RuleRow(
        .blocks, .assumed("different managed accounts"),
        "the managed account at the other end belongs to another organisation and counts as unmanaged"
      )

    // Send org data to other apps
    case .sendAllApps:
      RuleRow(.allows, .send, "the {side}'s policy allows sending org data to all apps")
    case .sendNone:
      RuleRow(.blocks, .send, "the {side}'s policy allows sending org data to no other app")
    case .sendNoneEncrypts:
      RuleRow(
        .encrypts, .send,
        "the {side}'s policy allows sending org data to no other app, so data that leaves through the system is encrypted"
      )
    case .sendManagedAppsToManaged:
      RuleRow(
        .allows, .send,
        "the {side}'s policy allows sending org data to policy managed apps, and the receiver is managed"
      )
    case .sendManagedAppsToUnmanaged:
      RuleRow(
        .blocks, .send,
        "the {side}'s policy allows sending org data only to policy managed apps, and the receiver is not managed"
      )
    case .sendManagedAppsEncrypts:
      RuleRow(
        .encrypts, .send,
        "the {side}'s policy allows sending org data only to policy managed apps, so an unmanaged receiver gets it encrypted from the system"
      )
    case .openInFilter:
      RuleRow(
        .blocks, .send,
        "the {side}'s policy filters the system's sharing to policy managed apps, and the receiver is not managed"
      )
    case .osSharing:
      RuleRow(
        .allows, .send,
        "the {side}'s policy leaves sharing through the system to the device's MDM restriction")
    case .unenrolledSDKReceiver:
      RuleRow(
        .encrypts, .issue(672),
        "the receiving app integrates the SDK but has no enrolled account, so it gets the data encrypted, unlike an app without the SDK"
      )

    // Receive data from other apps
    case .receiveAllApps:
      RuleRow(.allows, .receive, "the {side}'s policy allows receiving data from all apps")
    case .receiveNone:
      RuleRow(.blocks, .receive, "the {side}'s policy allows receiving data from no other app")
    case .receiveManagedAppsFromManaged:
      RuleRow(
        .allows, .receive,
        "the {side}'s policy allows receiving data from managed identities, and the owner is managed"
      )
    case .receiveManagedAppsFromUnmanaged:
      RuleRow(
        .blocks, .receive,
        "the {side}'s policy allows receiving data only from managed identities, and the owner is not managed"
      )
    case .incomingOrgData:
      RuleRow(
        .allows, .receive, "the {side}'s policy treats incoming data without an owner as org data")
    case .workAccountRequired:
      RuleRow(
        .blocks,
        .document(
          "Microsoft Learn, Add app configuration policies for managed iOS/iPadOS devices, Require configured organization accounts"
        ),
        "the receiving app's configuration requires the work account that MDM names, which is not signed in, so the app receives no org data"
      )
    case .documentImport:
      RuleRow(
        .allows, .receive, "the receiving app switched to an unmanaged account to take the data")

    // Restrict cut, copy and paste between other apps
    case .clipboardSameIdentity:
      RuleRow(
        .allows, .overview, "copy and paste within one app and one identity are always allowed")
    case .clipboardAllApps:
      RuleRow(.allows, .clipboard, "the {side}'s policy does not restrict copy and paste")
    case .clipboardPasteIn:
      RuleRow(
        .allows, .clipboard,
        "the {side}'s policy allows copy and paste between policy managed apps, and pasting data from any app"
      )
    case .clipboardPasteInToUnmanaged:
      RuleRow(
        .blocks, .clipboard,
        "the {side}'s policy allows pasting org data only in policy managed apps, and the receiver is not managed"
      )
    case .clipboardManagedApps:
      RuleRow(
        .allows, .clipboard,
        "the {side}'s policy allows copy and paste between policy managed apps, and both apps are managed"
      )
    case .clipboardManagedAppsToUnmanaged:
      RuleRow(
        .blocks, .clipboard,
        "the {side}'s policy allows pasting org data only in policy managed apps, and the receiver is not managed"
      )
    case .clipboardManagedAppsFromUnmanaged:
      RuleRow(
        .blocks, .clipboard,
        "the {side}'s policy allows pasting data only from policy managed apps, and the source is not managed"
      )
    case .clipboardBlocked:
      RuleRow(.blocks, .clipboard, "the {side}'s policy blocks copy and paste with other apps")
    case .clipboardException:
      RuleRow(
        .allows, .setting("Cut and copy character limit for any app"),
        "the {side}'s policy allows pasting text of this length anywhere")

    // Save copies of org data
    case .saveNotRestricted:
      RuleRow(.allows, .save, "the {side}'s policy allows saving copies of org data anywhere")
    case .saveAlwaysRestricted:
      RuleRow(
        .allows, .release("12.6.1"),
        "the app's configuration blocks saving copies to all but selected services although the {side}'s policy allows sending org data to all apps"
      )
    case .saveToSelectedService:
      RuleRow(
        .allows, .save,
        "the {side}'s policy allows saving copies to selected services, and this service is selected"
      )
    case .saveServiceNotSelected:
      RuleRow(
        .blocks, .save,
        "the {side}'s policy allows saving copies only to selected services, and this service is not selected"
      )
    case .saveServiceNotOffered:
      RuleRow(
        .blocks, .save,
        "the {side}'s policy allows saving copies only to selected services, and this location is not among the services that can be selected"
      )
    case .saveToOtherAccount:
      RuleRow(
        .blocks, .save,
        "the {side}'s policy allows saving copies only to the managed account's own storage, and this location belongs to another account or to no account"
      )

    // Open data into org documents
    case .openNotRestricted:
      RuleRow(
        .allows, .open,
        "the {side}'s policy allows opening data from any location into org documents")
    case .openFromSelectedService:
      RuleRow(
        .allows, .open,
        "the {side}'s policy allows opening data from selected services, and this service is selected"
      )
    case .openServiceNotSelected:
      RuleRow(
        .blocks, .open,
        "the {side}'s policy allows opening data only from selected services, and this service is not selected"
      )
    case .openServiceNotOffered:
      RuleRow(
        .blocks, .issue(251),
        "the {side}'s policy allows opening data only from selected services, and this location is not among the services that can be selected"
      )
    case .openFromOtherAccount:
      RuleRow(
        .blocks, .open,
        "the {side}'s policy allows opening data only from the managed account's own storage, and this location belongs to another account or to no account"
      )

    // Storage locations
    case .locationHasNoAccount:
      RuleRow(
        .blocks, .header("isSaveToAllowedForLocation"),
        "the location belongs to no account, so the call must not name an account")
    case .noSuchLocation:
      RuleRow(
        .blocks, .header("isSaveToAllowedForLocation"), "this call does not support the location")
    case .nilAccountIsCurrent:
      RuleRow(
        .allows, .release("15.1.0"),
        "the app's SDK is older than 15.1.0, so a call without an account refers to the current account"
      )

    // URLs
    case .exemptedScheme:
      RuleRow(
        .allows, .setting("Data transfer exemptions"),
        "the {side}'s policy exempts the URL's scheme")
    case .managedScheme:
      RuleRow(
        .allows, .header("isURLAllowed"),
        "the {side}'s policy allows sending org data to policy managed apps, and the scheme belongs to a managed app"
      )
    case .unmanagedScheme:
      RuleRow(
        .blocks, .header("isURLAllowed"),
        "the {side}'s policy allows sending org data only to policy managed apps, and the scheme belongs to no managed app"
      )
    case .anyBrowser:
      RuleRow(.allows, .webContent, "the {side}'s policy allows any browser to open web links")
    case .managedBrowserUsed:
      RuleRow(
        .allows, .webContent,
        "the {side}'s policy opens web links in Microsoft Edge, and this app is Microsoft Edge")
    case .managedBrowserRequired:
      RuleRow(.blocks, .webContent, "the {side}'s policy opens web links in Microsoft Edge only")
    case .customBrowser:
      RuleRow(
        .allows, .setting("Unmanaged browser protocol"),
        "the {side}'s policy opens web links in the unmanaged browser that it names, and this app is that browser"
      )
    case .customBrowserRequired:
      RuleRow(
        .blocks, .setting("Unmanaged browser protocol"),
        "the {side}'s policy opens web links only in the unmanaged browser that it names, and this is another app"
      )
    case .exemptedUniversalLink:
      RuleRow(
        .allows, .setting("Select universal links to exempt"),
        "the {side}'s policy lets any app open this universal link, even an unmanaged one")
    case .managedUniversalLink:
      RuleRow(
        .allows, .setting("Select managed universal links"),
        "the {side}'s policy lets managed apps open this universal link, and the app that claims it is managed"
      )

    // Transfer telecommunication data to
    case .dialerAnyApp:
      RuleRow(.allows, .dialer, "the {side}'s policy allows any dialer to call phone numbers")
    case .dialerManagedApp:
      RuleRow(
        .allows, .dialer,
        "the {side}'s policy allows policy managed dialers to call phone numbers, and this app is managed"
      )
    case .dialerUnmanagedApp:
      RuleRow(
        .blocks, .dialer,
        "the {side}'s policy allows only policy managed dialers to call phone numbers, and this app is not managed"
      )
    case .dialerSpecificApp:
      RuleRow(
        .allows, .dialer,
        "the {side}'s policy allows the dialer that it names to call phone numbers, and this app is that dialer"
      )
    case .dialerOtherApp:
      RuleRow(
        .blocks, .dialer,
        "the {side}'s policy allows only the dialer that it names to call phone numbers, and this app is not that dialer"
      )
    case .dialerBlocked:
      RuleRow(.blocks, .dialer, "the {side}'s policy allows no dialer to call phone numbers")

    // Transfer messaging data to
    case .messagingAnyApp:
      RuleRow(.allows, .messaging, "the {side}'s policy allows any app to send messages")
    case .messagingManagedApp:
      RuleRow(
        .allows, .messaging,
        "the {side}'s policy allows policy managed apps to send messages, and this app is managed")
    case .messagingUnmanagedApp:
      RuleRow(
        .blocks, .messaging,
        "the {side}'s policy allows only policy managed apps to send messages, and this app is not managed"
      )
    case .messagingSpecificApp:
      RuleRow(
        .allows, .messaging,
        "the {side}'s policy allows the app that it names to send messages, and this is that app"
      )
    case .messagingOtherApp:
      RuleRow(
        .blocks, .messaging,
        "the {side}'s policy allows only the app that it names to send messages, and this is another app"
      )
    case .messagingBlocked:
      RuleRow(.blocks, .messaging, "the {side}'s policy allows no app to send messages")

    // Functionality
    case .printingAllowed:
      RuleRow(
        .allows, .setting("Printing Org data"), "the {side}'s policy allows printing org data")
    case .printingBlocked:
      RuleRow(
        .blocks, .setting("Printing Org data"),
        "the {side}'s policy does not allow printing org data")
    case .notificationsAllowed:
      RuleRow(.allows, .notifications, "the {side}'s policy allows notifications to show org data")
    case .notificationsWithoutOrgData:
      RuleRow(
        .blocks, .notifications, "the {side}'s policy allows notifications only without org data")
    case .notificationsBlocked:
      RuleRow(.blocks, .notifications, "the {side}'s policy blocks the account's notifications")
    case .contactSyncAllowed:
      RuleRow(.allows, .sync, "the {side}'s policy allows saving contacts to the device's contacts")
    case .contactSyncBlocked:
      RuleRow(
        .blocks, .sync,
        "the {side}'s policy does not allow saving contacts to the device's contacts")
    case .widgetSyncAllowed:
      RuleRow(.allows, .sync, "the {side}'s policy allows widgets to show org data")
    case .widgetSyncBlocked:
      RuleRow(.blocks, .sync, "the {side}'s policy does not allow widgets to show org data")
    case .backupAllowed:
      RuleRow(
        .allows, .setting("Backup Org data to iTunes and iCloud backups"),
        "the {side}'s policy allows backing up org data")
    case .backupBlocked:
      RuleRow(
        .blocks, .setting("Backup Org data to iTunes and iCloud backups"),
        "the {side}'s policy does not allow backing up org data")
    case .keyboardsAllowed:
      RuleRow(
        .allows, .setting("Third-party keyboards"),
        "the {side}'s policy allows third-party keyboards")
    case .keyboardsBlocked:
      RuleRow(
        .blocks, .setting("Third-party keyboards"),
        "the {side}'s policy blocks third-party keyboards everywhere in the app")
    case .systemFeatureBlocked:
      RuleRow(
        .blocks, .header("areSiriIntentsAllowed"),
        "the {side}'s policy does not allow sending org data to all apps, so the system may not receive org data either"
      )
    case .sharingUIAvailable:
      RuleRow(
        .allows, .header("isAppSharingAllowed"),
        "the {side}'s policy allows the app to share data (`isAppSharingAllowed`)")
    case .screenCaptureAllowed:
      RuleRow(
        .allows, .setting("Screen capture"), "the {side}'s policy allows capturing the screen")
    case .screenCaptureBlocked:
      RuleRow(
        .blocks, .setting("Screen capture"),
        "the {side}'s policy does not allow capturing the screen")
    case .screenCaptureFollowsSend:
      RuleRow(
        .blocks, .release("19.7.6 and 20.2.1"),
        "the {side}'s policy does not allow sending org data to all apps, so the screen may not be captured"
      )
    case .screenCaptureControlDisabled:
      RuleRow(
        .allows, .setting("Send org data to other apps, screen capture"),
        "the app's configuration allows screen capture, regardless of `Send org data to other apps`"
      )
    case .screenCaptureNotControlled:
      RuleRow(
        .allows, .release("19.7.6 and 20.2.1"),
        "the app's SDK does not control screen capture: it is older than 19.7.6, or than 20.2.1 in release 20"
      )
    case .settingNotRead:
      RuleRow(
        .allows, .document("iOS app protection policy settings, required releases of the SDK"),
        "the app's release of the SDK does not read this setting of the {side}'s policy")
    case .writingToolsAllowed:
      RuleRow(
        .allows, .setting("Writing Tools"),
        "the {side}'s policy allows Writing Tools to read org data")
    case .writingToolsBlocked:
      RuleRow(
        .blocks, .setting("Writing Tools"),
        "the {side}'s policy does not allow Writing Tools to read org data")
    case .writingToolsFollowSend:
      RuleRow(
        .blocks, .document("Microsoft Learn, What's new, June 23, 2025, Apple AI features"),
        "the {side}'s policy does not allow sending org data to all apps, so Writing Tools may not read it"
      )
    case .genmojiAllowed:
      RuleRow(.allows, .setting("Genmojis"), "the {side}'s policy allows making Genmoji")
    case .genmojiBlocked:
      RuleRow(.blocks, .setting("Genmojis"), "the {side}'s policy does not allow making Genmoji")
    case .genmojiFollowsSend:
      RuleRow(
        .blocks, .document("Microsoft Learn, What's new, June 23, 2025, Apple AI features"),
        "the {side}'s policy does not allow sending org data to all apps, so Genmoji may not be made from it"
      )
    case .webViewOfIdentity:
      RuleRow(.allows, .webViews, "the web view acts for the same account as the app")
    case .webViewWithoutUpload:
      RuleRow(
        .blocks, .webViews,
        "the web view acts for the same account as the app, and takes neither uploads nor pasted content"
      )
    case .webViewUnmanaged:
      RuleRow(.allows, .webViews, "the web view acts for no account, so it counts as unmanaged")
    case .fileEncryptionRequired:
      RuleRow(
        .encrypts, .header("isFileEncryptionRequired"),
        "the {side}'s policy requires the app to encrypt files with org data")
    case .fileEncryptionByDevice:
      RuleRow(
        .allows, .assumed("system features"),
        "the {side}'s policy leaves the encryption of files to the device")

    // Restrictions of the device's MDM profile
    case .managedOpenInRestriction:
      RuleRow(
        .blocks, .restrictions,
        "the device's MDM restriction allows only MDM-managed apps to open documents of MDM-managed apps"
      )
    case .unmanagedOpenInRestriction:
      RuleRow(
        .blocks, .restrictions,
        "the device's MDM restriction allows MDM-managed apps to open only documents of MDM-managed apps"
      )
    case .managedPasteboard:
      RuleRow(
        .blocks, .restrictions,
        "the device's MDM restriction limits pasting between MDM-managed and other apps in the same way as opening documents"
      )
    case .managedContactWriteRestriction:
      RuleRow(
        .blocks, .restrictions,
        "the device's MDM restriction does not allow MDM-managed apps to write unmanaged contacts")
    case .managedContactReadRestriction:
      RuleRow(
        .blocks, .restrictions,
        "the device's MDM restriction does not allow other apps to read contacts of MDM-managed apps"
      )
    case .screenCaptureRestriction:
      RuleRow(
        .blocks, .restrictions,
        "the device's MDM restriction disables screenshots and recordings of the screen")
    case .writingToolsRestriction:
      RuleRow(.blocks, .restrictions, "the device's MDM restriction disables Writing Tools")
    case .genmojiRestriction:
      RuleRow(.blocks, .restrictions, "the device's MDM restriction disables Genmoji")

    // Accounts
    case .noAccountRestriction:
      RuleRow(
        .allows, .allowedAccounts, "the app's configuration does not restrict who may sign in")
    case .accountAllowed:
      RuleRow(.allows, .allowedAccounts, "the app's configuration allows this account")
    case .accountNotAllowed:
      RuleRow(.blocks, .allowedAccounts, "the app's configuration does not allow this account")
    case .singleManagedAccount:
      RuleRow(
        .blocks, .identities,
        "the app already has a managed account and accepts no second one (status 227)")
    case .notEnrolledUser:
      RuleRow(
        .blocks,
        .document(
          "Microsoft Learn, manage data transfer between iOS apps; Intune App SDK for iOS, IntuneMAMEnrollmentStatus.h"
        ),
        "the device's MDM user is another account, and only that account can enroll in the app (status 210)"
      )
    case .enrolledUserFirst:
      RuleRow(
        .allows, .assumedOfEnrollment,
        "the account is the device's MDM user and replaces the app's managed account")
    case .accountSignedIn:
      RuleRow(.allows, .identities, "the account is signed in")
    case .accountNotSignedIn:
      RuleRow(.blocks, .identities, "the account is not signed in")
    case .signOutAlwaysAllowed:
      RuleRow(.allows, .identities, "signing out is always allowed")
    case .unmanagedIdentity:
      RuleRow(.allows, .device, "the app acts for no account that a policy protects")
    case .notMultiIdentity:
      RuleRow(
        .blocks, .device,
        "the app declares no MultiIdentity, so it always acts for its enrolled account")
    case .accountBlocked:
      RuleRow(.blocks, .header("blockAccountId"), "the SDK has blocked the account in this app")
    case .identitySwitchRefused:
      RuleRow(
        .blocks,
        .document("Intune App SDK for iOS, AppRestrictions.strings and IntuneMAMPolicyDelegate.h"),
        "the receiving app did not switch to the account of the data")
    case .accountBeingWiped:
      RuleRow(
        .blocks, .header("wipeDataForAccountId"),
        "the account is being removed from the app with all its data")
    case .threadOfOtherAccount:
      RuleRow(
        .blocks,
        .document("Intune App SDK for iOS, IntuneMAMPolicyManager.h, setUIPolicyAccountId"),
        "the current thread acts for another account, which takes precedence")
    case .viewOfOneManagedAccount:
      RuleRow(
        .allows, .document("Intune App SDK for iOS, IntuneMAMPolicyManager.h, policyForWindow"),
        "one account of the view is managed, so the view is locked down: the most restrictive value of each setting applies"
      )
    case .viewOfManagedAccounts:
      RuleRow(
        .allows, .document("Intune App SDK for iOS, IntuneMAMPolicyManager.h, policyForWindow"),
        "several accounts of the view are managed, so the view is locked down: the most restrictive value of each setting applies"
      )

    // Enrollment and conditional access (reference: stage 6)
    case .enrollmentAsked:
      RuleRow(
        .allows, .enrollmentManager,
        "the SDK asks the service, which answers separately with a status")
    case .registrationUnderWay:
      RuleRow(
        .blocks,
        .document(
          "Intune App SDK for iOS, IntuneMAMEnrollmentManager.h, registerAndEnrollAccountId"),
        "the SDK is already enrolling the account, and ignores the call")
    case .enrollmentFromExtension:
      RuleRow(
        .blocks, .enrollmentManager,
        "the SDK enrolls accounts only from apps, not from extensions (status 223)")
    case .enrollmentNeedsAccount:
      RuleRow(
        .blocks, .enrollmentManager,
        "the app names no account, and MDM names no user of the device (status 207)")
    case .accountNotEnrolled:
      RuleRow(
        .blocks, .enrollmentManager,
        "the account is not enrolled in the app: either no account is enrolled (status 213), or another account (status 214)"
      )
    case .appWithoutSDK:
      RuleRow(.blocks, .device, "the app does not integrate the Intune App SDK")
    case .remediationBegun:
      RuleRow(.allows, .complianceManager, "the SDK enrolls the account, or asks for its policies")
    case .remediationQueued:
      RuleRow(
        .allows, .complianceManager,
        "the SDK remediates this account after the accounts that were registered earlier")
    case .remediationUnderWay:
      RuleRow(
        .blocks, .complianceManager,
        "the SDK is already remediating the account, and ignores the call")
    case .remediationLoop:
      RuleRow(
        .blocks, .device, "the app remediates the account repeatedly, and gets no token for it")
    case .tokenUnconditional:
      RuleRow(
        .allows, .conditionalAccess,
        "no conditional access policy applies to this account and resource")
    case .tokenServiceUnreachable:
      RuleRow(.blocks, .device, "the device is offline")
    case .tokenAccountDisabled:
      RuleRow(.blocks, .device, "the directory has disabled the account")
    case .grantControlsMet:
      RuleRow(
        .allows, .conditionalAccess, "the requirements of the conditional access policy are met")
    case .grantControlMissing:
      RuleRow(
        .blocks, .conditionalAccess,
        "the conditional access policy has a requirement that app and device cannot meet")
    case .conditionalAccessBlocks:
      RuleRow(.blocks, .conditionalAccess, "the conditional access policy blocks every user")
    case .conditionalAccessReports:
      RuleRow(
        .allows, .conditionalAccess,
        "the conditional access policy is report-only, so its requirements are reported but not enforced"
      )
    case .conditionTakenAsMet:
      RuleRow(
        .allows, .assumedOfEnrollment,
        "it is unknown whether the conditional access policy's conditions are met, so they count as met"
      )
    case .conditionTakenAsNotMet:
      RuleRow(
        .allows, .assumedOfEnrollment,
        "only the directory knows whether the conditional access policy applies to the account and the resource; the policy counts as not applying"
      )
    case .protectionApplied:
      RuleRow(
        .allows, .appProtectionCA,
        "the conditional access policy requires an app protection policy, and one protects the account"
      )
    case .protectionRequired:
      RuleRow(
        .blocks, .appProtectionCA,
        "the conditional access policy requires an app protection policy, and none protects the account here"
      )
    case .protectionNotDeclared:
      RuleRow(
        .blocks, .appProtectionCA,
        "the conditional access policy requires an app protection policy, and the app does not declare the capability `protapp`"
      )

    // Files (reference: stage 5, "File owner")
    case .fileBegins:
      RuleRow(
        .allows, .fileOwner, "the file is new, and belongs to the account that the task acts for")
    case .fileHasNoOwner:
      RuleRow(.allows, .fileOwner, "the file has no owner")
    case .fileOfUnmanagedAccount:
      RuleRow(.allows, .fileOwner, "the file belongs to an account that no policy protects")
    case .fileOfIdentity:
      RuleRow(.allows, .fileOwner, "the file belongs to the account that the task acts for")
    case .fileOfOtherIdentity:
      RuleRow(
        .blocks, .assumedOfFiles,
        "the file belongs to a managed account, and the task acts for another identity")
    case .fileOwnerNotSignedIn:
      RuleRow(
        .blocks, .assumedOfFiles, "the file belongs to an account that is not signed in to the app")
    case .fileStoredEncrypted:
      RuleRow(.allows, .encryption, "the owner's policy requires encrypted files")
    case .fileStoredPlain:
      RuleRow(.allows, .encryption, "the owner's policy leaves encryption to the device")
    case .fileOwnerTold:
      RuleRow(.allows, .fileOwner, "an app may read the owner of its files")
    case .fileKeepsOwner:
      RuleRow(.allows, .fileOwner, "a file that moves keeps its owner")
    case .fileRemoved:
      RuleRow(.allows, .fileOwner, "an app may remove its files")
    case .fileOutsideContainer:
      RuleRow(
        .blocks, .document("Apple Developer Documentation, Configuring app groups"),
        "the path leads out of the container")
    case .appGroupNotEntitled:
      RuleRow(
        .blocks, .document("Apple Developer Documentation, Configuring app groups"),
        "the app's entitlements do not list the app group")
    case .ownerNotSignedIn:
      RuleRow(
        .blocks, .assumedOfFiles,
        "the current or future owner of the data is not signed in to the app")
    case .dataOfManagedAccount:
      RuleRow(
        .allows, .document("Intune App SDK for iOS, stage 5, Shared data"),
        "the account is managed: its data is encrypted")
    case .dataOfUnmanagedAccount:
      RuleRow(
        .allows, .document("Intune App SDK for iOS, stage 5, Shared data"),
        "the account is unmanaged: its data is marked, but not encrypted")

    // Keychain
    case .keychainDefaultGroup:
      RuleRow(.allows, .keychainGroups, "no group was named, so the app's first group is used")
    case .keychainGroupEntitled:
      RuleRow(.allows, .keychainGroups, "the app is entitled to the requested keychain groups")
    case .keychainGroupNotEntitled:
      RuleRow(
        .blocks, .keychainGroups,
        "the app's entitlements do not list the keychain group (errSecMissingEntitlement, -34018)")
    case .keychainNoGroup:
      RuleRow(
        .blocks, .keychainGroups,
        "the app is entitled to no keychain group (errSecMissingEntitlement, -34018)")

    // Apple's ManagedApp framework
    case .managedAppProvides:
      RuleRow(
        .allows, .managedApps,
        "the administrator's declarations provide the requested content for this app")
    case .managedAppNothingSet:
      RuleRow(.allows, .managedApps, "the app is managed, but has no item of this kind")
    case .managedAppReports:
      RuleRow(
        .allows,
        .document(
          "Apple Developer Documentation, ManagedApp, Specifying and decoding a configuration"),
        "the app reports whether it accepts its configuration")
    case .managedAppNotManaged:
      RuleRow(.blocks, .managedApps, "no declaration of an administrator manages the app")
    case .managedAppOtherSignature:
      RuleRow(
        .blocks, .managedApps,
        "the declarations are for an app with this bundle id that another team has signed")
    case .managedAppManagementRefused:
      RuleRow(
        .blocks,
        .document("Apple Developer Documentation, Device Management, InstallApplicationCommand"),
        "the user declined management of the app")
    case .managedAppNoSuchIdentifier:
      RuleRow(
        .allows, .managedAppError,
        "the declarations provide no secret of this kind and identifier for the app")
    case .managedAppSecretUnusable:
      RuleRow(
        .allows, .managedAppError,
        "the secret is damaged or cannot be opened, or its key does not support the requested algorithm"
      )
    case .managedAppServerUnreachable:
      RuleRow(
        .allows, .managedAppError,
        "the device is offline, and needs the server that issues the certificate")

    // Access requirements and conditional launch
    case .noAccessRequirement:
      RuleRow(
        .allows, .setting("Access requirements"),
        "the account's policy has no access requirements")
    case .minimumSDKVersionMet:
      RuleRow(.allows, .minimumSDK, "the app's SDK is not older than the account's policy requires")
    case .minimumSDKVersionWarns:
      RuleRow(
        .warns, .minimumSDK,
        "the app's SDK is older than the account's policy requires, which causes a warning")
    case .minimumSDKVersionBlocks:
      RuleRow(
        .blocks, .minimumSDK,
        "the app's SDK is older than the account's policy requires, which blocks the account")
    case .minimumSDKVersionWipes:
      RuleRow(
        .wipes, .minimumSDK,
        "the app's SDK is older than the account's policy requires, which wipes the account's data")
    case .minimumAppVersionMet:
      RuleRow(.allows, .minimumApp, "the app is not older than the account's policy requires")
    case .minimumAppVersionWarns:
      RuleRow(
        .warns, .minimumApp,
        "the app is older than the account's policy requires, which causes a warning")
    case .minimumAppVersionBlocks:
      RuleRow(
        .blocks, .minimumApp,
        "the app is older than the account's policy requires, which blocks the account")
    case .minimumAppVersionWipes:
      RuleRow(
        .wipes, .minimumApp,
        "the app is older than the account's policy requires, which wipes the account's data")
    case .minimumOSVersionMet:
      RuleRow(
        .allows, .minimumOS, "the device's system is not older than the account's policy requires")
    case .minimumOSVersionWarns:
      RuleRow(
        .warns, .minimumOS,
        "the device's system is older than the account's policy requires, which causes a warning")
    case .minimumOSVersionBlocks:
      RuleRow(
        .blocks, .minimumOS,
        "the device's system is older than the account's policy requires, which blocks the account")
    case .minimumOSVersionWipes:
      RuleRow(
        .wipes, .minimumOS,
        "the device's system is older than the account's policy requires, which wipes the account's data"
      )
    case .maximumOSVersionMet:
      RuleRow(
        .allows, .maximumOS, "the device's system is not newer than the account's policy allows")
    case .maximumOSVersionWarns:
      RuleRow(
        .warns, .maximumOS,
        "the device's system is newer than the account's policy allows, which causes a warning")
    case .maximumOSVersionBlocks:
      RuleRow(
        .blocks, .maximumOS,
        "the device's system is newer than the account's policy allows, which blocks the account")
    case .maximumOSVersionWipes:
      RuleRow(
        .wipes, .maximumOS,
        "the device's system is newer than the account's policy allows, which wipes the account's data"
      )
    case .notJailbroken:
      RuleRow(.allows, .jailbroken, "the device is not jailbroken")
    case .jailbreakCheckNotDue:
      RuleRow(
        .allows, .recheck,
        "the device is jailbroken, but the app checks for this again only when the access requirements are due"
      )
    case .jailbrokenWarns:
      RuleRow(.warns, .jailbroken, "the device is jailbroken, which causes a warning")
    case .jailbrokenBlocks:
      RuleRow(.blocks, .jailbroken, "the device is jailbroken, which blocks the account")
    case .jailbrokenWipes:
      RuleRow(.wipes, .jailbroken, "the device is jailbroken, which wipes the account's data")
    case .devicePINMissing:
      RuleRow(
        .blocks, .encryption,
        "the account's policy requires encryption of org data, and the device has no PIN, which blocks the account until the user sets one"
      )
    case .deviceModelAllowed:
      RuleRow(.allows, .deviceModel, "the account's policy allows the device's model")
    case .deviceModelWarns:
      RuleRow(
        .warns, .deviceModel,
        "the account's policy does not allow the device's model, which causes a warning")
    case .deviceModelBlocks:
      RuleRow(
        .blocks, .deviceModel,
        "the account's policy does not allow the device's model, which blocks the account")
    case .deviceModelWipes:
      RuleRow(
        .wipes, .deviceModel,
        "the account's policy does not allow the device's model, which wipes the account's data")
    case .threatLevelAccepted:
      RuleRow(
        .allows, .threatLevel,
        "the device's threat level is within the limit of the account's policy")
    case .threatLevelWarns:
      RuleRow(
        .warns, .threatLevel,
        "the device's threat level is above the limit of the account's policy, which causes a warning"
      )
    case .threatLevelBlocks:
      RuleRow(
        .blocks, .threatLevel,
        "the device's threat level is above the limit of the account's policy, which blocks the account"
      )
    case .threatLevelWipes:
      RuleRow(
        .wipes, .threatLevel,
        "the device's threat level is above the limit of the account's policy, which wipes the account's data"
      )
    case .threatLevelUnknownWarns:
      RuleRow(
        .warns, .threatLevel,
        "the account's policy limits the device's threat level, and none was reported, which causes a warning"
      )
    case .threatLevelUnknownBlocks:
      RuleRow(
        .blocks, .threatLevel,
        "the account's policy limits the device's threat level, and none was reported, which blocks the account"
      )
    case .threatLevelUnknownWipes:
      RuleRow(
        .wipes, .threatLevel,
        "the account's policy limits the device's threat level, and none was reported, which wipes the account's data"
      )
    case .accountEnabled:
      RuleRow(.allows, .disabledAccount, "the account is not disabled")
    case .accountDisabledWarns:
      RuleRow(.warns, .disabledAccount, "the account is disabled, which causes a warning")
    case .accountDisabledBlocks:
      RuleRow(.blocks, .disabledAccount, "the account is disabled, which blocks the account")
    case .accountDisabledWipes:
      RuleRow(.wipes, .disabledAccount, "the account is disabled, which wipes the account's data")
    case .notClockedOut:
      RuleRow(.allows, .nonWorkingTime, "the account is within its working time")
    case .clockedOutWarns:
      RuleRow(
        .warns, .nonWorkingTime, "the account is outside its working time, which causes a warning")
    case .clockedOutBlocks:
      RuleRow(
        .blocks, .nonWorkingTime,
        "the account is outside its working time, which blocks the account")
    case .clockedOutWipes:
      RuleRow(
        .wipes, .nonWorkingTime,
        "the account is outside its working time, which wipes the account's data")
    case .offlineGraceHolds:
      RuleRow(.allows, .offlineGrace, "the app has checked in with the service recently enough")
    case .offlineGraceBlocks:
      RuleRow(
        .blocks, .offlineGrace,
        "the app's last check-in with the service is longer ago than the account's policy allows, which blocks the account until the app checks in"
      )
    case .offlineGraceWipes:
      RuleRow(
        .wipes, .offlineGrace,
        "the app's last check-in with the service is longer ago than the account's policy allows, and no new check-in succeeds, which wipes the account's data"
      )
    case .pinWaived:
      RuleRow(
        .allows, .setting("App PIN when device PIN is set"),
        "the device is enrolled and has a PIN, which the account's policy accepts instead of the app's PIN"
      )
    case .pinRecheckNotDue:
      RuleRow(
        .allows, .recheck,
        "the PIN was requested recently enough, in this app or another of its publisher")
    case .pinEntered:
      RuleRow(.allows, .pin, "the PIN is right")
    case .pinAsked:
      RuleRow(.blocks, .pin, "the account's policy requires the app's PIN")
    case .pinWrong:
      RuleRow(.blocks, .pin, "the PIN is wrong")
    case .pinRetriesExceededResets:
      RuleRow(
        .blocks, .pinAttempts,
        "too many wrong PINs were entered, so a new PIN must be set after a sign-in")
    case .pinRetriesExceededWipes:
      RuleRow(
        .wipes, .pinAttempts, "too many wrong PINs were entered, which wipes the account's data")
    case .pinResetRequired:
      RuleRow(
        .blocks, .pinAttempts,
        "too many wrong PINs were entered before, so a new PIN must be set after a sign-in")
    case .pinNotSet:
      RuleRow(.blocks, .pin, "the account's policy requires the app's PIN, and none is set yet")
    case .pinExpired:
      RuleRow(
        .blocks, .setting("PIN reset after number of days"),
        "the PIN is older than the account's policy allows, so a new PIN must be set")
    case .pinOutdated:
      RuleRow(
        .blocks, .issue(57),
        "the PIN is weaker than the account's policy now requires, so a new PIN must be set")
    case .biometricsAccepted:
      RuleRow(
        .allows, .biometrics, "the account's policy accepts Touch ID or Face ID instead of the PIN")
    case .biometricsUnavailable:
      RuleRow(
        .blocks, .biometrics, "the device has neither Touch ID nor Face ID, so the PIN is required")
    case .biometricsBlocked:
      RuleRow(
        .blocks, .biometrics,
        "the account's policy does not accept Touch ID or Face ID instead of the PIN")
    case .biometricsTimedOut:
      RuleRow(
        .blocks, .setting("Override biometrics with PIN after timeout"),
        "the app was inactive so long that the account's policy requires the PIN instead of Touch ID or Face ID"
      )
    case .credentialsRecheckNotDue:
      RuleRow(.allows, .recheck, "the account's credentials were requested recently enough")
    case .credentialsGiven:
      RuleRow(
        .allows, .setting("Work or school account credentials for access"),
        "the user signed in with the account's credentials")
    case .credentialsAsked:
      RuleRow(
        .blocks, .setting("Work or school account credentials for access"),
        "the account's policy requires the account's credentials")
    case .pinChangeNeedsSignIn:
      RuleRow(
        .blocks,
        .document(
          "Microsoft Learn, Frequently asked questions about MAM and app protection, Is the PIN secure"
        ), "a PIN is set only after a sign-in with the account's credentials")
    case .pinAccepted:
      RuleRow(.allows, .pin, "the account's policy accepts the PIN")
    case .pinNotNumeric:
      RuleRow(.blocks, .setting("PIN type"), "the account's policy accepts digits only")
    case .pinTooShort:
      RuleRow(
        .blocks, .setting("Select minimum PIN length"),
        "the PIN is shorter than the account's policy requires")
    case .pinNeedsLetterOrSymbol:
      RuleRow(.blocks, .setting("PIN type"), "the account's policy requires a letter or a symbol")
    case .pinNeedsNumberLetterAndSymbol:
      RuleRow(
        .blocks, .setting("Simple PIN"),
        "the account's policy blocks simple passcodes, so it requires a number, a letter and a symbol"
      )
    case .pinSimple:
      RuleRow(
        .blocks, .setting("Simple PIN"),
        "the account's policy blocks simple PINs, and this PIN has three identical or consecutive characters"
      )
    case .pinDescending:
      RuleRow(
        .blocks, .assumed("access requirements and conditional launch"),
        "the account's policy blocks simple PINs, and this PIN has three consecutive characters in descending order"
      )
    case .pinUsedBefore:
      RuleRow(
        .blocks, .setting("Select number of previous PIN values to maintain"),
        "the PIN is one of the previous PINs that the account's policy does not accept again")

    // The device itself
    case .copiedToPasteboard:
      RuleRow(
        .allows, .document("Apple Developer Documentation, UIPasteboard"),
        "copying is always allowed; policies restrict only pasting")
    case .pasteboardEmpty:
      RuleRow(
        .blocks, .document("Apple Developer Documentation, UIPasteboard"),
        "the pasteboard is empty")
    case .universalClipboard:
      RuleRow(
        .allows, .assumedOfDevices,
        "the other devices of the user's Apple Account count as an app that no policy manages, because the receiving app is unknown"
      )
    case .toAnotherDevice:
      RuleRow(
        .allows, .assumedOfDevices,
        "an item sent by AirDrop counts as sent to an unmanaged app, whichever app opens it")
    case .fromAnotherDevice:
      RuleRow(
        .allows, .assumedOfDevices,
        "an item from another device has no known owner and counts as sent by an unmanaged app")
    case .localOnlyPasteboard:
      RuleRow(
        .blocks, .document("Apple Developer Documentation, UIPasteboard.OptionsKey.localOnly"),
        "the app copied the item for this device only")
    case .handoffOff:
      RuleRow(
        .blocks, .document("Apple Support, Use Universal Clipboard"),
        "the user has disabled Handoff, which Universal Clipboard requires, or the device's MDM profile forbids it"
      )
    case .nothingReceived:
      RuleRow(.blocks, .device, "the device received no item by this transport")
    case .noSuchDevice:
      RuleRow(.blocks, .device, "no other device has that name")
    case .malformedURL:
      RuleRow(.blocks, .device, "the text to open is not a URL")
    case .noSuchDestination:
      RuleRow(.blocks, .device, "the device has no app or extension of that name")
    case .appNotAllowed:
      RuleRow(
        .blocks, .document("Apple, device-management, com.apple.configuration.app.settings"),
        "an administrator's declaration does not allow the device to launch the app")
    case .nothingToImport:
      RuleRow(.blocks, .device, "the other app offers no items")
    case .noSuchRepresentation:
      RuleRow(
        .blocks, .device, "no item of this type is offered to the extension, or the offer has ended"
      )
    case .extensionNotOffered:
      RuleRow(
        .blocks,
        .document(
          "App Extension Programming Guide, Declaring Supported Data Types for a Share or Action Extension"
        ),
        "the extension's activation rule does not match the shared items, so the share sheet does not offer the extension"
      )
    case .extensionOfAnotherPoint:
      RuleRow(
        .blocks, .device, "an extension of this kind cannot receive data through this request")
    case .extensionOfAnotherApp:
      RuleRow(
        .blocks, .document("Apple Developer Documentation, NETunnelProviderSession"),
        "only the containing app can call a VPN extension")
    case .systemCallsExtension:
      RuleRow(
        .allows,
        .document(
          "Apple Developer Documentation, NEPacketTunnelProvider and ASAuthorizationProviderExtension"
        ), "the system calls the extension on behalf of the app")
    case .keyboardWithoutFullAccess:
      RuleRow(
        .blocks,
        .document("App Extension Programming Guide, Custom Keyboard: Designing for User Trust"),
        "a keyboard without full access cannot reach other apps, the pasteboard or the network")
    case .tagSealBroken:
      RuleRow(.blocks, .device, "the item's ownership tag does not match its seal")
    case .tagOfAnotherDevice:
      RuleRow(.blocks, .device, "the item's ownership tag was sealed by another device")
    }
  }
}
