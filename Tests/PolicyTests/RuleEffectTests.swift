import Model
import Testing

/// Tests the effects of rules that services of the device apply. Tests of transfers and launches judge all other rules.
struct RuleEffectTests {
  private static let allowing: [Rule] = [
    .accountSignedIn, .signOutAlwaysAllowed, .unmanagedIdentity, .viewOfOneManagedAccount,
    .viewOfManagedAccounts, .enrollmentAsked, .remediationBegun, .remediationQueued,
    .tokenUnconditional, .grantControlsMet, .conditionalAccessReports, .conditionTakenAsMet,
    .conditionTakenAsNotMet, .protectionApplied, .fileBegins, .fileHasNoOwner,
    .fileOfUnmanagedAccount, .fileOfIdentity, .fileStoredEncrypted, .fileStoredPlain,
    .fileOwnerTold, .fileKeepsOwner, .fileRemoved, .dataOfManagedAccount, .dataOfUnmanagedAccount,
    .keychainDefaultGroup, .managedAppProvides, .managedAppNothingSet, .managedAppReports,
    .managedAppNoSuchIdentifier, .managedAppSecretUnusable, .managedAppServerUnreachable,
    .copiedToPasteboard, .universalClipboard, .toAnotherDevice, .fromAnotherDevice,
    .systemCallsExtension,
  ]

  private static let blocking: [Rule] = [
    .managedPasteboard, .accountNotSignedIn, .notMultiIdentity, .accountBlocked,
    .identitySwitchRefused, .accountBeingWiped, .threadOfOtherAccount, .registrationUnderWay,
    .enrollmentFromExtension, .enrollmentNeedsAccount, .accountNotEnrolled, .appWithoutSDK,
    .remediationUnderWay, .remediationLoop, .tokenServiceUnreachable, .tokenAccountDisabled,
    .grantControlMissing, .conditionalAccessBlocks, .protectionRequired, .protectionNotDeclared,
    .fileOfOtherIdentity, .fileOwnerNotSignedIn, .fileOutsideContainer, .appGroupNotEntitled,
    .ownerNotSignedIn, .managedAppNotManaged, .managedAppOtherSignature,
    .managedAppManagementRefused, .pasteboardEmpty, .localOnlyPasteboard, .handoffOff,
    .nothingReceived, .noSuchDevice, .malformedURL, .noSuchDestination, .appNotAllowed,
    .nothingToImport, .noSuchRepresentation, .extensionNotOffered, .extensionOfAnotherPoint,
    .extensionOfAnotherApp, .keyboardWithoutFullAccess, .tagSealBroken, .tagOfAnotherDevice,
    .pinChangeNeedsSignIn,
  ]

  @Test func `rules of accounts, tokens, files and requests allow or block as documented`() {
    for rule in Self.allowing { #expect(rule.row.consequence == .allows, "\(rule)") }
    for rule in Self.blocking { #expect(rule.row.consequence == .blocks, "\(rule)") }
  }
}
