import Directory
import GraphDocuments
import Tenants
import TestSupport
import Testing

/// Tests the difference between tenants, assumed changes, and the exports with the changes.
@Suite struct TenantDiffTests {
  /// A tenant's files.
  private struct Export {
    var files: [String: String]

    func tenant() throws -> Tenant { try Self.tenant(files.mapValues { Array($0.utf8) }) }

    static func tenant(_ files: [String: [UInt8]]) throws -> Tenant {
      var reader = TenantReader(folder: "contoso")
      for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
        reader.add(ExportFolder.File(path: path, bytes: bytes))
      }
      return try reader.finish()
    }
  }

  private static let users = ["anna", "ben", "carl", "dora"].map { "\($0)@contoso.com" }
  private static let groups = ["Sales", "Field", "Bosses"]

  private static func target(_ group: String, isExclusion: Bool) -> String {
    let type = isExclusion ? "exclusionGroupAssignmentTarget" : "groupAssignmentTarget"
    return
      ##"{"target": {"@odata.type": "#microsoft.graph.\##(type)", "groupId": "\##(group)-id"}}"##
  }

  /// Returns a tenant with four users, three groups and three policies for two apps.
  private static func random(_ random: inout SeededGenerator) -> Export {
    var files: [String: String] = [:]
    files["users.json"] =
      "["
      + users.map { user in
        ##"{"@odata.type": "#microsoft.graph.user", "userPrincipalName": "\##(user)", "assignedLicenses": [{"skuId": "1"}]}"##
      }.joined(separator: ",\n") + "]"
    for group in groups {
      let members = users.filter { _ in Bool.random(using: &random) }
      files["Groups/\(group).json"] = ##"""
        {
          "@odata.type": "#microsoft.graph.group", "id": "\##(group)-id", "displayName": "\##(group)",
          "members": [\##(members.map { "\"\($0)\"" }.joined(separator: ", "))]
        }
        """##
    }
    for name in ["A", "B", "C"] {
      let targets = groups.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map {
        target($0, isExclusion: Int.random(in: 0..<4, using: &random) == 0)
      }
      let apps = ["com.contoso.mail", "com.contoso.notes"].filter { _ in
        Int.random(in: 0..<3, using: &random) > 0
      }
      let sending = ["allApps", "managedApps", "none"].randomElement(using: &random) ?? "none"
      files["AppProtection/\(name).json"] = ##"""
        {
          "@odata.type": "#microsoft.graph.iosManagedAppProtection",
          "displayName": "\##(name)",
          "allowedOutboundDataTransferDestinations": "\##(sending)",
          "printBlocked": \##(Bool.random(using: &random)),
          "apps": [\##(apps.map { ##"{"mobileAppIdentifier": {"bundleId": "\##($0)"}}"## }.joined(separator: ", "))],
          "assignments": [\##(targets.joined(separator: ", "))]
        }
        """##
    }
    return Export(files: files)
  }

  /// Returns the effective settings of a user in an app, without positions; nil without a policy.
  private static func settings(
    _ user: String, _ app: String, in tenant: Tenant
  ) throws -> [String]? {
    let index = try #require(tenant.directory.user(user))
    let lines = tenant.text(of: tenant.answer(for: index, app: app, on: TenantDevice()))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("Settings") })
    guard !lines[start].contains("no policy") else { return nil }
    return lines[(start + 1)...].prefix { !$0.isEmpty }.map {
      $0.split(separator: " (").first.map(String.init) ?? $0
    }
  }

  private static let apps = ["com.contoso.mail", "com.contoso.notes"]

  /// Returns the users and apps with other settings, compared one by one.
  private static func naive(_ old: Tenant, _ new: Tenant) throws -> Set<String> {
    var found: Set<String> = []
    for user in users {
      for app in apps where try settings(user, app, in: old) != settings(user, app, in: new) {
        found.insert("\(user) \(app)")
      }
    }
    return found
  }

  private static func affected(_ difference: TenantDiff) -> Set<String> {
    Set(
      difference.protection.flatMap { change in
        change.audience.users.flatMap { user in
          change.apps.map { "\(difference.old.directory.users[user.old].upn) \($0)" }
        }
      })
  }

  // MARK: Laws

  @Test(arguments: 1...25)
  func `a tenant difference names exactly the users and apps whose settings differ`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let old = try Self.random(&random).tenant()
    let new = try Self.random(&random).tenant()
    let devices = [TenantDevice()]
    let difference = TenantDiff(old, new, apps: Self.apps, devices: devices)
    #expect(Self.affected(difference) == (try Self.naive(old, new)))
    let back = TenantDiff(new, old, apps: Self.apps, devices: devices)
    #expect(Self.affected(back) == Self.affected(difference))
    #expect(
      Set(back.protection.map { [$0.new, $0.old] })
        == Set(difference.protection.map { [$0.old, $0.new] }))
    #expect(TenantDiff(old, old).isEmpty)
  }

  private static func changes(_ random: inout SeededGenerator) -> [TenantChange] {
    let pick = { (words: [String], random: inout SeededGenerator) in
      words.randomElement(using: &random) ?? ""
    }
    return (0..<3).map { _ in
      let policy = pick(["A", "B", "C"], &random)
      let group = pick(Self.groups, &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .set("\(policy): Printing Org data=\(pick(["Block", "Allow"], &random))")
      case 1:
        let values = ["All apps", "Policy managed apps with Open-In/Share filtering", "None"]
        return .set("Send org data to other apps=\(pick(values, &random))")
      case 2: return .assign("\(policy)=\(pick(Self.groups + ["All users"], &random))")
      case 3: return .exclude("\(policy)=\(group)")
      default:  // open: a number, here 4
        return .member("\(pick(Self.users, &random))=\(group)")
      }
    }
  }

  @Test(arguments: 1...25)
  func `files written for tenant changes are read back as the changed tenant`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let export = Self.random(&random)
    let old = try export.tenant()
    let changes = Self.changes(&random)
    let proposed = try old.applying(changes)
    var files = export.files.mapValues { Array($0.utf8) }
    let written = try old.files(after: changes, among: files.keys.sorted()) { files[$0] }
    for file in written {
      #expect(file.bytes != files[file.path])
      files[file.path] = file.bytes
    }
    let read = try Export.tenant(files)
    #expect(TenantDiff(proposed, read).isEmpty)
    #expect(try Self.naive(old, read) == Self.naive(old, proposed))
  }

  @Test func `adding a policy without restrictions changes no flow`() throws {
    let old = try Export(files: [
      "a.json":
        #"{"displayName": "A", "printBlocked": false, "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}], "assignments": []}"#,
      "u.json":
        #"{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#,
    ]).tenant()
    let difference = TenantDiff(
      old, try old.applying([.assign("A=All users")]), devices: [TenantDevice()])
    #expect(
      difference.text.contains("\n    no policy -> A\n"), "\(difference.text)")
    #expect(difference.text.hasSuffix("\n    No flow changes\n"), "\(difference.text)")
    #expect(difference.html.contains("No flow changes"))
    #expect(difference.html.contains("<li><code>"), "\(difference.html)")
    #expect(!difference.html.contains("<li>`"), "\(difference.html)")
  }

  // MARK: Edits

  @Test(arguments: [
    (
      "\u{FEFF}{\r\n\t\"displayName\" : \"A\",\r\n\t\"printBlocked\" : false\r\n}\r\n",
      [TenantChange.set("printBlocked=true")],
      "\u{FEFF}{\r\n\t\"displayName\" : \"A\",\r\n\t\"printBlocked\" : true\r\n}\r\n"
    ),
    (
      "{\r\n\t\"displayName\" : \"A\",\r\n\t\"printBlocked\" : false\r\n}\r\n",
      [TenantChange.set("A: Save copies of org data=Block")],
      "{\r\n\t\"displayName\" : \"A\",\r\n\t\"printBlocked\" : false,\r\n\t\"saveAsBlocked\" : true\r\n}\r\n"
    ),
    (
      #"{"displayName": "A", "printBlocked": false, "assignments": []}"#,
      [.assign("A=All users")],
      ##"{"displayName": "A", "printBlocked": false, "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]}"##
    ),
    (
      #"{"displayName": "A", "printBlocked": false, "assignments": [{"target": {"groupId": "g"}}, {"target": {"groupId": "h"}}]}"#,
      [.unassign("A=g")],
      #"{"displayName": "A", "printBlocked": false, "assignments": [{"target": {"groupId": "h"}}]}"#
    ),
  ])
  func `an edit of an export keeps line ends, indentation, colons and the byte order mark`(
    text: String, changes: [TenantChange], expected: String
  ) throws {
    let export = Export(files: [
      "AppProtection/a.json": text,
      "groups.json":
        ##"[{"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "G", "members": []}]"##,
    ])
    let files = try export.tenant().files(after: changes, among: export.files.keys.sorted()) {
      export.files[$0].map { Array($0.utf8) }
    }
    #expect(files.map { String(decoding: $0.bytes, as: UTF8.self) } == [expected])
  }

  @Test func `accounts disabled in only one export are listed but not compared`() throws {
    let tenants = try [false, true].map { isChanged in
      let states = ["anna": true, "ben": !isChanged, "carl": isChanged, "dora": false]
      let users = states.sorted { $0.key < $1.key }.map { name, isEnabled in
        ##"{"@odata.type": "#microsoft.graph.user", "userPrincipalName": "\##(name)@contoso.com", "accountEnabled": \##(isEnabled), "assignedLicenses": [{"skuId": "1"}]}"##
      }
      return try Export(files: [
        "users.json": "[\(users.joined(separator: ","))]",
        "group.json":
          ##"{"@odata.type": "#microsoft.graph.group", "id": "G-id", "displayName": "G", "members": ["ben@contoso.com", "carl@contoso.com", "dora@contoso.com"]}"##,
        "p.json": ##"""
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P",
         "printBlocked": \##(isChanged), "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
         "assignments": [\##(Self.target("G", isExclusion: false))]}
        """##,
      ]).tenant()
    }
    let difference = TenantDiff(tenants[0], tenants[1], called: "later")
    #expect(!difference.isEmpty)
    #expect(difference.protection.isEmpty)
    #expect(
      difference.text == """
        contoso -> later: 2 users are affected

        Account disabled only in later, so no sign-in and nothing new: 1 user: ben@contoso.com
        Account disabled only in contoso, so no sign-in there: 1 user: carl@contoso.com

        """)
    #expect(difference.json.contains(#""disabledUsers":["ben@contoso.com"]"#))
    #expect(difference.json.contains(#""enabledUsers":["carl@contoso.com"]"#))
    #expect(TenantDiff(tenants[0], tenants[0]).isEmpty)
    // The documents of one user are compared regardless of the state.
    let one = TenantDiff(tenants[0], tenants[1], user: "dora@contoso.com")
    #expect(one.disabledUsers.isEmpty)
    #expect(!one.protection.isEmpty)
  }

  // MARK: Mistakes

  @Test(arguments: [3, 4])
  func `a long tenant difference begins with changed flows and their numbers of users`(
    count: Int
  ) throws {
    let tenants = try [false, true].map { isBlocked in
      var files: [String: String] = [:]
      for number in 1...count {
        files["u\(number).json"] =
          ##"{"@odata.type": "#microsoft.graph.user", "userPrincipalName": "u\##(number)@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"##
        files["g\(number).json"] =
          ##"{"@odata.type": "#microsoft.graph.group", "id": "G\##(number)-id", "displayName": "G\##(number)", "members": ["u\##(number)@contoso.com"]}"##
        files["p\(number).json"] = ##"""
          {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P\##(number)",
           "printBlocked": \##(isBlocked), "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
           "assignments": [\##(Self.target("G\(number)", isExclusion: false))]}
          """##
      }
      return try Export(files: files).tenant()
    }
    let difference = TenantDiff(
      tenants[0], tenants[1], apps: ["com.contoso.mail"], devices: [TenantDevice()])
    #expect(difference.protection.count == count)
    let short =
      "\nIn short\n\n  4 users in com.contoso.mail: Become impossible: managed -> system: Print\n"
    #expect(difference.text.contains(short) == (count > 3), "\(difference.text)")
    #expect(difference.html.contains(">In short<") == (count > 3))
    // A link names the section, and not each change's table.
    #expect(difference.html.contains("<nav") == (count > 3))
    #expect(!difference.html.contains("<a href=\"#settings-that-differ"), "\(difference.html)")
  }

  /// Returns a tenant with a policy for each of four groups of one user that does not apply to members of the absent
  /// groups.
  private static func excluding(_ absent: [String], isBlocked: Bool) throws -> Tenant {
    var files: [String: String] = [:]
    for number in 1...4 {
      files["u\(number).json"] =
        ##"{"@odata.type": "#microsoft.graph.user", "userPrincipalName": "u\##(number)@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"##
      files["g\(number).json"] =
        ##"{"@odata.type": "#microsoft.graph.group", "id": "G\##(number)-id", "displayName": "G\##(number)", "members": ["u\##(number)@contoso.com"]}"##
      let targets =
        [Self.target("G\(number)", isExclusion: false)]
        + absent.map { Self.target($0, isExclusion: true) }
      files["p\(number).json"] = ##"""
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P\##(number)",
         "printBlocked": \##(isBlocked), "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
         "assignments": [\##(targets.joined(separator: ", "))]}
        """##
    }
    return try Export(files: files).tenant()
  }

  @Test func `a long tenant difference marks flows that depend on unknown facts`() throws {
    let difference = TenantDiff(
      try Self.excluding(["Absent"], isBlocked: false),
      try Self.excluding(["Absent"], isBlocked: true), apps: ["com.contoso.mail"],
      devices: [TenantDevice()])
    #expect(
      difference.text.contains(
        "4 users in com.contoso.mail: Become impossible: managed -> system: Print, at least in some cases"
      ), "\(difference.text)")
    let headings = difference.html.split(separator: "<h3").dropFirst().compactMap {
      $0.split(separator: "</h3>").first
    }
    #expect(headings.contains { $0.contains("<code>absent-id</code>") }, "\(headings)")
    #expect(!headings.contains { $0.contains("`") }, "\(headings)")
  }

  @Test func `a change with too many unknown facts leaves its users undecided`() throws {
    let absent = (1...7).map { "Absent\($0)" }
    let tenants = try [false, true].map { try Self.excluding(absent, isBlocked: $0) }
    let difference = TenantDiff(
      tenants[0], tenants[1], apps: ["com.contoso.mail"], devices: [TenantDevice()])
    #expect(!difference.isEmpty)
    #expect(difference.affectedUsers.isEmpty)
    #expect(
      difference.text.hasPrefix("contoso -> contoso: the effect on 4 users is unknown\n"),
      "\(difference.text)")
    #expect(difference.json.contains(#""same":false"#))
    #expect(TenantDiff(tenants[0], tenants[0]).isEmpty)
    // The order of assignments has no effect.
    #expect(TenantDiff(tenants[0], try Self.excluding(absent.reversed(), isBlocked: false)).isEmpty)
    for other in [absent + ["Absent8"], Array(absent.dropLast()) + ["Other"]] {
      let changed = try Self.excluding(other, isBlocked: false)
      #expect(TenantDiff(tenants[0], changed).undecidedUsers == [0, 1, 2, 3], "\(other)")
    }
  }

  @Test func `the summary of a long tenant difference begins with the lock-outs`() throws {
    let tenants = try [true, false].map { hasPolicies in
      var files: [String: String] = [
        "ca.json": ##"""
        {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "CA", "state": "enabled",
         "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]}, "users": {"includeUsers": ["u1@contoso.com"]}},
         "grantControls": {"operator": "OR", "builtInControls": ["compliantApplication"]}}
        """##
      ]
      for number in 1...4 {
        files["u\(number).json"] =
          ##"{"@odata.type": "#microsoft.graph.user", "userPrincipalName": "u\##(number)@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"##
        files["g\(number).json"] =
          ##"{"@odata.type": "#microsoft.graph.group", "id": "G\##(number)-id", "displayName": "G\##(number)", "members": ["u\##(number)@contoso.com"]}"##
        files["p\(number).json"] = ##"""
          {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P\##(number)",
           "printBlocked": true, "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
           "assignments": [\##(hasPolicies ? Self.target("G\(number)", isExclusion: false) : "")]}
          """##
      }
      return try Export(files: files).tenant()
    }
    let difference = TenantDiff(
      tenants[0], tenants[1], apps: ["com.contoso.mail"], devices: [TenantDevice()])
    #expect(
      difference.text.contains(
        """

        In short

          1 user in com.contoso.mail: Locked out by conditional access, on an unmanaged device
          3 users in com.contoso.mail
        """), "\(difference.text)")
    #expect(difference.text.contains("managed -> system: Print"))
  }

  @Test(arguments: [
    (
      TenantChange.set("Printing Org dat=Block"),
      "no setting is called `Printing Org dat`; did you mean `Printing Org data`?"
    ),
    (.set("AA: printBlocked=true"), "contains no app protection policy `AA`"),
    (
      .set("Printing Org data=Perhaps"),
      "`Perhaps` is not a value of `Printing Org data`; expected `Allow` or `Block`"
    ),
    (.set("Min OS version=17"), "`Min OS version (block access)`"),
    (.assign("A=Sale"), "contains no group `Sale`; did you mean `Sales`?"),
    (.member("ann@contoso.com=Sales"), "did you mean `anna@contoso.com`?"),
    (.member("Dora=Sales"), "contains no user `Dora`; did you mean `dora@contoso.com`?"),
    (.exclude("Sales"), "expected POLICY=GROUP"),
  ])
  func `the error for an impossible change suggests a name or the expected values`(
    change: TenantChange, message: String
  ) throws {
    var random = SeededGenerator(seed: 1)
    let tenant = try Self.random(&random).tenant()
    let error = #expect(throws: TenantChangeError.self) { try tenant.applying([change]) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
