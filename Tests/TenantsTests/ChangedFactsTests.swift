import GraphDocuments
import Testing

@testable import Tenants

/// Tests differences between tenants whose assignment filters or membership rules differ, if their results are unknown.
@Suite struct ChangedFactsTests {
  private static let users =
    #"{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#
  private static let policy = ##"""
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "printBlocked": true,
     "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
     "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget",
       "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "include"}}]}
    """##

  private static func tenant(_ rule: String, called name: String = "F") throws -> Tenant {
    let filter = ##"""
      {"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "f", "displayName": "\##(name)",
       "platform": "iOSMobileApplicationManagement", "rule": "\##(rule)"}
      """##
    var reader = TenantReader(folder: "contoso")
    for (path, text) in [("f.json", filter), ("p.json", policy), ("u.json", users)] {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  private static let recent = "app.operatingSystemVersion -ge 17.0"
  private static let newest = "app.operatingSystemVersion -ge 99.0"
  private static let iPad = #"app.deviceModel -startsWith \"iPad\""#

  /// A change as text: the policies before and after, and the conditions.
  private static func changes(_ old: Tenant, _ new: Tenant, on device: TenantDevice) -> Set<String>
  {
    Set(
      TenantDiff(old, new, devices: [device]).protection.map { change in
        "\(change.old) \(change.new) "
          + change.audience.conditions.map(\.text).joined(separator: ", ")
      })
  }

  @Test(arguments: [
    (recent, newest, ["[0] [] the old filter `F` is true, the new filter `F` is false"]),
    (newest, recent, ["[] [0] the old filter `F` is false, the new filter `F` is true"]),
    (
      recent, iPad,
      [
        "[0] [] the old filter `F` is true, the new filter `F` is false",
        "[] [0] the old filter `F` is false, the new filter `F` is true",
      ]
    ),
    (recent, recent, []),
  ])
  func `a changed filter rule causes a difference only if the device's filter result changes`(
    before: String, after: String, changes: [String]
  ) throws {
    let (old, new) = (try Self.tenant(before), try Self.tenant(after))
    #expect(Self.changes(old, new, on: TenantDevice()) == Set(changes))
  }

  @Test(arguments: [("26.0", ["[0] [] "]), ("16.0", [])])
  func `with a known OS version, only a changed filter result is a difference`(
    version: String, changes: [String]
  ) throws {
    let (old, new) = (try Self.tenant(Self.recent), try Self.tenant(Self.newest))
    #expect(Self.changes(old, new, on: TenantDevice(osVersion: version)) == Set(changes))
  }

  @Test func `a renamed filter is not a difference`() throws {
    let (old, new) = (try Self.tenant(Self.recent), try Self.tenant(Self.recent, called: "G"))
    #expect(TenantDiff(old, new).isEmpty)
  }

  /// Returns a tenant whose policy is assigned to the group `Dynamic`, or to the group `Outer`, which contains it.
  private static func tenant(
    ofGroupWith rule: String, isNested: Bool = false, users: String = users, access: String? = nil
  ) throws -> Tenant {
    let group = ##"""
      {"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "Dynamic", "membershipRule": "\##(rule)"}
      """##
    let outer =
      ##"{"@odata.type": "#microsoft.graph.group", "id": "h", "displayName": "Outer", "members": ["g"]}"##
    let policy = ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "printBlocked": true,
       "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
       "assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget",
         "groupId": "\##(isNested ? "h" : "g")"}}]}
      """##
    var files = ["g.json": group, "h.json": outer, "p.json": policy, "u.json": users]
    files["c.json"] = access
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  private static let sales = #"user.department -eq \"Sales\""#
  private static let staff = #"user.department -eq \"HR\""#

  @Test(arguments: [(false, "Dynamic", "rule"), (true, "Outer", "rule of `Dynamic`")])
  func `a changed membership rule causes a difference for users with unknown attributes`(
    isNested: Bool, group: String, rule: String
  ) throws {
    let old = try Self.tenant(ofGroupWith: Self.sales, isNested: isNested)
    let new = try Self.tenant(ofGroupWith: Self.staff, isNested: isNested)
    let (before, after) = ("by the old \(rule), the user is", "by the new \(rule), the user is")
    #expect(
      Self.changes(old, new, on: TenantDevice()) == [
        "[0] [] \(before) in `\(group)`, \(after) not in `\(group)`",
        "[] [0] \(before) not in `\(group)`, \(after) in `\(group)`",
      ])
    #expect(TenantDiff(old, old).isEmpty)
  }

  @Test(arguments: [false, true])
  func `the reason for a difference names the group whose membership rule changed`(isNested: Bool)
    throws
  {
    let users =
      #"{"userPrincipalName": "anna@contoso.com", "department": "HR", "assignedLicenses": [{"skuId": "1"}]}"#
    let difference = TenantDiff(
      try Self.tenant(ofGroupWith: Self.sales, isNested: isNested, users: users),
      try Self.tenant(ofGroupWith: Self.staff, isNested: isNested, users: users),
      devices: [TenantDevice()])
    let causes = difference.protection.flatMap(\.causes)
    #expect(causes.map(\.kinds) == [[.membershipRule]])
    #expect(
      causes.map(\.rules) == [
        [.init(name: "Dynamic", old: "contoso/g.json:1", new: "contoso/g.json:1")]
      ])
    #expect(
      difference.text.contains(
        "\n    `P`: another membership rule\n"
          + "      the rule of `Dynamic` differs (contoso/g.json:1 -> contoso/g.json:1)\n"),
      "\(difference.text)")
  }

  @Test func `a difference by conditional access names the group with the changed rule`() throws {
    let users =
      #"{"userPrincipalName": "anna@contoso.com", "department": "HR", "assignedLicenses": [{"skuId": "1"}]}"#
    let access = ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "CA", "state": "enabled",
       "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]},
         "users": {"includeGroups": ["h"]}},
       "grantControls": {"operator": "OR", "builtInControls": ["mfa"]}}
      """##
    let difference = TenantDiff(
      try Self.tenant(ofGroupWith: Self.sales, users: users, access: access),
      try Self.tenant(ofGroupWith: Self.staff, users: users, access: access),
      devices: [TenantDevice()])
    #expect(
      difference.access.map(\.rules) == [
        [.init(name: "Dynamic", old: "contoso/g.json:1", new: "contoso/g.json:1")]
      ])
    #expect(
      difference.text.hasSuffix(
        "\n      the rule of `Dynamic` differs (contoso/g.json:1 -> contoso/g.json:1)\n"),
      "\(difference.text)")
    #expect(difference.json.contains(#""rules":[{"name":"Dynamic","old":"contoso/g.json:1","#))
  }

  @Test func `a user's changed department or licence is not reported as a changed rule`() throws {
    let user = { (department: String, licences: String) in
      #"{"userPrincipalName": "anna@contoso.com", "department": "\#(department)", "assignedLicenses": [\#(licences)]}"#
    }
    let licence = #"{"skuId": "1"}"#
    let old = try Self.tenant(ofGroupWith: Self.sales, users: user("Sales", licence))
    for (department, licences, kinds) in [
      ("HR", licence, [TenantDiffCause.Kind.membership]), ("Sales", "", [.licence]),
    ] {
      let new = try Self.tenant(ofGroupWith: Self.sales, users: user(department, licences))
      let causes = TenantDiff(old, new, devices: [TenantDevice()]).protection.flatMap(\.causes)
      #expect(causes.map(\.kinds) == [kinds])
      #expect(causes.flatMap(\.rules) == [])
    }
  }

  @Test func `the reason for a difference cites a filter's changed rule in both exports`() throws {
    let text = TenantDiff(try Self.tenant(Self.recent), try Self.tenant(Self.newest)).text
    #expect(
      text.contains(
        "`P`: another filter rule\n      the rule of `F` differs (contoso/f.json:1 -> contoso/f.json:1)\n"
      ), "\(text)")
    #expect(
      text.contains("if the old filter `F` is true and the new filter `F` is false"), "\(text)")
  }
}
