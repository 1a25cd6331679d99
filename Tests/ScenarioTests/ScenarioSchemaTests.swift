import JSON
import Testing
import Transfer

@testable import Scenario

/// `docs/schema/scenario.schema.json` and the reader know the same keys and words.
@Suite struct ScenarioSchemaTests {
  private static func schema() throws -> JSONValue {
    try JSONReader.read(Repository.read("docs/schema/scenario.schema.json"))
  }

  /// Each mapping's definition in the schema, and the keys that the reader takes there; the root has no name.
  private static let mappings = commonMappings.merging(laterMappings) { first, _ in first }

  private static let commonMappings: [String: [String]] = [
    "": keys(Scenario.Key.self), "device": keys(DeviceSpecification.Key.self),
    "directory": DirectoryEntry.keys, "mdm": keys(DeviceSpecification.MDMKey.self),
    "account": keys(AccountSpecification.Key.self),
    "policy": keys(PolicySpecification.Key.self),
    "assignment": keys(PolicySpecification.AssignmentKey.self),
    "app": keys(AppSpecification.Key.self), "case": keys(Case.Key.self),
    "step": keys(Step.Key.self), "accountChange": keys(Action.AccountChange.Key.self),
    "identitySwitch": keys(Action.IdentitySwitch.Key.self),
    "unlock": keys(Action.Unlock.Key.self), "conditions": keys(ConditionChange.Key.self),
    "accountStatus": keys(Action.AccountStatus.Key.self), "share": keys(Action.Share.Key.self),
    "import": keys(Action.Import.Key.self), "drop": keys(Action.Share.DropKey.self),
    "copy": keys(Action.Copy.Key.self), "paste": keys(Action.Paste.Key.self),
    "openURL": keys(Action.OpenURL.Key.self), "saveTo": keys(Action.Use.SaveKey.self),
    "openFrom": keys(Action.Use.OpenKey.self), "use": keys(Action.Use.FeatureKey.self),
    "readContacts": keys(Action.Use.ContactKey.self),
    "keychain": keys(Action.Keychain.Key.self), "keychainAdd": keys(Action.Keychain.AddKey.self),
    "file": keys(Item.FileKey.self), "expectation": keys(Expectation.Key.self),
  ]

  /// Steps about files share their keys, and each takes some of them.
  private static let laterMappings: [String: [String]] = [
    "filePlace": keys(of: .readFile), "fileText": keys(of: .writeFile),
    "fileOwner": keys(of: .protectFile), "fileMove": keys(of: .moveFile),
    "fileData": keys(of: .protectData), "configure": keys(Action.Configuration.Key.self),
    "configuration": keys(ConfigurationSpecification.Key.self),
    "configurationLookup": keys(Action.ConfigurationLookup.Key.self),
    "assignConfiguration": keys(Action.ConfigurationAssignment.Key.self),
    "assign": keys(Action.Assignment.Key.self), "rename": keys(Action.Renaming.Key.self),
    "askApp": keys(Action.DelegateCall.Key.self), "residue": keys(Action.Residue.Key.self),
    "managedApp": keys(Action.ManagedApp.Key.self),
    "server": keys(ServerSpecification.Key.self),
    "callExtension": keys(Action.ExtensionCall.Key.self), "offeredItem": keys(OfferedItem.Key.self),
    "offeredAttachment": keys(OfferedAttachment.Key.self),
    "shareSheet": keys(Action.ShareSheet.Key.self),
    "sheetItem": keys(Action.ShareSheet.Item.Key.self),
    "wait": keys(Action.Wait.Key.self), "expectedItem": keys(Action.ExpectedItem.Key.self),
  ].merging(enrollmentMappings) { first, _ in first }

  private static let enrollmentMappings: [String: [String]] = [
    "conditionalAccessPolicy": keys(ConditionalAccessSpecification.Key.self),
    "conditionalAccess": keys(Action.ConditionalAccessTargeting.Key.self),
    "service": keys(ServiceChange.Key.self), "serviceAccount": keys(ServiceChange.UserKey.self),
    "enrollment": keys(Action.Enrollment.Key.self),
    "unenroll": keys(Action.Unenrollment.Key.self),
    "remediate": keys(Action.Remediation.Key.self), "acquireToken": keys(Action.Token.Key.self),
  ]

  private static func keys(of step: Step.Key) -> [String] {
    Action.File.keys(of: step).map(\.rawValue)
  }

  private static func keys<Key: RawRepresentable<String> & CaseIterable>(
    _ type: Key.Type
  ) -> [String] { Key.allCases.map(\.rawValue) }

  private static let saveLocations = StorageLocation.saveLocations.map(\.rawValue)
  private static let openLocations = StorageLocation.openLocations.map(\.rawValue)
  private static let features =
    Channel.allCases.filter { $0.counterpart == .system }.map(\.rawValue)

  @Test func everyMappingOfTheSchemaIsCompared() throws {
    let definitions = try #require(Self.schema()["$defs"]?.members)
    let mappings = definitions.filter { $0.value["properties"] != nil }.map(\.name)
    #expect(Set(mappings) == Set(Self.mappings.keys).subtracting([""]))
  }

  @Test(arguments: mappings.keys.sorted()) func keysAgree(name: String) throws {
    let schema = try Self.schema()
    let definition = try #require(name.isEmpty ? schema : schema["$defs"]?[name])
    let properties = try #require(definition["properties"]?.members).map(\.name)
    #expect(Set(properties) == Set(Self.mappings[name] ?? []))
    #expect(definition["additionalProperties"]?.bool == false)
    for required in definition["required"]?.array ?? [] {
      #expect(properties.contains(required.string ?? ""))
    }
  }

  @Test(
    arguments: [
      ("rule", nil, keys(Rule.self)), ("expectation", "verdict", keys(Outcome.self)),
      ("expectation", "end", keys(RequestEnd.self)),
      ("expectation", "exit", Expectation.exitCodes), ("share", "via", keys(SharingPath.self)),
      ("import", "via", keys(SharingPath.self)), ("shareSheet", "via", keys(SharingPath.self)),
      ("app", "extension", keys(AppSpecification.ExtensionKind.self)),
      ("app", "answersIdentitySwitch", keys(AppSpecification.SwitchAnswer.self)),
      ("app", "onWipe", keys(AppSpecification.WipeAnswer.self)),
      ("app", "onAddAccount", keys(AppSpecification.SwitchAnswer.self)),
      ("app", "onBlockAccount", keys(AppSpecification.SwitchAnswer.self)),
      ("askApp", "to", keys(Action.DelegateCall.Kind.self)),
      ("configurationLookup", "type", keys(ConfigurationQuestion.ValueType.self)),
      ("configurationLookup", "query", keys(ConfigurationQuestion.Query.self)),
      ("server", "clientCertificate", keys(ServerSpecification.ClientCertificate.self)),
      ("server", "tls", keys(ServerSpecification.Version.self)),
      ("app", "management", keys(AppSpecification.Management.self)),
      ("managedApp", "ask", keys(Action.ManagedApp.Ask.self)),
      ("app", "webViews", keys(WebViewPolicy.self)),
      ("device", "prompts", keys(DeviceSpecification.Prompts.self)),
      ("device", "threatLevel", keys(DevicePosture.ThreatLevel.self)),
      ("device", "biometrics", keys(DevicePosture.Biometrics.self)),
      ("conditions", "threatLevel", keys(DevicePosture.ThreatLevel.self)),
      ("conditions", "biometrics", keys(DevicePosture.Biometrics.self)),
      ("saveTo", "location", saveLocations), ("openFrom", "location", openLocations),
      ("use", "feature", features),
      ("device", "language", keys(DeviceSpecification.Language.self)),
      ("serviceAccount", "credentials", keys(ServiceChange.Credentials.self)),
      ("serviceAccount", "login", keys(ServiceChange.Login.self)),
      (
        "serviceAccount", "answer",
        ["regular"] + EnrollmentStatus.allCases.filter { !$0.isSuccess }.map(\.name)
      ),
      ("expectation", "state", keys(Expectation.EnrollmentState.self)),
      ("expectation", "compliance", ComplianceStatus.allCases.map(\.name)),
    ] as [(String, String?, [String])]) func wordsAgree(
      name: String, key: String?, words: [String]
    ) throws
  {
    let definition = try #require(Self.schema()["$defs"]?[name])
    let property = try #require(key.map { definition["properties"]?[$0] } ?? definition)
    #expect(Set(property["enum"]?.array?.compactMap(\.string) ?? []) == Set(words))
  }

  @Test func everyReferenceLeadsSomewhere() throws {
    let schema = try Self.schema()
    func check(_ value: JSONValue) {
      if let reference = value["$ref"]?.string {
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        #expect(schema["$defs"]?[name] != nil, "\(reference)")
      }
      for member in value.members ?? [] { check(member.value) }
      for element in value.array ?? [] { check(element) }
    }
    check(schema)
  }
}
