import Encodings
import Foundation
import Model
import TestSupport
import Testing
import Wire

@testable import Scenario

/// `docs/schema/scenario.schema.json` and the reader accept the same keys and enumerations.
@Suite struct ScenarioSchemaTests {
  private static func schema() throws -> JSONValue {
    try JSONReader.read(Repository.read("docs/schema/scenario.schema.json"))
  }

  /// The mappings other than those of steps, with the reader's keys; the root has no name.
  private static let mappings: [String: [String]] = [
    "": keys(Scenario.Key.self), "device": keys(DeviceDefinition.Key.self),
    "deviceMember": keys(DeviceDefinition.Key.self).filter { $0 != "name" }
      + keys(DeviceMember.Key.self),
    "deviceApp": keys(DeviceMember.AppKey.self), "links": keys(LinkDefinition.Key.self),
    "directory": DirectoryEntry.keys, "mdm": keys(DeviceDefinition.MDMKey.self),
    "account": keys(AccountDefinition.Key.self),
    "policy": keys(PolicyDefinition.Key.self),
    "assignment": keys(PolicyDefinition.AssignmentKey.self),
    "app": keys(AppDefinition.Key.self) + ["mix"], "case": keys(Case.Key.self),
    "file": keys(Item.FileKey.self), "configuration": keys(ConfigurationDefinition.Key.self),
    "server": keys(ServerDefinition.Key.self),
    "conditionalAccessPolicy": keys(ConditionalAccessDefinition.Key.self),
  ]

  /// The definitions that are generated from the step rows.
  private static let definitions = ScenarioSchema.definitions

  private static func keys<Key: RawRepresentable<String> & CaseIterable>(
    _ type: Key.Type
  ) -> [String] { Key.allCases.map(\.rawValue) }

  @Test func `step definitions in the scenario schema match the step rows`() throws {
    let path = "docs/schema/scenario.schema.json"
    var schema = try JSONReader.read(Repository.read(path))
    for definition in Self.definitions {
      schema.set(try JSONReader.read(definition.json), at: ["$defs", definition.name])
    }
    try checkGolden(schema.indented + "\n", path)
  }

  @Test func `the schema tests compare every mapping of the scenario schema`() throws {
    let definitions = try #require(Self.schema()["$defs"]?.members)
    let mappings = definitions.filter { $0.value["properties"] != nil }.map(\.name)
    let made = Self.definitions.map(\.name)
    #expect(Set(mappings) == Set(Self.mappings.keys).subtracting([""]).union(made))
  }

  @Test(arguments: mappings.keys.sorted())
  func `keys in the scenario schema match the reader's keys`(name: String)
    throws
  {
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
      ("rule", nil, keys(Rule.self)),

      ("app", "extension", ExtensionPoint.allCases.map(\.name)),
      ("app", "answersIdentitySwitch", keys(AppDefinition.SwitchAnswer.self)),
      ("app", "onWipe", WipeBehaviour.allCases.map(\.name)),
      ("app", "onAddAccount", keys(AppDefinition.SwitchAnswer.self)),
      ("app", "onBlockAccount", keys(AppDefinition.SwitchAnswer.self)),

      ("server", "clientCertificate", keys(ServerDefinition.ClientCertificate.self)),
      ("server", "tls", keys(ServerDefinition.Version.self)),
      ("app", "management", keys(AppDefinition.Management.self)),

      ("app", "webViews", keys(WebViewPolicy.self)),
      ("device", "prompts", keys(DeviceDefinition.Prompts.self)),
      ("device", "threatLevel", keys(DevicePosture.ThreatLevel.self)),
      ("device", "biometrics", keys(DevicePosture.Biometrics.self)),

      ("device", "language", keys(DeviceDefinition.Language.self)),

    ] as [(String, String?, [String])])
  func `enum values in the scenario schema match those of the scenario reader`(
    name: String, key: String?, words: [String]
  ) throws {
    let definition = try #require(Self.schema()["$defs"]?[name])
    let property = try #require(key.map { definition["properties"]?[$0] } ?? definition)
    #expect(Set(property["enum"]?.array?.compactMap(\.string) ?? []) == Set(words))
  }

  @Test func `each reference within the scenario schema resolves`() throws {
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
