import Findings
import Inspection
import JSON
import Policy
import Testing
import Transfer

@Suite struct LinterTests {
  @Test func aPolicyWithoutMistakesHasNoFindings() throws {
    #expect(try Fixtures.lint("\"pinRequired\": true") { $0.pinRequired = true }.isEmpty)
  }

  @Test func whatCannotBeReadIsAFinding() {
    let findings = Linter.lint(Array("{\"pinRequired\": ".utf8), file: "p.json")
    #expect(
      findings.map(\.description) == [
        "p.json:1:17: error: expected a value, found the end of the file [jsonSyntax]"
      ])
    #expect(LintReport(findings).hasUnreadableFile)
  }

  @Test func inAFolderOtherFilesAreNobodysMistake() {
    let bytes = Array("{\"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\"}".utf8)
    #expect(Linter.lint(bytes, file: "p.json").map(\.code) == ["otherPolicyType"])
    #expect(Linter.lintExported(bytes, file: "p.json").isEmpty)
    #expect(Linter.lintExported([], file: "p.json").isEmpty)
    #expect(
      Linter.lintExported(Array("{\"pinRequired\": 1}".utf8), file: "p.json").map(\.code)
        == ["wrongType"])
  }

  @Test func everyErrorAndWarningOfReadingHasARule() {
    for code in PolicyError.Code.allCases {
      #expect(LintRule.named(code.rawValue)?.severity == .error, "\(code)")
    }
    for code in PolicyWarningCode.allCases {
      #expect(LintRule.named(code.rawValue) != nil, "\(code)")
    }
  }

  @Test func rulesAreComplete() {
    #expect(Set(LintRule.all.map(\.code)).count == LintRule.all.count)
    for rule in LintRule.all {
      #expect(rule.summary.hasSuffix(".") && rule.help.hasSuffix("."), "\(rule.code)")
    }
  }

  @Test func everyPolicyOfAFileIsLooked() {
    let text = """
      {"value": [
        {"appGroupType": "allApps", "assignments": []},
        {"appGroupType": "allApps"},
        {"appGroupType": "allApps", "isAssigned": false}
      ]}
      """
    #expect(
      Linter.lint(Array(text.utf8), file: "p.json").map { "\($0.position?.line ?? 0) \($0.code)" }
        == [
          "2 emptyAssignments", "4 notAssigned",
        ])
  }

  @Test func severitiesHaveAnOrder() {
    let report = LintReport(Linter.lint(Array("{\"pinRequired\": 1}".utf8), file: "p.json"))
    #expect(report.hasFindings(from: .note))
    #expect(report.hasFindings(from: .error))
    #expect(!LintReport([]).hasFindings(from: .note))
    #expect(Severity.note < .warning)
    #expect(Severity.warning < .error)
  }

  @Test(arguments: [
    ("\"saveAsBlocked \": true", "unknownProperty"),
    (
      "\"apps\": [{\"mobileAppIdentifier\": {\" bundleId\": \"a.b\", \"bundleId\": \"a.c\"}}]",
      "whiteSpace"
    ),
    ("\"customBrowserProtocol\": \" x\"", "whiteSpace"),
    ("\"minimumRequiredOsVersion\": \"17.0 \"", "whiteSpace"),
  ])
  func whiteSpaceIsFoundOnce(properties: String, code: String) throws {
    let findings = try Fixtures.lint(properties)
    #expect(findings.map(\.code) == [code], "\(findings)")
    #expect(findings.first?.position?.line == 2)
  }

  @Test func proseMayHaveWhiteSpace() throws {
    #expect(try Fixtures.lint("\"description\": \" For all \"").isEmpty)
  }

  @Test func listsThatAreMissingAreReported() throws {
    let findings = try Fixtures.lint(
      """
      "allowedOutboundDataTransferDestinations": "managedApps",
      "allowedInboundDataTransferSources": "managedApps",
      "saveAsBlocked": true,
      "blockDataIngestionIntoOrganizationDocuments": true
      """
    ) {
      $0.saveAsBlocked = true
      $0.blockDataIngestionIntoOrganizationDocuments = true
    }
    #expect(
      findings.map { "\($0.position?.line ?? 0) \($0.code)" } == [
        "4 locationsMissing", "5 locationsMissing",
      ])
  }

  @Test func levelsOfAndroidReachNoPhone() throws {
    let findings = try Fixtures.lint("\"targetedAppManagementLevels\": \"androidEnterprise\"")
    #expect(findings.map(\.code) == ["noDeviceState"])
  }

  @Test func specificAppsNeedAScheme() throws {
    let findings = try Fixtures.lint("\"protectedMessagingRedirectAppType\": \"specificApps\"") {
      $0.protectedMessagingRedirectAppType = .specificApps
    }
    #expect(findings.map(\.code) == ["schemeMissing"])
    #expect(findings.map(\.severity) == [.error])
  }

  @Test func oneDriveWithoutSharePointIsRemarked() throws {
    let properties = """
      "allowedOutboundDataTransferDestinations": "managedApps", "saveAsBlocked": true,
      "allowedDataStorageLocations": ["oneDriveForBusiness"]
      """
    let findings = try Fixtures.lint(properties) {
      $0.saveAsBlocked = true
      $0.allowedDataStorageLocations = [.oneDriveForBusiness]
    }
    #expect(
      findings.map { "\($0.position?.line ?? 0) \($0.severity) \($0.code)" } == [
        "3 note sharePoint"
      ])
    let both = try Fixtures.lint(properties) {
      $0.saveAsBlocked = true
      $0.allowedDataStorageLocations = [.oneDriveForBusiness, .sharePoint]
    }
    #expect(both.isEmpty)
  }

  @Test(arguments: ["http", "HTTPS", "mailto", "sms"])
  func wideExemptionsAreRemarked(scheme: String) throws {
    let findings = try Fixtures.lint(
      """
      "allowedOutboundDataTransferDestinations": "managedApps",
      "exemptedAppProtocols": [{"name": "a", "value": "skype;\(scheme)"}]
      """)
    #expect(findings.map(\.code) == ["wideExemption"])
    #expect(findings.first?.position == Position(line: 3, column: 49))
  }
}
