import Analysis
import Model
import Policy
import Testing

@Suite struct VersionBoundTests {
  private static func codes(_ edit: (inout Settings) -> Void) throws -> [String] {
    try Fixtures.lint("\"pinRequired\": false", edit).map(\.code)
  }

  @Test func `version bounds in ascending order have no finding`() throws {
    #expect(
      try Self.codes {
        $0.minimumWipeOsVersion = Version(14)
        $0.minimumRequiredOsVersion = Version(15)
        $0.minimumWarningOsVersion = Version(16)
        $0.maximumWarningOsVersion = Version(18)
        $0.maximumRequiredOsVersion = Version(19)
        $0.maximumWipeOsVersion = Version(20)
      }.isEmpty)
  }

  typealias Edit = @Sendable (inout Settings) -> Void

  /// Two bounds with the rule that they violate; nil if they violate none.
  static let pairs: [(Edit, Edit, String?)] = [
    (
      { $0.minimumRequiredOsVersion = Version(16) }, { $0.minimumWarningOsVersion = Version(16) },
      "versionOrder"
    ),
    (
      { $0.minimumWipeAppVersion = Version(3) }, { $0.minimumRequiredAppVersion = Version(2) },
      "versionOrder"
    ),
    (
      { $0.minimumWipeSdkVersion = Version(20) }, { $0.minimumWarningSdkVersion = Version(19) },
      "versionOrder"
    ),
    (
      { $0.maximumRequiredOsVersion = Version(18) }, { $0.maximumWarningOsVersion = Version(19) },
      "versionOrder"
    ),
    (
      { $0.minimumRequiredOsVersion = Version(18) },
      { $0.maximumRequiredOsVersion = Version(17, 9) }, "noVersionLeft"
    ),
    (
      { $0.minimumRequiredOsVersion = Version(18) }, { $0.maximumRequiredOsVersion = Version(18) },
      nil
    ),
    (
      { $0.periodOfflineBeforeAccessCheck = 86400 },
      { $0.periodOfflineBeforeWipeIsEnforced = 3600 },
      "offlineOrder"
    ),
    (
      { $0.periodOfflineBeforeAccessCheck = 0 }, { $0.periodOfflineBeforeWipeIsEnforced = 3600 },
      nil
    ),
  ]

  @Test(arguments: pairs)
  func `an unreachable version bound is reported`(first: Edit, second: Edit, code: String?) throws {
    let codes = try Self.codes {
      first(&$0)
      second(&$0)
    }
    #expect(codes == (code.map { [$0] } ?? []))
  }
}
