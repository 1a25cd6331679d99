import Declarations
import Predicates
import Testing

/// Tests the keys of payloads, according to Apple's schema.
struct PayloadTests {
  static let valid: [(String, String)] = [
    ("activation.simple", #"{"StandardConfigurations": []}"#),
    ("configuration.management.test", #"{"Echo": "a", "ReturnStatus": "Unlocked"}"#),
    (
      "configuration.management.status-subscriptions",
      #"{"StatusItems": [{"Name": "device.model.family"}]}"#
    ),
    ("management.properties", #"{"age": 7, "roles": ["a", null], "x": {"y": 1.5}}"#),
    (
      "management.organization-info",
      #"{"Name": "C", "Email": "a@b", "URL": "c", "Proof": {"IdentityToken": "t"}}"#
    ),
    (
      "management.server-capabilities",
      #"{"Version": "1.0.0", "SupportedFeatures": {"com.contoso.x": 1}}"#
    ),
    (
      "configuration.app.managed",
      """
      {"AppStoreID": "361309726", "InstallBehavior": {"Install": "Optional", "License":
      {"Assignment": "User"}, "Version": 7, "AllowDownloadsOverCellular": "AlwaysOff"},
      "UpdateBehavior": {"AutomaticAppUpdates": "StoreSettings"}, "IncludeInBackup": false,
      "Attributes": {"AssociatedDomains": ["a.com"], "Lockable": true, "VPNUUID": "u"},
      "AppConfig": {}, "ExtensionConfigs": {}}
      """
    ),
    ("configuration.app.managed", #"{"ManifestURL": "https://contoso.com/m.plist"}"#),
  ]

  @Test(arguments: valid)
  func `Apple's published payloads are valid`(type: String, payload: String) {
    let set = Folder.set(Folder.declaration(type, "a", payload))
    #expect(set.problems.isEmpty)
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [])
    #expect(delivery.states.allSatisfy { $0.validity != .invalid })
  }

  static let wrong: [(String, String, [String])] = [
    ("activation.simple", "{}", ["`StandardConfigurations` is missing"]),
    (
      "activation.simple", #"{"StandardConfigurations": "a"}"#,
      ["`StandardConfigurations` must be an array, found a string"]
    ),
    (
      "activation.simple", #"{"StandardConfigurations": [1], "Predicate": true}"#,
      [
        "`StandardConfigurations[0]` must be the identifier of a declaration, found a number",
        "`Predicate` must be a string, found a boolean",
      ]
    ),
    ("configuration.legacy", "{}", ["`ProfileURL` is missing"]),
    (
      "configuration.management.test", #"{"Echo": "a", "ReturnStatus": "installed"}"#,
      [
        "`ReturnStatus` must be `Installed`, `Failed` or `Unlocked`; did you mean `Installed`?"
      ]
    ),
    ("management.organization-info", #"{"Name": null}"#, ["`Name` must be a string, found null"]),
    ("management.organization-info", #"{"Name": "a", "Name": "b"}"#, ["`Name` appears twice"]),
    ("asset.data", #"{"Reference": {}}"#, ["`Reference.DataURL` is missing"]),
    (
      "asset.data", #"{"Reference": {"DataURL": "a", "Size": -1}}"#,
      ["`Reference.Size` must be at least 0"]
    ),
    (
      "asset.data",
      #"{"Reference": {"DataURL": "a"}, "Authentication": {"Type": "Basic"}}"#,
      ["`Authentication.Type` must be `MDM` or `None`"]
    ),
    (
      "configuration.app.managed", "{}",
      [
        "exactly one of `AppStoreID`, `BundleID` and `ManifestURL` must be present, found none"
      ]
    ),
    (
      "configuration.app.managed", #"{"BundleID": "a", "ManifestURL": "b"}"#,
      [
        "exactly one of `AppStoreID`, `BundleID` and `ManifestURL` must be present, found "
          + "`BundleID` and `ManifestURL`"
      ]
    ),
    (
      "configuration.app.managed",
      #"{"ManifestURL": "b", "AppComposedIdentifier": "a (b)"}"#,
      ["`AppComposedIdentifier` is for macOS only"]
    ),
    (
      "configuration.app.managed",
      #"{"ManifestURL": "b", "ExtensionConfigs": {"com.contoso.mail.share": {}}}"#,
      [
        "`com.contoso.mail.share` must be a bundle id, a space and the team in brackets: "
          + "`com.contoso.mail.share (ABCDE12345)`"
      ]
    ),
    (
      "configuration.app.managed",
      #"{"ManifestURL": "b", "AppConfig": {"Passwords": [{"Identifier": "x"}]}}"#,
      ["`AppConfig.Passwords[0].AssetReference` is missing"]
    ),
    (
      "configuration.app.managed",
      """
      {"ManifestURL": "b", "AppConfig": {"Certificates": [{"Identifier": "x", \
      "AssetReference": "p"}, {"Identifier": "x", "AssetReference": "p"}]}}
      """,
      ["`AppConfig.Certificates` has the `Identifier` `x` twice"]
    ),
  ]

  @Test(arguments: wrong)
  func `errors of a payload are reported and invalidate its declaration`(
    type: String, payload: String, messages: [String]
  ) {
    let set = Folder.set(Folder.declaration(type, "a", payload))
    #expect(set.problems.filter { $0.severity == .error }.map(\.message) == messages)
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [])
    #expect(delivery.states.first?.validity == .invalid)
    #expect(delivery.states.first?.reasons.first?.code == .invalidPayload)
  }

  @Test func `a misplaced key is reported with the object that it belongs in`() {
    let set = Folder.set(
      Folder.declaration(
        "configuration.app.settings", "a", #"{"AllowedApps": ["com.contoso.mail"]}"#))
    #expect(set.problems.map(\.message) == ["unknown key `AllowedApps`; it belongs in `Allowed`"])
  }

  @Test(arguments: [
    (#""AppConfig": {"#, "AppConfig", "app"),
    (
      #""ExtensionConfigs": {"com.contoso.mail.share (CONTOSO123)": {"#,
      "ExtensionConfigs.com.contoso.mail.share (CONTOSO123)", "extension"
    ),
  ])
  func `the error about a misplaced AppConfigDictionary key states where its keys belong`(
    start: String, path: String, recipient: String
  ) {
    let end = start.hasSuffix("{\"") ? "" : String(repeating: "}", count: start.count { $0 == "{" })
    let set = Folder.set(
      Folder.activation("act", "a"),
      Folder.app(
        "a", "com.contoso.mail",
        start + #""AppConfigDictionary": {"DataAssetReference": "x"}"# + end),
      Folder.asset("data", "x", "x.plist"), files: ["x.plist": Folder.list])
    #expect(
      set.problems.map(\.message) == [
        "unknown key `\(path).AppConfigDictionary`; move its keys to `\(path)`, because the "
          + "\(recipient) does not receive them there"
      ])
    #expect(set.problems.map(\.severity) == [.error])
    // As on a device, the declaration is valid, and lists its unknown keys.
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [Folder.app()])
    let state = delivery.states.first { $0.identifier == "a" }
    #expect(state?.isActive == true && state?.reasons.first?.code == .unknownPayloadKeys)
    #expect(delivery.contents.values.allSatisfy { $0.configuration == nil })
  }

  @Test func `an unknown key of a payload causes a warning and keeps the declaration valid`() {
    let set = Folder.set(
      Folder.activation("on", "a"),
      Folder.app("a", "com.contoso.mail", #""AppConfig": {"Paswords": []}, "Colour": 1"#))
    #expect(
      set.problems.map(\.description) == [
        "d/all.json:2:204: warning: unknown key `AppConfig.Paswords`; did you mean `Passwords`? "
          + "[declarations]",
        "d/all.json:2:221: warning: unknown key `Colour` [declarations]",
      ])
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [Folder.app()])
    let state = delivery.states.first { $0.identifier == "a" }
    #expect(state?.isActive == true && state?.validity == .valid)
    #expect(
      state?.reasons == [
        StatusReason(
          .unknownPayloadKeys, "the payload has unknown keys",
          ["UnknownPayloadKeys": .array([.string("AppConfig.Paswords"), .string("Colour")])])
      ])
  }

  @Test func `a misspelt status item causes a warning`() {
    let set = Folder.set(
      Folder.declaration(
        "configuration.management.status-subscriptions", "a",
        #"{"StatusItems": [{"Name": "device.model.famly"}]}"#),
      Folder.activation("b", predicate: "@status(device.modell.family) == \\\"x\\\""))
    #expect(
      set.problems.map(\.message) == [
        "unknown status item `device.model.famly`; did you mean `device.model.family`?",
        "unknown status item `device.modell.family`; did you mean `device.model.family`?",
      ])
  }

  @Test func `an invalid predicate is reported at its position in the file`() {
    // An escape is one character of the predicate, but two or six characters of the file.
    let text = Folder.activation("b", predicate: #"\"a\" == \u0022a\u0022 AND @status(x"#)
    let set = Folder.set(text)
    // The position is after the array's bracket and the predicate's last character.
    let rest = text.drop { $0 != "@" }.count
    let column = 1 + text.count - rest + "@status(x".count + 1
    #expect(
      set.problems.map(\.description) == [
        "d/all.json:1:\(column): error: in `Predicate`: expected `)` after the name in `@status(` "
          + "[declarations]"
      ])
    let state = ManagedDelivery(set, items: StatusItems(), programs: []).states.first
    #expect(state?.reasons.first?.code == .unableToParsePredicate)
    #expect(state?.reasons.first?.details["Predicate"] == .string(#""a" == "a" AND @status(x"#))
  }
}
