import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the tables, reasons, findings and exit statuses of `sluice tenant`.
  @Suite struct TenantCommandTests {
    private static let example = Repository.path("examples/tenant")

    private let desk: Desk

    init() throws { desk = try Desk() }

    private func who(_ arguments: String..., ends status: Int32 = 0) throws -> Desk.Ended {
      try desk.sluice(["tenant", "who", Self.example] + arguments, ends: status)
    }

    // MARK: Tables

    @Test
    func `sluice tenant who prints a row per user class and app, and merges equal answers`() throws
    {
      let ended = try who()
      #expect(ended.errors.isEmpty)
      #expect(
        ended.lines.dropFirst(3).map(String.init) == [
          "users                          app                           app protection policies",
          "3 users like anna@contoso.com  every app                     Office staff",
          "2 users like ben@contoso.com   com.microsoft.office.outlook  "
            + "Field staff, if the filter `Recent iOS` is true",
          String(repeating: " ", count: 61)
            + "none, locked out, if the filter `Recent iOS` is false",
          "2 users like ben@contoso.com   com.microsoft.skype.teams     none, locked out",
          "root@contoso.com               every app                     none",
        ])
      #expect(
        ended.lines[2] == "every app: com.microsoft.office.outlook and com.microsoft.skype.teams")
      #expect(try desk.sluice("tenant", Self.example, ends: 0).output == ended.output)
    }

    @Test func `the HTML report of a tenant's users has the same classes of users as the JSON`()
      throws
    {
      for options in [[], ["--app", "Outlook"], ["--device", "managed,os=17.2"]] {
        let arguments = ["tenant", "who", Self.example] + options
        let page = try desk.sluice(arguments + ["--format", "html"], ends: 0).output
        let classes =
          try desk.sluice(arguments + ["--format", "json"], ends: 0)
          .json()["classes"]?.array ?? []
        #expect(classes.count == 3)
        for users in classes {
          let names = users["users"]?.array?.compactMap(\.string) ?? []
          let name = names.count == 1 ? names[0] : "\(names.count) users like \(names[0])"
          #expect(page.contains("<summary>\(name)</summary>"), "\(name)")
        }
        #expect(page.split(separator: "<details id=\"class-").count - 1 == classes.count)
      }
    }

    @Test func `the HTML report of a tenant's users begins with locked-out and unprotected users`()
      throws
    {
      let page = try who("--format", "html").output
      let answer =
        "2 users cannot use an app, because conditional access requires a policy; "
        + "1 user has no policy in any app."
      let place = try #require(page.range(of: "<p>\(answer)</p>"))
      let counts = try #require(page.range(of: "<p>6 users, 3 groups"))
      #expect(place.lowerBound < counts.lowerBound)
    }

    @Test func `the users table counts users in CSV, and lists them in JSON`() throws {
      #expect(
        try who("--app", "Outlook", "--format", "csv").lines.map(String.init) == [
          "users,like,app,policies", "3,anna@contoso.com,com.microsoft.office.outlook,Office staff",
          "2,ben@contoso.com,com.microsoft.office.outlook,"
            + "\"Field staff, if the filter `Recent iOS` is true; "
            + "none, locked out, if the filter `Recent iOS` is false\"",
          "1,root@contoso.com,com.microsoft.office.outlook,none",
        ])
      let table = try who("--app", "Outlook", "--format", "json").json()
      let classes = try #require(table["classes"]?.array)
      #expect(
        classes.map { $0["users"]?.array?.compactMap(\.string) ?? [] } == [
          ["anna@contoso.com", "emil@contoso.com", "fay@contoso.com"],
          ["ben@contoso.com", "dora@contoso.com"], ["root@contoso.com"],
        ])
      let outlook = try #require(classes[1]["apps"]?.array?.first)
      #expect(outlook["app"]?.string == "com.microsoft.office.outlook")
      let alternatives = try #require(outlook["alternatives"]?.array)
      #expect(
        alternatives.map { $0["if"]?.array?.compactMap(\.string) ?? [] } == [
          ["the filter `Recent iOS` is true"], ["the filter `Recent iOS` is false"],
        ])
      #expect(
        alternatives.map { $0["policies"]?.array?.compactMap { $0["name"]?.string } ?? [] } == [
          ["Field staff"], [],
        ])
    }

    @Test(arguments: [
      [], ["--user", "ben@contoso.com", "--app", "Outlook"],
      ["--device", "managed,os=17.2,model=iPhone15,2,app=4.2", "--app", "Teams"],
      ["--user", "anna@contoso.com", "--app", "Outlook", "--device", "managed"],
      ["--policy", "Field staff"], ["--policy", "Outlook", "--group", "Sales"],
    ])
    func `the JSON of the users table conforms to its schema`(arguments: [String]) throws {
      let ended = try desk.sluice(
        ["tenant", "who", Self.example, "--format", "json"] + arguments, ends: 0)
      #expect(try SchemaCheck("tenant-who").problems(in: ended.output) == [])
    }

    @Test func `the JSON of an answer that depends on eight facts conforms to its schema`()
      throws
    {
      let targets = (1...8).map { #"{"target": {"groupName": "G\#($0)"}}"# }.joined(separator: ", ")
      try desk.folder.write(
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "##
          + #""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}], "#
          + #""assignments": [\#(targets)]}"#, to: "t/p.json")
      try desk.folder.write("users: [anna@contoso.com]\n", to: "t/directory.yaml")
      let ended = try desk.sluice(
        "tenant", "who", "t", "--user", "anna@contoso.com", "--app", "com.contoso.mail",
        "--format", "json", ends: 0)
      #expect(try SchemaCheck("tenant-who").problems(in: ended.output) == [])
      let app = try ended.json()["classes"]?.array?.first?["apps"]?.array?.first
      #expect(app?["dependsOn"]?.array?.count == 8, "\(ended.output)")
    }

    @Test func `sluice tenant who --all prints a row per user in the export's order`() throws {
      let names = try who("--all", "--app", "Teams", "--format", "csv").lines.dropFirst().map {
        $0.split(separator: ",")[1].prefix { $0 != "@" }
      }
      #expect(names == ["anna", "ben", "dora", "emil", "fay", "root"])
    }

    @Test(arguments: [
      ("unmanaged,os=17.2", "Field staff"),
      ("managed,os=16.7,model=iPhone15,2", "\"none, locked out\""),
    ])
    func `the option --device determines the results of assignment filters for a user`(
      device: String, policies: String
    ) throws {
      let ended = try who("--user", "BEN@contoso.com", "--device", device, "--format", "csv")
      #expect(
        ended.lines.contains { $0 == "1,ben@contoso.com,com.microsoft.office.outlook,\(policies)" })
    }

    // MARK: One answer

    @Test func `the answer for a user and an app cites the files and lines of its reasons`() throws
    {
      let ended = try who(
        "--user", "anna@contoso.com", "--app", "Outlook", "--device", "unmanaged,os=17.2")
      for line in [
        "anna@contoso.com in com.microsoft.office.outlook, on an unmanaged device with iOS 17.2",
        "    does not apply: not in `Field staff`",
        "    applies: all users with a licence (AppProtection/Office staff.json:23)",
        "  Send org data to other apps: Policy managed apps (AppProtection/Office staff.json:4)",
        "    applies: anna@contoso.com is in `Sales` (Groups/Sales.json:1) "
          + "(AppConfigurationManagedApp/Outlook.json:21)",
        "    applies; grant controls: Require app protection policy",
      ] {
        #expect(ended.lines.contains { $0 == line }, "\(line)\n\(ended.output)")
      }
    }

    @Test(arguments: [
      (
        "root@contoso.com", "Outlook",
        [
          "    does not apply: excluded, because root@contoso.com is in `Break glass` "
            + "(Groups/Break glass.json:1)"
        ]
      ),
      (
        "ben@contoso.com", "Outlook",
        [
          "    applies; grant controls: Require app protection policy",
          "    locked out if the filter `Recent iOS` is false: no app protection policy applies",
          "Not in the export",
          "  the version of iOS, for the filter `Recent iOS`; state it as in --device os=17.2",
        ]
      ),
      (
        "ben@contoso.com", "Teams",
        [
          "    applies; grant controls: Require app protection policy",
          "    locked out: no app protection policy applies",
        ]
      ),
      (
        "anna@contoso.com", "Teams", ["    applies; grant controls: Require app protection policy"]
      ),
    ])
    func `the answer for a user states lockouts and the groups that exclude the user`(
      user: String, app: String, lines: [String]
    ) throws {
      let text = try who("--user", user, "--app", app)
      let heading = try #require(text.lines.lastIndex { $0 == "Conditional access" })
      #expect(text.lines.dropFirst(heading + 2).map(String.init) == lines, "\(text.output)")
      let json = try who("--user", user, "--app", app, "--format", "json")
      #expect(try SchemaCheck("tenant-who").problems(in: json.output) == [])
      let access = try json.json()["answer"]?["conditionalAccess"]?.array?.first
      let isLockedOut = access?["alternatives"]?.array?.contains { $0["lockedOut"] != nil }
      #expect(isLockedOut == lines.contains { $0.contains("locked out") })
    }

    @Test func `the answer for a user names the attribute missing for a membership rule`() throws {
      try desk.folder.write(
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "##
          + ##""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}], "##
          + ##""assignments": [{"target": {"groupName": "Sales"}}]}"##, to: "t/policy.json")
      try desk.folder.write(
        #"{"displayName": "Sales", "membershipRule": "user.department -eq \"Sales\""}"#,
        to: "t/group.json")
      try desk.folder.write(#"[{"userPrincipalName": "anna@contoso.com"}]"#, to: "t/users.json")
      let ended = try desk.sluice(
        "tenant", "who", "t", "--user", "anna@contoso.com", "--app", "com.contoso.mail", ends: 0)
      #expect(
        ended.output.hasSuffix(
          "\nNot in the export\n  the user's `department`, for `Sales`\n"))
    }

    // MARK: The users of a policy or a group

    @Test func `--policy lists the users whom a policy reaches and misses, with reasons`() throws {
      let ended = try who("--policy", "office staff", "--all")
      #expect(ended.errors.isEmpty)
      #expect(
        ended.lines.map(String.init) == [
          "Office staff (AppProtection/Office staff.json:1) in com.microsoft.office.outlook and "
            + "com.microsoft.skype.teams, on an unmanaged device",
          "Assignments",
          "  includes all users with a licence (AppProtection/Office staff.json:23)",
          "  excludes `Field staff` (AppProtection/Office staff.json:28)",
          "  excludes `Break glass` (AppProtection/Office staff.json:34)",
          "Reaches 3 of 6 users",
          "  anna@contoso.com, emil@contoso.com and fay@contoso.com",
          "    applies: all users with a licence (AppProtection/Office staff.json:23)",
          "Does not reach 3 of 6 users",
          "  ben@contoso.com and dora@contoso.com",
          "    does not apply: excluded, because ben@contoso.com is in `Field staff` "
            + "(Groups/Field staff.json:1) (AppProtection/Office staff.json:28)",
          "  root@contoso.com",
          "    does not apply: excluded, because root@contoso.com is in `Break glass` "
            + "(Groups/Break glass.json:1) (AppProtection/Office staff.json:34)",
        ])
    }

    @Test(arguments: [
      (
        ["--policy", "Office staff"], "Who gets Office staff",
        ["Reaches 3 of 6 users; does not reach 3 of 6 users."],
        ["3 users like anna@contoso.com"], ["2 users like ben@contoso.com", "root@contoso.com"]
      ),
      (
        ["--policy", "Outlook", "--device", "unmanaged"], "Who gets Outlook",
        ["Reaches 2 of 6 users; does not reach 4 of 6 users."], ["2 users like"], ["4 users like"]
      ),
      (
        ["--policy", "Office staff", "--app", "Word"], "Who gets Office staff",
        ["Does not reach 6 of 6 users."], [], ["6 users like anna@contoso.com"]
      ),
    ])
    func `the policy page lists reached and unreached classes of users`(
      arguments: [String], title: String, headlines: [String], reached: [String], missed: [String]
    ) throws {
      let arguments = ["tenant", "who", Self.example, "--format", "html"] + arguments
      let page = try desk.sluice(arguments, ends: 0).output
      #expect(page.contains("<title>\(title)</title>"))
      #expect(page.contains("<h1>\(title)</h1>"))
      for headline in headlines { #expect(page.contains("<p>\(headline)</p>")) }
      #expect(page.contains(">Assignments</a>"))
      // The sections of the policy come before the picture of the users whom it reaches.
      let main = page.components(separatedBy: "<main>")[1]
      let sections = main.components(separatedBy: "id=\"picture\"")[0]
      let parts = sections.components(separatedBy: ">Does not reach")
      let halves = [parts[0], parts.dropFirst().joined()]
      for (half, users) in zip(halves, [reached, missed]) {
        let headings = half.components(separatedBy: "<h3>").dropFirst()
        #expect(headings.count == users.count, "\(half)")
        for (heading, name) in zip(headings, users) { #expect(heading.hasPrefix(name)) }
      }
      #expect(page.contains("<li>\ndoes not apply: "))
      // The classes of the picture are those of the reached users only.
      for name in missed { #expect(!page.contains("<summary>\(name)</summary>")) }
    }

    @Test(arguments: [
      (["--policy", "Field staff"], "Reaches 2 of 6 users in some cases"),
      (["--policy", "Field staff", "--device", "unmanaged,os=17.2"], "Reaches 2 of 6 users"),
      (
        ["--policy", "Field staff", "--device", "unmanaged,os=16.7"], "Does not reach 6 of 6 users"
      ),
      (["--policy", "Outlook"], "Reaches 2 of 6 users"),
      (["--policy", "Office staff", "--app", "Word"], "Does not reach 6 of 6 users"),
      (["--policy", "Office staff", "--user", "ben@contoso.com"], "Does not reach 1 of 6 users"),
      (["--policy", "Office staff", "--group", "Sales"], "Reaches 2 of 6 users"),
      (
        ["--policy", "Office staff", "--unassign", "Office staff=Field staff"],
        "Reaches 5 of 6 users"
      ),
    ])
    func `the users that a policy reaches depend on app, device, group and proposed change`(
      arguments: [String], heading: String
    ) throws {
      let ended = try desk.sluice(["tenant", "who", Self.example] + arguments, ends: 0)
      let headings = ended.lines.filter { $0.hasPrefix("Reaches ") || $0.hasPrefix("Does not") }
      #expect(headings.first == heading[...], "\(ended.output)")
    }

    @Test
    func `in CSV, a user of a policy has one row for each result of a filter`() throws {
      let ended = try who("--policy", "Field staff", "--format", "csv")
      let filter = "the filter `Recent iOS` is"
      #expect(
        ended.lines.filter { $0.hasPrefix("ben@") }.map(String.init) == [
          "ben@contoso.com,com.microsoft.office.outlook,yes,applies if \(filter) true: ben@contoso.com is in "
            + "`Field staff` (Groups/Field staff.json:1) (AppProtection/Field staff.json:17)",
          "ben@contoso.com,com.microsoft.office.outlook,no,does not apply if \(filter) false",
        ])
    }

    @Test func `--group limits the users table to the members of a group or to guests`() throws {
      let names = { (arguments: [String]) in
        try desk.sluice(
          ["tenant", "who"] + arguments + ["--app", "Teams", "--all", "--format", "csv"], ends: 0
        ).lines.dropFirst().map { $0.split(separator: ",")[1].prefix { $0 != "@" } }
      }
      #expect(try names([Self.example, "--group", "sales"]) == ["anna", "emil"])
      #expect(try names([Self.example, "--group", "Field staff"]) == ["ben", "dora"])
      try desk.folder.write(
        """
        users:
          anna@contoso.com: { userType: Member }
          gus_fabrikam.com#EXT#@contoso.onmicrosoft.com: { userType: Guest }

        """, to: "t/directory.yaml")
      try desk.folder.write(
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "##
          + #""apps": [{"mobileAppIdentifier": {"bundleId": "com.microsoft.skype.teams"}}], "#
          + #""assignments": []}"#, to: "t/p.json")
      #expect(try names(["t", "--group", "guests"]) == ["gus_fabrikam.com#EXT#"])
    }

    @Test func `--group leaves out users with unknown membership, with a note`() throws {
      let ended = try desk.sluice(
        "tenant", "who", Repository.path("examples/written-tenant"), "--group", "Field", ends: 0)
      #expect(
        ended.errors
          == "sluice: note: 1 user with unknown membership in `Field` is left out [group]\n")
      #expect(ended.lines.last?.hasPrefix("2 users like ben@contoso.com") == true)
    }

    @Test func `sluice tenant who lists the users of a conditional access policy only as text`()
      throws
    {
      let arguments = ["tenant", "who", Self.example, "--policy", "Require app protection"]
      let ended = try desk.sluice(arguments, ends: 0)
      #expect(ended.lines.contains("Applies to 5 of 6 users"), "\(ended.output)")
      let message = "are listed only as text; use --format text [format]"
      #expect(
        try desk.sluice(arguments + ["--format", "json"], ends: 2).errors.contains(message))
    }

    @Test(arguments: [
      (
        ["--policy", "Ofice staff"],
        "no policy or app configuration `Ofice staff`; did you mean `Office staff`? [policy]",
        2
      ),
      (
        ["--policy", "Executives"],
        "`Executives`; it contains `Field staff`, `Office staff`, `Outlook`, `Require app protection` [policy]",
        2
      ),
      (["--group", "Sale"], "contains no group `Sale`; did you mean `Sales`? [group]", 2),
      (["--group", "field"], "contains no group `field`; did you mean `Field staff`? [group]", 2),
      (
        ["--policy", "STAFF"],
        "`STAFF`; did you mean one of `Field staff`, `Office staff`? [policy]", 2
      ),
      (
        ["--group", "guests"], "no enabled user of the export is known to be in `guests` [group]", 2
      ),
      (
        ["--group", "Sales", "--user", "FAY"],
        "--user and --group exclude each other: name one user", 64
      ),
    ])
    func `names of policies and groups that the export lacks are errors`(
      arguments: [String], message: String, status: Int32
    ) throws {
      let ended = try desk.sluice(["tenant", "who", Self.example] + arguments, ends: status)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    @Test(arguments: [
      (
        ["--user", "ana@contoso.com"],
        "no user `ana@contoso.com`; did you mean `anna@contoso.com`? [user]"
      ),
      (["--user", "FAY"], "no user `FAY`; did you mean `fay@contoso.com`? [user]"),
      (
        ["--app", "Outlok"],
        "names the app `Outlok`; did you mean `com.microsoft.office.outlook`? [app]"
      ),
      (
        ["--app", "Solitaire"],
        "the app `Solitaire`; it names com.microsoft.office.outlook, com.microsoft.skype.teams; write the bundle id of "
          + "another app [app]"
      ),
    ])
    func `unknown users and apps are errors with suggestions`(
      arguments: [String], message: String
    ) throws {
      let ended = try desk.sluice(["tenant", "who", Self.example] + arguments, ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasSuffix(message + "\n"), "\(ended.errors)")
    }

    @Test(arguments: [
      "rooted", "=", "", "managed,", "os=", "managed=yes", "app:=4", "app:Outlook", "app:Outlook=",
    ])
    func `an invalid device description is a usage error`(device: String) throws {
      let ended = try who("--device", device, ends: 64)
      #expect(ended.errors.contains("expected managed, unmanaged, os=17.2, model=iPhone15,2"))
    }

    @Test(arguments: [
      ("org.example.Other", "org.example.other"), ("Word", "com.microsoft.office.word"),
    ])
    func `the users table reports an app without policies and the app's locked-out users`(
      app: String, bundleID: String
    ) throws {
      let ended = try who("--app", app, "--format", "csv")
      #expect(
        ended.lines.map(String.init) == [
          "users,like,app,policies", "5,anna@contoso.com,\(bundleID),\"none, locked out\"",
          "1,root@contoso.com,\(bundleID),none",
        ])
      #expect(
        ended.errors.contains("note: no policy of the export targets the app `\(bundleID)` [app]"))
    }

    // MARK: Users and groups of directory.yaml

    @Test func `policies are assigned to the users and groups in directory.yaml`() throws {
      let ended = try desk.sluice(
        "tenant", "who", Repository.path("examples/written-tenant"), "--format", "csv", ends: 0)
      #expect(ended.errors.isEmpty)
      #expect(
        ended.lines.map(String.init) == [
          "users,like,app,policies", "2,ben@contoso.com,com.microsoft.office.outlook,Field staff",
          "1,anna@contoso.com,com.microsoft.office.outlook,Office staff",
          "1,cleo@contoso.com,com.microsoft.office.outlook,none",
          "1,eve@contoso.com,com.microsoft.office.outlook,"
            + "\"Field staff, if the user is in `Field`; Office staff, if the user is not in `Field`\"",
        ])
    }

    @Test(arguments: [
      ("users:\n  a@x.com: { departmant: A }\n", "2:14: error: the user `a@x.com` has no key"),
      ("users: [a@x.com]\ngroups:\n  A: [b@x.com]\n", "3:7: error: no user or group is called"),
      ("groups:\n  A: []\n  A: []\n", "3:3: error: the key `A` is given twice, first on line 2"),
      ("groups: { A: { rule: user.nothing -eq null } }\n", "1:22: error: the rule cannot be read"),
      ("users: @\n", "1:"),
    ])
    func `errors in directory.yaml have a line and a column`(
      text: String, message: String
    ) throws {
      try desk.folder.copy(Repository.path("examples/written-tenant"), to: "t")
      try desk.folder.write(text, to: "t/directory.yaml")
      let ended = try desk.sluice("tenant", "who", "t", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.contains("t/directory.yaml:" + message), "\(ended.errors)")
    }

    @Test func `--write-exports rejects a proposed membership of a group in directory.yaml`() throws
    {
      let member = [
        Repository.path("examples/written-tenant"), "--member", "anna@contoso.com=Leads",
      ]
      let proposed = try desk.sluice(["tenant", "diff"] + member, ends: 1)
      #expect(proposed.output.contains("    Office staff -> Field staff\n"), "\(proposed.output)")
      let written = try desk.sluice(
        ["tenant", "diff"] + member + ["--write-exports", "new"], ends: 2)
      #expect(written.errors.contains("directory.yaml` is not JSON"), "\(written.errors)")
    }

    // MARK: Lint

    @Test(arguments: [("error", 0), ("warning", 1), ("note", 1), ("never", 0), ("all", 64)])
    func `tenant lint exits with 1 for findings of at least the --fail-on severity`(
      severity: String, status: Int32
    ) throws {
      let ended = try desk.sluice(
        "tenant", "lint", Self.example, "--fail-on", severity, ends: status)
      guard status != 64 else { return }
      #expect(
        ended.output.contains(
          "2 users like ben@contoso.com cannot use `com.microsoft.skype.teams`: "
            + "`Require app protection` requires an app protection policy, and they have none "
            + "[lockOut]"))
      #expect(
        ended.output.contains(
          "note: 2 users like ben@contoso.com cannot use `com.microsoft.office.outlook` if the filter `Recent iOS` "
            + "is false: `Require app protection` requires an app protection policy, and they have none "
            + "[possibleLockOut]"))
      #expect(ended.lines.last == "0 errors, 1 warning, 1 note")
    }

    @Test(arguments: [
      // One finding names both apps.
      ("unmanaged,os=17.2", ["lockOut"]), ("unmanaged,os=16.7", ["lockOut"]),
    ])
    func `tenant lint --device reports the lock-out of users on the stated device`(
      device: String, rules: [String]
    ) throws {
      let json = try desk.sluice(
        "tenant", "lint", Self.example, "--device", device, "--format", "json", ends: 0
      ).json()
      #expect(json["findings"]?.array?.map { $0["code"]?.string } == rules)
    }

    @Test func `tenant lint reports warnings about the files of an export`() throws {
      try desk.folder.write(
        ##"{"@odata.nextLink": "https://graph.microsoft.com/next", "value": ["##
          + #"{"id": "u1", "userPrincipalName": "anna@contoso.com", "accountEnabled": false}, "#
          + #"{"id": "u2", "userPrincipalName": "ben@contoso.com"}]}"#,
        to: "t/users.json")
      try desk.folder.write(
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "##
          + #""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}], "assignments": []}"#,
        to: "t/p.json")
      let warning =
        "t/users.json:1:21: warning: the response continues at `@odata.nextLink`, so further objects are missing; also "
        + "save the other pages [missingPages]"
      let lint = ["tenant", "lint", "t", "--device", "unmanaged"]
      let text = try desk.sluice(lint, ends: 0)
      #expect(text.errors.isEmpty)
      #expect(text.lines.contains(warning[...]), "\(text.output)")
      _ = try desk.sluice(lint + ["--fail-on", "warning"], ends: 1)
      let findings = try desk.sluice(lint + ["--format", "json"], ends: 0).json()["findings"]?.array
      let finding = try #require(findings?.first { $0["code"]?.string == "missingPages" })
      #expect(finding["file"]?.string == "t/users.json")
      #expect(finding["line"]?.int == 1)
      let run = try desk.sluice(lint + ["--format", "sarif"], ends: 0).json()["runs"]?.array?.first
      let results = run?["results"]?.array?.compactMap { $0["ruleId"]?.string } ?? []
      let rules = run?["tool"]?["driver"]?["rules"]?.array?.compactMap { $0["id"]?.string } ?? []
      #expect(results.contains("missingPages"))
      #expect(rules.contains("missingPages"))
      #expect(Set(rules).count == rules.count)
      // A proposed change leaves the warnings as they are.
      let changed = try desk.sluice(lint + ["--assign", "P=All users"], ends: 0).output
      #expect(changed.split(separator: "\nUnchanged\n").last?.contains("[missingPages]") == true)
      // Other commands print them.
      let who = try desk.sluice("tenant", "who", "t", "--user", "anna@contoso.com", ends: 0)
      #expect(who.errors.contains(warning))
      #expect(
        who.output.hasPrefix(
          "The account anna@contoso.com is disabled, so the user cannot sign in and receives nothing new; the answer is "
            + "for an enabled account.\n\n"
        ), "\(who.output)")
    }

    @Test func `explain, matrix, leaks and decide print a note about a disabled account`() throws {
      try desk.folder.write(
        #"[{"id": "u1", "userPrincipalName": "anna@contoso.com", "accountEnabled": false}]"#,
        to: "t/users.json")
      try desk.folder.write(
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "##
          + #""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}], "assignments": "#
          + ##"[{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]}"##,
        to: "t/p.json")
      try desk.folder.write(
        "com.contoso.mail: managed\norg.example.viewer: unmanaged\n", to: "apps.txt")
      let note =
        "t: note: the account anna@contoso.com is disabled, so the user cannot sign in and receives nothing new; the "
        + "answer is for an enabled account [disabledAccount]"
      let user = ["--tenant", "t", "--user", "anna@contoso.com"]
      for arguments in [
        ["explain", "--app", "com.contoso.mail", "--channel", "print"], ["matrix"],
        ["leaks", "--apps", "apps.txt"], ["decide"],
      ] {
        let errors = try desk.sluice(arguments + user).errors
        #expect(errors.components(separatedBy: note).count == 2, "\(arguments): \(errors)")
      }
    }

    @Test func `tenant lint prints a note that an export contains no users`() throws {
      try desk.folder.write(
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "apps": []}"##,
        to: "t/p.json")
      let ended = try desk.sluice("tenant", "lint", "t", ends: 0)
      #expect(
        ended.errors.contains(
          "t: note: the export contains no users, so users without a policy are not found"),
        "\(ended.errors)")
    }

    // MARK: Bad input

    @Test(arguments: ["who", "lint"])
    func `an unreadable tenant folder exits with 2`(command: String) throws {
      let missing = try desk.sluice("tenant", command, "nowhere", ends: 2)
      #expect(missing.errors.contains("`nowhere` is not a folder"))
      try desk.folder.write("{", to: "broken/a.json")
      try desk.folder.write("id,userPrincipalName\n\"u1,a@x.com\n", to: "broken/b.csv")
      let broken = try desk.sluice("tenant", command, "broken", ends: 2)
      #expect(broken.output.isEmpty)
      #expect(broken.errors.contains("broken/a.json:1:2: error: "))
      #expect(broken.errors.contains("broken/b.csv:2:1: error: "))
    }
  }
}
