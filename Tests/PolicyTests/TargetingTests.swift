import GraphDocuments
import Policy
import Testing

struct TargetingTests {
  static func targeting(_ properties: String) throws -> Targeting {
    let text = "{\"displayName\": \"A\", \(properties)}"
    return try #require(try PolicyReader.read(Array(text.utf8), file: "p").first).targeting
  }

  @Test(
    arguments: [
      ("com.example.app", Targeting.Result.app), ("COM.Example.App", .app),
      ("com.example.other", .otherApp),
    ])
  func `targeted app names are compared ignoring case`(bundleID: String, result: Targeting.Result)
    throws
  {
    let targeting = try Self.targeting(
      #""apps": [{"mobileAppIdentifier": {"bundleId": "com.Example.app"}}]"#)
    #expect(targeting.result(bundleID: bundleID, state: .unenrolled) == result)
  }

  @Test(
    arguments: [
      ("allApps", "org.example", true), ("allMicrosoftApps", "com.microsoft.anything", true),
      ("allMicrosoftApps", "COM.Microsoft.Office.Word", true),
      ("allMicrosoftApps", "com.microsoftish.app", false),
      ("allCoreMicrosoftApps", "com.microsoft.Office.Outlook", true),
      ("allCoreMicrosoftApps", "com.microsoft.skydrive", true),
      ("allCoreMicrosoftApps", "com.microsoft.visio", false),
      ("selectedPublicApps", "com.microsoft.msedge", false),
    ])
  func `each appGroupType of a policy targets the apps of that group`(
    group: String, bundleID: String, isTargeted: Bool
  ) throws {
    let result = try Self.targeting("\"appGroupType\": \"\(group)\"")
      .result(bundleID: bundleID, state: .enrolled)
    #expect(result.isTargeted == isTargeted)
    #expect(
      result.text == (isTargeted ? "targeted by the group `\(group)`" : "not targeted at this app"))
  }

  @Test(
    arguments: [
      ("", [ManagementState.unenrolled, .enrolledWithoutUPN, .enrolled]),
      ("unspecified", [.unenrolled, .enrolledWithoutUPN, .enrolled]),
      ("unmanaged", [.unenrolled, .enrolledWithoutUPN]), ("mdm", [.enrolled]),
      ("unmanaged,mdm", [.unenrolled, .enrolledWithoutUPN, .enrolled]),
      ("mdm, androidEnterprise", [.enrolled]), ("androidEnterprise", []),
    ])
  func `targetedAppManagementLevels selects the enrollment states of targeted devices`(
    levels: String, states: [ManagementState]
  ) throws {
    let targeting = try Self.targeting(
      "\"appGroupType\": \"allApps\", \"targetedAppManagementLevels\": \"\(levels)\"")
    #expect(
      ManagementState.allCases.filter { targeting.result(bundleID: "a", state: $0).isTargeted }
        == states)
  }

  @Test func `an enrolled device without the account's UPN counts as unmanaged in targeting`() {
    let state = ManagementState(isMDMEnrolled: true, hasEnrolledUPN: false)
    #expect(state == .enrolledWithoutUPN)
    #expect(state.level == .unmanaged)
    let targeting = Targeting(appGroup: .allApps, levels: [.mdm])
    #expect(targeting.result(bundleID: "a", state: state) == .otherState(.enrolledWithoutUPN))
  }

  @Test(
    arguments: [
      ("com.contoso.Mail", "com.contoso.mail"), ("Mail", "com.contoso.mail"),
      ("OneDrive", "com.microsoft.skydrive"), ("Microsoft Teams", "com.microsoft.skype.teams"),
      ("com.contoso.mial", nil), ("mial", nil), ("WhatsApp", nil), ("*", nil),
    ] as [(String, String?)])
  func `an app in a policy document is found by its name`(name: String, bundleID: String?) {
    let targetings = [
      Targeting(bundleIDs: ["com.contoso.mail"]), Targeting(appGroup: .allCoreMicrosoftApps),
      Targeting(appGroup: .allApps),
    ]
    #expect(Targeting.app(named: name, among: targetings) == bundleID)
  }

  @Test func `a misspelled app name or bundle id in a policy document gets a suggestion`() {
    let targetings = [Targeting(bundleIDs: ["com.contoso.mail"])]
    #expect(Targeting.app(nearestTo: "com.contoso.mial", among: targetings) == "com.contoso.mail")
    for name in ["mail", "mial", "Mai"] {
      #expect(Targeting.app(nearestTo: name, among: targetings) == "com.contoso.mail")
    }
    #expect(Targeting.app(nearestTo: "org.example", among: targetings) == nil)
  }
}
