import Encodings
import GraphDocuments
import Model
import Testing

@testable import AppConfiguration

/// Tests which accounts and apps each configuration reaches.
struct ConfigurationBookTests {
  private static func assignment(
    _ document: AppConfigurationDocument, to account: Account = Fixtures.anna,
    apps: [String]? = nil
  ) -> AppConfigurationAssignment {
    AppConfigurationAssignment(document: document, account: account, apps: apps)
  }

  private static let mail = ConfiguredApp(bundleID: "com.contoso.mail")

  @Test func `targeted app configurations come first, then those of MDM, then the tenant default`()
  {
    let book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "default"], isDefault: true)),
      Self.assignment(Fixtures.service(["a": "1"])), Self.assignment(Fixtures.service(["a": "2"])),
    ])
    var app = Self.mail
    app.managed = ["a": .integer(3)]
    #expect(
      book.delivered(to: Fixtures.anna, in: app)
        == DeliveredConfiguration([
          ["a": .text("1")], ["a": .text("2")], ["a": .integer(3)],
          ["a": .text("default"), "__IsDefault": .boolean(true)],
        ]))
  }

  @Test func `accounts and apps outside an assignment receive no configuration`() {
    let book = ConfigurationBook([Self.assignment(Fixtures.service(["a": "1"]))])
    #expect(book.delivered(to: Fixtures.ben, in: Self.mail).isEmpty)
    #expect(
      book.delivered(to: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.notes")).isEmpty)
    #expect(
      book.delivered(
        to: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.mail", isServed: false)
      ).isEmpty)
    #expect(
      book.delivered(to: Fixtures.anna, in: Self.mail)
        == DeliveredConfiguration([["a": .text("1")]]))
  }

  @Test func `the app list of a configuration's assignment replaces the list in its document`() {
    let book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "1"]), apps: ["com.contoso.Notes"])
    ])
    #expect(book.delivered(to: Fixtures.anna, in: Self.mail).isEmpty)
    #expect(
      book.delivered(to: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.notes")).keys
        == ["a"])
  }

  @Test func `delivery to an app evaluates only configuration assignments that may target the app`()
  {
    let named = (0..<40).map {
      Self.assignment(Fixtures.service(["a": "\($0)"]), apps: ["com.contoso.App\($0)"])
    }
    var book = ConfigurationBook(named + [Self.assignment(Fixtures.service(["a": "1"]))])
    #expect(book.candidates(for: "com.contoso.APP7") == [7, 40])
    #expect(book.candidates(for: "com.contoso.other") == [40])
    let other = Self.assignment(Fixtures.service(["a": "2"]), apps: ["com.contoso.app7"])
    book.assign([other], to: Fixtures.anna)
    #expect(book.candidates(for: "com.contoso.app7") == [7, 40, 41])
    let app = ConfiguredApp(bundleID: "com.contoso.app7")
    #expect(
      book.delivered(to: Fixtures.anna, in: app) == DeliveredConfiguration([["a": .text("2")]]))
  }

  @Test func `an account's new configurations replace only its own previous configurations`() {
    var book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "1"])),
      Self.assignment(Fixtures.service(["a": "2"]), to: Fixtures.ben),
    ])
    book.assign([Self.assignment(Fixtures.service(["b": "3"]))], to: Fixtures.anna)
    #expect(book.delivered(to: Fixtures.anna, in: Self.mail).keys == ["b"])
    #expect(book.delivered(to: Fixtures.ben, in: Self.mail).keys == ["a"])
    book.assign([], to: Fixtures.anna)
    #expect(book.delivered(to: Fixtures.anna, in: Self.mail).isEmpty)
  }

  @Test func `MDM and the Intune service each replace only configuration tokens that they know`() {
    let text = "{{mail}} {{serialnumber}} {{PrimarySMTPAddress}}"
    let book = ConfigurationBook(
      [
        Self.assignment(Fixtures.service(["a": text])),
        Self.assignment(Fixtures.device(["a": .text(text)])),
      ], tokenValues: [.serialnumber: "F4KN"])
    #expect(
      book.managed(bundleID: "com.contoso.mail")
        == ["a": .text("anna@contoso.com F4KN {{PrimarySMTPAddress}}")])
    #expect(
      book.delivered(to: Fixtures.anna, in: Self.mail)
        == DeliveredConfiguration([
          ["a": .text("anna@contoso.com {{serialnumber}} anna@contoso.com")]
        ]))
    #expect(book.warnings(for: []).isEmpty)
  }

  @Test func `equal device configurations are merged, and conflicting ones are dropped`() {
    let first = Self.assignment(Fixtures.device(["a": .integer(1), "b": .integer(2)]))
    let agreeing = Self.assignment(Fixtures.device(["a": .integer(1), "c": .integer(3)]))
    let other = Self.assignment(Fixtures.device(["a": .integer(9)]))
    let bundleID = "com.contoso.mail"
    #expect(
      ConfigurationBook([first, agreeing]).managed(bundleID: bundleID)
        == ["a": .integer(1), "b": .integer(2), "c": .integer(3)])
    let conflicting = ConfigurationBook([first, agreeing, other])
    #expect(conflicting.managed(bundleID: bundleID).isEmpty)
    #expect(conflicting.warnings(for: [bundleID]).map(\.code) == [.conflictingConfigurations])
    #expect(conflicting.warnings(for: ["com.contoso.notes"]).isEmpty)
  }

  @Test func `a configuration token without a value causes a warning`() {
    let document = Fixtures.device(["a": .text("{{deviceid}} {{userid}} {{mail}}")])
    let book = ConfigurationBook([Self.assignment(document, to: Fixtures.ben)])
    #expect(book.warnings(for: []).map(\.code) == [.unresolvedToken, .unresolvedToken])
    let resolved = ConfigurationBook([Self.assignment(document)], tokenValues: [.deviceid: "d"])
    #expect(resolved.warnings(for: []).isEmpty)
    let served = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "{{username}} {{mail}}"]))
    ])
    #expect(served.warnings(for: []).map(\.code) == [.unresolvedToken])
  }

  @Test func `the tenant's default configuration is not targeted at an account`() {
    let everybody = Self.assignment(Fixtures.service(["a": "default"], isDefault: true))
    let byMDM = Self.assignment(Fixtures.device(["a": .text("1")]))
    #expect(
      ConfigurationBook([everybody, byMDM]).targeted(at: Fixtures.anna, in: Self.mail).isEmpty)
    var book = ConfigurationBook([everybody, Self.assignment(Fixtures.service(["a": "1"]))])
    let first = book.targeted(at: Fixtures.anna, in: Self.mail)
    #expect(first.count == 1)
    #expect(book.targeted(at: Fixtures.ben, in: Self.mail).isEmpty)
    #expect(
      book.targeted(
        at: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.mail", isServed: false)
      ).isEmpty)
    book.assign([Self.assignment(Fixtures.service(["a": "2"]))], to: Fixtures.anna)
    let second = book.targeted(at: Fixtures.anna, in: Self.mail)
    #expect(second.count == 1 && second != first)
  }

  @Test
  func `an allowed-accounts restriction that names no account causes a warning for targeted apps`()
  {
    let bundleID = "com.contoso.mail"
    let restriction = ["IntuneMAMAllowedAccountsOnly": ConfigurationValue.text("enabled")]
    let book = ConfigurationBook([Self.assignment(Fixtures.device(restriction))])
    let warning = book.warnings(for: [bundleID]).first
    #expect(
      warning?.description
        == "d.json:1:1: warning: `IntuneMAMAllowedAccountsOnly` has no effect without `IntuneMAMUPN` or `IntuneMAMOID`, which name the account, so any account may sign in to `com.contoso.mail` [ineffectiveKey]"
    )
    #expect(book.warnings(for: ["com.contoso.notes"]).isEmpty)
    #expect(book.warnings(for: [bundleID], beside: [bundleID: ["IntuneMAMOID"]]).isEmpty)
    let user = Fixtures.device(["IntuneMAMUPN": .text("{{userprincipalname}}")])
    let complete = ConfigurationBook([
      Self.assignment(Fixtures.device(restriction)), Self.assignment(user),
    ])
    #expect(complete.warnings(for: [bundleID]).isEmpty)
  }

  /// Source: Microsoft Learn. A value restricts no account unless it matches `Enabled`, ignoring
  /// case.
  @Test(
    arguments: [
      ("IntuneMAMAllowedAccountsOnly", ConfigurationValue.text("ENABLED"), nil),
      ("IntuneMAMAllowedAccountsOnly", .text("Disabled"), nil),
      (
        "IntuneMAMAllowedAccountsOnly", .text(" Enabled"),
        "is surrounded by white space, and is not `Enabled`, so any account may sign in"
      ),
      (
        "IntuneMAMAllowedAccountsOnly", .text("true"),
        "is not `Enabled` or `Disabled`, so any account may sign in"
      ),
      (
        "IntuneMAMAllowedAccountsOnly", .boolean(true),
        "is a boolean, not `Enabled` or `Disabled`, so any account may sign in"
      ),
      (
        "IntuneMAMAllowedAccountsOnly", .text(""),
        "is not `Enabled` or `Disabled`, so any account may sign in"
      ),
      ("IntuneMAMUPN", .text("anna@contoso.com"), nil),
      (
        "IntuneMAMUPN", .text("anna@contoso.com "),
        "is surrounded by white space, so it names no account that can sign in"
      ),
      (
        "IntuneMAMOID", .integer(7),
        "is an integer, not a string, so it names no account that can sign in"
      ),
      ("com.microsoft.intune.mam.screencapturecontrol", .text("disabled"), nil),
      (
        "com.microsoft.intune.intunemamonly.alwaysApplySaveCopiesOfOrgDataPolicy", .text("TRUE"),
        nil
      ),
      (
        "com.microsoft.intune.intunemamonly.alwaysApplySaveCopiesOfOrgDataPolicy", .text("1"),
        "is not `true` or `false`, so the policy alone decides about saving copies"
      ),
      (
        "com.microsoft.intune.mam.screencapturecontrol", .boolean(false),
        "is a boolean, not `Enabled` or `Disabled`, so the policy alone decides about screen capture"
      ),
    ] as [(String, ConfigurationValue, String?)])
  func `the report of an invalid SDK key value does not contain the value`(
    name: String, value: ConfigurationValue, mistake: String?
  ) throws {
    let key = try #require(SDKKey(rawValue: name))
    #expect(key.mistake(in: value) == mistake.map { "the value of `\(name)` \($0)" })
  }

  @Test func `a configuration key that differs from an SDK key only in case is recognised`() {
    #expect(SDKKey(miswritten: "intunemamupn") == .enrolledUPN)
    #expect(SDKKey(miswritten: "IntuneMAMUPN") == nil)
    #expect(SDKKey(miswritten: "IntuneMAMUPNs") == nil)
  }

  @Test func `a renamed account keeps its configuration`() {
    var book = ConfigurationBook([Self.assignment(Fixtures.device(["a": .text("{{mail}}")]))])
    let renamed = Account(
      upn: "anna.smith@contoso.com", objectID: Fixtures.anna.objectID, tenantID: "contoso.com")
    book.rename(Fixtures.anna, to: renamed)
    #expect(book.managed(bundleID: "com.contoso.mail") == ["a": .text("anna.smith@contoso.com")])
  }

  @Test func `Intune adds the user's current UPN to the configurations of Office apps`() {
    let documents = ["IntuneMAMUPN": ConfigurationValue.text("ben@contoso.com"), "a": .integer(1)]
    var book = ConfigurationBook(
      [
        Self.assignment(
          Fixtures.device(documents), apps: ["com.contoso.mail", "com.microsoft.Office.Word"])
      ],
      intuneUser: Account(upn: "anna@contoso.com", objectID: "0f8fad5b"))
    #expect(book.managed(bundleID: "com.contoso.mail") == documents)
    book.rename(
      Account(upn: "anna@contoso.com", objectID: "0F8FAD5B"),
      to: Account(upn: "anna.smith@contoso.com", objectID: "0f8fad5b"))
    #expect(
      book.managed(bundleID: "com.microsoft.Office.Word") == [
        "IntuneMAMUPN": .text("anna.smith@contoso.com"), "IntuneMAMOID": .text("0f8fad5b"),
        "a": .integer(1),
      ])
    book.intuneUser = Fixtures.ben
    #expect(book.managed(bundleID: "com.microsoft.office.outlook").keys.contains("IntuneMAMUPN"))
  }
}
