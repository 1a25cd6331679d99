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
    case .managedOpenInRestriction:
      "the device's MDM restriction opens managed documents in MDM-managed apps only"

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
      "the \(side.rawValue)'s policy opens web links in the unmanaged browser that it names"

    case .noAccountRestriction: "the app's configuration does not restrict who may sign in"
    case .accountAllowed: "the app's configuration allows this account"
    case .accountNotAllowed: "the app's configuration allows other accounts only"
    case .singleManagedAccount:
      "the app has a managed account already and takes no second one (status 227)"
    case .accountSignedIn: "the account is signed in"
    case .accountNotSignedIn: "the account is not signed in"
    case .signOutAlwaysAllowed: "signing out is always allowed"

    case .keychainDefaultGroup: "no group was named, so the app's first group is used"
    case .keychainGroupEntitled: "the app is entitled to the keychain groups asked for"
    case .keychainGroupNotEntitled:
      "the app's entitlements do not list the keychain group (errSecMissingEntitlement, -34018)"
    case .keychainNoGroup:
      "the app is entitled to no keychain group (errSecMissingEntitlement, -34018)"

    case .copiedToPasteboard: "copying is always allowed; pasting is what policies decide"
    case .pasteboardEmpty: "nothing is on the pasteboard"
    case .noSuchDestination: "no app or extension on the device takes it"
    case .malformedURL: "what was to be opened is no URL"
    case .unmanagedIdentity: "the app acts for nobody whom a policy protects"
    case .notMultiIdentity:
      "the app declares no MultiIdentity, so it always acts for its enrolled account"
    case .nothingToImport: "the other app offers nothing"
    case .tagSealBroken: "the item's ownership tag does not match its seal"
    case .tagOfAnotherDevice: "the item's ownership tag was sealed by another device"
    }
  }
}
