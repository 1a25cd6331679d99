import Directory
import Encodings
import Enrollment
import GraphDocuments
import Output
import Tenants
import Testing

@Suite struct TenantTests {
  // MARK: A tenant

  private static let users = #"""
    {"value": [
      {"id": "u1", "userPrincipalName": "anna@contoso.com", "department": "Finance", "assignedLicenses": [{"skuId": "1"}]},
      {"id": "u2", "userPrincipalName": "ben@contoso.com", "department": "Service", "assignedLicenses": [{"skuId": "1"}]},
      {"id": "u3", "userPrincipalName": "dora@contoso.com", "department": "Service", "assignedLicenses": [{"skuId": "1"}]},
      {"id": "u4", "userPrincipalName": "root@contoso.com", "department": null, "assignedLicenses": []}
    ]}
    """#
  private static let groups = ##"""
    [{"@odata.type": "#microsoft.graph.group", "id": "g1", "displayName": "Sales", "members": ["anna@contoso.com"]},
     {"@odata.type": "#microsoft.graph.group", "id": "g2", "displayName": "Break glass", "members": ["u4"]},
     {"@odata.type": "#microsoft.graph.group", "id": "g3", "displayName": "Field staff",
      "membershipRule": "user.department -in [\"Sales\", \"Service\"]"}]
    """##
  private static let filter = ##"""
    {"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "f1", "displayName": "iOS 17",
     "platform": "iOSMobileApplicationManagement", "rule": "app.osVersion -startsWith \"17\""}
    """##

  private static func assignments(_ targets: [String]) -> String {
    "[" + targets.map { #"{"target": {\#($0)}}"# }.joined(separator: ", ") + "]"
  }

  private static func group(_ id: String, type: String = "groupAssignmentTarget") -> String {
    ##""@odata.type": "#microsoft.graph.\##(type)", "groupId": "\##(id)""##
  }

  private static func policy(
    _ name: String, sending: String, app: String = "com.contoso.mail", to targets: [String]
  ) -> String {
    ##"""
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)",
     "allowedOutboundDataTransferDestinations": "\##(sending)",
     "apps": [{"mobileAppIdentifier": {"bundleId": "\##(app)"}}],
     "assignments": \##(assignments(targets))}
    """##
  }

  private static let files = [
    "Users/users.json": users, "Groups/groups.json": groups,
    "AssignmentFilters/filter.json": filter,
    "AppProtection/field.json": policy(
      "Field", sending: "none",
      to: [
        group("g3")
          + #", "deviceAndAppManagementAssignmentFilterId": "f1", "deviceAndAppManagementAssignmentFilterType": "include""#
      ]),
    "AppProtection/strict.json": policy(
      "Strict", sending: "managedApps",
      to: [group("g1"), group("g2", type: "exclusionGroupAssignmentTarget")]),
    "MobileApps/mail.json":
      ##"{"@odata.type": "#microsoft.graph.iosStoreApp", "id": "A1", "bundleId": "com.contoso.mail"}"##,
    "AppConfigurationManagedDevice/dev.json": ##"""
    {"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "Device", "targetedMobileApps": ["a1"],
     "settings": [{"appConfigKey": "IntuneMAMUPN", "appConfigKeyType": "stringType", "appConfigKeyValue": "{{userprincipalname}}"}],
     "assignments": \##(assignments([group("g1")]))}
    """##,
    "ConditionalAccess/ca.json": ##"""
    {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "Require protection", "state": "enabled",
     "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]},
      "users": {"includeUsers": ["All"], "excludeGroups": ["g2"]}},
     "grantControls": {"operator": "OR", "builtInControls": ["compliantApplication"]}}
    """##,
  ]

  private static func tenant(_ files: [String: String] = files) throws -> Tenant {
    var reader = TenantReader(folder: "contoso/")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  // MARK: Answers

  @Test func `the tenant table has a row for each class of users`() throws {
    let tenant = try Self.tenant()
    let rows = tenant.rows(
      for: tenant.classes(), in: tenant.bundleIDs, on: TenantDevice(osVersion: "17.2"))
    #expect(
      tenant.text(of: rows, on: TenantDevice(osVersion: "17.2")) == """
        contoso: 4 users, 3 groups, 2 app protection policies, 1 app configuration, 1 conditional access policy
        on an unmanaged device with iOS 17.2

        users                         app               app protection policies
        2 users like ben@contoso.com  com.contoso.mail  Field
        anna@contoso.com              com.contoso.mail  Strict
        root@contoso.com              com.contoso.mail  none

        """)
    #expect(
      tenant.csv(of: rows, on: TenantDevice(osVersion: "17.2")) == """
        users,like,app,policies
        2,ben@contoso.com,com.contoso.mail,Field
        1,anna@contoso.com,com.contoso.mail,Strict
        1,root@contoso.com,com.contoso.mail,none

        """)
  }

  @Test(arguments: [5, 6])
  func `more than five apps with the same answer share one table line`(count: Int) throws {
    var files = Self.files
    for number in 1...count {
      files["AppProtection/strict\(number).json"] = Self.policy(
        "Strict", sending: "managedApps", app: "com.contoso.app\(number)", to: [Self.group("g1")])
    }
    files["AppProtection/all.json"] = Self.policy(
      "All", sending: "allApps", app: "com.contoso.wiki", to: [Self.group("g1")])
    let tenant = try Self.tenant(files)
    let anna = UserClass(users: [0])
    let apps = (1...count).map { "com.contoso.app\($0)" } + ["com.contoso.wiki"]
    let text = tenant.text(
      of: tenant.rows(for: [anna], in: apps, on: TenantDevice()), on: TenantDevice())
    let lines = text.split(separator: "\n").map(String.init)
    guard count > 5 else {
      #expect(lines.filter { $0.hasPrefix("anna@contoso.com") }.count == count + 1, "\(text)")
      return
    }
    #expect(
      lines.suffix(2) == [
        "anna@contoso.com  com.contoso.wiki  All", "anna@contoso.com  6 other apps      Strict",
      ], "\(text)")
    #expect(text.contains("\nevery app: com.contoso.app1, com.contoso.app2, "), "\(text)")
  }

  @Test func `the answer for a user cites the assignment, the group and the settings`() throws {
    let tenant = try Self.tenant()
    let anna = try #require(tenant.directory.user("anna@contoso.com"))
    let answer = tenant.answer(for: anna, app: "com.contoso.mail", on: TenantDevice())
    #expect(
      tenant.text(of: answer) == """
        anna@contoso.com in com.contoso.mail, on an unmanaged device

        App protection policies
          Field (AppProtection/field.json:1)
            does not apply: not in `Field staff`
          Strict (AppProtection/strict.json:1)
            applies: anna@contoso.com is in `Sales` (Groups/groups.json:1) (AppProtection/strict.json:4)

        Settings
          Send org data to other apps: Policy managed apps (AppProtection/strict.json:2)

        App configurations
          Device (AppConfigurationManagedDevice/dev.json:1)
            does not apply: not targeted at unmanaged devices

        Conditional access
          Require protection (ConditionalAccess/ca.json:4)
            applies; grant controls: Require app protection policy

        """)
  }

  @Test func `if several policies merge, a setting also cites the less restrictive values`() throws
  {
    let tenant = try Self.tenant(
      Self.files.merging(
        [
          "AppProtection/loose.json": Self.policy(
            "Loose", sending: "allApps", to: [Self.group("g1")])
        ],
        uniquingKeysWith: { $1 }))
    let anna = try #require(tenant.directory.user("u1"))
    let answer = tenant.answer(for: anna, app: "com.contoso.mail", on: TenantDevice())
    #expect(
      tenant.text(of: answer).contains(
        """

        Settings
          Send org data to other apps: Policy managed apps (AppProtection/strict.json:2), not All apps \
        (AppProtection/loose.json:2)

        """))
    let rows = tenant.rows(for: tenant.classes(), in: ["com.contoso.mail"], on: TenantDevice())
    let json = try JSONReader.read(
      tenant.json(of: rows, on: TenantDevice(), explaining: answer))
    let setting = json["answer"]?["settings"]?.array?.first?["stated"]?.array?.first
    #expect(setting?["value"]?.string == "Policy managed apps")
    let overruled = setting?["overruled"]?.array?.first
    #expect(overruled?["value"]?.string == "All apps")
    #expect(overruled?["places"]?.array?.map(\.string) == ["AppProtection/loose.json:2"])
  }

  @Test(arguments: [5, 6])
  func `more than five documents for other apps or users are summarised in one line`(count: Int)
    throws
  {
    var files = Self.files
    for number in 1...count {
      files["AppProtection/o\(number).json"] = Self.policy(
        "O\(number)", sending: "none", app: "org.example.notes", to: [Self.group("g1")])
      files["ConditionalAccess/o\(number).json"] = files["ConditionalAccess/ca.json"]?
        .replacing("Require protection", with: "C\(number)")
        .replacing(#""includeUsers": ["All"]"#, with: #""includeGroups": ["g2"]"#)
    }
    let tenant = try Self.tenant(files)
    let anna = try #require(tenant.directory.user("u1"))
    let text = tenant.text(
      of: tenant.answer(for: anna, app: "com.contoso.mail", on: TenantDevice()))
    let isFolded = count > 5
    #expect(
      text.contains("\n  6 others, not targeted at this app: O1, O2, O3 and 3 more\n") == isFolded,
      "\(text)")
    #expect(text.contains("\n  O4 (AppProtection/o4.json:1)\n") != isFolded, "\(text)")
    #expect(
      text.contains("\n  6 others, for other users: C1, C2, C3 and 3 more\n") == isFolded, "\(text)"
    )
    #expect(text.contains("\n  C4 (ConditionalAccess/o4.json:") != isFolded, "\(text)")
    #expect(text.contains("\n  Strict (AppProtection/strict.json:1)\n"))
  }

  @Test func `an unassigned policy for another app is shown as assigned to no user`() throws {
    var files = Self.files
    files["AppProtection/o.json"] = Self.policy(
      "O", sending: "none", app: "org.example.notes", to: [])
    let tenant = try Self.tenant(files)
    let anna = try #require(tenant.directory.user("u1"))
    let text = tenant.text(
      of: tenant.answer(for: anna, app: "com.contoso.mail", on: TenantDevice()))
    #expect(
      text.contains("\n  O (AppProtection/o.json:1)\n    does not apply: assigned to no user\n"),
      "\(text)")
  }

  @Test func `if several policies merge, a setting cites all policies that have its value`() throws
  {
    let other = Self.policy("Other", sending: "managedApps", to: [Self.group("g1")])
    let tenant = try Self.tenant(
      Self.files.merging(["AppProtection/other.json": other], uniquingKeysWith: { $1 }))
    let anna = try #require(tenant.directory.user("u1"))
    let answer = tenant.answer(for: anna, app: "com.contoso.mail", on: TenantDevice())
    #expect(
      tenant.text(of: answer).contains(
        "\n  Send org data to other apps: Policy managed apps (AppProtection/other.json:2, AppProtection/strict.json:2)\n"
      ), "\(tenant.text(of: answer))")
    #expect(
      tenant.page(on: [TenantDevice()]).contains(
        "Policy managed apps (AppProtection/other.json:2, AppProtection/strict.json:2)"))
  }

  @Test(arguments: TenantDevice.kinds, ["Field", "Strict", "Device"])
  func `a document's list of reached users agrees with each user's answer`(
    device: TenantDevice, name: String
  ) throws {
    let tenant = try Self.tenant()
    let reach = try #require(tenant.reach(of: name, on: device))
    var asked = 0
    for group in try JSONReader.read(Array(reach.json.utf8))["reach"]?.array ?? [] {
      let alternatives = group["apps"]?.array?.first?["alternatives"]?.array ?? []
      for upn in group["users"]?.array?.compactMap(\.string) ?? [] {
        let user = try #require(tenant.directory.user(upn))
        let answer = tenant.answer(for: user, app: "com.contoso.mail", on: device)
        let result = [
          "Field": answer.policies[0], "Strict": answer.policies[1],
          "Device": answer.configurations[0],
        ][name]
        #expect(
          result?.alternatives?.map(\.answer.applies)
            == alternatives.map { $0["applies"]?.bool ?? false }, "\(upn)")
        asked += 1
      }
    }
    #expect(asked == tenant.directory.users.count)
  }

  @Test func `an unknown filter result yields an alternative answer for each possible result`()
    throws
  {
    let tenant = try Self.tenant()
    let ben = try #require(tenant.directory.user("u2"))
    let answer = tenant.answer(for: ben, app: "com.contoso.mail", on: TenantDevice())
    let effective = try #require(answer.effective)
    #expect(effective.map(\.answer) == [[0], []])
    #expect(effective.map { $0.facts.map(\.holds) } == [[true], [false]])
    #expect(
      tenant.text(of: answer).contains("Settings, if the filter `iOS 17` is false: no policy"))
  }

  @Test func `an exclusion from conditional access applies to members of the group`() throws {
    let tenant = try Self.tenant()
    for (name, applies) in [("root@contoso.com", false), ("ben@contoso.com", true)] {
      let user = try #require(tenant.directory.user(name))
      let answer = tenant.answer(for: user, app: "com.contoso.mail", on: TenantDevice())
      #expect(answer.conditionalAccess[0].alternatives?.map(\.answer.applies) == [applies])
    }
  }

  @Test func `a configuration with IntuneMAMUPN reaches the user's managed device`() throws {
    let tenant = try Self.tenant()
    let anna = try #require(tenant.directory.user("u1"))
    let answer = tenant.answer(
      for: anna, app: "com.contoso.mail", on: TenantDevice(isManaged: true))
    #expect(answer.configurations[0].alternatives?.map(\.answer.applies) == [true])
  }

  @Test func `one note names the documents whose assignments the export lacks`() throws {
    let policy = ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "apps": []}
      """##
    let tenant = try Self.tenant(["p.json": policy, "q.json": policy])
    #expect(
      tenant.diagnostics.map(\.description).filter { $0.hasSuffix("[assignments]") } == [
        "contoso: note: the export states no assignments of `P`, `P`, so no user gets them; export assignments too, as "
          + "with `$expand=assignments` [assignments]"
      ])
    #expect(
      try !Self.tenant(["p.json": Self.policy("P", sending: "none", to: [])]).diagnostics
        .contains { $0.rule == "assignments" })
  }

  @Test func `an app configuration for apps missing from the export is reported`() throws {
    let tenant = try Self.tenant(Self.files.filter { !$0.key.hasPrefix("MobileApps") })
    #expect(
      tenant.diagnostics.map(\.description).filter { $0.contains("opaqueApps") } == [
        "contoso/AppConfigurationManagedDevice/dev.json:1:88: note: the export does not contain the apps `a1`, so the "
          + "configuration reaches none of them; also export `deviceAppManagement/mobileApps` [opaqueApps]"
      ])
    let answer = tenant.answer(
      for: 0, app: "com.contoso.mail", on: TenantDevice(isManaged: true))
    let reason = "does not apply: the export does not contain its apps `a1`"
    #expect(tenant.text(of: answer).contains("\n    \(reason)\n"))
    let device = TenantDevice(isManaged: true)
    let rows = tenant.rows(for: tenant.classes(), in: ["com.contoso.mail"], on: device)
    let json = try JSONReader.read(tenant.json(of: rows, on: device, explaining: answer))
    #expect(
      json["answer"]?["configurations"]?.array?.first?["alternatives"]?.array?.first?["reason"]?
        .string == reason)
  }

  @Test func `without a directory, an answer depends on the groups that assignments name`() throws {
    let files = Self.files.filter {
      !$0.key.hasPrefix("Groups") && !$0.key.hasPrefix("AssignmentFilters")
    }
    let tenant = try Self.tenant(files)
    let anna = try #require(tenant.directory.user("u1"))
    let answer = tenant.answer(for: anna, app: "com.contoso.mail", on: TenantDevice())
    let strict = try #require(answer.policies[1].alternatives)
    #expect(strict.map(\.answer.applies) == [false, true, false])
    #expect(tenant.text(of: answer).contains("if the user is not in `g2` and the user is in `g1`"))
  }

  @Test
  func `an answer that depends on more than six facts lists the facts instead of alternatives`()
    throws
  {
    let groups = (1...8).map { "h\($0)" }
    let tenant = try Self.tenant([
      "users.json": Self.users,
      "policy.json": Self.policy("P", sending: "none", to: groups.map { Self.group($0) }),
    ])
    let list =
      groups.dropLast().map { "the user is in `\($0)`" }.joined(separator: ", ")
      + " and the user is in `h8`"
    let unknown =
      "unknown, because it depends on 8 facts that the export does not state: " + list
    let device = TenantDevice()
    let rows = tenant.rows(for: tenant.classes(), in: ["com.contoso.mail"], on: device)
    let table = tenant.text(of: rows, on: device).split(separator: "\n")
    #expect(table.contains { $0.hasSuffix("  com.contoso.mail  " + unknown) })
    #expect(tenant.csv(of: rows, on: device).contains(unknown))
    let answer = tenant.answer(for: 0, app: "com.contoso.mail", on: device)
    let text = tenant.text(of: answer)
    #expect(text.contains("\n  P (policy.json:1)\n    \(unknown)\n"))
    #expect(text.contains("\nSettings: \(unknown)\n"))
    let json = try JSONReader.read(tenant.json(of: rows, on: device, explaining: answer))
    let named = groups.map { "the user is in `\($0)`" }
    for result in [
      json["classes"]?.array?.first?["apps"]?.array?.first,
      json["answer"]?["policies"]?.array?.first,
    ] {
      #expect(result?["alternatives"] == nil)
      #expect(result?["dependsOn"]?.array?.compactMap(\.string) == named)
    }
    let audience = try #require(
      tenant.audiences(in: ["com.contoso.mail"], on: device).first { $0.policies == nil })
    #expect(audience.unknownFacts == named)
  }

  @Test(arguments: [("com.microsoft.Office.Outlook", true), ("com.contoso.mail", false)])
  func `in filters, an app to which Intune gives IntuneMAMUPN counts as managed`(
    app: String, isManaged: Bool
  ) throws {
    let tenant = try Self.tenant([
      "users.json": Self.users,
      "filter.json": ##"""
      {"id": "f", "displayName": "Managed", "platform": "iOSMobileApplicationManagement",
       "assignmentFilterManagementType": "apps", "rule": "app.deviceManagementType -eq \"Managed\""}
      """##,
      "policy.json": Self.policy(
        "P", sending: "none", app: app,
        to: [
          ##""@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget""##
            + #", "deviceAndAppManagementAssignmentFilterId": "f""#
            + #", "deviceAndAppManagementAssignmentFilterType": "include""#
        ]),
    ])
    let answer = tenant.answer(
      for: 0, app: app.lowercased(), on: TenantDevice(isManaged: true))
    #expect(answer.effective?.map(\.answer) == [isManaged ? [0] : []])
  }

  @Test(arguments: [
    #"[{"target": {"groupId": "g1"}}]"#, #"{"id": "a", "target": {"groupId": "g1"}}"#,
    #"{"value": [{"target": {"groupId": "g1"}}]}"#,
  ])
  func `an assignments file may contain a list, a Graph response or a single entry`(text: String)
    throws
  {
    let policy = Self.policy("P", sending: "none", to: []).replacing(
      #""assignments": []"#, with: #""printBlocked": true"#)
    let tenant = try Self.tenant([
      "users.json": Self.users, "groups.json": Self.groups,
      "App Protection Policies/P.json": policy, "App Protection Policies/Assignments/P.json": text,
    ])
    for (user, policies) in [("anna@contoso.com", [0]), ("ben@contoso.com", [])] {
      let index = try #require(tenant.directory.user(user))
      let answer = tenant.answer(for: index, app: "com.contoso.mail", on: TenantDevice())
      #expect(answer.effective?.map(\.answer) == [policies])
    }
  }

  @Test func `the assignments of a configuration may be in a separate file`() throws {
    let configuration =
      ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "P", "##
      + #""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}], "#
      + #""customSettings": [{"name": "a", "value": "b"}]}"#
    let tenant = try Self.tenant([
      "users.json": Self.users, "groups.json": Self.groups,
      "App Protection Policies/P.json": Self.policy("P", sending: "none", to: []),
      "App Configuration/P.json": configuration,
      "App Configuration/Assignments/P.json": #"[{"target": {"groupId": "g1"}}]"#,
    ])
    for (user, applies) in [("anna@contoso.com", true), ("ben@contoso.com", false)] {
      let index = try #require(tenant.directory.user(user))
      let answer = tenant.answer(for: index, app: "com.contoso.mail", on: TenantDevice())
      let delivered = try #require(answer.configurations.first?.alternatives)
      #expect(delivered.map(\.answer.applies) == [applies])
      // The file beside the configuration does not affect the policy of the same name.
      #expect(answer.effective?.map(\.answer) == [[]])
    }
  }

  @Test
  func `if a configuration or conditional access policy is exported twice, the first is used`()
    throws
  {
    let configuration =
      ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "id": "A_1", "##
      + #""displayName": "C", "customSettings": [{"name": "a", "value": "b"}]}"#
    let access =
      ##"{"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "id": "c1", "displayName": "D", "##
      + #""state": "enabled", "conditions": {"users": {"includeUsers": ["All"]}, "#
      + #""applications": {"includeApplications": ["All"]}, "clientAppTypes": ["all"]}, "#
      + #""grantControls": {"operator": "OR", "builtInControls": ["block"]}}"#
    let tenant = try Self.tenant([
      "1/c.json": configuration, "2/c.json": configuration, "1/d.json": access,
      "2/d.json": access,
    ])
    #expect(tenant.configurations.count == 1)
    #expect(tenant.conditionalAccess.count == 1)
    let warnings = tenant.diagnostics.map(\.description).filter { $0.contains("exported twice") }
    #expect(warnings.count == 2)
    #expect(warnings.first?.contains("the app configuration `C`") == true)
    #expect(warnings.last?.contains("the conditional access policy `D`") == true)
  }

  @Test func `if a policy is exported twice, the first export is used`() throws {
    let policy = Self.policy("P", sending: "none", to: []).replacing(
      #""displayName""#, with: #""id": "T_1", "displayName""#)
    let tenant = try Self.tenant(["1/p.json": policy, "2/p.json": policy])
    #expect(tenant.policies.count == 1)
    #expect(
      tenant.diagnostics.map(\.description).filter { $0.contains("duplicate") } == [
        "contoso/2/p.json:1:1: warning: the policy `P` is exported twice; the export in "
          + "contoso/1/p.json:1 is used [duplicateObject]"
      ])
    let row = tenant.text(of: [], on: TenantDevice())
    #expect(row.contains("no users in the export; add "))
  }

  private static func page(_ kind: String, _ ids: [Int], isLast: Bool) -> String {
    let next = isLast ? "" : #""@odata.nextLink": "https://graph.microsoft.com/next", "#
    let objects = ids.map {
      ##"{"@odata.type": "#microsoft.graph.user", "id": "u\##($0)", "userPrincipalName": "u\##($0)@contoso.com"}"##
    }
    return ##"""
      {"@odata.context": "https://graph.microsoft.com/beta/$metadata#\##(kind)", \##(next)
       "value": [\##(objects.joined(separator: ", "))]}
      """##
  }

  private static let id = "5f0c4c1e-7d0e-4a64-9a43-0d2b4f6a7c11"

  @Test(arguments: ["Sales", id])
  func `a list of members belongs to the group with the file's name or id`(file: String) throws {
    let group =
      ##"{"@odata.type": "#microsoft.graph.group", "id": "\##(Self.id)", "displayName": "Sales"}"##
    for isWhole in [false, true] {
      var files = [
        "p.json": Self.policy(
          "P", sending: "none", to: [Self.group(Self.id)]),
        "group.json": group, "users.json": Self.page("users", [1, 2, 3], isLast: true),
        "1/\(file).json": Self.page("directoryObjects", [1], isLast: false),
      ]
      if isWhole { files["2/\(file).json"] = Self.page("directoryObjects", [2], isLast: true) }
      let tenant = try Self.tenant(files)
      let index = try #require(tenant.directory.group(GroupReference(name: "Sales")))
      #expect(tenant.directory.groups.count == 1)
      #expect(tenant.directory.users.count == 3)
      let extent = tenant.directory.extents(of: [index])[index]
      #expect(extent?.members.count == (isWhole ? 2 : 1))
      #expect(extent?.unknown.count == (isWhole ? 0 : 2))
      #expect(tenant.diagnostics.count { $0.rule == "missingPages" } == (isWhole ? 0 : 1))
    }
  }

  private static let userContext =
    ##"{"@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users", "value": [USERS]}"##

  @Test(arguments: [
    (id, "[USERS]", true), (id, #"{"value": [USERS]}"#, true), (id, userContext, true),
    (id, #"[{"id": "u1"}]"#, false), ("Sales", "[USERS]", false), ("Sales", userContext, false),
    ("Sales", #"[{"id": "u1"}]"#, false),
  ])
  func `a list of users without Graph's context has a group's members if it is named after its id`(
    file: String, text: String, isMemberList: Bool
  ) throws {
    let user = #"{"id": "u1", "userPrincipalName": "u1@contoso.com"}"#
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", sending: "none", to: [Self.group(Self.id)]),
      "group.json":
        ##"{"@odata.type": "#microsoft.graph.group", "id": "\##(Self.id)", "displayName": "Sales"}"##,
      "users.json": Self.page("users", [1, 2], isLast: true),
      "members/\(file).json": text.replacing("USERS", with: user),
    ])
    let index = try #require(tenant.directory.group(GroupReference(name: "Sales")))
    #expect(tenant.directory.groups.count == 1)
    #expect(tenant.directory.users.count == 2)
    let extent = try #require(tenant.directory.extents(of: [index])[index])
    #expect(extent.members.count == (isMemberList ? 1 : 0))
    #expect(extent.unknown.count == (isMemberList ? 0 : 2))
    #expect(
      tenant.diagnostics.filter { $0.rule == "unmarkedMembers" }.map(\.description)
        == (isMemberList
          ? []
          : [
            "contoso/members/\(file).json:1:1: note: the list does not state whether it contains the members of "
              + "`\(file)`, so they are unknown; keep Graph's `@odata.context`, or the users' `userPrincipalName` in "
              + "a file named after the group's id (a GUID) [unmarkedMembers]"
          ]))
  }

  @Test(arguments: [page("directoryObjects", [], isLast: true), "[]"])
  func `an empty list of members states that the group has no members`(list: String) throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", sending: "none", to: [Self.group(Self.id)]),
      "users.json": Self.page("users", [1], isLast: true), "\(Self.id).json": list,
    ])
    #expect(tenant.directory.membership(of: 0, in: 0) == .notMember)
  }

  @Test func `a list of a group's owners is not a list of its members`() throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", sending: "none", to: [Self.group(Self.id)]),
      "group.json":
        ##"{"@odata.type": "#microsoft.graph.group", "id": "\##(Self.id)", "displayName": "Sales"}"##,
      "owners/\(Self.id).json": #"[{"id": "u1", "userPrincipalName": "u1@contoso.com"}]"#,
    ])
    #expect(tenant.directory.users.count == 1)
    let index = try #require(tenant.directory.group(GroupReference(id: Self.id)))
    #expect(!tenant.directory.statesMembers(index))
  }

  @Test func `a list of users that is named after no group's id is not a list of members`()
    throws
  {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", sending: "none", to: []),
      "\(Self.id).json": #"[{"id": "\#(Self.id)", "userPrincipalName": "a@contoso.com"}]"#,
    ])
    #expect(tenant.directory.groups.isEmpty)
    #expect(tenant.directory.users.count == 1)
  }

  @Test(arguments: [(["a"], 1), (["a", "b"], 0), (["b"], 0)])
  func `a Graph response whose last page is missing causes a warning`(files: [String], count: Int)
    throws
  {
    let pages = [
      "a": Self.page("users", [1], isLast: false), "b": Self.page("users", [2], isLast: true),
    ]
    let read = pages.filter { files.contains($0.key) }
    let tenant = try Self.tenant(
      ["p.json": Self.policy("P", sending: "none", to: [])].merging(
        read.map { ("\($0.key).json", $0.value) }
      ) { $1 })
    let warnings = tenant.diagnostics.filter { $0.rule == "missingPages" }
    #expect(warnings.count == count)
    #expect(warnings.allSatisfy { $0.severity == .warning })
  }

  @Test func `without users, documents are listed with their assignments`() throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", sending: "none", to: [Self.group("g1")]),
      "q.json": Self.policy("Q", sending: "none", to: []),
    ])
    #expect(
      tenant.text(of: [], on: TenantDevice()).hasSuffix(
        """

        on an unmanaged device
        no users in the export; add Graph's `/users` as JSON, the admin centre's CSV file, or `directory.yaml`

        P (p.json:1) in com.contoso.mail
          includes `g1` (p.json:4)

        Q (q.json:1) in com.contoso.mail
          no assignments

        """))
  }

  @Test func `if two filters have the same id, the filter for iOS is used`() throws {
    let filter = { (platform: String) in
      #"""
      {"id": "f9", "displayName": "\#(platform)", "platform": "\#(platform)MobileApplicationManagement",
       "assignmentFilterManagementType": "apps", "rule": "app.osVersion -startsWith \"17\""}
      """#
    }
    let tenant = try Self.tenant(
      Self.files.merging(
        ["Later/1.json": filter("android"), "Later/2.json": filter("iOS")],
        uniquingKeysWith: { $1 }))
    #expect(
      tenant.diagnostics.filter { $0.rule == "duplicateFilter" }.map(\.description) == [
        "contoso/Later/2.json:1:1: warning: the filter `iOS` has the id of `android` in contoso/Later/1.json:1, "
          + "and replaces it, because only the later filter is for iOS [duplicateFilter]"
      ])
    #expect(tenant.judge.filters["f9"]?.displayName == "iOS")
  }

  @Test
  func `the first filter with an id is used, and groups with the same id are merged`()
    throws
  {
    let tenant = try Self.tenant(
      Self.files.merging(
        [
          "Later/filter.json": #"""
          {"id": "f1", "displayName": "iOS 99", "platform": "iOSMobileApplicationManagement",
           "assignmentFilterManagementType": "apps", "rule": "app.osVersion -startsWith \"99\""}
          """#,
          "Later/group.json": #"""
          {"@odata.type": "#microsoft.graph.group", "id": "g1", "displayName": "Old sales",
           "members": ["dora@contoso.com"]}
          """#,
          "MigrationTable.json":
            #"{"TenantId": "t", "Objects": [{"Id": "g1", "DisplayName": "Old Sales", "Type": "Group"}]}"#,
        ], uniquingKeysWith: { $1 }))
    #expect(
      tenant.diagnostics.filter { $0.rule.hasPrefix("duplicate") }.map(\.description) == [
        "contoso/Later/filter.json:1:1: warning: the filter `iOS 99` has the id of `iOS 17` in "
          + "contoso/AssignmentFilters/filter.json:1, and does not replace it [duplicateFilter]",
        "contoso/Later/group.json:1:1: warning: `Old sales` has the id of `Sales` in "
          + "contoso/Groups/groups.json:1; both entries count as one group [duplicateGroup]",
      ])
    let ben = try #require(tenant.directory.user("u2"))
    let answer = tenant.answer(
      for: ben, app: "com.contoso.mail", on: TenantDevice(osVersion: "17.2"))
    #expect(answer.effective?.map(\.answer) == [[0]])
    let sales = try #require(tenant.directory.group(GroupReference(id: "g1")))
    let dora = try #require(tenant.directory.user("u3"))
    #expect(tenant.directory.membership(of: dora, in: sales) == .member([sales]))
  }

  @Test func `control characters in names do not reach the terminal`() throws {
    let name = "\u{1b}[31manna\u{7}@contoso.com"
    let tenant = try Self.tenant([
      "users.json":
        #"[{"id": "u1", "userPrincipalName": "\u001b[31manna\u0007@contoso.com", "assignedLicenses": [{"skuId": "1"}]}]"#,
      "groups.json":
        ##"[{"@odata.type": "#microsoft.graph.group", "id": "g1", "displayName": "Sales\u001b[2J", "members": ["u1"]}]"##,
      "policy.json": Self.policy("P\\u001b[0m", sending: "none", to: [Self.group("g1")]),
    ])
    let device = TenantDevice()
    #expect(tenant.directory.users[0].upn == name)
    let rows = tenant.rows(for: tenant.classes(), in: ["com.contoso.mail"], on: device)
    for text in [
      tenant.text(of: rows, on: device),
      tenant.text(of: tenant.answer(for: 0, app: "com.contoso.mail", on: device)),
    ] {
      #expect(
        !text.contains { $0.isASCII && $0.unicodeScalars.contains { $0.value < 32 && $0 != "\n" } })
      #expect(text.contains(#"\u{1b}[31manna\u{7}@contoso.com"#), "\(text)")
      #expect(text.contains(#"P\u{1b}[0m"#), "\(text)")
    }
  }

  // MARK: Classes

  @Test func `the users of a class get equal policies on managed and unmanaged devices`() throws {
    let tenant = try Self.tenant()
    #expect(tenant.classes().map(\.users) == [[1, 2], [0], [3]])
    for users in tenant.classes() {
      for isManaged in [true, false] {
        let device = TenantDevice(isManaged: isManaged)
        let answers = users.users.map { user in
          tenant.answer(for: user, app: "com.contoso.mail", on: device).effective?.map(\.answer)
        }
        #expect(Set(answers).count == 1)
      }
    }
  }

  @Test func `disabled accounts are counted, but are in no class and no finding`() throws {
    let disabled = Self.users.replacing(
      #""userPrincipalName": "dora@contoso.com","#,
      with: #""userPrincipalName": "dora@contoso.com", "accountEnabled": false,"#)
    let tenant = try Self.tenant(Self.files.merging(["Users/users.json": disabled]) { $1 })
    let dora = try #require(tenant.directory.user("dora@contoso.com"))
    #expect(tenant.directory.isDisabled(dora))
    #expect(tenant.classes().map(\.users) == [[0], [1], [3]])
    #expect(
      tenant.text(of: [], on: TenantDevice()).hasPrefix(
        "contoso: 3 users, 1 disabled account, 3 groups, "))
    #expect(!tenant.lint().contains { $0.message.contains("2 users") })
    let ben = try #require(tenant.directory.user("ben@contoso.com"))
    #expect(tenant.remark(onDisabled: ben) == nil)
    #expect(tenant.remark(onDisabled: dora)?.hasPrefix("The account dora@contoso.com") == true)
    let rows = tenant.rows(
      for: [UserClass(users: [dora])], in: ["com.contoso.mail"], on: TenantDevice())
    #expect(tenant.json(of: rows, on: TenantDevice()).contains(#""isDisabled":true"#))
  }

  // MARK: Lint

  @Test
  func `lint reports lock-outs, missing groups, redundant exclusions and ineffective assignments`()
    throws
  {
    var files = Self.files
    files["AppProtection/nobody.json"] = Self.policy(
      "Nobody", sending: "allApps", app: "com.contoso.notes",
      to: [Self.group("g2"), ##""@odata.type": "#microsoft.graph.allDevicesAssignmentTarget""##])
    files["AssignmentFilters/android.json"] = #"""
      {"displayName": "Galaxy", "id": "f2", "assignmentFilterManagementType": "apps",
       "platform": "iOSMobileApplicationManagement", "rule": "app.deviceManufacturer -eq \"Samsung\""}
      """#
    files["AppProtection/dead.json"] = Self.policy(
      "Dead", sending: "allApps", app: "com.contoso.dead",
      to: [##""@odata.type": "#microsoft.graph.allDevicesAssignmentTarget""##])
    files["AppProtection/filtered.json"] = Self.policy(
      "Filtered", sending: "allApps",
      to: [
        Self.group("g9"),
        Self.group("g1")
          + #", "deviceAndAppManagementAssignmentFilterId": "f2", "deviceAndAppManagementAssignmentFilterType": "include""#,
      ])
    let lines = try Self.tenant(files).lint().map(\.description)
    #expect(
      Set(lines.map { $0.split(separator: "[").last.map(String.init) ?? "" }) == [
        "allDevices]", "assignedToNobody]", "filterNeverTrue]", "lockOut]", "missingGroup]",
        "possibleLockOut]", "redundantExclusion]", "unlicensedMembers]",
      ])
    #expect(
      lines.contains {
        $0.contains("`Require protection` requires an app protection policy, and they have none")
      })
  }

  /// The findings of a rule in a tenant of ``users`` and ``groups`` with one policy.
  private static func findings(
    _ rule: String, assignedTo targets: [String], and files: [String: String] = [:]
  ) throws -> [String] {
    let own = [
      "users.json": users, "groups.json": groups, "filter.json": filter,
      "policy.json": policy("P", sending: "none", to: targets),
    ]
    return try tenant(own.merging(files) { $1 }).lint().map(\.description)
      .filter { $0.hasSuffix("[\(rule)]") }
  }

  private static let everyone =
    ##""@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget""##

  private static func filtered(_ target: String, by mode: String) -> String {
    target
      + #", "deviceAndAppManagementAssignmentFilterId": "f1", "deviceAndAppManagementAssignmentFilterType": "\#(mode)""#
  }

  @Test func `a missing or empty group in several documents is one finding with all places`() throws
  {
    let groups = ##"""
      [{"@odata.type": "#microsoft.graph.group", "id": "g1", "displayName": "Sales", "members": []}]
      """##
    let files = [
      "groups.json": groups,
      "other.json": Self.policy(
        "Q", sending: "none",
        to: [Self.group("g1"), Self.group("g9", type: "exclusionGroupAssignmentTarget")]),
    ]
    let targets = [Self.group("g9"), Self.group("g1"), Self.group("g8")]
    #expect(
      try Self.findings("missingGroup", assignedTo: targets, and: files) == [
        "contoso/other.json:4:117: note: 2 documents name the group `g9`, which the export does not contain: "
          + "other.json:4, policy.json:4 [missingGroup]",
        "contoso/policy.json:4:205: note: the policy `P` names the group `g8`, which the export does not contain "
          + "[missingGroup]",
      ])
    #expect(
      try Self.findings("emptyGroup", assignedTo: targets, and: files).map {
        $0.split(separator: ": ").dropFirst().joined(separator: ": ")
      } == [
        "warning: 2 documents name the group `Sales`, which has no members: other.json:4, policy.json:4 [emptyGroup]"
      ])
  }

  @Test func `a document that reaches no user is one finding with the reasons`() throws {
    let filter = Self.filter.replacing(
      #"app.osVersion -startsWith \"17\""#,
      with:
        #"(app.deviceManagementType -eq \"Managed\") and (app.deviceManagementType -eq \"Unmanaged\")"#
    )
    let configuration = ##"""
      {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "C",
       "customSettings": [{"name": "k", "value": "v"}],
       "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
       "assignments": \##(Self.assignments([Self.group("g9")]))}
      """##
    let groups = Self.groups.replacing(
      "[{",
      with:
        ##"[{"@odata.type": "#microsoft.graph.group", "id": "g9", "displayName": "Idle", "members": []}, {"##
    )
    let found = try Self.findings(
      "assignedToNobody", assignedTo: [Self.filtered(Self.group("g1"), by: "include")],
      and: ["filter.json": filter, "groups.json": groups, "c.json": configuration])
    #expect(found.count == 2, "\(found)")
    let reasons =
      "(3 users like ben@contoso.com: not in `Sales`; anna@contoso.com: the filter `iOS 17` is false)"
    for part in [
      "the configuration `C` reaches no user of the export (not in `Idle`)",
      "the policy `P` reaches no user of the export \(reasons)",
    ] {
      #expect(found.contains { $0.contains(part) }, "\(found)")
    }
  }

  @Test
  func `if too many groups are unknown, no policy is reported as reaching no user`()
    throws
  {
    let files = Dictionary(
      uniqueKeysWithValues: (1...7).map { number in
        (
          "p\(number).json",
          Self.policy("P\(number)", sending: "none", to: [Self.group("absent\(number)")])
        )
      })
    #expect(try Self.findings("assignedToNobody", assignedTo: [Self.everyone], and: files) == [])
    #expect(
      try Self.findings("missingGroup", assignedTo: [Self.everyone], and: files).count == 7)
  }

  @Test func `all groups with unknown members are reported in one finding`() throws {
    let groups = ##"""
      [{"@odata.type": "#microsoft.graph.group", "id": "g1", "displayName": "Sales"},
       {"@odata.type": "#microsoft.graph.group", "id": "g2", "displayName": "Field"},
       {"@odata.type": "#microsoft.graph.group", "id": "g3", "displayName": "Idle"}]
      """##
    let found = try Self.findings(
      "unknownMembers", assignedTo: [Self.group("g1"), Self.group("g2")],
      and: ["groups.json": groups])
    #expect(
      found == [
        "contoso: note: the export does not state the members of 2 groups that documents name: `Field`, `Sales` "
          + "[unknownMembers]"
      ])
    #expect(try Self.findings("unknownMembers", assignedTo: [Self.group("g1")]).isEmpty)
  }

  @Test func `if the policies of a user differ, one note lists the values that apply`() throws {
    let found = try Self.findings(
      "differingPolicies", assignedTo: [Self.group("g1")],
      and: [
        "other.json": Self.policy("Q", sending: "allApps", to: [Self.everyone]),
        "same.json": Self.policy(
          "R", sending: "none", app: "com.contoso.notes", to: [Self.everyone]),
      ])
    #expect(
      found == [
        "contoso/other.json:1:1: note: `Q` and `P` differ, and all reach 1 user in `com.contoso.mail`; the most "
          + "restrictive values count: `Send org data to other apps` = `None` (policy.json:2) [differingPolicies]"
      ])
  }

  @Test func `the note about differing policies lists a value formed by several properties once`()
    throws
  {
    let files = [
      "p.json": Self.policy("P", sending: "allApps", to: [Self.everyone]),
      "q.json": Self.policy("Q", sending: "managedApps", to: [Self.everyone]).replacing(
        "\"displayName\"", with: "\"filterOpenInToOnlyManagedApps\": true,\n\"displayName\""),
    ]
    let found = try Self.findings("differingPolicies", assignedTo: [], and: files)
    let value = "`Send org data to other apps` = `Policy managed apps with Open-In/Share filtering`"
    #expect(found.map { $0.ranges(of: value).count } == [1], "\(found)")
  }

  @Test(arguments: [
    ([everyone, group("g1")], true), ([everyone, filtered(group("g1"), by: "include")], true),
    // The filter to exclude decides before the assignment without one.
    ([everyone, filtered(group("g1"), by: "exclude")], false),
    ([filtered(everyone, by: "exclude"), group("g1")], true),
    ([filtered(everyone, by: "include"), group("g1")], false),
    ([filtered(everyone, by: "include"), filtered(group("g1"), by: "include")], true),
    ([group("g1"), group("g3")], false),
  ])
  func `an assignment to a group may be redundant if all licensed users are assigned`(
    targets: [String], isRedundant: Bool
  ) throws {
    let found = try Self.findings("redundantAssignment", assignedTo: targets)
    #expect(
      found.map {
        $0.contains("assigned to all licensed users in line 4, so its assignment to `Sales`")
      }
        == (isRedundant ? [true] : []), "\(found)")
  }

  @Test(arguments: [
    ([group("g1"), group("g2", type: "exclusionGroupAssignmentTarget")], true),
    ([everyone, group("g2", type: "exclusionGroupAssignmentTarget")], false),
    ([group("g1"), group("g1", type: "exclusionGroupAssignmentTarget")], false),
    // The members of a group that the export lacks are unknown.
    ([group("g9"), group("g2", type: "exclusionGroupAssignmentTarget")], false),
    ([group("g2", type: "exclusionGroupAssignmentTarget")], false),
  ])
  func `an exclusion is redundant if no assignment includes the excluded users`(
    targets: [String], isRedundant: Bool
  ) throws {
    let found = try Self.findings("redundantExclusion", assignedTo: targets)
    #expect(
      found.map { $0.contains("excludes `Break glass`, but includes none of its members") }
        == (isRedundant ? [true] : []), "\(found)")
  }

  @Test func `unused filters are reported, and the unused groups of a file are one finding`() throws
  {
    let inner =
      ##"{"@odata.type": "#microsoft.graph.group", "id": "g4", "displayName": "Inner", "members": ["u1"]}"##
    let outer =
      ##"{"@odata.type": "#microsoft.graph.group", "id": "g5", "displayName": "Outer", "members": ["g4"]}"##
    let files = ["inner.json": inner, "outer.json": outer]
    let groups = try Self.findings("unusedGroup", assignedTo: [Self.group("g5")], and: files)
    // A group inside an assigned group is used.
    #expect(
      groups == [
        "contoso/groups.json:1:2: note: no document uses the groups `Sales`, `Break glass`, `Field staff` [unusedGroup]"
      ])
    let unused = try Self.findings("unusedFilter", assignedTo: [Self.group("g1")])
    #expect(
      unused == [
        "contoso/filter.json:1:1: note: no document uses the filter `iOS 17` [unusedFilter]"
      ])
    let used = try Self.findings(
      "unusedFilter", assignedTo: [Self.filtered(Self.group("g1"), by: "include")])
    #expect(used == [])
  }

  @Test func `lint names members without a licence, whom the policy does not reach`() throws {
    let found = try Self.findings("unlicensedMembers", assignedTo: [Self.group("g2")])
    #expect(found.count == 1)
    #expect(
      found.first?.contains(
        "assigned to `Break glass`, but does not reach root@contoso.com in this group, because of a missing licence"
      )
        == true)
    let tenant = try Self.tenant([
      "users.json": Self.users, "groups.json": Self.groups,
      "policy.json": Self.policy("P", sending: "none", to: [Self.group("g2")]),
    ])
    let root = try #require(tenant.directory.user("u4"))
    let answer = tenant.answer(for: root, app: "com.contoso.mail", on: TenantDevice())
    #expect(answer.effective?.map(\.answer) == [[]])
    #expect(
      tenant.text(of: answer).contains(
        "    does not apply: root@contoso.com has no licence, although root@contoso.com is in `Break glass`"
      ))
  }

  @Test(arguments: [
    (#"(app.osVersion -eq \"17.0\") and (app.osVersion -eq \"16.0\")"#, true),
    (#"(app.operatingSystemVersion -ge 17.0) and (app.operatingSystemVersion -lt 16.0)"#, true),
    (#"(app.operatingSystemVersion -ge 16.0) and (app.operatingSystemVersion -lt 17.0)"#, false),
    (#"(app.deviceModel -startsWith \"iPad\") and (app.deviceModel -startsWith \"iPhone\")"#, true),
    (
      #"(app.deviceModel -startsWith \"iPad\") or (app.deviceManufacturer -eq \"Samsung\")"#, false
    ),
    (
      #"((app.osVersion -eq \"17.0\") and (app.osVersion -eq \"16.0\")) or (app.deviceManufacturer -eq \"Samsung\")"#,
      true
    ),
  ])
  func `lint finds a filter whose conditions contradict each other`(rule: String, isNever: Bool)
    throws
  {
    let filter =
      ##"{"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "f1", "displayName": "F", "##
      + #""platform": "iOSMobileApplicationManagement", "rule": "\#(rule)"}"#
    let found = try Self.findings(
      "filterNeverTrue", assignedTo: [Self.filtered(Self.group("g1"), by: "include")],
      and: ["filter.json": filter])
    #expect(found.count == (isNever ? 1 : 0), "\(found)")
  }

  @Test func `the lock-outs that lint reports depend on the device`() throws {
    let tenant = try Self.tenant()
    let rules = { (device: TenantDevice?) in
      Set(
        tenant.lint(on: device).map { "\($0.rule)" }.filter { $0.lowercased().hasSuffix("lockout") }
      )
    }
    #expect(rules(nil) == ["possibleLockOut"])
    #expect(rules(TenantDevice(osVersion: "17.2")) == [])
    #expect(rules(TenantDevice(osVersion: "16.0")) == ["lockOut"])
  }

  // MARK: Bad input

  @Test func `each invalid file of a tenant's export is reported`() throws {
    let error = #expect(throws: TenantReader.Errors.self) {
      try Self.tenant([
        "a.json": "{", "b.json": ##"{"@odata.type": "#microsoft.graph.user", "displayName": "x"}"##,
        "Assignments/e.json": "[", "c.csv": "id\n\"1\n",
        "d.json": Self.policy("P", sending: "everywhere", to: []),
      ])
    }
    #expect(
      error?.diagnostics.map { "\($0)".split(separator: " ").first.map(String.init) ?? "" } == [
        "contoso/Assignments/e.json:1:2:", "contoso/a.json:1:2:", "contoso/b.json:1:1:",
        "contoso/c.csv:2:1:", "contoso/d.json:2:45:",
      ])
  }

  @Test func `a CSV table of objects other than users and groups is skipped with a note`() throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", sending: "none", to: []), "devices.csv": "Device,Model\na,b\n",
    ])
    #expect(
      tenant.diagnostics.map(\.description).filter { $0.contains("csv") } == [
        "contoso/devices.csv:1:1: note: the table has no column `userPrincipalName` or `id`, only `Device`, "
          + "`Model`; it is skipped [foreignTable]"
      ])
  }

  private static func tenant(_ bytes: [UInt8]) throws -> Tenant {
    var reader = TenantReader(folder: "contoso")
    reader.add(
      ExportFolder.File(
        path: "p.json", bytes: Array(policy("P", sending: "none", to: []).utf8)))
    reader.add(ExportFolder.File(path: "users.csv", bytes: bytes))
    return try reader.finish()
  }

  @Test(arguments: [true, false])
  func `a CSV table in UTF-16 is read`(isLittleEndian: Bool) throws {
    let units = Array("\u{FEFF}userPrincipalName\tdepartment\njosé@contoso.com\tSales\n".utf16)
    let bytes = units.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isLittleEndian ? [low, high] : [high, low]
    }
    #expect(try Self.tenant(bytes).directory.users.map(\.upn) == ["josé@contoso.com"])
  }

  @Test func `a table of users in an unsupported encoding is an error with its position`() throws {
    let latin = Array("userPrincipalName\nJos".utf8) + [0xE9] + Array("@contoso.com\n".utf8)
    let error = #expect(throws: TenantReader.Errors.self) { try Self.tenant(latin) }
    #expect(
      error?.diagnostics.map(\.description) == [
        "contoso/users.csv:2:4: error: the text is not valid UTF-8; save the table as UTF-8 [wrongTable]"
      ])
    // Other tables are skipped in any encoding.
    let other = try Self.tenant(Array("Ger".utf8) + [0xE4] + Array("t\n1\n".utf8))
    #expect(other.diagnostics.count { $0.rule == "foreignTable" } == 1)
  }

  @Test func `Terraform and PowerShell files in an export are reported as scripts of other tools`()
    throws
  {
    func read(_ files: [String: String]) throws -> Tenant {
      var reader = TenantReader(folder: "contoso")
      for (path, text) in files {
        reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
      }
      for path in ["main.tf", "x.ps1"] {
        reader.add(script: ExportFolder.File(path: path, bytes: []))
      }
      return try reader.finish()
    }
    let names =
      "; `contoso/main.tf` is a Terraform configuration; `contoso/x.ps1` is a PowerShell script; export from "
      + "Microsoft Graph, or with a tool that writes Graph's JSON"
    let tenant = try read(["p.json": Self.policy("P", sending: "none", to: [])])
    #expect(
      tenant.diagnostics.filter { $0.rule == "skippedFiles" }.map(\.description) == [
        "contoso: note: skipped 2 files of other tools\(names) [skippedFiles]"
      ])
    let error = #expect(throws: TenantReader.Errors.self) { try read([:]) }
    #expect(
      error?.diagnostics.first?.message.hasSuffix("conditional access policy\(names)") == true)
  }

  @Test func `the error for a folder without documents lists the folder's content`() {
    let error = #expect(throws: TenantReader.Errors.self) {
      try Self.tenant([
        "x.json": ##"{"@odata.type": "#microsoft.graph.androidManagedAppProtection"}"##
      ])
    }
    #expect(
      error?.diagnostics.map(\.description) == [
        "contoso: error: the folder contains no app protection policy for iOS, no app configuration and no "
          + "conditional access policy, only 1 policy for Android [noTenant]"
      ])
  }
}
