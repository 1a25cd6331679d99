import Analysis
import Encodings
import GraphDocuments
import Output
import Policy
import Testing

@Suite struct LinterTests {
  @Test func `a valid policy has no findings`() throws {
    #expect(try Fixtures.lint("\"pinRequired\": true") { $0.pinRequired = true }.isEmpty)
  }

  @Test func `an unreadable policy is a finding`() {
    let findings = Linter.lint(Array("{\"pinRequired\": ".utf8), file: "p.json")
    #expect(
      findings.map(\.description) == [
        "p.json:1:17: error: expected a value, found the end of the file [jsonSyntax]"
      ])
    #expect(LintReport(findings).hasUnreadableFile)
  }

  @Test func `a folder's files other than iOS policies are counted in one note`() {
    let android = "{\"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\"}"
    let iOS = "{\"pinRequired\": true, \"appGroupType\": \"allApps\", \"apps\": []}"
    #expect(Linter.lint(Array(android.utf8), file: "p.json").map(\.code) == ["otherPolicyType"])
    let report = LintReport(Self.findings(inFolderOf: [android, iOS, "", "{}"]))
    #expect(
      report.findings.map(\.description) == [
        "backup: note: skipped 1 policy for Android and 2 other files [skippedFiles]"
      ])
    #expect(!report.hasUnreadableFile)
    #expect(Self.findings(inFolderOf: ["{\"pinRequired\": 1}"]).map(\.code) == ["wrongType"])
  }

  @Test func `a folder without a policy is an error`() {
    let android = "{\"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\"}"
    for texts in [[], [android], ["{}"]] {
      let report = LintReport(Self.findings(inFolderOf: texts))
      #expect(report.findings.map(\.code) == ["noPolicy"])
      #expect(report.hasUnreadableFile)
    }
  }

  /// If a list contains policies for all platforms, only the iOS policies are linted.
  @Test func `iOS policies next to Android policies are linted`() {
    let list = """
      {"value": [
        {"@odata.type": "#microsoft.graph.androidManagedAppProtection"},
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "appGroupType": "allApps",
          "printBlockd": true}
      ]}
      """
    let findings = Self.findings(inFolderOf: [list])
    #expect(findings.map(\.code) == ["skippedFiles", "unknownProperty"])
  }

  private static func findings(inFolderOf texts: [String]) -> [LintFinding] {
    let files = texts.enumerated().map { index, text in
      ExportFolder.File(path: "\(index).json", bytes: Array(text.utf8))
    }
    return Linter.lint(ExportFolder(name: "backup").survey(files))
  }

  @Test func `every error and warning of the policy reader has a lint rule`() {
    for code in PolicyError.Code.allCases {
      #expect(LintRule.named(code.rawValue)?.severity == .error, "\(code)")
    }
    for code in PolicyWarningCode.allCases {
      #expect(
        LintRule.named(code.rawValue)?.severity == (code.isNote ? .note : .warning), "\(code)")
    }
  }

  @Test func `every lint rule is documented`() {
    #expect(Set(LintRule.all.map(\.code)).count == LintRule.all.count)
    for rule in LintRule.all {
      #expect(rule.summary.hasSuffix(".") && rule.help.hasSuffix("."), "\(rule.code)")
    }
  }

  @Test func `every policy of a file is linted`() {
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

  @Test func `a minimum lint severity includes all higher severities`() {
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
  func `white space around a property's value is reported once`(properties: String, code: String)
    throws
  {
    let findings = try Fixtures.lint(properties)
    #expect(findings.map(\.code) == [code], "\(findings)")
    #expect(findings.first?.position?.line == 2)
  }

  @Test func `white space in descriptions is allowed`() throws {
    #expect(try Fixtures.lint("\"description\": \" For all \"").isEmpty)
  }

  @Test func `lint reports each storage location restriction that lacks its list of locations`()
    throws
  {
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

  @Test func `an unassigned policy causes only a lint note`() throws {
    for properties in ["\"isAssigned\": false", "\"assignments\": []"] {
      #expect(try Fixtures.lint(properties).map(\.severity) == [.note], "\(properties)")
    }
  }

  @Test func `Android settings are reported by name`() throws {
    let findings = try Fixtures.lint(
      """
      "@odata.type": "#microsoft.graph.iosManagedAppProtection",
      "screenCaptureBlocked": true, "minimumRequiredPatchVersion": null,
      "customBrowserPackageId": "com.example.browser",
      "minimumWipeCompanyPortalVersion": "5.0",
      "exemptedAppPackages": [], "encryptAppData": false,
      "customDialerAppDisplayName": "",
      "warnAfterCompanyPortalUpdateDeferralInDays": 0
      """)
    #expect(Set(findings.map(\.code)) == ["androidOnly"])
    #expect(
      findings.map { "\($0.position?.line ?? 0) \($0.severity) \($0.message)" } == [
        "3 warning `screenCaptureBlocked` is a setting of Android and has no effect on an iPhone; iOS has "
          + "`screenCaptureConfigurationState`",
        "4 warning `customBrowserPackageId` is a setting of Android and has no effect on an iPhone; iOS has "
          + "`customBrowserProtocol`",
        "5 warning `minimumWipeCompanyPortalVersion` is a setting of Android and has no effect on an iPhone",
        "6 note `exemptedAppPackages`, `encryptAppData`, `customDialerAppDisplayName` and 1 more are settings of "
          + "Android and have no effect on an iPhone",
      ])
  }

  @Test(arguments: [
    ("https://*.sharepoint.com/*", true), ("https://contoso.sharepoint.com/sites/*", true),
    ("https://*", true), ("https://*.contoso.com/docs/*", true),
    ("https://maps.apple.com/*", false), ("https://contoso.com/*", false),
  ])
  func `lint reports exempted universal links that lead to org data`(link: String, isNamed: Bool)
    throws
  {
    let text = "\"exemptedUniversalLinks\": [\"https://facetime.apple.com\", \"\(link)\"]"
    func edit(_ settings: inout Settings) {
      settings.exemptedUniversalLinks = ["https://facetime.apple.com", link].map {
        LinkPattern($0)
      }
      settings.managedUniversalLinks = [LinkPattern("https://*.contoso.com/docs/*")]
      settings.managedBrowser = .microsoftEdge
    }
    let findings = try Fixtures.lint(text, edit)
    #expect(findings.map(\.code) == (isNamed ? ["managedLinkExempted"] : []))
    #expect(findings.allSatisfy { $0.message.hasPrefix("`\(link)` leads to org data") })
    let open = try Fixtures.lint(text) {
      edit(&$0)
      $0.managedBrowser = .notConfigured
    }
    #expect(!open.map(\.code).contains("managedLinkExempted"))
  }

  @Test func `lint reports that Android management levels have no effect on iOS`() throws {
    let findings = try Fixtures.lint("\"targetedAppManagementLevels\": \"androidEnterprise\"")
    #expect(findings.map(\.code) == ["noDeviceState"])
  }

  @Test func `a setting that names a specific app but no URL scheme is an error`() throws {
    let findings = try Fixtures.lint("\"protectedMessagingRedirectAppType\": \"specificApps\"") {
      $0.protectedMessagingRedirectAppType = .specificApps
    }
    #expect(findings.map(\.code) == ["schemeMissing"])
    #expect(findings.map(\.severity) == [.error])
  }

  @Test(arguments: ["replace_with_dialer_app_url_scheme", "contosophone://", ""])
  func `an invalid dialer scheme counts as missing`(scheme: String) throws {
    let text = """
      {"appGroupType": "allApps",
      "dialerRestrictionLevel": "customApp",
      "customDialerAppProtocol": "\(scheme)"}
      """
    let found = Linter.lint(Array(text.utf8), file: "p.json").map {
      "\($0.position?.line ?? 0) \($0.code)"
    }
    #expect(found == ["2 schemeMissing"] + (scheme.isEmpty ? [] : ["3 notAScheme"]))
  }

  @Test(
    arguments: [
      ("dialerRestrictionLevel", "customApp", "tel:;TelPrompt; sms", ["tel", "telprompt"]),
      ("dialerRestrictionLevel", "managedApps", "tel", ["tel"]),
      ("dialerRestrictionLevel", "blocked", "skype;telprompt", ["telprompt"]),
      ("dialerRestrictionLevel", "allApps", "tel;telprompt", []),
      ("protectedMessagingRedirectAppType", "specificApps", "imessage;tel", ["imessage"]),
      ("protectedMessagingRedirectAppType", "blocked", "sms", ["sms"]),
      ("protectedMessagingRedirectAppType", "anyApp", "sms;imessage", []),
    ])
  func `lint reports an exempted scheme that the dialer or messaging setting restricts`(
    setting: String, level: String, exempted: String, schemes: [String]
  ) {
    let text = """
      {"appGroupType": "allApps",
      "\(setting)": "\(level)", "customDialerAppProtocol": "call", "messagingRedirectAppUrlScheme": "chat",
      "exemptedAppProtocols": [{"name": "Default", "value": "\(exempted)"}]}
      """
    let found = Linter.lint(Array(text.utf8), file: "p.json").filter { $0.code == "exemptedPast" }
    #expect(
      found.map(\.description)
        == schemes.map {
          "p.json:3:55: warning: `\($0)` is exempted, so any app opens it although `\(setting)` is "
            + "`\(level)` [exemptedPast]"
        })
  }

  @Test func `allowing OneDrive without SharePoint as a storage location is reported`() throws {
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
  func `lint reports exempted schemes that any app can open, such as http or mailto`(scheme: String)
    throws
  {
    let findings = try Fixtures.lint(
      """
      "allowedOutboundDataTransferDestinations": "managedApps",
      "exemptedAppProtocols": [{"name": "a", "value": "skype;\(scheme)"}]
      """)
    #expect(findings.map(\.code) == ["wideExemption"])
    #expect(findings.first?.position == Position(line: 3, column: 49))
  }
}
