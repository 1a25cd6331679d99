import Directory
import Encodings
import GraphDocuments
import Output
import Tenants
import Testing

/// Tests findings of `tenant lint` about users without a policy: lock-outs, gaps and unprotected users.
@Suite struct LockOutTests {
  private static let mail = "com.contoso.mail"
  private static let notes = "com.contoso.notes"

  private static func filter(_ name: String, _ rule: String) -> String {
    ##"""
    {"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "\##(name)",
     "displayName": "\##(name)", "platform": "iOSMobileApplicationManagement", "rule": "\##(rule)"}
    """##
  }

  /// A policy for all users, with a filter, for each name of a filter.
  private static func policy(
    _ name: String, apps: [String] = [mail], filters: [String?], levels: String? = nil
  ) -> String {
    let targets = filters.map { filter in
      ##"{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget""##
        + (filter.map {
          #", "deviceAndAppManagementAssignmentFilterId": "\#($0)", "deviceAndAppManagementAssignmentFilterType": "include""#
        } ?? "") + "}}"
    }
    let ids = apps.map { #"{"mobileAppIdentifier": {"bundleId": "\#($0)"}}"# }
    return ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)", "printBlocked": true,
       \##(levels.map { #""targetedAppManagementLevels": "\#($0)", "# } ?? "")
       "apps": [\##(ids.joined(separator: ", "))], "assignments": [\##(targets.joined(separator: ", "))]}
      """##
  }

  private static func access(
    _ name: String, _ users: String = #""includeUsers": ["All"]"#,
    or controls: [String] = []
  ) -> String {
    let list = (controls + ["compliantApplication"]).map { "\"\($0)\"" }.joined(separator: ", ")
    return
      ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "\##(name)", "state": "enabled",
       "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]}, "users": {\##(users)}},
       "grantControls": {"operator": "OR", "builtInControls": [\##(list)]}}
      """##
  }

  /// A configuration that makes both apps managed on managed devices.
  private static let namingUser = ##"""
    {"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "UPN",
     "targetedMobileApps": ["\##(mail)", "\##(notes)"],
     "settings": [{"appConfigKey": "IntuneMAMUPN", "appConfigKeyType": "stringType",
       "appConfigKeyValue": "{{userprincipalname}}"}],
     "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]}
    """##

  private static let anna =
    #"{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#

  /// Returns the findings with one of the rules, as text between the severity and the rule's name.
  private static func findings(
    _ rules: Set<TenantRule>, _ files: [String: String], on device: TenantDevice? = nil
  ) throws -> [String] {
    var reader = TenantReader(folder: "contoso")
    let own = ["users.json": anna]
    for (path, text) in own.merging(files, uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key })
    {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish().lint(on: device).filter { rules.contains($0.rule) }
      .map(\.diagnostic.message)
  }

  private static func lockOut(_ words: String, by name: String = "CA") -> String {
    "anna@contoso.com cannot use \(words): `\(name)` requires an app protection policy, and they have none"
  }

  // MARK: Conditions

  @Test func `each condition of a lock-out is one finding`() throws {
    let found = try Self.findings(
      [.lockOut, .possibleLockOut],
      [
        "f.json": Self.filter("New", #"app.osVersion -startsWith \"17\""#),
        "g.json": Self.filter("Phone", #"app.deviceModel -startsWith \"iPhone\""#),
        "p.json": Self.policy("P", filters: ["New", "Phone"]),
        "ca.json": Self.access("CA", #""includeRoles": ["admin"], "includeGroups": ["g"]"#),
      ])
    let filters = "the filter `New` is false and the filter `Phone` is false"
    #expect(
      Set(found) == [
        Self.lockOut("`com.contoso.mail` if the user is in `g`, \(filters)"),
        Self.lockOut("`com.contoso.mail` if the user has the role `admin`, \(filters)"),
      ])
  }

  @Test func `two conditional access policies with one condition are one finding`() throws {
    let found = try Self.findings(
      [.lockOut, .possibleLockOut],
      [
        "f.json": Self.filter("New", #"app.osVersion -startsWith \"17\""#),
        "p.json": Self.policy("P", apps: [Self.mail, Self.notes], filters: ["New"]),
        "ca.json": Self.access("CA"), "cb.json": Self.access("CB"),
      ])
    #expect(
      found == [
        Self.lockOut("`com.contoso.mail`, `com.contoso.notes` if the filter `New` is false")
      ])
  }

  @Test func `a certain lock-out hides the conditional ones`() throws {
    let found = try Self.findings(
      [.lockOut, .possibleLockOut, .unprotectedUsers, .deviceGap],
      [
        "p.json": Self.policy("P", filters: [nil], levels: "mdm"),
        "ca.json": Self.access("CA", #""includeRoles": ["admin"]"#),
        "cb.json": Self.access("CB"),
      ], on: TenantDevice())
    #expect(found == [Self.lockOut("`com.contoso.mail`", by: "CB")])
  }

  // MARK: Devices

  @Test func `a lock-out on one kind of device names the device, and is no gap as well`() throws {
    let files = [
      "p.json": Self.policy("P", filters: [nil], levels: "unmanaged"), "ca.json": Self.access("CA"),
      "config.json": Self.namingUser,
    ]
    let managed = Self.lockOut("`com.contoso.mail` on managed devices")
    #expect(try Self.findings([.lockOut, .possibleLockOut, .deviceGap], files) == [managed])
    let rules: Set<TenantRule> = [.lockOut, .possibleLockOut, .deviceGap, .unprotectedUsers]
    #expect(try Self.findings(rules, files, on: TenantDevice()) == [])
    #expect(
      try Self.findings(rules, files, on: TenantDevice(isManaged: true)) == [
        Self.lockOut("`com.contoso.mail`")
      ])
  }

  @Test(arguments: [
    (["compliantDevice"], " on unmanaged devices"), (["domainJoinedDevice"], ""),
    (["mfa"], nil), (["compliantDevice", "approvedApplication"], nil),
  ])
  func `another control is an alternative if the device can meet it`(
    controls: [String], place: String?
  ) throws {
    let found = try Self.findings(
      [.lockOut, .possibleLockOut, .unprotectedUsers],
      [
        "p.json": Self.policy("P", filters: []),
        "ca.json": Self.access("CA", or: controls),
      ])
    let isDeviceEnough = controls.contains("compliantDevice")
    let requirement =
      isDeviceEnough
      ? "requires an app protection policy or a compliant device, and they have neither"
      : "requires an app protection policy, and they have none"
    let lockOut = place.map {
      "anna@contoso.com cannot use `com.contoso.mail`\($0): `CA` \(requirement)"
    }
    let unprotected =
      switch place {
      case "": nil as String?
      case nil: "no policy reaches anna@contoso.com in `com.contoso.mail`"
      case .some: "no policy reaches anna@contoso.com in `com.contoso.mail` on managed devices"
      }
    #expect(Set(found) == Set([lockOut, unprotected].compactMap(\.self)))
  }

  @Test func `a condition that matters on managed devices only is reported with the device`() throws
  {
    let found = try Self.findings(
      [.lockOut, .possibleLockOut],
      [
        "f.json": Self.filter("New", #"app.osVersion -startsWith \"17\""#),
        "p.json": Self.policy("P", filters: [nil], levels: "unmanaged"),
        "q.json": Self.policy("Q", filters: ["New"], levels: "mdm"), "ca.json": Self.access("CA"),
        "config.json": Self.namingUser,
      ])
    #expect(
      found == [
        Self.lockOut("`com.contoso.mail` on managed devices if the filter `New` is false")
      ])
  }

  @Test func `a gap is one finding for all apps with the same users`() throws {
    let found = try Self.findings(
      [.deviceGap],
      [
        "p.json": Self.policy(
          "P", apps: [Self.mail, Self.notes], filters: [nil], levels: "unmanaged"),
        "config.json": Self.namingUser,
      ]
    )
    #expect(
      found == [
        "anna@contoso.com has a policy in `com.contoso.mail`, `com.contoso.notes`, but not on managed devices"
      ])
  }
}
