import Analysis
import Model
import Policy
import Testing

@Suite struct VersionBoundTests {
  private static func codes(_ edit: (inout Settings) -> Void) throws -> [String] {
    try Fixtures.lint("\"pinRequired\": false", edit).map(\.code)
  }

  @Test func boundsInOrderAreFine() throws {
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

  @Test func harsherBoundsFirstAreFound() throws {
    #expect(
      try Self.codes {
        $0.minimumRequiredOsVersion = Version(16)
        $0.minimumWarningOsVersion = Version(16)
      } == ["versionOrder"])
    #expect(
      try Self.codes {
        $0.minimumWipeAppVersion = Version(3)
        $0.minimumRequiredAppVersion = Version(2)
      } == ["versionOrder"])
    #expect(
      try Self.codes {
        $0.minimumWipeSdkVersion = Version(20)
        $0.minimumWarningSdkVersion = Version(19)
      } == ["versionOrder"])
    #expect(
      try Self.codes {
        $0.maximumRequiredOsVersion = Version(18)
        $0.maximumWarningOsVersion = Version(19)
      } == ["versionOrder"])
  }

  @Test func aMinimumAboveTheMaximumIsAnError() throws {
    #expect(
      try Self.codes {
        $0.minimumRequiredOsVersion = Version(18)
        $0.maximumRequiredOsVersion = Version(17, 9)
      } == ["noVersionLeft"])
    #expect(
      try Self.codes {
        $0.minimumRequiredOsVersion = Version(18)
        $0.maximumRequiredOsVersion = Version(18)
      }.isEmpty)
  }

  @Test func wipingBeforeBlockingIsFound() throws {
    #expect(
      try Self.codes {
        $0.periodOfflineBeforeAccessCheck = 86400
        $0.periodOfflineBeforeWipeIsEnforced = 3600
      } == ["offlineOrder"])
    #expect(
      try Self.codes {
        $0.periodOfflineBeforeAccessCheck = 0
        $0.periodOfflineBeforeWipeIsEnforced = 3600
      }.isEmpty)
  }
}
