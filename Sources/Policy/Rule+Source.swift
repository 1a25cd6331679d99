public import Transfer

extension Rule {
  /// Where the rule comes from: a public document and its section, or `assumed` where those end.
  public var source: String {
    switch self {
    case .sameTenant, .otherTenant: "assumed; docs/ASSUMPTIONS.md, different managed accounts"
    case .noRuleApplied, .unmanagedSender, .unmanagedReceiver: Source.identities
    case .sameAppSameIdentity, .clipboardSameIdentity: Source.overview
    case .sendAllApps, .sendNone, .sendNoneEncrypts, .sendManagedAppsToManaged,
      .sendManagedAppsToUnmanaged, .sendManagedAppsEncrypts, .openInFilter, .osSharing:
      Source.settings("Send org data to other apps")
    case .managedOpenInRestriction: Source.openIn
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
    case .customBrowser: Source.settings("Unmanaged browser protocol")
    case .noAccountRestriction, .accountAllowed, .accountNotAllowed:
      "Intune App SDK for iOS, stage 4, allowed accounts"
    case .singleManagedAccount, .accountSignedIn, .accountNotSignedIn, .signOutAlwaysAllowed:
      Source.identities
    case .keychainDefaultGroup, .keychainGroupEntitled, .keychainGroupNotEntitled,
      .keychainNoGroup:
      "Apple Developer Documentation, Sharing access to keychain items among a collection of apps"
    case .copiedToPasteboard, .pasteboardEmpty: "Apple Developer Documentation, UIPasteboard"
    case .noSuchDestination, .malformedURL, .unmanagedIdentity, .notMultiIdentity, .nothingToImport,
      .tagSealBroken,
      .tagOfAnotherDevice:
      "the device itself"
    }
  }

  /// Whether public facts leave the rule open, so that it takes the answer by which less data moves.
  public var isAssumed: Bool {
    switch self {
    case .sameTenant, .otherTenant: true
    case .noRuleApplied, .unmanagedSender, .unmanagedReceiver, .sameAppSameIdentity, .sendAllApps,
      .sendNone, .sendNoneEncrypts, .sendManagedAppsToManaged, .sendManagedAppsToUnmanaged,
      .sendManagedAppsEncrypts, .openInFilter, .osSharing, .managedOpenInRestriction,
      .receiveAllApps, .receiveNone, .receiveManagedAppsFromManaged,
      .receiveManagedAppsFromUnmanaged, .incomingOrgData, .documentImport, .clipboardSameIdentity,
      .clipboardAllApps, .clipboardPasteIn, .clipboardPasteInToUnmanaged, .clipboardManagedApps,
      .clipboardManagedAppsToUnmanaged, .clipboardManagedAppsFromUnmanaged, .clipboardBlocked,
      .clipboardException, .exemptedScheme, .managedScheme, .unmanagedScheme, .anyBrowser,
      .managedBrowserUsed, .managedBrowserRequired, .customBrowser, .noAccountRestriction,
      .accountAllowed, .accountNotAllowed, .singleManagedAccount, .accountSignedIn,
      .accountNotSignedIn, .signOutAlwaysAllowed, .keychainDefaultGroup, .keychainGroupEntitled,
      .keychainGroupNotEntitled, .keychainNoGroup, .copiedToPasteboard, .pasteboardEmpty,
      .noSuchDestination, .malformedURL, .unmanagedIdentity, .notMultiIdentity, .nothingToImport,
      .tagSealBroken,
      .tagOfAnotherDevice:
      false
    }
  }
}

/// The documents that rules cite.
private enum Source {
  static let overview = "Microsoft Learn, App protection policies overview"
  static let identities = "Intune App SDK for iOS, stage 5, Identity overview"
  static let openIn =
    "Microsoft Learn, How to manage data transfer between iOS apps in Microsoft Intune"

  static func settings(_ setting: String) -> String {
    "Microsoft Learn, iOS app protection policy settings, \(setting)"
  }

  static func header(_ call: String) -> String {
    "Intune App SDK for iOS, IntuneMAMPolicy.h, \(call)"
  }
}
