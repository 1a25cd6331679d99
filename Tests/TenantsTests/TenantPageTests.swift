import Analysis
import Foundation
import GraphDocuments
import Policy
import Testing

@testable import Tenants

/// Tests the structure of the page of `sluice tenant who`. Wording and style are not checked.
@Suite struct TenantPageTests {
  /// Returns the page of a tenant with these export files.
  private static func page(
    _ files: [String: String], on devices: [TenantDevice] = [TenantDevice()],
    reachedBy document: String? = nil
  ) throws -> String {
    try tenant(files).page(on: devices, reachedBy: document)
  }

  private static func tenant(_ files: [String: String]) throws -> Tenant {
    var reader = TenantReader(folder: "/home/anna/contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  /// Returns the classes of the cells, row by row, without the total.
  private static func cells(of page: String) -> [String] {
    page.components(separatedBy: "<td class=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  private static func policy(
    _ name: String, group: String, apps: [String], sending: String = "managedApps"
  ) -> String {
    let apps = apps.map { #"{"mobileAppIdentifier": {"bundleId": "\#($0)"}}"# }
    return ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)",
       "allowedOutboundDataTransferDestinations": "\##(sending)",
       "apps": [\##(apps.joined(separator: ", "))],
       "assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "\##(group)"}}]}
      """##
  }

  private static func users(_ count: Int) -> String {
    let users = (0..<count).map {
      #"{"id": "u\#($0)", "userPrincipalName": "user\#($0)@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#
    }
    return #"{"value": [\#(users.joined(separator: ",\n"))]}"#
  }

  private static func group(_ number: Int, _ members: [Int]) -> String {
    let members = members.map { #""u\#($0)""# }.joined(separator: ", ")
    return ##"""
      {"@odata.type": "#microsoft.graph.group", "id": "g\##(number)", "displayName": "Group \##(number)", "members": [\##(members)]}
      """##
  }

  @Test func `the tenant page has a cell for each class of users and app`() throws {
    let page = try Self.page([
      "u.json": Self.users(3), "g.json": "[\(Self.group(0, [0]))]",
      "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"]),
    ])
    #expect(Self.cells(of: page) == ["unprotected", "protected"])
    #expect(page.contains("2 users like user1@contoso.com"))
  }

  @Test func `users reached by a policy form separate classes if their other policies differ`()
    throws
  {
    let files = [
      "u.json": Self.users(3), "g.json": "[\(Self.group(0, [0, 1])), \(Self.group(1, [1]))]",
      "a.json": Self.policy("Base", group: "g0", apps: ["com.contoso.mail"]),
      "b.json": Self.policy("Strict", group: "g1", apps: ["com.contoso.mail"], sending: "none"),
    ]
    let page = try Self.page(files, reachedBy: "Base")
    #expect(page.contains("<title>Who gets Base</title>"))
    #expect(page.contains("<summary>user0@contoso.com</summary>"))
    #expect(page.contains("<summary>user1@contoso.com</summary>"))
    #expect(!page.contains("<summary>user2@contoso.com</summary>"))
    let tenant = try Self.tenant(files)
    let companions = { (name: String) in tenant.reach(of: name, on: TenantDevice())?.companions }
    #expect(companions("Base") == ["Strict: user1@contoso.com in com.contoso.mail"])
    #expect(companions("Strict") == ["Base: user1@contoso.com in com.contoso.mail"])
  }

  @Test func `a page about a policy states which users it reaches on each kind of device`() throws {
    let files = [
      "u.json": Self.users(2), "g.json": "[\(Self.group(0, [0]))]",
      "c.json": LockOutTests.namingUser,
      "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"]).replacing(
        "\"displayName\"",
        with: "\"targetedAppManagementLevels\": \"unmanaged\", \"displayName\""),
    ]
    let page = try Self.page(files, on: TenantDevice.kinds, reachedBy: "Strict")
    #expect(
      page.contains("On unmanaged devices: reaches 1 of 2 users; does not reach 1 of 2 users."))
    #expect(page.contains("On managed devices: does not reach 2 of 2 users."))
    #expect(page.contains("Does not reach 2 of 2 users on managed devices"))
  }

  @Test func `a policy without restrictions is shown as permissive`() throws {
    let page = try Self.page([
      "u.json": Self.users(2), "g.json": "[\(Self.group(0, [0])), \(Self.group(1, [1]))]",
      "p.json": Self.policy("Open", group: "g0", apps: ["com.contoso.mail"], sending: "allApps"),
      "q.json": Self.policy("Strict", group: "g1", apps: ["com.contoso.mail"]),
    ])
    #expect(Self.cells(of: page).sorted() == ["permissive", "protected"])
    #expect(page.contains("<b>Policy, all open</b>"))
  }

  @Test func `a policy is permissive if sending, pasting, saving and printing are all open`() {
    for send in Settings.Destinations.allCases {
      for clipboard in Settings.ClipboardLevel.allCases {
        for flags in 0..<4 {
          var settings = Settings()
          settings.allowedOutboundDataTransferDestinations = send
          settings.allowedOutboundClipboardSharingLevel = clipboard
          settings.saveAsBlocked = flags & 1 > 0
          settings.printBlocked = flags & 2 > 0
          let document = PolicyDocument(displayName: "p", file: "p.json", settings: settings)
          let ways = WaysOut(document, on: [.unenrolled]).ways
          let isOpen = WayClass.allCases.allSatisfy { $0.openness(of: ways) == .open }
          #expect(WayClass.areAllOpen(under: settings) == isOpen, "\(settings)")
        }
      }
    }
  }

  @Test func `the tenant page distinguishes locations to open from and locations to save to`()
    throws
  {
    let page = try Self.page([
      "u.json": Self.users(1), "g.json": "[\(Self.group(0, [0]))]",
      "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"], sending: "none"),
    ])
    #expect(page.contains("Open from "))
    #expect(page.contains("Save to "))
  }

  @Test func `conditional access that requires a policy locks out users without one`() throws {
    let access = ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "Require", "state": "enabled",
       "conditions": {"users": {"includeUsers": ["All"]}, "applications": {"includeApplications": ["All"]},
       "clientAppTypes": ["all"]}, "grantControls": {"operator": "OR", "builtInControls": ["compliantApplication"]}}
      """##
    let page = try Self.page([
      "u.json": Self.users(2), "g.json": "[\(Self.group(0, [0]))]", "c.json": access,
      "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"]),
    ])
    #expect(Set(Self.cells(of: page)) == ["protected", "lockedOut"])
  }

  @Test func `users who are locked out on only one kind of device count as unprotected`() throws {
    let access = ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "Require", "state": "enabled",
       "conditions": {"users": {"includeUsers": ["All"]}, "applications": {"includeApplications": ["All"]},
       "clientAppTypes": ["all"]},
       "grantControls": {"operator": "OR", "builtInControls": ["compliantApplication", "compliantDevice"]}}
      """##
    let page = try Self.page(
      [
        "u.json": Self.users(3), "g.json": "[\(Self.group(0, [0])), \(Self.group(1, [1]))]",
        "c.json": access,
        "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"]),
        "q.json": Self.policy("Open", group: "g1", apps: ["com.contoso.mail"], sending: "allApps"),
      ], on: TenantDevice.kinds)
    #expect(Self.cells(of: page) == ["protected", "permissive", "unprotected"])
    #expect(
      page.contains(
        "<p>1 user cannot use an app on unmanaged devices, because conditional access requires a policy; "
          + "1 user has no policy in any app; 1 user has only policies that leave every way open.</p>"
      ))
  }

  @Test(arguments: [
    ("block", "noAccess", "unmanaged devices", true),
    ("compliantDevice", "protected", "unmanaged devices", false),
  ])
  func `the tenant page shows that users blocked by conditional access have no access`(
    control: String, cell: String, place: String, isEverywhere: Bool
  ) throws {
    let access = ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "Shut", "state": "enabled",
       "conditions": {"users": {"includeUsers": ["All"]}, "applications": {"includeApplications": ["All"]},
       "clientAppTypes": ["all"]}, "grantControls": {"operator": "OR", "builtInControls": ["\##(control)"]}}
      """##
    let page = try Self.page(
      [
        "u.json": Self.users(2), "g.json": "[\(Self.group(0, [0, 1]))]", "c.json": access,
        "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"]),
      ], on: TenantDevice.kinds)
    #expect(Self.cells(of: page) == [cell])
    #expect(
      page.contains("2 users cannot sign in on \(place), which cannot meet conditional access"))
    #expect(page.contains("2 users cannot sign in on managed devices") == isEverywhere)
    #expect(page.contains("blocked by <code>Shut</code>"))
  }

  @Test func `the tenant page states that a policy for all users does not reach unlicensed users`()
    throws
  {
    let everyone = Self.policy("Everyone", group: "g0", apps: ["com.contoso.mail"])
      .replacing(
        #"groupAssignmentTarget", "groupId": "g0""#, with: #"allLicensedUsersAssignmentTarget""#)
    let page = try Self.page([
      "u.json": #"{"userPrincipalName": "cleo@contoso.com", "assignedLicenses": []}"#,
      "p.json": everyone,
    ])
    #expect(page.contains("<code>Everyone</code> does not apply: cleo@contoso.com has no licence"))
  }

  @Test func `the tenant page states that all users are protected if each user has a policy`()
    throws
  {
    let page = try Self.page([
      "u.json": Self.users(2), "g.json": "[\(Self.group(0, [0, 1]))]",
      "p.json": Self.policy("Strict", group: "g0", apps: ["com.contoso.mail"]),
    ])
    #expect(page.contains("<p>All users are protected in every app.</p>"))
  }

  @Test func `names on the tenant page are escaped, and the page loads no external resources`()
    throws
  {
    let page = try Self.page([
      "u.json": Self.users(1), "g.json": "[\(Self.group(0, [0]))]",
      "p.json": Self.policy("<script>alert(1)</script>", group: "g0", apps: ["com.contoso.mail"]),
    ])
    #expect(page.contains("&lt;script>alert(1)&lt;/script>") || page.contains("&lt;script&gt;"))
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("src="))
    #expect(!page.contains("http://") && !page.contains("https://"))
    #expect(!page.contains("/home/anna"))
  }

  @Test func `the size of the tenant page is limited for many classes and apps`() throws {
    var files = ["u.json": Self.users(500)]
    let groups = (0..<60).map { number in
      Self.group(number, (0..<500).filter { ($0 >> (number % 11)) & 1 == 1 })
    }
    files["g.json"] = "[\(groups.joined(separator: ",\n"))]"
    for number in 0..<60 {
      files["p\(number).json"] = Self.policy(
        "Policy \(number)", group: "g\(number)", apps: ["com.contoso.app\(number % 30)"],
        sending: number.isMultiple(of: 2) ? "none" : "managedApps")
    }
    #expect(try Self.page(files).utf8.count < 2 << 20)
  }
}
