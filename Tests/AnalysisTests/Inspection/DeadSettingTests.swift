import Analysis
import GraphDocuments
import JSON
import Model
import Output
import Policy
import Testing

@Suite struct DeadSettingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let setting: Setting
    let severity: Severity
    let edit: @Sendable (inout Settings) -> Void
    /// Makes the setting matter.
    let revive: @Sendable (inout Settings) -> Void

    init(
      _ setting: Setting, _ severity: Severity,
      _ edit: @escaping @Sendable (inout Settings) -> Void,
      revive: @escaping @Sendable (inout Settings) -> Void
    ) {
      self.setting = setting
      self.severity = severity
      self.edit = edit
      self.revive = revive
    }

    var testDescription: String { "\(setting.rawValue) \(severity)" }
  }

  private static func findings(
    _ setting: Setting, _ edits: ((inout Settings) -> Void)...
  ) -> [LintFinding] {
    var document = PolicyDocument(
      displayName: "A", file: "p.json", targeting: Targeting(appGroup: .allApps))
    for edit in edits { edit(&document.settings) }
    document.origins[setting] = .init(file: "p.json", line: 1, policy: "A")
    return Linter.lint(document, stated: JSONValue(.null, at: document.position))
      .filter { $0.code == "noEffect" }
  }

  @Test(arguments: cases) func whatHasNoEffectIsReported(test: Case) {
    let findings = Self.findings(test.setting, test.edit)
    #expect(findings.map(\.severity) == [test.severity])
    #expect(findings.first?.message.hasPrefix("`\(test.setting.rawValue)` has no effect") == true)
  }

  @Test(arguments: cases) func whatHasAnEffectIsNot(test: Case) {
    #expect(Self.findings(test.setting, test.edit, test.revive).isEmpty)
  }

  @Test func defaultsAreNobodysMistake() {
    for setting in Setting.allCases { #expect(Self.findings(setting).isEmpty, "\(setting)") }
  }

  @Test func whatTheAdminCentreFillsInIsNobodysMistake() {
    #expect(Self.findings(.minimumPinLength, { $0.minimumPinLength = 4 }).isEmpty)
    #expect(
      Self.findings(
        .allowedDataIngestionLocations,
        { $0.allowedDataIngestionLocations = [.oneDriveForBusiness, .sharePoint, .camera] }
      ).isEmpty)
    #expect(
      Self.findings(
        .managedUniversalLinks,
        { $0.managedUniversalLinks = [LinkPattern("https://*.zoom.us/*")] }
      ).isEmpty)
  }
}
