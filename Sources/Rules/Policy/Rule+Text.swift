import Transfer

extension Rule {
  /// One sentence, lower case, no full stop: what the rule says when it speaks for `side`.
  func text(for side: Side) -> String {
    switch self {
    case .noRuleApplied: "no managed identity takes part, so no policy has a say"
    case .unmanagedSender: "the sender is unmanaged, so nothing limits what it sends"
    case .unmanagedReceiver: "the receiver is unmanaged, so nothing limits what it takes"
    case .sameAppSameIdentity: "the data stays in one app under one identity"
    case .sameTenant:
      "the managed account at the other end is another one of the same organisation, which counts as "
        + "policy managed"
    case .otherTenant:
      "the managed account at the other end belongs to another organisation, which counts as unmanaged"

    case .sendAllApps: "the \(side.rawValue)'s policy lets org data go to any app"
    case .sendNone: "the \(side.rawValue)'s policy lets org data go to no other app"
    case .sendNoneEncrypts:
      "the \(side.rawValue)'s policy lets org data go to no other app, so whatever leaves by the system is "
        + "encrypted"
    case .sendManagedAppsToManaged:
      "the \(side.rawValue)'s policy lets org data go to policy managed apps, and the receiver is managed"
    case .sendManagedAppsToUnmanaged:
      "the \(side.rawValue)'s policy lets org data go to policy managed apps only, and the receiver is not "
        + "managed"
    case .sendManagedAppsEncrypts:
      "the \(side.rawValue)'s policy lets org data go to policy managed apps only, so an unmanaged receiver "
        + "gets it encrypted from the system"
    case .openInFilter:
      "the \(side.rawValue)'s policy filters the system's sharing to policy managed apps, and the receiver "
        + "is not managed"
    case .osSharing:
      "the \(side.rawValue)'s policy shares through the system with what the device's MDM restriction lets "
        + "through"
    case .unenrolledSDKReceiver:
      "the receiving app integrates the SDK and nobody is enrolled there, so it gets the data encrypted, which "
        + "an app without the SDK would not"

    case .receiveAllApps: "the \(side.rawValue)'s policy takes data from any app"
    case .receiveNone: "the \(side.rawValue)'s policy takes data from no other app"
    case .receiveManagedAppsFromManaged:
      "the \(side.rawValue)'s policy takes data of managed identities, and the owner is one"
    case .receiveManagedAppsFromUnmanaged:
      "the \(side.rawValue)'s policy takes data of managed identities only, and the owner is none"
    case .incomingOrgData:
      "the \(side.rawValue)'s policy takes data without an owner as data of the organisation"
    case .documentImport: "the receiving app switched to an unmanaged account to take the data"

    case .clipboardSameIdentity: "copy and paste within one app and one identity always work"
    case .clipboardAllApps: "the \(side.rawValue)'s policy does not restrict copy and paste"
    case .clipboardPasteIn:
      "the \(side.rawValue)'s policy lets copy and paste work between policy managed apps, and lets any app's "
        + "data be pasted in"
    case .clipboardPasteInToUnmanaged:
      "the \(side.rawValue)'s policy lets org data be pasted in policy managed apps only, and the receiver is "
        + "not managed"
    case .clipboardManagedApps:
      "the \(side.rawValue)'s policy lets copy and paste work between policy managed apps, and both are"
    case .clipboardManagedAppsToUnmanaged:
      "the \(side.rawValue)'s policy lets org data be pasted in policy managed apps only, and the receiver is "
        + "not managed"
    case .clipboardManagedAppsFromUnmanaged:
      "the \(side.rawValue)'s policy lets data be pasted from policy managed apps only, and the source is not "
        + "managed"
    case .clipboardBlocked: "the \(side.rawValue)'s policy blocks copy and paste with other apps"
    case .clipboardException:
      "the text is no longer than what the \(side.rawValue)'s policy lets be pasted anywhere"

    case .saveNotRestricted:
      "the \(side.rawValue)'s policy lets copies of org data be saved anywhere"
    case .saveToSelectedService:
      "the \(side.rawValue)'s policy lets copies be saved to the services that it selects, and this is one"
    case .saveServiceNotSelected:
      "the \(side.rawValue)'s policy lets copies be saved to the services that it selects only, and this is none"
    case .saveServiceNotOffered:
      "the \(side.rawValue)'s policy lets copies be saved to selected services only, and this location is none "
        + "that can be selected"
    case .saveToOtherAccount:
      "the \(side.rawValue)'s policy lets copies be saved to the managed account's own storage only, and this is "
        + "another account's or nobody's"

    case .openNotRestricted:
      "the \(side.rawValue)'s policy lets data from any location be opened into org documents"
    case .openFromSelectedService:
      "the \(side.rawValue)'s policy lets data be opened from the services that it selects, and this is one"
    case .openServiceNotSelected:
      "the \(side.rawValue)'s policy lets data be opened from the services that it selects only, and this is none"
    case .openServiceNotOffered:
      "the \(side.rawValue)'s policy lets data be opened from selected services only, and this location is none "
        + "that can be selected"
    case .openFromOtherAccount:
      "the \(side.rawValue)'s policy lets data be opened from the managed account's own storage only, and this "
        + "is another account's or nobody's"

    case .locationHasNoAccount:
      "the location belongs to no account, so that none can be named with it"
    case .noSuchLocation: "the location is none that this call knows"
    case .nilAccountIsCurrent:
      "the app's SDK is older than 15.1.0, so no account means the current one"

    case .exemptedScheme: "the \(side.rawValue)'s policy exempts the URL's scheme"
    case .managedScheme:
      "the \(side.rawValue)'s policy lets org data go to policy managed apps, and the scheme belongs to one"
    case .unmanagedScheme:
      "the \(side.rawValue)'s policy lets org data go to policy managed apps only, and the scheme belongs to "
        + "none"
    case .anyBrowser: "the \(side.rawValue)'s policy lets any browser open web links"
    case .managedBrowserUsed:
      "the \(side.rawValue)'s policy opens web links in Microsoft Edge, and this is it"
    case .managedBrowserRequired:
      "the \(side.rawValue)'s policy opens web links in Microsoft Edge only"
    case .customBrowser:
      "the \(side.rawValue)'s policy opens web links in the unmanaged browser that it names, and this is it"
    case .customBrowserRequired:
      "the \(side.rawValue)'s policy opens web links in the unmanaged browser that it names only, and this is "
        + "another app"

    case .exemptedUniversalLink:
      "the \(side.rawValue)'s policy opens this universal link in an unmanaged app too"
    case .managedUniversalLink:
      "the \(side.rawValue)'s policy opens this universal link in the app that claims it, which is managed"

    case .dialerAnyApp: "the \(side.rawValue)'s policy lets any dialer call phone numbers"
    case .dialerManagedApp:
      "the \(side.rawValue)'s policy lets policy managed dialers call phone numbers, and this is one"
    case .dialerUnmanagedApp:
      "the \(side.rawValue)'s policy lets policy managed dialers only call phone numbers, and this is none"
    case .dialerSpecificApp:
      "the \(side.rawValue)'s policy hands phone numbers to the dialer that it names, and this is it"
    case .dialerOtherApp:
      "the \(side.rawValue)'s policy hands phone numbers to the dialer that it names only, and this is another"
    case .dialerBlocked: "the \(side.rawValue)'s policy hands phone numbers to no app"

    case .messagingAnyApp: "the \(side.rawValue)'s policy lets any app send messages"
    case .messagingManagedApp:
      "the \(side.rawValue)'s policy lets policy managed apps send messages, and this is one"
    case .messagingUnmanagedApp:
      "the \(side.rawValue)'s policy lets policy managed apps only send messages, and this is none"
    case .messagingSpecificApp:
      "the \(side.rawValue)'s policy hands messages to the app that it names, and this is it"
    case .messagingOtherApp:
      "the \(side.rawValue)'s policy hands messages to the app that it names only, and this is another"
    case .messagingBlocked: "the \(side.rawValue)'s policy hands messages to no app"

    case .printingAllowed: "the \(side.rawValue)'s policy lets org data be printed"
    case .printingBlocked: "the \(side.rawValue)'s policy lets no org data be printed"
    case .notificationsAllowed: "the \(side.rawValue)'s policy lets notifications show org data"
    case .notificationsWithoutOrgData:
      "the \(side.rawValue)'s policy lets notifications appear, but without org data"
    case .notificationsBlocked:
      "the \(side.rawValue)'s policy lets no notification of the account appear"
    case .contactSyncAllowed:
      "the \(side.rawValue)'s policy lets contacts be saved to the device's own"
    case .contactSyncBlocked:
      "the \(side.rawValue)'s policy lets no contact be saved to the device's own"
    case .widgetSyncAllowed: "the \(side.rawValue)'s policy lets widgets show org data"
    case .widgetSyncBlocked: "the \(side.rawValue)'s policy lets widgets show no org data"
    case .backupAllowed: "the \(side.rawValue)'s policy lets org data be backed up"
    case .backupBlocked: "the \(side.rawValue)'s policy lets no org data be backed up"
    case .keyboardsAllowed: "the \(side.rawValue)'s policy lets third-party keyboards be used"
    case .keyboardsBlocked:
      "the \(side.rawValue)'s policy lets no third-party keyboard be used anywhere in the app"
    case .systemFeatureBlocked:
      "the \(side.rawValue)'s policy does not let org data go to any app, so that the system may not have it "
        + "either"
    case .sharingUIAvailable:
      "the \(side.rawValue)'s policy leaves the app its sharing (`isAppSharingAllowed`)"
    case .screenCaptureAllowed: "the \(side.rawValue)'s policy lets the screen be captured"
    case .screenCaptureBlocked: "the \(side.rawValue)'s policy does not let the screen be captured"
    case .screenCaptureFollowsSend:
      "the \(side.rawValue)'s policy does not let org data go to any app, so that the screen may not be captured"
    case .screenCaptureControlDisabled:
      "the app's configuration lets the screen be captured whatever Send says"
    case .screenCaptureNotControlled:
      "the app's SDK is older than 19.7.6 or 20.2.1 and does not control screen capture"
    case .writingToolsAllowed: "the \(side.rawValue)'s policy lets Writing Tools read org data"
    case .writingToolsBlocked:
      "the \(side.rawValue)'s policy does not let Writing Tools read org data"
    case .writingToolsFollowSend:
      "the \(side.rawValue)'s policy does not let org data go to any app, so that Writing Tools may not have it"
    case .genmojiAllowed: "the \(side.rawValue)'s policy lets Genmoji be made"
    case .genmojiBlocked: "the \(side.rawValue)'s policy does not let Genmoji be made"
    case .genmojiFollowsSend:
      "the \(side.rawValue)'s policy does not let org data go to any app, so that Genmoji may not be made of it"
    case .webViewOfIdentity: "the web view acts for the account that the app acts for"
    case .webViewWithoutUpload:
      "the web view acts for the account that the app acts for, and takes neither uploads nor pasted content"
    case .webViewUnmanaged: "the web view acts for nobody, so that it counts as unmanaged"
    case .fileEncryptionRequired:
      "the \(side.rawValue)'s policy has files with org data encrypted by the app"
    case .fileEncryptionByDevice:
      "the \(side.rawValue)'s policy leaves the encryption of files to the device"

    case .managedOpenInRestriction:
      "the device's MDM restriction opens documents of MDM-managed apps in MDM-managed apps only"
    case .unmanagedOpenInRestriction:
      "the device's MDM restriction lets MDM-managed apps open documents of MDM-managed apps only"
    case .managedPasteboard:
      "the device's MDM restriction holds the pasteboard to what documents may do between MDM-managed apps and "
        + "others"
    case .managedContactWriteRestriction:
      "the device's MDM restriction lets MDM-managed apps write no unmanaged contact"
    case .managedContactReadRestriction:
      "the device's MDM restriction lets other apps read no contact of an MDM-managed one"

    case .noAccountRestriction: "the app's configuration does not restrict who may sign in"
    case .accountAllowed: "the app's configuration allows this account"
    case .accountNotAllowed: "the app's configuration allows other accounts only"
    case .singleManagedAccount:
      "the app has a managed account already and takes no second one (status 227)"
    case .accountSignedIn: "the account is signed in"
    case .accountNotSignedIn: "the account is not signed in"
    case .signOutAlwaysAllowed: "signing out is always allowed"

    case .accountBlocked: "the SDK has blocked the account in this app"
    case .accountBeingWiped: "the account is being removed from the app with all its data"
    case .viewOfOneManagedAccount:
      "one account of the view is managed: its policy holds for the view"
    case .viewOfManagedAccounts:
      "several accounts of the view are managed: of each setting the most restrictive value holds"

    case .fileBegins: "the file begins, and belongs to whom the task acts for"
    case .fileHasNoOwner: "the file belongs to nobody"
    case .fileOfUnmanagedAccount: "the file belongs to an account that no policy protects"
    case .fileOfIdentity: "the file belongs to the account that the task acts for"
    case .fileOfOtherIdentity:
      "the file belongs to a managed account, and the task acts for somebody else"
    case .fileOwnerNotSignedIn: "the file belongs to an account that is not signed in here"
    case .fileStoredEncrypted: "the owner's policy asks for encrypted files"
    case .fileStoredPlain: "the owner's policy leaves encryption to the device"
    case .fileOwnerTold: "an app may ask whose its files are"
    case .fileKeepsOwner: "a file that moves keeps its owner"
    case .fileRemoved: "an app may remove its files"
    case .fileOutsideContainer: "the path leads out of the container"
    case .appGroupNotEntitled: "the app's entitlements do not list the app group"
    case .ownerNotSignedIn: "the account that owns the data, or is to own it, is not signed in here"
    case .dataOfManagedAccount: "the account is managed: its data is encrypted"
    case .dataOfUnmanagedAccount: "the account is unmanaged: its data is marked, and not encrypted"

    case .keychainDefaultGroup: "no group was named, so the app's first group is used"
    case .keychainGroupEntitled: "the app is entitled to the keychain groups asked for"
    case .keychainGroupNotEntitled:
      "the app's entitlements do not list the keychain group (errSecMissingEntitlement, -34018)"
    case .keychainNoGroup:
      "the app is entitled to no keychain group (errSecMissingEntitlement, -34018)"

    // Access requirements and conditional launch
    case .noAccessRequirement: "the account's policy asks for nothing before the account is used"
    case .minimumSDKVersionMet: "the app's SDK is as new as the account's policy asks"
    case .minimumSDKVersionWarns:
      "the app's SDK is older than the account's policy asks, of which it warns"
    case .minimumSDKVersionBlocks:
      "the app's SDK is older than the account's policy asks, which blocks the account"
    case .minimumSDKVersionWipes:
      "the app's SDK is older than the account's policy asks, which wipes the account's data"
    case .minimumAppVersionMet: "the app is as new as the account's policy asks"
    case .minimumAppVersionWarns:
      "the app is older than the account's policy asks, of which it warns"
    case .minimumAppVersionBlocks:
      "the app is older than the account's policy asks, which blocks the account"
    case .minimumAppVersionWipes:
      "the app is older than the account's policy asks, which wipes the account's data"
    case .minimumOSVersionMet: "the device's system is as new as the account's policy asks"
    case .minimumOSVersionWarns:
      "the device's system is older than the account's policy asks, of which it warns"
    case .minimumOSVersionBlocks:
      "the device's system is older than the account's policy asks, which blocks the account"
    case .minimumOSVersionWipes:
      "the device's system is older than the account's policy asks, which wipes the account's data"
    case .maximumOSVersionMet: "the device's system is no newer than the account's policy allows"
    case .maximumOSVersionWarns:
      "the device's system is newer than the account's policy allows, of which it warns"
    case .maximumOSVersionBlocks:
      "the device's system is newer than the account's policy allows, which blocks the account"
    case .maximumOSVersionWipes:
      "the device's system is newer than the account's policy allows, which wipes the "
        + "account's data"
    case .notJailbroken: "the device is not jailbroken"
    case .jailbrokenWarns: "the device is jailbroken, of which it warns"
    case .jailbrokenBlocks: "the device is jailbroken, which blocks the account"
    case .jailbrokenWipes: "the device is jailbroken, which wipes the account's data"
    case .deviceModelAllowed: "the account's policy names the device's model"
    case .deviceModelWarns: "the account's policy names other device models only, of which it warns"
    case .deviceModelBlocks:
      "the account's policy names other device models only, which blocks the account"
    case .deviceModelWipes:
      "the account's policy names other device models only, which wipes the account's data"
    case .threatLevelAccepted: "the device's threat level is one that the account's policy allows"
    case .threatLevelWarns:
      "the device's threat level is above what the account's policy allows, of which it warns"
    case .threatLevelBlocks:
      "the device's threat level is above what the account's policy allows, which blocks the "
        + "account"
    case .threatLevelWipes:
      "the device's threat level is above what the account's policy allows, which wipes the "
        + "account's data"
    case .threatLevelUnknownWarns:
      "the account's policy limits the device's threat level, and none was reported, of "
        + "which it warns"
    case .threatLevelUnknownBlocks:
      "the account's policy limits the device's threat level, and none was reported, which "
        + "blocks the account"
    case .threatLevelUnknownWipes:
      "the account's policy limits the device's threat level, and none was reported, which "
        + "wipes the account's data"
    case .accountEnabled: "the account is not disabled"
    case .accountDisabledWarns: "the account is disabled, of which it warns"
    case .accountDisabledBlocks: "the account is disabled, which blocks the account"
    case .accountDisabledWipes: "the account is disabled, which wipes the account's data"
    case .notClockedOut: "the account is within its working time"
    case .clockedOutWarns: "the account is outside its working time, of which it warns"
    case .clockedOutBlocks: "the account is outside its working time, which blocks the account"
    case .clockedOutWipes: "the account is outside its working time, which wipes the account's data"
    case .offlineGraceHolds: "the app is online, or was so recently enough"
    case .offlineGraceBlocks:
      "the app was offline longer than the account's policy allows, which blocks the account "
        + "until it is online"
    case .offlineGraceWipes:
      "the app was offline longer than the account's policy allows, which wipes the account's data"
    case .pinWaived:
      "the device is enrolled and has a PIN, which the account's policy takes instead of the app's"
    case .pinRecheckNotDue:
      "the PIN was asked for recently enough, in this app or another of its publisher"
    case .pinEntered: "the PIN is right"
    case .pinAsked: "the account's policy asks for the app's PIN"
    case .pinWrong: "the PIN is wrong"
    case .pinRetriesExceededResets:
      "the PIN was wrong too often, so that a new one must be set after a sign-in"
    case .pinRetriesExceededWipes: "the PIN was wrong too often, which wipes the account's data"
    case .pinResetRequired:
      "the PIN was wrong too often before, so that a new one must be set after a sign-in"
    case .pinNotSet: "the account's policy asks for the app's PIN, and none is set yet"
    case .pinExpired:
      "the PIN is older than the account's policy allows, so that a new one must be set"
    case .pinOutdated:
      "the PIN is weaker than the account's policy asks by now, so that a new one must be set"
    case .biometricsAccepted: "the account's policy takes a finger or a face instead of the PIN"
    case .biometricsUnavailable:
      "the device recognises neither fingers nor faces, so that only the PIN will do"
    case .biometricsBlocked:
      "the account's policy does not take a finger or a face instead of the PIN"
    case .biometricsTimedOut:
      "the app was unused so long that the account's policy asks for the PIN instead of a "
        + "finger or a face"
    case .credentialsRecheckNotDue: "the account's credentials were asked for recently enough"
    case .credentialsGiven: "the user signed in with the account's credentials"
    case .credentialsAsked: "the account's policy asks for the account's credentials"
    case .pinChangeNeedsSignIn: "a PIN is set only after a sign-in with the account's credentials"
    case .pinAccepted: "the PIN is one that the account's policy takes"
    case .pinNotNumeric: "the account's policy takes digits only"
    case .pinTooShort: "the PIN is shorter than the account's policy asks"
    case .pinNeedsLetterOrSymbol: "the account's policy asks for a letter or a symbol"
    case .pinNeedsNumberLetterAndSymbol:
      "the account's policy blocks simple passcodes, and so asks for a number, a letter and "
        + "a symbol"
    case .pinSimple:
      "the account's policy blocks simple PINs, and three neighbours here are alike or "
        + "follow one another"
    case .pinDescending:
      "the account's policy blocks simple PINs, and three neighbours here follow one another "
        + "downwards"
    case .pinUsedBefore:
      "the PIN is one of the last ones, which the account's policy does not take again"

    case .managedAppProvides: "the administrator's declarations provide it for this app"
    case .managedAppNothingSet: "the app is managed, and nothing of this kind is provided for it"
    case .managedAppReports: "the app says what became of its configuration"
    case .managedAppNotManaged: "no declaration of an administrator manages the app"
    case .managedAppOtherSignature:
      "the declarations provide for an app of this bundle identifier that another team has signed"
    case .managedAppManagementRefused: "the user keeps the app, so that nobody manages it"
    case .managedAppNoSuchIdentifier:
      "the declarations provide no secret of this kind and identifier for the app"
    case .managedAppSecretUnusable:
      "the secret is damaged or does not open, or its key does not sign in the way asked for"
    case .managedAppServerUnreachable:
      "the device is offline, and has to ask the server that issues the certificate"

    case .copiedToPasteboard: "copying is always allowed; pasting is what policies decide"
    case .enrollmentAsked: "the SDK asks the service, whose answer has a status of its own"
    case .enrollmentFromExtension:
      "an extension asks, and the SDK enrolls from apps alone (status 223)"
    case .enrollmentNeedsAccount: "the app names no account (status 207)"
    case .accountNotEnrolled:
      "the account is not enrolled in the app: nobody is (status 213), or somebody else (status 214)"
    case .appWithoutSDK: "the app does not integrate the Intune App SDK"
    case .remediationBegun: "the SDK enrolls the account, or asks for its policies"
    case .remediationQueued: "the SDK does so after the accounts that were named before"
    case .remediationUnderWay: "the SDK is about it already, and drops the call"
    case .remediationLoop:
      "the app remediates the account again and again, and gets no token for it"
    case .tokenUnconditional: "no conditional access policy is for this account and resource"
    case .tokenServiceUnreachable: "the device is offline"
    case .tokenAccountDisabled: "the directory has disabled the account"
    case .grantControlsMet: "what the conditional access policy asks for is so"
    case .grantControlMissing:
      "the conditional access policy asks for something that app and device cannot bring about"
    case .conditionalAccessBlocks: "the conditional access policy lets nobody in"
    case .conditionalAccessReports:
      "the conditional access policy is report-only, so that what it asks for is reported and not enforced"
    case .conditionTakenAsMet:
      "whether the conditional access policy's conditions are met is not simulated, and they are taken as met"
    case .conditionTakenAsNotMet:
      "only the directory knows whether the conditional access policy is for the account, and without `assign` it is not"
    case .protectionApplied:
      "the conditional access policy asks for an app protection policy, and one protects the account"
    case .protectionRequired:
      "the conditional access policy asks for an app protection policy, and none protects the account here"
    case .protectionNotDeclared:
      "the conditional access policy asks for an app protection policy, and the app does not declare the capability `protapp`"

    case .pasteboardEmpty: "nothing is on the pasteboard"
    case .noSuchDestination: "no app or extension on the device takes it"
    case .appNotAllowed: "an administrator's declaration does not let the device launch the app"
    case .malformedURL: "what was to be opened is no URL"
    case .unmanagedIdentity: "the app acts for nobody whom a policy protects"
    case .notMultiIdentity:
      "the app declares no MultiIdentity, so it always acts for its enrolled account"
    case .nothingToImport: "the other app offers nothing"
    case .extensionNotOffered:
      "the extension's activation rule does not take what is shared, so that nobody can choose it"
    case .extensionOfAnotherPoint: "the extension is none that gets data in this way"
    case .extensionOfAnotherApp: "only the app that contains a VPN extension has a session with it"
    case .systemCallsExtension: "the system asks the extension on behalf of the app"
    case .keyboardWithoutFullAccess:
      "a keyboard without full access reaches no other app, no pasteboard and no network"
    case .noSuchRepresentation: "nothing of this type is offered to the extension, or no longer"
    case .tagSealBroken: "the item's ownership tag does not match its seal"
    case .tagOfAnotherDevice: "the item's ownership tag was sealed by another device"
    }
  }
}
