import Directory
import Encodings
import GraphDocuments
import Tenants
import Testing

/// Tests filters that read the version of an app, which may differ between the apps of a device.
@Suite struct AppVersionTests {
  private static let mail = "com.contoso.mail"
  private static let notes = "com.contoso.notes"

  private static let files = [
    "u.json": #"{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#,
    "f.json": ##"""
    {"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "f", "displayName": "New",
     "platform": "iOSMobileApplicationManagement", "rule": "app.appVersion -startsWith \"4.\""}
    """##,
    "p.json": ##"""
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "printBlocked": true,
     "apps": [{"mobileAppIdentifier": {"bundleId": "\##(mail)"}}, {"mobileAppIdentifier": {"bundleId": "\##(notes)"}}],
     "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget",
       "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "include"}}]}
    """##,
  ]

  private static func tenant() throws -> Tenant {
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  /// The apps with a policy, and the conditions, for each audience.
  private static func cases(
    _ audiences: [PolicyAudience]
  ) -> [[String]: Set<Set<String>>] {
    audiences.reduce(into: [:]) { found, audience in
      let apps = (audience.policies?.parts ?? []).filter { !$0.policies.isEmpty }.flatMap(\.apps)
      found[apps.sorted(), default: []].formUnion(
        audience.members.map { Set($0.conditions.map(\.text)) })
    }
  }

  @Test func `a filter on app versions has a separate result for each of two apps`() throws {
    let audiences = try Self.tenant().audiences(
      in: [Self.mail, Self.notes], on: TenantDevice())
    let fact = { (holds: Bool, app: String) in "the filter `New` is \(holds) in `\(app)`" }
    let expected: [[String]: Set<Set<String>>] = [
      [Self.mail, Self.notes]: [[fact(true, Self.mail), fact(true, Self.notes)]],
      [Self.mail]: [[fact(true, Self.mail), fact(false, Self.notes)]],
      [Self.notes]: [[fact(false, Self.mail), fact(true, Self.notes)]],
      []: [[fact(false, Self.mail), fact(false, Self.notes)]],
    ]
    #expect(Self.cases(audiences) == expected)
  }

  @Test func `for one app, a filter on app versions has one result`() throws {
    let audiences = try Self.tenant().audiences(in: [Self.mail], on: TenantDevice())
    let expected: [[String]: Set<Set<String>>] = [
      [Self.mail]: [["the filter `New` is true"]], []: [["the filter `New` is false"]],
    ]
    #expect(Self.cases(audiences) == expected)
  }

  @Test(arguments: [
    ("4.1", [:], [mail, notes]), ("3.9", [:], []),
    (nil, [mail: "4.0", notes: "4.2"], [mail, notes]),
    ("4.1", [notes: "3.0"], [mail]), ("3.0", [notes: "4.0"], [notes]),
    (nil, [mail: "3.0", notes: "4.0"], [notes]),
  ])
  func `a device's version for a single app overrides its version for all apps`(
    version: String?, versions: [String: String], protected: [String]
  ) throws {
    let tenant = try Self.tenant()
    var device = TenantDevice(appVersion: version)
    device.appVersions = versions
    let apps = [Self.mail, Self.notes]
    #expect(Self.cases(tenant.audiences(in: apps, on: device)) == [protected: [[]]])
    // The table, single answers and differences use the same versions.
    let rows = tenant.rows(for: tenant.classes(), in: apps, on: device)
    #expect(rows.filter { $0.effective?.first?.answer == [0] }.map(\.app) == protected)
    let answers = apps.map { tenant.answer(for: 0, app: $0, on: device) }
    #expect(
      answers.filter { $0.policies[0].alternatives?.first?.answer.applies == true }
        .map(\.app) == protected)
    let changed = try tenant.applying([.set("Printing Org data=Allow")])
    let difference = TenantDiff(tenant, changed, devices: [device])
    #expect(difference.protection.flatMap(\.apps).sorted() == protected)
  }

  @Test func `if only one app's version is stated, the versions of other apps are unknown`() throws
  {
    var device = TenantDevice()
    device.appVersions = [Self.mail: "4.0"]
    let audiences = try Self.tenant().audiences(in: [Self.mail, Self.notes], on: device)
    let expected: [[String]: Set<Set<String>>] = [
      [Self.mail, Self.notes]: [["the filter `New` is true in `com.contoso.notes`"]],
      [Self.mail]: [["the filter `New` is false in `com.contoso.notes`"]],
    ]
    #expect(Self.cases(audiences) == expected)
  }

  @Test func `a device's description states only app versions that affect the answer`() throws {
    let tenant = try Self.tenant()
    var device = TenantDevice(osVersion: "17.2", model: "iPhone15,2", appVersion: "4.1")
    #expect(
      device.text == "an unmanaged device with iOS 17.2, model iPhone15,2 and app version 4.1")
    device.appVersions = [Self.notes: "3.0"]
    #expect(
      device.text
        == "an unmanaged device with iOS 17.2, model iPhone15,2, com.contoso.notes 3.0 and any other app 4.1"
    )
    let answer = tenant.answer(for: 0, app: Self.notes, on: device)
    #expect(
      tenant.text(of: answer).hasPrefix(
        "anna@contoso.com in com.contoso.notes, on an unmanaged device with iOS 17.2, model iPhone15,2 and app version 3.0\n"
      ))
  }

  @Test func `an answer names the app version that a filter needs and how to state it`() throws {
    let tenant = try Self.tenant()
    let answer = tenant.answer(for: 0, app: Self.mail, on: TenantDevice())
    #expect(
      tenant.text(of: answer).hasSuffix(
        "\nNot in the export\n  the app's version, for the filter `New`; state it as in --device app=4.2\n"
      ))
  }
}
