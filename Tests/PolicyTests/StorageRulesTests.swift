import Model
import Policy
import Testing

/// Tests saving copies in apps whose configuration restricts it under "All apps", too. The exhaustive comparison of
/// storage locations is in ``NaiveStorageTests``.
struct StorageRulesTests {
  typealias F = Fixtures

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var sdkVersion: Version?
    var isRestricted = true
    var send = Settings.Destinations.allApps
    var location = StorageLocation.other
    var account: Account?
    let words: [String]
  }

  static let cases = [
    Case(
      testDescription: "without the key, All apps allows every location", isRestricted: false,
      words: ["sendAllApps(sender)"]),
    Case(
      testDescription: "a location that cannot be selected is blocked",
      words: ["saveServiceNotOffered(sender)", "saveAlwaysRestricted(sender)"]),
    Case(
      testDescription: "a service that is not selected is blocked", location: .box,
      account: F.anna, words: ["saveServiceNotSelected(sender)", "saveAlwaysRestricted(sender)"]),
    Case(
      testDescription: "the account's own selected service is allowed",
      location: .oneDriveForBusiness, account: F.anna,
      words: ["saveToSelectedService(sender)", "saveAlwaysRestricted(sender)"]),
    Case(
      testDescription: "another account's selected service is blocked",
      location: .oneDriveForBusiness, account: F.personal,
      words: ["saveToOtherAccount(sender)", "saveAlwaysRestricted(sender)"]),
    Case(
      testDescription: "SDK 12.6.1 reads the key", sdkVersion: Version(12, 6, 1),
      words: [
        "nilAccountIsCurrent(device)", "saveServiceNotOffered(sender)",
        "saveAlwaysRestricted(sender)",
      ]),
    Case(
      testDescription: "SDK 12.6.0 does not read the key", sdkVersion: Version(12, 6, 0),
      words: ["nilAccountIsCurrent(device)", "sendAllApps(sender)"]),
    Case(
      testDescription: "under Policy managed apps, the policy alone decides", send: .managedApps,
      words: ["saveNotRestricted(sender)"]),
    Case(
      testDescription: "None blocks regardless of the key", send: .none, words: ["sendNone(sender)"]
    ),
  ]

  @Test(arguments: cases)
  func `a configuration key restricts saving even if Send is All apps`(row: Case) {
    let policy = F.policy {
      $0.allowedOutboundDataTransferDestinations = row.send
      $0.allowedDataStorageLocations = [.oneDriveForBusiness]
    }
    var sender = F.party("mail", F.anna, policy)
    sender.app.sdkVersion = row.sdkVersion
    sender.app.alwaysRestrictsSaving = row.isRestricted
    var holder = sender
    holder.identity = row.account.map(Identity.account) ?? .unset
    if row.account?.isSameUser(as: F.anna) != true { holder.policy = nil }
    let request = F.request(
      .saveTo, from: sender, to: holder, content: Content(location: row.location))
    let verdict = evaluate(request)
    #expect(verdict.words == row.words)
    #expect(verdict.deciding.rule != .saveAlwaysRestricted)
  }
}
