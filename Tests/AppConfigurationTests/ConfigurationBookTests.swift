import AppConfiguration
import GraphDocuments
import JSON
import Model
import Testing

/// Which configuration reaches whom.
struct ConfigurationBookTests {
  private static func assignment(
    _ document: AppConfigurationDocument, to account: Account = Fixtures.anna,
    apps: [String]? = nil
  ) -> AppConfigurationAssignment {
    AppConfigurationAssignment(document: document, account: account, apps: apps)
  }

  private static let mail = ConfiguredApp(bundleID: "com.contoso.mail")

  @Test func targetedComeFirstThenWhatMDMSaysThenTheDefault() {
    let book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "default"], isDefault: true)),
      Self.assignment(Fixtures.service(["a": "1"])),
      Self.assignment(Fixtures.service(["a": "2"])),
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

  @Test func othersGetNothing() {
    let book = ConfigurationBook([Self.assignment(Fixtures.service(["a": "1"]))])
    #expect(book.delivered(to: Fixtures.ben, in: Self.mail).isEmpty)
    #expect(
      book.delivered(to: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.notes")).isEmpty)
    #expect(
      book.delivered(
        to: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.mail", isServed: false)
      ).isEmpty)
    #expect(!book.delivered(to: Fixtures.anna, in: Self.mail).isEmpty)
  }

  @Test func appsOfTheAssignmentWinOverThoseOfTheDocument() {
    let book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "1"]), apps: ["com.contoso.Notes"])
    ])
    #expect(book.delivered(to: Fixtures.anna, in: Self.mail).isEmpty)
    #expect(
      book.delivered(to: Fixtures.anna, in: ConfiguredApp(bundleID: "com.contoso.notes")).keys
        == ["a"])
  }

  @Test func anotherAssignmentTakesThePlaceOfAllBefore() {
    var book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "1"])),
      Self.assignment(Fixtures.service(["a": "2"]), to: Fixtures.ben),
    ])
    book.assign([Fixtures.service(["b": "3"])], to: Fixtures.anna)
    #expect(book.delivered(to: Fixtures.anna, in: Self.mail).keys == ["b"])
    #expect(book.delivered(to: Fixtures.ben, in: Self.mail).keys == ["a"])
    book.assign([AppConfigurationDocument](), to: Fixtures.anna)
    #expect(book.delivered(to: Fixtures.anna, in: Self.mail).isEmpty)
  }

  @Test func tokensAreForManagedDevicesOnly() {
    let book = ConfigurationBook([
      Self.assignment(Fixtures.service(["a": "{{mail}}"])),
      Self.assignment(Fixtures.device(["a": .text("{{mail}}")])),
    ])
    #expect(book.managed(bundleID: "com.contoso.mail") == ["a": .text("anna@contoso.com")])
    #expect(
      book.delivered(to: Fixtures.anna, in: Self.mail)
        == DeliveredConfiguration([["a": .text("{{mail}}")]]))
  }

  @Test func documentsForDevicesThatAgreeAreOneAndThoseThatDoNotAreNone() {
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

  @Test func tokensThatNobodyTellsAreWarnedAbout() {
    let document = Fixtures.device(["a": .text("{{deviceid}} {{userid}} {{mail}}")])
    let book = ConfigurationBook([Self.assignment(document, to: Fixtures.ben)])
    #expect(book.warnings(for: []).map(\.code) == [.unresolvedToken, .unresolvedToken])
    let told = ConfigurationBook([Self.assignment(document)], told: [.deviceid: "d"])
    #expect(told.warnings(for: []).isEmpty)
  }

  @Test func anAccountKeepsItsConfigurationUnderAnotherName() {
    var book = ConfigurationBook([Self.assignment(Fixtures.device(["a": .text("{{mail}}")]))])
    let renamed = Account(
      upn: "anna.smith@contoso.com", objectID: Fixtures.anna.objectID, tenantID: "contoso.com")
    book.rename(Fixtures.anna, to: renamed)
    #expect(
      book.managed(bundleID: "com.contoso.mail") == ["a": .text("anna.smith@contoso.com")])
  }
}
