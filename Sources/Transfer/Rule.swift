/// A rule that took part in a verdict. The raw value is what verdicts, journals and scenarios cite.
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
  case managedOpenInRestriction

  // Receive data from other apps
  case receiveAllApps
  case receiveNone
  case receiveManagedAppsFromManaged
  case receiveManagedAppsFromUnmanaged
  case incomingOrgData
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

  // URLs
  case exemptedScheme
  case managedScheme
  case unmanagedScheme
  case anyBrowser
  case managedBrowserUsed
  case managedBrowserRequired
  case customBrowser

  // Accounts
  case noAccountRestriction
  case accountAllowed
  case accountNotAllowed
  case singleManagedAccount
  case accountSignedIn
  case accountNotSignedIn
  case signOutAlwaysAllowed
  case unmanagedIdentity
  case notMultiIdentity

  // Keychain
  case keychainDefaultGroup
  case keychainGroupEntitled
  case keychainGroupNotEntitled
  case keychainNoGroup

  // The device itself
  case copiedToPasteboard
  case pasteboardEmpty
  case malformedURL
  case noSuchDestination
  case nothingToImport
  case tagSealBroken
  case tagOfAnotherDevice

  /// What the rule does to a transfer that it speaks about.
  public var effect: Outcome {
    switch self {
    case .sendNone, .sendManagedAppsToUnmanaged, .openInFilter, .managedOpenInRestriction,
      .otherTenant, .receiveNone, .receiveManagedAppsFromUnmanaged, .clipboardPasteInToUnmanaged,
      .clipboardManagedAppsToUnmanaged, .clipboardManagedAppsFromUnmanaged, .clipboardBlocked,
      .unmanagedScheme, .managedBrowserRequired, .accountNotAllowed, .singleManagedAccount,
      .accountNotSignedIn, .keychainGroupNotEntitled, .keychainNoGroup, .pasteboardEmpty,
      .malformedURL, .notMultiIdentity, .noSuchDestination, .nothingToImport, .tagSealBroken,
      .tagOfAnotherDevice:
      .blocked
    case .sendNoneEncrypts, .sendManagedAppsEncrypts: .encrypted
    default: .allowed
    }
  }
}
