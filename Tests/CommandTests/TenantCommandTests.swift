import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// `sluice tenant`: its tables, its reasons, its findings and its exit statuses.
  @Suite struct TenantCommandTests {
    private static let example = Repository.path("examples/tenant")

    private let desk: Desk

    init() throws { desk = try Desk() }

    private func who(_ arguments: String..., ends status: Int32 = 0) throws -> Desk.Ended {
      try desk.sluice(["tenant", "who", Self.example] + arguments, ends: status)
    }

    // MARK: Tables

    @Test func `the table has a row for each class of users and app`() throws {
      let ended = try who()
      #expect(ended.errors.isEmpty)
      #expect(
        ended.lines.dropFirst(2).map(String.init) == [
          "users                          app                           app protection policies",
          "2 users like anna@contoso.com  com.microsoft.office.outlook  Office staff",
          "2 users like anna@contoso.com  com.microsoft.skype.teams     Office staff",
          "2 users like ben@contoso.com   com.microsoft.office.outlook  "
            + "Field staff, if the filter `Recent iOS` is true",
          String(repeating: " ", count: 61) + "none, if the filter `Recent iOS` is false",
          "2 users like ben@contoso.com   com.microsoft.skype.teams     none",
          "fay@contoso.com                com.microsoft.office.outlook  Office staff",
          "fay@contoso.com                com.microsoft.skype.teams     Office staff",
          "root@contoso.com               com.microsoft.office.outlook  none",
          "root@contoso.com               com.microsoft.skype.teams     none",
        ])
      #expect(try desk.sluice("tenant", Self.example, ends: 0).output == ended.output)
    }

    @Test func `the table in CSV counts users, and in JSON it lists them`() throws {
      #expect(
        try who("--app", "Outlook", "--format", "csv").lines.map(String.init) == [
          "users,like,app,policies", "2,anna@contoso.com,com.microsoft.office.outlook,Office staff",
          "2,ben@contoso.com,com.microsoft.office.outlook,"
            + "\"Field staff, if the filter `Recent iOS` is true; "
            + "none, if the filter `Recent iOS` is false\"",
          "1,fay@contoso.com,com.microsoft.office.outlook,Office staff",
          "1,root@contoso.com,com.microsoft.office.outlook,none",
        ])
      let table = try who("--app", "Outlook", "--format", "json").json()
      let classes = try #require(table["classes"]?.array)
      #expect(
        classes.map { $0["users"]?.array?.compactMap(\.string) ?? [] } == [
          ["anna@contoso.com", "emil@contoso.com"], ["ben@contoso.com", "dora@contoso.com"],
          ["fay@contoso.com"], ["root@contoso.com"],
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

    @Test func `every user has a row with --all, in the order of the export`() throws {
      let names = try who("--all", "--app", "Teams", "--format", "csv").lines.dropFirst().map {
        $0.split(separator: ",")[1].prefix { $0 != "@" }
      }
      #expect(names == ["anna", "ben", "dora", "emil", "fay", "root"])
    }

    @Test(arguments: [
      ("unmanaged,os=17.2", "Field staff"), ("managed,os=16.7,model=iPhone15,2", "none"),
    ])
    func `the device decides a filter`(device: String, policies: String) throws {
      let ended = try who("--user", "BEN@contoso.com", "--device", device, "--format", "csv")
      #expect(
        ended.lines.contains { $0 == "1,ben@contoso.com,com.microsoft.office.outlook,\(policies)" })
    }

    // MARK: One answer

    @Test func `an answer for a user and an app cites files and lines`() throws {
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

    @Test func `an answer names the attribute that a membership rule needs`() throws {
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

    @Test(arguments: [
      (
        ["--user", "ana@contoso.com"],
        "no user `ana@contoso.com`; did you mean `anna@contoso.com`? [user]"
      ),
      (
        ["--app", "WhatsApp"],
        "the app `WhatsApp`; it names com.microsoft.office.outlook, com.microsoft.skype.teams [app]"
      ),
    ])
    func `unknown users and apps are errors with suggestions`(
      arguments: [String], message: String
    ) throws {
      let ended = try desk.sluice(["tenant", "who", Self.example] + arguments, ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasSuffix(message + "\n"), "\(ended.errors)")
    }

    @Test(arguments: ["rooted", "=", "", "managed,", "os=", "managed=yes"])
    func `a device that is not described is a usage error`(device: String) throws {
      let ended = try who("--device", device, ends: 64)
      #expect(ended.errors.contains("expected managed, unmanaged, os=17.2, model=iPhone15,2"))
    }

    // MARK: Lint

    @Test(arguments: [("error", 0), ("warning", 1), ("note", 1), ("never", 0), ("all", 64)])
    func `findings as bad as --fail-on fail`(severity: String, status: Int32) throws {
      let ended = try desk.sluice(
        "tenant", "lint", Self.example, "--fail-on", severity, ends: status)
      guard status != 64 else { return }
      #expect(
        ended.output.contains(
          "2 users like ben@contoso.com cannot use `com.microsoft.skype.teams`: "
            + "`Require app protection` demands an app protection policy, and none reaches them "
            + "[lockOut]"))
      #expect(ended.lines.last == "0 errors, 1 warning, 0 notes")
    }

    // MARK: Bad input

    @Test(arguments: ["who", "lint"])
    func `a folder that cannot be read ends with status 2`(command: String) throws {
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
