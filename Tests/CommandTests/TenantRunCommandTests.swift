import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests commands in which users of a tenant replace a scenario's managed account.
  @Suite struct TenantRunCommandTests {
    private static let example = Repository.path("examples/tenant")

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(
        """
        name: Mine
        accounts:
          me: { upn: someone@example.com }
          other: { upn: other@example.org }
        policies:
          own:
            json: { displayName: Own, allowedOutboundDataTransferDestinations: managedApps }
            assign: [{ account: me, apps: [com.contoso.mail] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, signedIn: [me, other] }
          viewer: { bundle: org.example.viewer, documentTypes: [com.adobe.pdf] }
        cases:
          - name: org data stays
            steps:
              - launch: [mail, viewer]
              - switchIdentity: { app: mail, to: me }
              - share: { from: mail, to: viewer, text: Figures }
                expect: { verdict: blocked }
          - name: private data leaves
            steps:
              - launch: [mail, viewer]
              - switchIdentity: { app: mail, to: other }
              - share: { from: mail, to: viewer, text: List }
                expect: { verdict: allowed }
          - name: the policy changes
            steps:
              - assign: { account: me }
        """, to: "mine.yaml")
    }

    private func run(_ arguments: String..., ends status: Int32) throws -> Desk.Ended {
      try desk.sluice(["tenant", "run", Self.example] + arguments, ends: status)
    }

    // MARK: Tenant run

    @Test func `tenant run separates cases whose results differ between classes of users`() throws {
      let ended = try run("mine.yaml", ends: 1)
      #expect(
        ended.lines.prefix(15).map(String.init) == [
          "Users, and their policies in com.microsoft.office.outlook on an unmanaged device with iOS 26.0 and model iPhone17,1",
          "  1  2 users like anna@contoso.com  Office staff",
          "  2  2 users like ben@contoso.com   Field staff",
          "  3  fay@contoso.com                Office staff",
          "  4  root@contoso.com               none",
          "com.contoso.mail of the scenarios is treated as com.microsoft.office.outlook",
          "Differs between users", "  1       2       3       4       case",
          "  passed  failed  passed  failed  org data stays", "The same for all users",
          "  passed   private data leaves", "  not run  the policy changes", "Not run",
          "  1 case  its steps change the scenario's own policies",
          "Mine, as 2 users like ben@contoso.com (mine.yaml)",
        ])
    }

    @Test func `tenant run with --user and --device has a single class of users`() throws {
      let ended = try run(
        "mine.yaml", "--user", "ben@contoso.com", "--device", "unmanaged,os=16.7", "--filter",
        "private", ends: 0)
      #expect(
        ended.lines.prefix(6).map(String.init) == [
          "Users, and their policies in com.microsoft.office.outlook on an unmanaged device with iOS 16.7 and model iPhone17,1",
          "  1  ben@contoso.com  none",
          "com.contoso.mail of the scenarios is treated as com.microsoft.office.outlook",
          "com.microsoft.office.outlook: ben@contoso.com is locked out, because conditional access requires an app protection policy",
          "Cases", "  passed  private data leaves",
        ])
    }

    @Test func `a tenant run prints a warning about a tenant's file only once`() throws {
      try desk.folder.write(
        """
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Open", "printBlock": true,
         "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
         "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]}
        """, to: "export/open.json")
      try desk.folder.write(
        """
        [{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]},
         {"userPrincipalName": "ben@contoso.com"}]
        """, to: "export/users.json")
      let ended = try desk.sluice(
        "tenant", "run", "export", "mine.yaml", "--filter", "org data", ends: 1)
      let printed = ended.errors + ended.output
      #expect(printed.components(separatedBy: "`printBlock`").count == 2, "\(printed)")
    }

    @Test func `tenant run has a column for each alternative of a user's policies`() throws {
      let tenant = Repository.path("examples/written-tenant")
      let ended = try desk.sluice(
        "tenant", "run", tenant, "mine.yaml", "--user", "eve@contoso.com", "--filter", "org data",
        ends: 1)
      #expect(
        ended.lines.dropFirst().prefix(6).map(String.init) == [
          "  1  eve@contoso.com, if the user is in `Field`      Field staff",
          "  2  eve@contoso.com, if the user is not in `Field`  Office staff",
          "com.contoso.mail of the scenarios is treated as com.microsoft.office.outlook",
          "Differs between users", "  1       2       case", "  failed  passed  org data stays",
        ])
    }

    @Test
    func `tenant run replaces a scenario's managed accounts with other users of the class`()
      throws
    {
      try desk.folder.write(
        """
        name: Two
        accounts: { me: { upn: me@example.com }, colleague: { upn: colleague@example.com } }
        policies:
          own:
            json: { displayName: Own, printBlocked: true }
            assign: [{ account: me, apps: [com.contoso.mail] }, { account: colleague, apps: [com.contoso.mail] }]
        apps:
          mail:
            { bundle: com.contoso.mail, sdk: true, multiIdentity: true, multiManagedIdentities: true, signedIn: [me, colleague] }
        steps:
          - launch: mail
          - switchIdentity: { app: mail, to: me }
          - switchIdentity: { app: mail, to: colleague }
        """, to: "two.yaml")
      _ = try run("two.yaml", "--user", "emil@contoso.com", "--output-dir", "devices", ends: 0)
      let journal = try desk.folder.read("devices/1/journal.jsonl")
      let switches = try journal.split(separator: "\n").map { try JSONReader.read(String($0)) }
        .filter { $0["event"]?.string == "identity.switched" }
      #expect(
        switches.map { $0["identity"]?.string } == ["emil@contoso.com", "anna@contoso.com"])
      #expect(switches.allSatisfy { $0["managed"]?.bool == true })
      #expect(!journal.contains("@example.com"))
      // Fay is the only user of her class.
      let alone = try run("two.yaml", "--user", "fay@contoso.com", ends: 0)
      #expect(
        alone.lines.contains {
          $0 == "  1 case  the scenario has 2 managed accounts, more than the class has users"
        }, "\(alone.output)")
    }

    @Test func `tenant run skips cases that read the scenario's own app configurations`() throws {
      let ended = try run("--user", "anna@contoso.com", "--filter", "CONFIG-1", ends: 0)
      #expect(
        ended.lines.contains {
          $0 == "  2 cases  its steps read the scenario's own app configurations"
        },
        "\(ended.output)")
    }

    @Test func `each class of users is a suite in the JSON and JUnit of tenant run`() throws {
      let ended = try run(
        "mine.yaml", "--filter", "org data", "--format", "json", "--output", "junit=r.xml", ends: 1)
      let suites = try #require(try ended.json()["suites"]?.array)
      #expect(
        suites.map { $0["name"]?.string } == [
          "Mine, as 2 users like anna@contoso.com", "Mine, as 2 users like ben@contoso.com",
          "Mine, as fay@contoso.com", "Mine, as root@contoso.com",
        ])
      #expect(try desk.folder.read("r.xml").contains("Mine, as root@contoso.com"))
    }

    @Test func `without a scenario argument, tenant run runs the exit criteria`() throws {
      let ended = try run("--filter", "SEND-", ends: 1)
      #expect(
        ended.lines.contains {
          $0
            == "  passed  failed  passed  failed  SEND-1 a managed account cannot send to an unmanaged app"
        }, "\(ended.output)")
      #expect(ended.lines.contains { $0.hasPrefix("  passed  SEND-4 ") }, "\(ended.output)")
      // The policies of the criteria restrict receiving, these do not; only the outcome is expected.
      #expect(
        ended.lines.contains {
          $0 == "  passed  passed  passed  failed  SEND-2 a managed account sends to a managed app"
        }, "\(ended.output)")
    }

    @Test(arguments: [
      (["--user", "ana@contoso.com"], "did you mean `anna@contoso.com`?"),
      (["--filter", "nothing"], "no case matches `nothing`"),
      (["--app", "nothing"], "names the app `nothing`"),
    ])
    func `tenant run rejects an unknown user, case or app`(
      arguments: [String], message: String
    ) throws {
      let ended = try desk.sluice(
        ["tenant", "run", Self.example, "mine.yaml"] + arguments, ends: 2)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    // MARK: Share-sheet

    @Test(arguments: [("anna@contoso.com", "hidden"), ("root@contoso.com", "shown")])
    func `a share sheet follows the policies that the tenant assigns to a user`(
      user: String, visibility: String
    ) throws {
      let ended = try desk.sluice(
        "share-sheet", "--scenario", "mine.yaml", "--from", "mail:me", "--file", "a.pdf",
        "--tenant", Self.example, "--user", user, "--format", "json", ends: 0)
      let destinations = try #require(try ended.json()["destinations"]?.array)
      #expect(
        destinations.contains {
          $0["name"]?.string == "viewer" && $0["visibility"]?.string == visibility
        }, "\(ended.output)")
    }

    @Test func `share-sheet prints one sheet per possible result of an assignment filter`() throws {
      let ben = [
        "share-sheet", "--scenario", "mine.yaml", "--from", "mail:me", "--file", "a.pdf",
        "--tenant", Self.example, "--user", "ben@contoso.com",
      ]
      let both = try desk.sluice(ben, ends: 0)
      #expect(
        both.lines.filter { $0.hasPrefix("If ") } == [
          "If the filter `Recent iOS` is true:", "If the filter `Recent iOS` is false:",
        ], "\(both.output)")
      let json = try desk.sluice(ben + ["--format", "json"], ends: 2)
      #expect(
        json.errors.contains(
          "--format json needs one sheet, but the sheet of ben@contoso.com depends on facts that the export does not "
            + "state: the filter `Recent iOS` is true"), "\(json.errors)")
      let recent = try desk.sluice(ben + ["--device", "unmanaged,os=17.2"], ends: 0)
      #expect(!recent.output.contains("If the filter"), "\(recent.output)")
    }

    @Test(arguments: [
      (["--device", "managed"], "--device needs --tenant"),
      (["--tenant", example], "--tenant needs --user"),
      (["--user", "anna@contoso.com"], "--user needs --tenant"),
    ])
    func `share-sheet requires --tenant and --user together`(
      arguments: [String], message: String
    ) throws {
      let ended = try desk.sluice(
        ["share-sheet", "--scenario", "mine.yaml", "--from", "mail", "--file", "a.pdf"] + arguments,
        ends: 64)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }
  }
}
