import GraphDocuments
import Tenants
import Testing

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
  func `a changed rule of a filter is a difference only for devices on which its result changes`(
    before: String, after: String, changes: [String]
  ) throws {
    let (old, new) = (try Self.tenant(before), try Self.tenant(after))
    #expect(Self.changes(old, new, on: TenantDevice()) == Set(changes))
  }

  @Test(arguments: [("26.0", ["[0] [] "]), ("16.0", [])])
  func `on a known device, a changed rule has a definite effect`(
    version: String, changes: [String]
  ) throws {
    let (old, new) = (try Self.tenant(Self.recent), try Self.tenant(Self.newest))
    #expect(Self.changes(old, new, on: TenantDevice(osVersion: version)) == Set(changes))
  }

  @Test func `a changed name of a filter is not a difference`() throws {
    let (old, new) = (try Self.tenant(Self.recent), try Self.tenant(Self.recent, called: "G"))
    #expect(TenantDiff(old, new).isEmpty)
  }

  private static func tenant(ofGroupWith rule: String) throws -> Tenant {
    let group = ##"""
      {"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "Dynamic", "membershipRule": "\##(rule)"}
      """##
    let policy = ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "printBlocked": true,
       "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
       "assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "g"}}]}
      """##
    var reader = TenantReader(folder: "contoso")
    for (path, text) in [("g.json", group), ("p.json", policy), ("u.json", users)] {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  @Test func `a changed membership rule is a difference for users whose attributes are unknown`()
    throws
  {
    let old = try Self.tenant(ofGroupWith: #"user.department -eq \"Sales\""#)
    let new = try Self.tenant(ofGroupWith: #"user.department -eq \"HR\""#)
    let (before, after) = ("by the old rule, the user is", "by the new rule, the user is")
    #expect(
      Self.changes(old, new, on: TenantDevice()) == [
        "[0] [] \(before) in `Dynamic`, \(after) not in `Dynamic`",
        "[] [0] \(before) not in `Dynamic`, \(after) in `Dynamic`",
      ])
    #expect(TenantDiff(old, old).isEmpty)
  }

  @Test func `the reason names the rule`() throws {
    let text = TenantDiff(try Self.tenant(Self.recent), try Self.tenant(Self.newest)).text
    #expect(text.contains("`P`: another filter rule"), "\(text)")
    #expect(
      text.contains("if the old filter `F` is true and the new filter `F` is false"), "\(text)")
  }
}
