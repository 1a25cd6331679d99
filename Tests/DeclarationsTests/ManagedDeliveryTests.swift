import Bundle
import Declarations
import Foundation
import Predicates
import TestSupport
import Testing

/// Tests the delivery of a set of declarations to programs.
struct ManagedDeliveryTests {
  static let mail = ComposedIdentifier(bundle: "com.contoso.mail", team: "CONTOSO123")
  static let share = ComposedIdentifier(bundle: "com.contoso.mail.share", team: "CONTOSO123")
  static let keys = ComposedIdentifier(bundle: "com.contoso.mail.keys", team: "CONTOSO123")

  static let declarations = [
    Folder.activation("on", "app", "profile", predicate: "@property(stage) == \\\"live\\\""),
    Folder.declaration("management.properties", "props", #"{"stage": "live"}"#),
    Folder.app(
      "app", "com.contoso.mail",
      """
      "AppConfig": {"DataAssetReference": "data",
        "Passwords": [{"Identifier": "b", "AssetReference": "p"},
                      {"Identifier": "a", "AssetReference": "p"}],
        "Identities": [{"Identifier": "i", "AssetReference": "scep"}],
        "Certificates": [{"Identifier": "c", "AssetReference": "cert"}]},
      "ExtensionConfigs": {
        "com.contoso.mail.share (CONTOSO123)": {"DataAssetReference": "data"},
        "com.contoso.mail.keys (CONTOSO123)": {"DataAssetReference": "data"}},
      "LegacyAppConfigAssetReference": "data"
      """),
    Folder.declaration("configuration.legacy", "profile", #"{"ProfileURL": "p.mobileconfig"}"#),
    Folder.asset("data", "data", "data.plist"),
    Folder.asset("credential.userpassword", "p", "p.json"),
    Folder.asset("credential.scep", "scep", "s.json"),
    Folder.asset("credential.certificate", "cert", "c.pem"),
    Folder.asset("data", "unused", "data.plist"),
  ]

  static let files = [
    "data.plist": Folder.list, "p.json": #"{"UserName": "u", "Password": "pw"}"#,
    "s.json": #"{"URL": "https://ca.contoso.com"}"#, "c.pem": AssetTests.pem,
    "p.mobileconfig": Folder.list(
      "<key>PayloadType</key><string>com.apple.applicationaccess</string>"
        + "<key>allowOpenFromManagedToUnmanaged</key><false/>"),
  ]

  static func set(
    _ declarations: [String] = declarations, _ files: [String: String] = files
  ) -> DeclarationSet {
    let all = "[" + declarations.joined(separator: ",") + "]"
    return DeclarationSet(Folder.folder(files.merging(["all.json": all]) { _, own in own }))
  }

  static let programs = [
    Folder.app(), InstalledProgram(share, .appExtension(app: "com.contoso.mail")),
    InstalledProgram(keys, .keyboard(app: "com.contoso.mail", .full)),
    Folder.app("com.contoso.notes"),
  ]

  static func delivery(
    _ set: DeclarationSet = set(), _ programs: [InstalledProgram] = programs
  ) -> ManagedDelivery {
    ManagedDelivery(set, items: StatusItems(), programs: programs)
  }

  static func state(_ identifier: String, _ delivery: ManagedDelivery) -> DeclarationState? {
    delivery.states.first { $0.identifier == identifier }
  }

  @Test
  func `each app receives its declared configuration, passwords, identities and certificates`()
    throws
  {
    let set = Self.set()
    #expect(set.problems.isEmpty)
    let delivery = Self.delivery(set)
    #expect(delivery.problems.isEmpty)
    #expect(delivery.contents.keys.sorted() == [Self.mail, Self.keys, Self.share])
    let mail = try #require(delivery[Self.mail])
    #expect(mail.configuration == Redacted(Array(Folder.list.utf8)))
    #expect(mail.legacyConfiguration == mail.configuration)
    #expect(mail.passwords.map(\.identifier) == ["b", "a"])
    #expect(mail.passwords.map(\.value.password) == [Redacted("pw"), Redacted("pw")])
    #expect(mail.identities.map(\.identifier) == ["i"])
    #expect(mail.certificates.map(\.value) == [[0x30, 3, 2, 1, 1]])
    let share = try #require(delivery[Self.share])
    #expect(share.configuration != nil && share.legacyConfiguration == nil)
    #expect(share.passwords.isEmpty)
    #expect(delivery.restrictions.allowOpenFromManagedToUnmanaged == false)
    #expect(delivery.properties == ["stage": .string("live")])
    #expect(delivery.apps.map(\.state) == [.managed])
  }

  @Test func `the delivery does not depend on the order of declarations and files`() {
    let expected = Self.delivery()
    var random = SeededGenerator(seed: 3)
    for round in 0..<40 {
      var files = Self.files
      for (index, declaration) in Self.declarations.shuffled(using: &random).enumerated() {
        let name = "\(Int.random(in: 0...9, using: &random))-\(index).json"
        files[name] = round.isMultiple(of: 2) ? declaration : "[\(declaration)]"
      }
      let delivery = Self.delivery(
        DeclarationSet(Folder.folder(files)), Self.programs.shuffled(using: &random))
      #expect(delivery.contents == expected.contents)
      #expect(delivery.states == expected.states)
      #expect(delivery.apps == expected.apps)
      #expect(delivery.restrictions == expected.restrictions)
      #expect(delivery.properties == expected.properties)
      #expect(delivery.changes(from: expected).isEmpty)
    }
  }

  static let others: [(InstalledProgram, String)] = [
    (
      InstalledProgram(
        ComposedIdentifier(bundle: share.bundle, team: "EVIL000000"),
        .appExtension(app: "com.contoso.mail")), "the extension is signed by another team"
    ),
    (
      InstalledProgram(share, .appExtension(app: "com.contoso.notes")),
      "the extension belongs to another app"
    ),
    (
      InstalledProgram(share, .appExtension(app: "com.contoso.mail"), management: .refused),
      "the extension is not managed"
    ),
    (
      InstalledProgram(share, .keyboard(app: "com.contoso.mail", .limited)),
      "the keyboard has no full access"
    ),
    (InstalledProgram(share, .app), "no such extension is installed"),
  ]

  @Test(arguments: others)
  func `values of a managed app reach no other app`(program: InstalledProgram, reason: String) {
    let delivery = Self.delivery(Self.set(), [Folder.app(), program])
    #expect(delivery.contents.keys.sorted() == [Self.mail])
    #expect(
      delivery.problems.map(\.message).contains("`ExtensionConfigs.\(Self.share)`: \(reason)"))
  }

  @Test func `an unmanaged copy of an app and its extensions receive no declared configuration`() {
    let delivery = Self.delivery(
      Self.set(),
      [
        Folder.app("com.contoso.mail", management: .refused),
        InstalledProgram(Self.share, .appExtension(app: "com.contoso.mail")),
      ])
    #expect(delivery.contents.isEmpty)
    #expect(delivery.apps.map(\.state) == [.failed])
  }

  @Test func `a declared configuration is active even if its app is not installed`() {
    let delivery = Self.delivery(Self.set(), [])
    #expect(delivery.contents.isEmpty)
    #expect(delivery.apps.map(\.state) == [.notPresent])
    #expect(Self.state("app", delivery)?.isActive == true)
  }

  @Test func `apps can be named by store identifier and manifest`() {
    for (key, value) in [("AppStoreID", "7"), ("ManifestURL", "https://m")] {
      let payload = """
        {"\(key)": "\(value)", "InstallBehavior": {"License": {"Assignment": "Device"}},
         "AppConfig": {"DataAssetReference": "data"}}
        """
      let set = Self.set([
        Folder.activation("on", "x"), Folder.asset("data", "data", "data.plist"),
        Folder.declaration("configuration.app.managed", "x", payload),
      ])
      let program = InstalledProgram(
        Self.mail, .app, appStoreIdentifier: "7", manifestURL: "https://m")
      #expect(Self.delivery(set, [program]).contents.keys.sorted() == [Self.mail])
      #expect(Self.delivery(set, [Folder.app()]).contents.isEmpty)
    }
  }

  @Test func `of two configurations for the same app, the first by identifier applies`() {
    let second = Folder.app("zz", "com.contoso.mail", #""AppConfig": {}"#)
    let delivery = Self.delivery(
      Self.set(Self.declarations + [second, Folder.activation("zz-on", "zz")]))
    #expect(delivery[Self.mail]?.declaration == "app")
    #expect(Self.state("zz", delivery)?.validity == .invalid)
    #expect(Self.state("zz", delivery)?.reasons.map(\.code) == [.duplicateConfiguredApp])
    #expect(
      delivery.problems.map(\.message) == ["the app is already managed by the configuration `app`"])
  }

  /// Each row has the replacing declaration, the declaration that becomes invalid, its code, and
  /// the message.
  static let broken: [(String, String, String, StatusReason.Code, String)] = [
    (
      "on", Folder.activation("on", "app", "profil"), "on", .missingConfigurations,
      "`StandardConfigurations[1]` names `profil`, which does not exist; did you mean `profile`?"
    ),
    (
      "on", Folder.activation("on", "app", "data"), "on", .missingConfigurations,
      "`StandardConfigurations[1]` names `data`, which is an asset, not a configuration"
    ),
    (
      "on", Folder.activation("on", "app", "on"), "on", .missingConfigurations,
      "`StandardConfigurations[1]` names `on`, which creates a cycle: `on` → `on`"
    ),
    (
      "app", Folder.app("app", mail.bundle, #""AppConfig": {"DataAssetReference": "x"}"#),
      "app", .missingAssets, "`AppConfig.DataAssetReference` names `x`, which does not exist"
    ),
    (
      "app", Folder.app("app", mail.bundle, #""AppConfig": {"DataAssetReference": "p"}"#),
      "app", .configurationIsInvalid,
      "`AppConfig.DataAssetReference` names `p`, which is of the type "
        + "`com.apple.asset.credential.userpassword`, not `com.apple.asset.data`"
    ),
    (
      "app",
      Folder.app(
        "app", "com.contoso.mail",
        #""AppConfig": {"Identities": [{"Identifier": "i", "AssetReference": "cert"}]}"#),
      "app", .configurationIsInvalid,
      "`AppConfig.Identities[0].AssetReference` names `cert`, which is of the type "
        + "`com.apple.asset.credential.certificate`, not `com.apple.asset.credential.identity` or "
        + "`com.apple.asset.credential.scep` or `com.apple.asset.credential.acme`"
    ),
    (
      "data", Folder.asset("data", "data", "none.plist"), "app", .configurationCannotBeApplied,
      "the asset `data`: the folder has no file `none.plist`"
    ),
    (
      "data", Folder.asset("data", "data", "p.json"), "app", .configurationIsInvalid,
      "the asset `data` is not an app configuration: it is not a property list with a dictionary "
        + "at the top"
    ),
    (
      "data", Folder.asset("data", "data", "data.plist", #""ContentType": "text/html""#), "app",
      .configurationIsInvalid,
      "the asset `data` is not an app configuration: its `ContentType` is `text/html`, expected one of "
        + "`application/plist`, `application/x-plist`, `application/xml`, `text/xml`"
    ),
    (
      "profile",
      Folder.declaration("configuration.legacy", "profile", #"{"ProfileURL": "data.plist"}"#),
      "profile", .configurationCannotBeApplied,
      "the profile cannot be used: data.plist: not a configuration profile: `PayloadType` is "
        + "missing at the top"
    ),
  ]

  @Test(arguments: broken)
  func `invalid declarations are reported, and valid declarations apply`(
    identifier: String, replacement: String, invalid: String, code: StatusReason.Code,
    message: String
  ) {
    let marker = #""Identifier": "\#(identifier)""#
    let kept = Self.declarations.filter { !$0.contains(#"\#(marker), "ServerToken""#) }
    let other = [
      Folder.activation("other-on", "other"),
      Folder.app("other", "com.contoso.notes", #""AppConfig": {}"#),
    ]
    let set = Self.set(kept + [replacement] + other)
    #expect(set.problems.map(\.message).contains(message), "\(set.problems)")
    let delivery = Self.delivery(set)
    let state = Self.state(invalid, delivery)
    #expect(state?.validity == .invalid && state?.isActive == false)
    #expect(state?.reasons.map(\.code).contains(code) == true)
    #expect(Self.state("other", delivery)?.isActive == true)
    #expect(delivery[ComposedIdentifier(bundle: "com.contoso.notes", team: "CONTOSO123")] != nil)
    if invalid == "app" { #expect(delivery[Self.mail] == nil) }
  }

  @Test func `reference cycles are reported with their path`() {
    let set = Self.set(
      [
        Folder.activation("a", "b"), Folder.activation("b", "c"), Folder.activation("c", "a"),
        Folder.app("d", "com.contoso.mail", #""AppConfig": {"DataAssetReference": "e"}"#),
        Folder.app("e", "com.contoso.notes", #""AppConfig": {"DataAssetReference": "d"}"#),
      ], [:])
    #expect(
      set.problems.map { $0.message.split(separator: ": ").last } == [
        "`a` → `b` → `c` → `a`", "`b` → `c` → `a` → `b`", "`c` → `a` → `b` → `c`",
        "`d` → `e` → `d`", "`e` → `d` → `e`",
      ])
    #expect(Self.delivery(set).states.allSatisfy { $0.validity == .invalid })
  }

  @Test func `the error for a configuration over one megabyte names its asset`() {
    let filler = String(repeating: "x", count: 1_000_000)
    let set = Self.set(
      Self.declarations,
      Self.files.merging(["data.plist": Folder.list("<key>a</key><string>\(filler)</string>")]) {
        _, own in own
      })
    #expect(
      set.problems.allSatisfy {
        $0.message.hasPrefix("the asset `data` is not an app configuration: it has 1000")
      })
    #expect(!set.problems.isEmpty)
    #expect(Self.delivery(set)[Self.mail] == nil)
  }

  @Test func `while a predicate is false, its activation delivers nothing`() {
    let set = Self.set(Self.declarations.filter { !$0.contains("management.properties") })
    let delivery = Self.delivery(set)
    #expect(delivery.contents.isEmpty)
    #expect(delivery.restrictions == Restrictions())
    let activation = Self.state("on", delivery)
    #expect(activation?.isActive == false && activation?.validity == .valid)
    #expect(activation?.reasons.map(\.code) == [.predicate])
    let app = Self.state("app", delivery)
    #expect(app?.isActive == false && app?.validity == .unknown)
    #expect(app?.reasons.map(\.code) == [.activationFailed])
    #expect(Self.state("data", delivery)?.isActive == false)
  }

  @Test func `a configuration is active if one of its activations is active`() {
    let delivery = Self.delivery(
      Self.set(Self.declarations + [Folder.activation("off", "app", predicate: "FALSEPREDICATE")]))
    #expect(delivery[Self.mail] != nil)
    #expect(Self.state("app", delivery)?.reasons.isEmpty == true)
  }

  @Test func `an activation whose predicate cannot be evaluated is reported`() {
    let set = Self.set([Folder.activation("on", predicate: "1 < \\\"x\\\"")])
    let delivery = Self.delivery(set)
    #expect(
      delivery.problems.map(\.message) == [
        "in `Predicate`: a number and a string cannot be ordered"
      ])
    #expect(Self.state("on", delivery)?.reasons.map(\.code) == [.unableToEvaluatePredicate])
  }

  @Test func `unreferenced configurations and assets are reported`() {
    let set = Self.set(Self.declarations.filter { !$0.contains("activation.simple") })
    let delivery = Self.delivery(set)
    #expect(Self.state("app", delivery)?.reasons.map(\.code) == [.notReferencedByActivation])
    #expect(Self.state("unused", delivery)?.reasons.map(\.code) == [.notReferencedByConfiguration])
    #expect(Self.state("data", delivery)?.reasons.isEmpty == true)
  }

  @Test func `if two declarations set a property, the alphabetically first identifier applies`() {
    let set = Self.set([
      Folder.declaration("management.properties", "b", #"{"x": 2, "y": 1}"#),
      Folder.declaration("management.properties", "a", #"{"x": 1}"#),
    ])
    let delivery = Self.delivery(set)
    #expect(delivery.properties == ["x": .integer(1), "y": .integer(1)])
    #expect(
      delivery.problems.map(\.message) == [
        "another declaration sets the property `x` to another value, which applies"
      ])
  }

  @Test func `a management test configuration reports its echo key and its data asset's text`() {
    let echo = { (status: String) in
      Folder.declaration(
        "configuration.management.test", "t",
        #"{"Echo": "e", "EchoDataAssetReference": "x", "ReturnStatus": "\#(status)"}"#)
    }
    for (status, isActive) in [("Installed", true), ("Failed", false)] {
      let set = Self.set(
        [Folder.activation("on", "t"), Folder.asset("data", "x", "x.txt"), echo(status)],
        ["x.txt": "from afar"])
      let state = Self.state("t", Self.delivery(set))
      #expect(state?.isActive == isActive)
      #expect(state?.reasons == [StatusReason(.test, "from afar", ["Echo": .string("e")])])
    }
  }
}
