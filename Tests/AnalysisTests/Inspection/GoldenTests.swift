import Analysis
import Encodings
import Output
import Policy
import TestSupport
import Testing

/// Compares outputs with the last reviewed outputs. `SLUICE_RECORD=1` rewrites the reviewed outputs. Such a run fails,
/// so it is not mistaken for a test.
@Suite struct GoldenTests {
  enum File: String, CaseIterable {
    case show = "show.txt"
    case showJSON = "show.json"
    case deviceLog = "device-log.txt"
    case compare = "compare-log.txt"
    case compareJSON = "compare-log.json"
    case lint = "lint.txt"
    case lintJSON = "lint.json"
    case sarif = "lint.sarif"

    func render() throws -> String {
      let document = try Fixtures.sample()
      switch self {
      case .show: return PolicyView(of: document).text
      case .showJSON: return GoldenTests.line { PolicyView(of: document).write(to: &$0) }
      case .deviceLog: return DeviceLog.text(of: document.settings)
      case .compare: return try GoldenTests.comparison().text(logFile: "device.log")
      case .compareJSON:
        let comparison = try GoldenTests.comparison()
        return GoldenTests.line { comparison.write(to: &$0) }
      case .lint: return try GoldenTests.report().text
      case .lintJSON:
        let report = try GoldenTests.report()
        return GoldenTests.line { report.writeJSON(to: &$0) }
      case .sarif:
        let report = try GoldenTests.report()
        return GoldenTests.line { report.writeSARIF(to: &$0) }
      }
    }
  }

  @Test(arguments: File.allCases) func `lint outputs match the golden files`(file: File) throws {
    let path = "Tests/AnalysisTests/Golden/\(file.rawValue)"
    let text = try file.render()
    try checkGolden(text, path)
  }

  static let log = """
    2026-03-02 09:14:07.120 Mail[412:9] IntuneMAM policy for <scrubbed>:
    {
      "com.contoso.mail.MAMPolicies" : {
        "IntuneMAMPolicies" : {
          "AppSharingToLevel" : 2,
          "AppSharingFromLevel" : 2,
          "ManagedLocations" : 3,
          "ProtocolExclusions" : "skype;https;",
          "MinOsVersion" : "17.0",
          "MaxOsVersionWipe" : "",
          "ScreenCaptureConfigurationState" : 1,
          "PINEnabled" : false
        }
      }
    }
    """

  static func comparison() throws -> LogComparison {
    let document = try Fixtures.sample()
    let policy = EffectivePolicy(settings: document.settings, origins: document.origins)
    return try #require(LogComparison(of: policy, with: Array(log.utf8)))
  }

  static func report() throws -> LintReport {
    let object = try JSONReader.read(Fixtures.text)
    let unreadable = Linter.lint(Array("{\"pinRequired\": 1}".utf8), file: "policies/übung.json")
    return LintReport(Linter.lint(try Fixtures.sample(), stated: object) + unreadable)
  }

  static func line(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    writer.endLine()
    return writer.text
  }
}
