import Directory
import Encodings
import Enrollment
import GraphDocuments
import Model
import TestSupport
import Testing

/// Tests files of conditional access policies, and the errors in them.
extension ConditionalAccessTests {
  @Test(
    arguments: [
      (#""includeUsers": ["All"], "includeUser": []"#, "", "null", ["unknownProperty"]),
      (#""includeUsers": ["None"]"#, "", "null", ["noUsers"]),
      (#""includeUsers": []"#, "", "null", ["noUsers"]),
      (#""includeUsers": [], "includeGroups": ["g"]"#, "", "null", []),
      (#""includeUsers": ["GuestsOrExternalUsers"]"#, "", "null", []),
      (#""includeUsers": ["All"], "excludeRoles": ["r"]"#, "", "null", []),
      (
        #""includeUsers": ["None"]"#,
        #", "clientApplications": {"includeAgentIdServicePrincipals": ["All"]}"#, "null",
        []
      ),
      (
        #""includeUsers": ["All"]"#,
        #", "agents": null, "agentIdRiskLevels": null, "moonPhases": [], "clients": {}"#, "null", []
      ),
      (#""includeUsers": ["All"]"#, #", "moonPhases": ["full"]"#, "null", ["unknownProperty"]),
      (
        #""includeUsers": ["All"]"#, #", "devices": {"deviceFilters": {}}"#, "null",
        ["unknownProperty"]
      ),
      (#""includeUsers": ["All"]"#, #", "signInRiskLevels": ["high"]"#, "null", ["notSimulated"]),
      (
        #""includeUsers": ["All"]"#,
        #", "devices": {"deviceFilter": {"mode": "include", "rule": "x"}}"#, "null",
        ["invalidFilter"]
      ),
      (
        #""includeUsers": ["All"]"#,
        #", "devices": null, "locations": {"includeLocations": ["All"], "excludeLocations": []}"#,
        "null", []
      ),
      (
        #""includeUsers": ["All"]"#, "",
        #"{"builtInControls": [], "authenticationStrength": {"id": "s"}}"#, []
      ),
      (
        #""includeUsers": ["All"]"#, "",
        #"{"builtInControls": ["mfa"], "authenticationStrength": {"id": "s"}}"#, []
      ),
      (
        #""includeUsers": ["All"]"#, "", #"{"builtInControl": ["mfa"]}"#, ["unknownProperty"]
      ),
      (
        #""includeUsers": ["All"]"#, "",
        #"{"builtInControls": ["ApprovedApplication", "compliantApplication"]}"#, ["retiredControl"]
      ),
    ] as [(String, String, String, [String])])
  func `a probable mistake in an enabled conditional access policy causes a warning`(
    users: String, conditions: String, grant: String, codes: [String]
  ) throws {
    let text = """
      {"state": "%", "conditions": {"users": {\(users)},
       "applications": {"includeApplications": ["All"]}\(conditions)}, "grantControls": \(grant)}
      """
    let warnings = { (state: String) in
      try ConditionalAccessReader.read(
        Array(text.replacing("%", with: state).utf8), file: "ca.json"
      ).flatMap(\.warnings)
    }
    #expect(try warnings("enabled").map(\.code.rawValue) == codes)
    #expect(
      try warnings("disabled").allSatisfy { [.unknownProperty, .invalidFilter].contains($0.code) })
  }

  @Test
  func `the warning about an unsimulated condition states the assumed result`()
    throws
  {
    let text = """
      {"state": "enabled", "conditions": {"users": {"includeUsers": ["All"]},
       "applications": {"includeApplications": ["All"]},
       "locations": {"includeLocations": ["All"], "excludeLocations": ["AllTrusted"]}},
       "grantControls": {"operator": "OR", "builtInControls": ["block"]}}
      """
    let policy = try #require(
      try ConditionalAccessReader.read(Array(text.utf8), file: "ca.json").first)
    #expect(
      policy.warnings.map(\.description) == [
        "ca.json:3:2: warning: `locations` is not simulated, and is assumed to be met [notSimulated]"
      ])
    let account = Account(upn: "anna@contoso.com", tenantID: "contoso.com")
    let device = DirectoryDevice()
    #expect(
      policy.judgement(on: SignIn(account, device: device)) == .applies(takenAsMet: ["locations"]))
  }

  @Test func `a warning about a conditional access policy has a position and a suggestion`() throws
  {
    let policy = try policy(grant: #"{"builtInControl": ["mfa"]}"#)
    #expect(
      policy.warnings.map(\.description) == [
        "ca.json:4:20: warning: `builtInControl` is not a property of `grantControls` and has no effect; "
          + "did you mean `builtInControls`? [unknownProperty]"
      ])
    let retired = try self.policy(grant: #"{"builtInControls": ["approvedApplication"]}"#)
    #expect(
      retired.warnings.map(\.description) == [
        "ca.json:4:40: warning: `approvedApplication` has no effect, because Microsoft Entra no longer enforces it; "
          + "`compliantApplication` replaces it [retiredControl]"
      ])
  }

  @Test(arguments: [
    ("", "jsonSyntax"), ("[]", "noPolicy"), ("7", "wrongType"), ("{}", "missing"),
    (
      #"{"state": "enabled", "state": "disabled", "conditions": {"users": {}, "applications": {}}}"#,
      "duplicateProperty"
    ),
    (#"{"state": "enabled", "conditions": {}}"#, "missing"),
    (##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection"}"##, "noPolicy"),
    (
      #"{"state": "on", "conditions": {"users": {}, "applications": {}}}"#, "unknownValue"
    ),
    (
      #"{"state": "enabled", "conditions": {"users": {"includeUsers": 1}, "applications": {}}}"#,
      "wrongType"
    ),
    (
      #"{"state": "enabled", "conditions": {"users": {}, "applications": {}}, "grantControls": {"builtInControls": ["magic"]}}"#,
      "unknownValue"
    ),
  ])
  func `an object that is not a conditional access policy is rejected with its position`(
    text: String, code: String
  ) {
    #expect {
      try ConditionalAccessReader.read(Array(text.utf8), file: "ca.json")
    } throws: { error in
      let errors = try #require(error as? ConditionalAccessErrors)
      return errors.errors.allSatisfy { error in
        error.code.rawValue == code && error.description.hasPrefix("ca.json:1:")
          && error.description.hasSuffix("[\(code)]")
      }
    }
  }

  @Test func `conditional access policies are read from an object, a list or a Graph response`()
    throws
  {
    let one =
      #"{"state": "enabled", "conditions": {"users": {}, "applications": {}}, "grantControls": null}"#
    for text in [one, "[\(one), \(one)]", #"{"value": [\#(one), \#(one)]}"#] {
      let policies = try ConditionalAccessReader.read(Array(text.utf8), file: "ca.json")
      #expect(policies.count == (text == one ? 1 : 2))
      #expect(policies[0].displayName == "ca.json")
    }
    let answer = try ConditionalAccessReader.read(
      Array(#"{"value": \#(one)}"#.utf8), file: "ca.json")
    #expect(answer.count == 1)
  }

  @Test(
    arguments: table(
      #"""
      {"displayName": "Sales", "groupTypes": []}
      => found a group, according to `groupTypes`
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "x"}
      => found an app protection policy (`#microsoft.graph.iosManagedAppProtection`); a scenario takes it under
         `policies`
      {"displayName": "x", "customSettings": []}
      => found an app configuration, according to `customSettings`; a scenario takes it under `configurations`, and
         `sluice app-config show` shows it
      {"name": "x", "RAWJson": "{\"state\": \"enabled\", \"grantControls\": {}}"}
      => the object is not a conditional access policy; one is in the text of `RAWJson` (line 1)
      """#))
  func `objects other than conditional access policies are reported by type`(
    text: String, words: String
  ) {
    let errors = #expect(throws: ConditionalAccessErrors.self) {
      try ConditionalAccessReader.read(Array(text.utf8), file: "ca.json")
    }
    #expect(errors?.errors.count == 1)
    let error = errors?.errors.first
    #expect(error?.code == .noPolicy)
    #expect(error?.message.contains(words) == true, "\(error as Any)")
  }

  private static let context =
    "https://graph.microsoft.com/beta/$metadata#identity/conditionalAccess/policies/$entity"

  private func folder(
    _ files: [String: String]
  ) throws -> [ConditionalAccessPolicy] {
    let files = files.sorted { $0.key < $1.key }.map {
      ExportFolder.File(path: $0.key, bytes: Array($0.value.utf8))
    }
    return try ConditionalAccessReader.read(files, in: ExportFolder(name: "ca/"))
  }

  @Test func `a folder's policies are read, and other files are skipped with a warning`() throws {
    let stated =
      #"{"@odata.context": "\#(Self.context)", "displayName": "A", "state": "enabled", "conditions": {}}"#
    let typed =
      ##"{"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "B", "state": "disabled", "conditions": {}}"##
    let plain =
      #"{"displayName": "C", "state": "enabled", "conditions": {"users": {}, "applications": {}}, "grantControls": null}"#
    let policies = try folder([
      "a.json": stated, "b.json": typed, "c.json": plain,
      "d.json": #"{"displayName": "A group", "groupTypes": []}"#, "e.json": "{",
    ])
    #expect(policies.map(\.displayName) == ["A", "B", "C"])
    #expect(policies.map(\.file) == ["ca/a.json", "ca/b.json", "ca/c.json"])
    #expect(
      policies[0].warnings.map(\.description) == [
        "ca/a.json:1:164: warning: the policy applies to no user: it includes no user [noUsers]",
        "ca: warning: skipped 2 files without a conditional access policy [skippedFiles]",
      ])
  }

  @Test(arguments: [
    ([:], "ca: error: the folder contains no conditional access policy [noPolicy]"),
    (
      ["a.json": "{}"],
      "ca: error: the folder contains no conditional access policy, only 1 file of other kinds [noPolicy]"
    ),
    (
      ["a.json": ##"{"@odata.type": "#microsoft.graph.conditionalAccessPolicy","##],
      "ca/a.json:1:60: error: "
    ),
  ])
  func `a folder with no conditional access policy or with an invalid policy is rejected`(
    files: [String: String], message: String
  ) {
    #expect {
      try folder(files)
    } throws: { error in
      "\(error)".hasPrefix(message)
    }
  }

  @Test func `conditional access findings are sorted by file and by numeric line and column`() {
    let places = [("a", 2, 10), ("a", 10, 9), ("a", 10, 10), ("b", 1, 1)]
    let findings = places.map { file, line, column in
      ConditionalAccessWarning(
        .noUsers, file: file, at: Position(line: line, column: column), "m")
    }
    #expect(Set(findings).inOrder() == findings.map(\.description))
  }
}
