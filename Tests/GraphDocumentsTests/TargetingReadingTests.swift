import GraphDocuments
import JSON
import Testing

struct TargetingReadingTests {
  private static func read(
    _ text: String
  ) throws -> (targeting: Targeting, warnings: [Recipe.WarningCode]) {
    var reader = try Recipe.reader(text)
    let targeting = try reader.targeting()
    reader.warn(ofNoAppIn: targeting)
    reader.warnOfEmptyAssignments()
    return (targeting, reader.sortedWarnings.map(\.code))
  }

  @Test(
    arguments: [
      ("", nil), (#", "targetedAppManagementLevels": null"#, nil),
      (#", "targetedAppManagementLevels": " , ""#, nil),
      (#", "targetedAppManagementLevels": "mdm, unmanaged""#, [.mdm, .unmanaged]),
      (#", "targetedAppManagementLevels": "mdm,unspecified""#, nil),
      (#", "targetedAppManagementLevels": "androidEnterprise""#, []),
    ] as [(String, Set<Targeting.Level>?)])
  func `levels of other platforms reach nobody`(
    levels: String, expected: Set<Targeting.Level>?
  ) throws {
    let (targeting, warnings) = try Self.read("{\"appGroupType\": \"allApps\"\(levels)}")
    #expect(targeting.levels == expected)
    #expect(warnings.isEmpty)
  }

  @Test func `an app without a bundle id is warned about, and so is a document without apps`()
    throws
  {
    let text = """
      {"apps": [{"mobileAppIdentifier": {"bundleId": " "}}, {"mobileAppIdentifier": null}],
       "assignments": []}
      """
    let (targeting, warnings) = try Self.read(text)
    #expect(targeting.bundleIDs.isEmpty)
    #expect(warnings == [.noApps, .noBundleID, .whiteSpace, .noBundleID, .emptyAssignments])
  }

  @Test func `bundle ids have no casing`() throws {
    let text = #"{"apps": [{"mobileAppIdentifier": {"bundleId": "com.Contoso.Mail"}}]}"#
    let (targeting, warnings) = try Self.read(text)
    #expect(targeting.bundleIDs == ["com.contoso.mail"])
    #expect(warnings.isEmpty)
  }
}
