import Foundation
import JSON
import Model
import TestSupport
import Testing

@testable import Scenario

/// `docs/schema/scenario.schema.json` and the reader know the same keys and words.
@Suite struct ScenarioSchemaTests {
  private static func schema() throws -> JSONValue {
    try JSONReader.read(Repository.read("docs/schema/scenario.schema.json"))
  }

  /// The mappings beside those of steps, and the keys that the reader takes there; the root has no name.
  private static let mappings: [String: [String]] = [
    "": keys(Scenario.Key.self), "device": keys(DeviceSpecification.Key.self),
    "deviceMember": keys(DeviceSpecification.Key.self).filter { $0 != "name" }
      + keys(DeviceMember.Key.self),
    "deviceApp": keys(DeviceMember.AppKey.self), "links": keys(LinkSpecification.Key.self),
    "directory": DirectoryEntry.keys, "mdm": keys(DeviceSpecification.MDMKey.self),
    "account": keys(AccountSpecification.Key.self),
    "policy": keys(PolicySpecification.Key.self),
    "assignment": keys(PolicySpecification.AssignmentKey.self),
    "app": keys(AppSpecification.Key.self), "case": keys(Case.Key.self),
    "file": keys(Item.FileKey.self), "configuration": keys(ConfigurationSpecification.Key.self),
    "server": keys(ServerSpecification.Key.self),
    "conditionalAccessPolicy": keys(ConditionalAccessSpecification.Key.self),
  ]

  /// Those that are made of what steps say of themselves.
  private static let definitions = ScenarioSchema.definitions

  private static func keys<Key: RawRepresentable<String> & CaseIterable>(
    _ type: Key.Type
  ) -> [String] { Key.allCases.map(\.rawValue) }

  @Test func `what steps say of themselves is what the schema says`() throws {
    let path = "docs/schema/scenario.schema.json"
    var schema = try JSONReader.read(Repository.read(path))
    for definition in Self.definitions {
      schema.set(try JSONReader.read(definition.json), at: ["$defs", definition.name])
    }
    try checkGolden(schema.indented + "\n", path)
  }

  @Test func `what steps say of themselves is what the documentation says`() throws {
    let path = "docs/scenarios.md"
    let lines = try Repository.read(path).components(separatedBy: "\n")
    let head = try #require(lines.firstIndex(of: "| step | what it does |")) + 2
    let end = try #require(lines[head...].firstIndex(of: ""))
    try checkGolden(
      (lines[..<head] + StepGuide.lines + lines[end...]).joined(separator: "\n"), path)
  }

  @Test func everyMappingOfTheSchemaIsCompared() throws {
    let definitions = try #require(Self.schema()["$defs"]?.members)
    let mappings = definitions.filter { $0.value["properties"] != nil }.map(\.name)
    let made = Self.definitions.map(\.name)
    #expect(Set(mappings) == Set(Self.mappings.keys).subtracting([""]).union(made))
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
      ("rule", nil, keys(Rule.self)),

      ("app", "extension", keys(AppSpecification.ExtensionKind.self)),
      ("app", "answersIdentitySwitch", keys(AppSpecification.SwitchAnswer.self)),
      ("app", "onWipe", keys(AppSpecification.WipeAnswer.self)),
      ("app", "onAddAccount", keys(AppSpecification.SwitchAnswer.self)),
      ("app", "onBlockAccount", keys(AppSpecification.SwitchAnswer.self)),

      ("server", "clientCertificate", keys(ServerSpecification.ClientCertificate.self)),
      ("server", "tls", keys(ServerSpecification.Version.self)),
      ("app", "management", keys(AppSpecification.Management.self)),

      ("app", "webViews", keys(WebViewPolicy.self)),
      ("device", "prompts", keys(DeviceSpecification.Prompts.self)),
      ("device", "threatLevel", keys(DevicePosture.ThreatLevel.self)),
      ("device", "biometrics", keys(DevicePosture.Biometrics.self)),

      ("device", "language", keys(DeviceSpecification.Language.self)),

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
