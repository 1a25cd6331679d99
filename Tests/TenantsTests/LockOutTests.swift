import Directory
import Encodings
import GraphDocuments
import Output
import Tenants
import Testing

/// Tests answers and findings about users without a policy: lock-outs, gaps and unprotected users.
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
    or controls: [String] = [], state: String = "enabled"
  ) -> String {
    let list = (controls + ["compliantApplication"]).map { "\"\($0)\"" }.joined(separator: ", ")
    return
      ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "\##(name)", "state": "\##(state)",
       "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]}, "users": {\##(users)}},
       "grantControls": {"operator": "OR", "builtInControls": [\##(list)]}}
      """##
  }

  /// A configuration that makes both apps managed on managed devices.
  static let namingUser = ##"""
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
    try tenant(files).lint(on: device).filter { rules.contains($0.rule) }
      .map(\.diagnostic.message)
  }

  private static func tenant(_ files: [String: String]) throws -> Tenant {
    var reader = TenantReader(folder: "contoso")
    let own = ["users.json": anna]
    for (path, text) in own.merging(files, uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key })
    {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  /// Returns the answer for the only user in the mail app.
  private static func answer(_ tenant: Tenant) -> TenantAnswer {
    tenant.answer(for: 0, app: mail, on: TenantDevice())
  }

  private static func lockOut(_ words: String, by name: String = "CA") -> String {
    "anna@contoso.com cannot use \(words): `\(name)` requires an app protection policy, and they have none"
  }

  // MARK: Conditions

  @Test func `each alternative condition of a lock-out is a separate finding`() throws {
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

  @Test func `two conditional access policies with the same condition are one finding`() throws {
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

  @Test func `an unconditional lock-out is reported instead of conditional lock-outs`() throws {
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

  @Test func `a lock-out on one kind of device is not also reported as a gap`()
    throws
  {
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
    (["approvedApplication"], ""), (["mfa"], nil), (["compliantDevice", "mfa"], nil),
    (["compliantDevice", "approvedApplication"], " on unmanaged devices"),
  ])
  func `a lock-out finding names another grant control only if the device can meet it`(
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

  @Test func `a lock-out that is possible only on managed devices names the device kind`() throws {
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

  @Test func `a policy missing for several apps on one kind of device causes a single finding`()
    throws
  {
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

  // MARK: Answers

  private static let exceptGroup = #""includeUsers": ["All"], "excludeGroups": ["g9"]"#

  /// A conditional access policy, and the lock-out of a user without a policy.
  private struct Demand: Sendable {
    var access: String
    /// The words of the lock-out; nil if there is none.
    var lockOut: String?
    var settings: String
    /// The words of the page.
    var page: String
  }

  @Test(arguments: [
    Demand(
      access: access("CA"), lockOut: "locked out",
      settings: "no policy, and conditional access requires one",
      page: "conditional access requires one, so these users cannot sign in"),
    Demand(
      access: access("CA", exceptGroup), lockOut: "locked out if the user is not in `g9`",
      settings:
        "no policy, so nothing is restricted; locked out if the user is not in `g9`",
      page: "no policy, so nothing is restricted; locked out if the user is not in `g9`"),
    Demand(
      access: access("CA", #""includeRoles": ["r"], "includeGroups": ["g9"]"#),
      lockOut:
        "locked out if the user is in `g9`, or if the user has the role `r`",
      settings:
        "no policy, so nothing is restricted; locked out if the user is in `g9`, or if the user has the role `r`",
      page: "or if the user has the role `r`"),
    Demand(
      access: access("CA", or: ["mfa"]), settings: "no policy, so nothing is restricted",
      page: "no policy, so nothing is restricted<"),
    Demand(
      access: access("CA", state: "enabledForReportingButNotEnforced"),
      settings: "no policy, so nothing is restricted", page: "no policy, so nothing is restricted<"),
  ])
  private func `the table, the answer and the page state the condition of a lock-out`(
    demand: Demand
  ) throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", filters: []), "ca.json": demand.access,
    ])
    let device = TenantDevice()
    let rows = tenant.rows(for: tenant.classes(), in: [Self.mail], on: device)
    let cell = ["none", demand.lockOut].compactMap(\.self).joined(separator: ", ")
    #expect(tenant.text(of: rows, on: device).hasSuffix("  com.contoso.mail  \(cell)\n"))
    #expect(tenant.json(of: rows, on: device).contains("lockedOut") == (demand.lockOut != nil))
    let text = tenant.text(of: Self.answer(tenant))
    #expect(text.contains("\nSettings: \(demand.settings)\n"), "\(text)")
    #expect(text.contains("locked out") == (demand.lockOut != nil), "\(text)")
    let page = tenant.page(in: [Self.mail], on: [device])
    #expect(page.contains(demand.page), "\(page)")
    #expect(
      tenant.lockOuts(of: tenant.classes(), in: Self.mail, on: device)
        == (demand.lockOut.map {
          [
            "com.contoso.mail: anna@contoso.com is \($0), because conditional access requires an app protection policy"
          ]
        } ?? []))
  }

  @Test func `within an alternative, the lock-out does not repeat the alternative's conditions`()
    throws
  {
    let tenant = try Self.tenant([
      "f.json": Self.filter("New", #"app.osVersion -startsWith \"17\""#),
      "p.json": Self.policy("P", filters: ["New"]), "ca.json": Self.access("CA", Self.exceptGroup),
    ])
    let device = TenantDevice()
    let rows = tenant.rows(for: tenant.classes(), in: [Self.mail], on: device)
    let csv = tenant.csv(of: rows, on: device)
    #expect(
      csv.contains(
        "P, if the filter `New` is true; none, if the filter `New` is false, locked out if the user is not in `g9`"
      ), "\(csv)")
    #expect(
      tenant.json(of: rows, on: device).contains(
        #""lockedOut":[{"if":["the user is not in `g9`"]}]"#))
    let text = tenant.text(of: Self.answer(tenant))
    #expect(
      text.contains(
        "\n    locked out if the user is not in `g9` and the filter `New` is false: no app protection policy applies\n"
      ), "\(text)")
  }

  @Test
  func `a report-only conditional access policy is marked and locks no user out until enforced`()
    throws
  {
    let files = { (access: String) in
      ["p.json": Self.policy("P", filters: []), "ca.json": access]
    }
    let old = try Self.tenant(
      files(Self.access("CA", state: "enabledForReportingButNotEnforced")))
    let new = try Self.tenant(files(Self.access("CA")))
    let device = TenantDevice()
    #expect(
      old.text(of: Self.answer(old)).contains(
        "\n    report only: applies; grant controls: Require app protection policy\n"))
    let rows = old.rows(for: old.classes(), in: [Self.mail], on: device)
    #expect(
      old.json(of: rows, on: device, explaining: Self.answer(old)).contains(
        #""state":"enabledForReportingButNotEnforced""#))
    for (before, after, words) in [
      (old, new, "now locked out"), (new, old, "no longer locked out"),
    ] {
      let difference = TenantDiff(before, after, apps: [Self.mail], devices: [device])
      #expect(
        difference.text.hasSuffix(
          "\n      anna@contoso.com in com.contoso.mail, on an unmanaged device: \(words)\n"),
        "\(difference.text)")
      #expect(difference.access.map(\.lockOuts.count) == [1])
    }
    let json = TenantDiff(old, new, apps: [Self.mail], devices: [device]).json
    #expect(json.contains(#""old":[],"new":[{"if":[]}]"#), "\(json)")
  }

  @Test func `a group that conditional access names but the export lacks is a finding`() throws {
    let found = try Self.findings(
      [.missingGroup],
      [
        "p.json": Self.policy("P", filters: [nil]), "ca.json": Self.access("CA", Self.exceptGroup),
      ])
    #expect(
      found == [
        "the conditional access policy `CA` names the group `g9`, which the export does not contain"
      ])
  }

  @Test func `an assignment to all licensed users does not reach a user without a licence`() throws
  {
    let tenant = try Self.tenant([
      "users.json": #"{"userPrincipalName": "cleo@contoso.com", "assignedLicenses": []}"#,
      "p.json": Self.policy("P", filters: [nil]),
    ])
    let text = tenant.text(of: Self.answer(tenant))
    #expect(text.contains("\n    does not apply: cleo@contoso.com has no licence\n"), "\(text)")
  }

  @Test(arguments: [
    (#""members": []"#, []),
    (
      #""membershipRule": "user.department -eq \"Sales\"""#,
      [
        "--member 'anna@contoso.com=Sales': Entra computes the members of `Sales` by its rule, so users "
          + "become members only if their attributes match the rule"
      ]
    ),
  ])
  func `proposing a member of a dynamic group causes a warning`(
    members: String, warnings: [String]
  ) throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", filters: [nil]),
      "g.json":
        ##"{"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "Sales", \##(members)}"##,
    ])
    let found = try tenant.warnings(about: [.member("anna@contoso.com=Sales")])
    #expect(found.map(\.message) == warnings)
    #expect(found.allSatisfy { $0.severity == .warning })
  }

  @Test(arguments: [
    ("Office365", true), ("9a0e1f0c-0000-4000-8000-000000000001", true),
    ("797f4846-ba00-4fd7-ba43-dac1f8f63013", false), ("MicrosoftAdminPortals", false),
  ])
  func `conditional access to administration resources does not cause lock-outs`(
    resource: String, isLockOut: Bool
  ) throws {
    let found = try Self.findings(
      [.lockOut],
      [
        "p.json": Self.policy("P", filters: []),
        "ca.json": Self.block(Self.grant("OR", ["compliantApplication"]), apps: resource),
      ])
    #expect(found == (isLockOut ? [Self.lockOut("`com.contoso.mail`")] : []))
  }

  @Test func `users whom no policy reaches in an app group's apps are reported`() throws {
    let users =
      #"{"value": [\#(Self.anna), {"userPrincipalName": "ben@contoso.com", "assignedLicenses": [{"skuId": "1"}]}]}"#
    let group =
      ##"{"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "G", "members": ["ben@contoso.com"]}"##
    for apps in ["allCoreMicrosoftApps", "allApps"] {
      let policy = Self.policy("P", apps: [], filters: [nil])
        .replacing(#""displayName""#, with: #""appGroupType": "\#(apps)", "displayName""#)
        .replacing(
          "#microsoft.graph.allLicensedUsersAssignmentTarget\"",
          with: #"#microsoft.graph.groupAssignmentTarget", "groupId": "g""#)
      let files = ["users.json": users, "g.json": group, "p.json": policy]
      let rules: Set<TenantRule> = [.lockOut, .unprotectedUsers, .assignedToNobody]
      let apps =
        "`com.microsoft.msedge`, `com.microsoft.office.excel`, `com.microsoft.office.outlook` and 8 more"
      #expect(
        try Self.findings(rules, files) == ["no policy reaches anna@contoso.com in \(apps)"])
      #expect(
        try Self.findings(rules, files.merging(["ca.json": Self.access("CA")]) { $1 })
          == [Self.lockOut(apps)])
      let tenant = try Self.tenant(files)
      let ben = try #require(tenant.directory.user("ben@contoso.com"))
      #expect(tenant.policies(reaching: ben, app: nil, on: TenantDevice()) == [0])
    }
  }

  // MARK: Blocks

  private static func block(
    _ grant: String, apps: String = "All", state: String = "enabled", conditions: String = ""
  ) -> String {
    ##"""
    {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "CA", "state": "\##(state)",
     "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["\##(apps)"]},
       \##(conditions.isEmpty ? #""users": {"includeUsers": ["All"]}"# : conditions)},
     "grantControls": {\##(grant)}}
    """##
  }

  private static func grant(_ operator: String, _ controls: [String]) -> String {
    let list = controls.map { "\"\($0)\"" }.joined(separator: ", ")
    return #""operator": "\#(`operator`)", "builtInControls": [\#(list)]"#
  }

  @Test(
    arguments: [
      ("OR", ["block"], true, true), ("OR", ["compliantDevice"], true, false),
      ("AND", ["compliantDevice", "mfa"], true, false),
      ("OR", ["compliantDevice", "mfa"], false, false),
      ("OR", ["domainJoinedDevice"], true, true),
      ("OR", ["compliantDevice", "compliantApplication"], false, false),
      ("AND", ["compliantDevice", "compliantApplication"], true, false),
      ("OR", ["approvedApplication"], false, false),
      ("OR", ["approvedApplication", "domainJoinedDevice"], true, true),
    ] as [(String, [String], Bool, Bool)])
  func `users with a policy are blocked if the device cannot meet conditional access`(
    operator: String, controls: [String], onUnmanaged: Bool, onManaged: Bool
  ) throws {
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", filters: [nil]),
      "ca.json": Self.block(Self.grant(`operator`, controls)),
    ])
    for (device, isBlocked) in [
      (TenantDevice(), onUnmanaged), (TenantDevice(isManaged: true), onManaged),
    ] {
      let rows = tenant.rows(for: tenant.classes(), in: [Self.mail], on: device)
      let text = tenant.text(of: rows, on: device)
      #expect(text.hasSuffix(isBlocked ? "  P, blocked by `CA`\n" : "  P\n"), "\(text)")
      let json = tenant.json(of: rows, on: device)
      #expect(json.contains(#""blockedBy":["CA"]"#) == isBlocked, "\(json)")
      #expect(
        tenant.lockOuts(of: tenant.classes(), in: Self.mail, on: device)
          == (isBlocked
            ? [
              "com.contoso.mail: anna@contoso.com is blocked by `CA`, which \(device.text) cannot meet"
            ] : []))
      let answer = tenant.text(of: tenant.answer(for: 0, app: Self.mail, on: device))
      let words = "\n    blocked: \(device.text) cannot meet the policy\n"
      #expect(answer.contains(words) == isBlocked, "\(answer)")
    }
  }

  @Test(
    arguments: [
      (block(grant("OR", ["block"]), apps: "Office365"), true),
      (block(grant("OR", ["block"]), apps: "00000003-0000-0ff1-ce00-000000000000"), false),
      (block(grant("OR", ["block"]), state: "enabledForReportingButNotEnforced"), false),
      (
        block(
          grant("OR", ["block"]),
          conditions:
            #""users": {"includeUsers": ["All"]}, "locations": {"includeLocations": ["All"], "excludeLocations": ["AllTrusted"]}"#
        ), false
      ),
      (
        block(grant("OR", ["block"]), conditions: #""users": {"includeRoles": ["admin"]}"#), false
      ),
      (block(grant("OR", ["block"]), apps: #"All"], "excludeApplications": ["Office365"#), false),
    ] as [(String, Bool)])
  func `a conditional access policy blocks users only if it certainly covers the apps`(
    access: String, isBlocked: Bool
  ) throws {
    let tenant = try Self.tenant(["p.json": Self.policy("P", filters: [nil]), "ca.json": access])
    let rows = tenant.rows(for: tenant.classes(), in: [Self.mail], on: TenantDevice())
    let text = tenant.text(of: rows, on: TenantDevice())
    #expect(text.contains("blocked") == isBlocked, "\(text)")
  }

  @Test func `users of a conditional access policy are listed with the reasons`() throws {
    let users = ["anna", "ben", "root"].map {
      #"{"userPrincipalName": "\#($0)@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#
    }
    let tenant = try Self.tenant([
      "users.json": #"{"value": [\#(users.joined(separator: ", "))]}"#,
      "g.json":
        ##"{"@odata.type": "#microsoft.graph.group", "id": "g9", "displayName": "Nine", "members": ["root@contoso.com"]}"##,
      "p.json": Self.policy("P", filters: [nil]),
      "ca.json": Self.block(
        Self.grant("AND", ["compliantDevice", "mfa"]),
        conditions: #""users": {"includeUsers": ["All"], "excludeGroups": ["g9"]}"#),
      "cr.json": Self.access("CR", #""includeRoles": ["admin"]"#),
    ])
    #expect(
      tenant.text(ofAccessPolicy: "ca", for: nil, on: TenantDevice()) == """
        CA (ca.json:4), on an unmanaged device

        Grant controls: Require device to be marked as compliant and Require multifactor authentication

        Applies to 2 of 3 users
          2 users like anna@contoso.com
            applies
            blocked: an unmanaged device cannot meet the policy

        Does not apply to 1 of 3 users
          root@contoso.com
            does not apply: excluded, because root@contoso.com is in `Nine` (g.json:1)

        """)
    let roles = tenant.text(ofAccessPolicy: "cr.json", for: nil, on: TenantDevice())
    #expect(roles == nil)
    let text = try #require(tenant.text(ofAccessPolicy: "CR", for: nil, on: TenantDevice()))
    #expect(text.contains("\nApplies to 3 of 3 users in some cases\n"), "\(text)")
    #expect(tenant.text(ofAccessPolicy: "P", for: nil, on: TenantDevice()) == nil)
  }

  @Test func `alternatives with the same conditional access result are on one line`() throws {
    let users = #""users": {"includeUsers": ["All"], "excludeGroups": ["g8", "g9"]}"#
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", filters: [nil]),
      "ca.json": Self.block(Self.grant("OR", ["mfa"]), conditions: users),
      "cw.json": Self.block(
        Self.grant("OR", ["mfa"]),
        conditions: users + #", "platforms": {"includePlatforms": ["windows"]}"#
      ).replacing(#""displayName": "CA""#, with: #""displayName": "CW""#),
    ])
    let text = tenant.text(of: Self.answer(tenant))
    #expect(
      text.contains(
        """
        \n    does not apply: it targets other users, if the user is in `g8`, or if the user is in `g9`
            applies, if the user is not in `g8` and the user is not in `g9`; grant controls: Require multifactor \
        authentication\n
        """), "\(text)")
    #expect(text.contains("4)\n    does not apply: it targets other platforms\n"), "\(text)")
  }

  @Test func `roles in a condition are listed together, with the names of built-in roles`() throws {
    let ids = (1...7).map { "r\($0)" } + ["62e90394-69f5-4237-9190-012177145e10"]
    let list = ids.map { "\"\($0)\"" }.joined(separator: ", ")
    let tenant = try Self.tenant([
      "p.json": Self.policy("P", filters: [nil]),
      "ca.json": Self.access("CA", #""includeRoles": [\#(list)]"#),
    ])
    let text = try #require(tenant.text(ofAccessPolicy: "CA", for: nil, on: TenantDevice()))
    let roles = "of the roles `Global Administrator`, `r1`, `r2` and 5 more"
    #expect(text.contains("if the user has one \(roles)"), "\(text)")
    #expect(text.contains("if the user has none \(roles)"), "\(text)")
  }

  @Test func `a lock-out outside of trusted locations has the location as its condition`() throws {
    let files = [
      "p.json": Self.policy("P", filters: []),
      "ca.json": Self.block(
        Self.grant("OR", ["compliantApplication"]),
        conditions:
          #""users": {"includeUsers": ["All"]}, "locations": {"includeLocations": ["All"], "excludeLocations": ["AllTrusted"]}"#
      ),
    ]
    let condition = "if the sign-in meets `locations` of `CA`"
    #expect(
      Set(try Self.findings([.lockOut, .possibleLockOut, .unprotectedUsers], files)) == [
        Self.lockOut("`com.contoso.mail` \(condition)"),
        "no policy reaches anna@contoso.com in `com.contoso.mail`",
      ])
    let tenant = try Self.tenant(files)
    let rows = tenant.rows(for: tenant.classes(), in: [Self.mail], on: TenantDevice())
    let text = tenant.text(of: rows, on: TenantDevice())
    #expect(text.hasSuffix("none, locked out \(condition)\n"), "\(text)")
    let answer = tenant.text(of: Self.answer(tenant))
    #expect(answer.contains("    locked out \(condition): no app protection policy applies\n"))
  }

  @Test func `blocked users are not reported as lacking a policy`() throws {
    let files = [
      "p.json": Self.policy("P", filters: []),
      "ca.json": Self.block(Self.grant("OR", ["compliantDevice"])), "cb.json": Self.access("CB"),
    ]
    let rules: Set<TenantRule> = [.lockOut, .possibleLockOut, .unprotectedUsers, .deviceGap]
    #expect(try Self.findings(rules, files, on: TenantDevice()) == [])
    #expect(
      try Self.findings(rules, files) == [
        Self.lockOut("`com.contoso.mail` on managed devices", by: "CB")
      ])
  }

  // MARK: Differences

  /// Returns the difference that the removal of all assignments of the only policy makes, and its reverse.
  private static func removal(
    _ files: [String: String], on devices: [TenantDevice]? = [TenantDevice()]
  ) throws -> (lost: TenantDiff, won: TenantDiff) {
    let tenants = try [[nil], []].map { (filters: [String?]) in
      try tenant(files.merging(["p.json": policy("P", filters: filters)]) { $1 })
    }
    return (
      TenantDiff(tenants[0], tenants[1], apps: [mail], devices: devices),
      TenantDiff(tenants[1], tenants[0], apps: [mail], devices: devices)
    )
  }

  @Test
  func `a tenant difference lists no changed flows for users whom conditional access locks out`()
    throws
  {
    let (lost, won) = try Self.removal(["ca.json": Self.access("CA")])
    #expect(lost.protection.map(\.newLockOut.isUnconditional) == [true])
    #expect(lost.protection.map(\.oldLockOut.cases) == [[]])
    #expect(lost.text.contains("\n    P -> no policy, locked out\n"), "\(lost.text)")
    #expect(
      lost.text.contains("\n    Conditional access locks them out, so no flow becomes possible\n"),
      "\(lost.text)")
    #expect(lost.json.contains(#""newLockedOut":[{"if":[]}]"#), "\(lost.json)")
    #expect(won.text.contains("\n    no policy, locked out -> P\n"), "\(won.text)")
    #expect(
      won.text.contains(
        "\n    Conditional access locked them out before, so no flow becomes impossible\n"),
      "\(won.text)")
    #expect(won.json.contains(#""oldLockedOut":[{"if":[]}]"#), "\(won.json)")
    for difference in [lost, won] {
      #expect(!difference.text.contains("Become"), "\(difference.text)")
      #expect(!difference.html.contains("Become"))
      #expect(difference.html.contains("Conditional access lock"))
      #expect(!difference.json.contains(#""comparison""#))
    }
  }

  @Test func `users blocked by conditional access before and after a change have no changed flows`()
    throws
  {
    let files = [
      "ca.json": Self.block(Self.grant("OR", ["compliantDevice"])), "cb.json": Self.access("CB"),
    ]
    let (lost, won) = try Self.removal(files)
    #expect(
      lost.text.contains("\n    P, blocked by `CA` -> no policy, blocked by `CA`\n"),
      "\(lost.text)")
    for difference in [lost, won] {
      #expect(
        difference.text.contains("\n    Conditional access blocks them, so no flow changes\n"),
        "\(difference.text)")
      #expect(!difference.text.contains("Become"), "\(difference.text)")
      #expect(difference.json.contains(#""oldBlockedBy":["CA"],"newBlockedBy":["CA"]"#))
      #expect(!difference.json.contains(#""comparison""#))
    }
    let managed = try Self.removal(files, on: [TenantDevice(isManaged: true)])
    #expect(managed.lost.text.contains("P -> no policy, locked out"), "\(managed.lost.text)")
  }

  @Test
  func `for a conditional lock-out, changed flows of users not locked out are also listed`()
    throws
  {
    let (lost, won) = try Self.removal(["ca.json": Self.access("CA", Self.exceptGroup)])
    let condition = "locked out if the user is not in `g9`"
    #expect(lost.text.contains("\n    P -> no policy, \(condition)\n"), "\(lost.text)")
    #expect(lost.text.contains("Become possible: managed -> system: Print"), "\(lost.text)")
    #expect(won.text.contains("\n    no policy, \(condition) -> P\n"), "\(won.text)")
    #expect(won.text.contains("Become impossible: managed -> system: Print"), "\(won.text)")
    for difference in [lost, won] {
      #expect(difference.text.contains("\n    Unless conditional access locks them out:\n"))
      #expect(difference.json.contains(#"LockedOut":[{"if":["the user is not in `g9`"]}]"#))
      #expect(difference.json.contains(#""comparison""#))
    }
  }

  @Test func `a tenant difference lists users with and without a lock-out separately`() throws {
    let (lost, _) = try Self.removal([
      "users.json":
        #"{"value": [\#(Self.anna), {"userPrincipalName": "root@contoso.com", "assignedLicenses": [{"skuId": "1"}]}]}"#,
      "g.json":
        ##"{"@odata.type": "#microsoft.graph.group", "id": "g9", "displayName": "Nine", "members": ["root@contoso.com"]}"##,
      "ca.json": Self.access("CA", Self.exceptGroup),
    ])
    #expect(lost.protection.map(\.audience.users.count) == [1, 1])
    #expect(lost.protection.map(\.newLockOut.lockOut) == ["locked out", nil])
  }

  @Test func `a tenant difference lists a lock-out on one kind of device separately`() throws {
    let (lost, _) = try Self.removal(
      ["ca.json": Self.access("CA", or: ["compliantDevice"]), "config.json": Self.namingUser],
      on: nil)
    #expect(lost.protection.map { $0.audience.devices.map(\.isManaged) } == [[false], [true]])
    #expect(lost.protection.map(\.newLockOut.lockOut) == ["locked out", nil])
  }
}
