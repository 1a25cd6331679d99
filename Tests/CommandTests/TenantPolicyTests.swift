import Encodings
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `explain`, `matrix` and `decide` for the users of a tenant.
  @Suite struct TenantPolicyTests {
    private static let tenant = Repository.path("examples/tenant")
    private static let printing = ["--channel", "print", "--app", "com.microsoft.office.outlook"]

    private let desk: Desk

    init() throws { desk = try Desk() }

    private func explain(_ arguments: [String], ends status: Int32 = 0) throws -> Desk.Ended {
      try desk.sluice(["explain"] + Self.printing + arguments, ends: status)
    }

    /// Returns the verdict of each answer, below its heading.
    private func verdicts(_ ended: Desk.Ended) -> [String] {
      ended.lines.map(String.init).filter {
        $0.hasSuffix(":") && ($0.hasPrefix("For ") || $0.hasPrefix("If "))
          || $0.hasPrefix("ALLOWED") || $0.hasPrefix("BLOCKED")
      }.map { String($0.prefix { $0 != "(" }) }
    }

    @Test func `sluice explain answers for each class of users of a tenant's folder`() throws {
      let outlook = "com.microsoft.office.outlook "
      #expect(
        verdicts(try explain([Self.tenant])) == [
          "For 3 users like anna@contoso.com:", "ALLOWED: \(outlook)",
          "For 2 users like ben@contoso.com, if the filter `Recent iOS` is false; for root@contoso.com:",
          "ALLOWED: \(outlook)",
          "For 2 users like ben@contoso.com, if the filter `Recent iOS` is true:",
          "BLOCKED: \(outlook)",
        ])
    }

    @Test
    func `sluice explain answers for an unnamed user if the tenant's export contains no users`()
      throws
    {
      let policy = "AppProtection/Office staff.json"
      try desk.folder.write(
        Repository.read("examples/tenant/\(policy)").replacing(
          #""allowedOutboundClipboardSharingLevel""#,
          with: #""printBlocked": true, "allowedOutboundClipboardSharingLevel""#),
        to: "bare/\(policy)")
      let ended = try explain(["bare"])
      #expect(
        verdicts(ended).filter { !$0.hasPrefix("For") } == [
          "BLOCKED: com.microsoft.office.outlook ", "ALLOWED: com.microsoft.office.outlook ",
        ]
          || verdicts(ended).filter { !$0.hasPrefix("For") } == [
            "ALLOWED: com.microsoft.office.outlook ", "BLOCKED: com.microsoft.office.outlook ",
          ], "\(ended.output)")
      #expect(ended.output.contains("com.microsoft.office.outlook (a user, managed) -> a printer"))
    }

    @Test(arguments: [
      ("anna@contoso.com", "unmanaged", "ALLOWED", "Office staff.json"),
      ("ben@contoso.com", "unmanaged,os=17.2", "BLOCKED", "Field staff.json:5"),
      ("ben@contoso.com", "unmanaged,os=16.7", "ALLOWED", "noRuleApplied"),
      ("root@contoso.com", "unmanaged", "ALLOWED", "noRuleApplied"),
    ])
    func `sluice explain applies the policies that the tenant assigns to a user`(
      user: String, device: String, verdict: String, reason: String
    ) throws {
      let ended = try explain(["--tenant", Self.tenant, "--user", user, "--device", device])
      #expect(ended.output.hasPrefix(verdict), "\(ended.output)")
      #expect(ended.output.contains(reason), "\(ended.output)")
    }

    @Test(arguments: [
      (
        ["--user", "ben@contoso.com", "--device", "unmanaged,os=16.7"],
        "ben@contoso.com is locked out"
      ),
      (
        ["--account", "ben@contoso.com", "--device", "unmanaged,os=16.7"],
        "ben@contoso.com is locked out"
      ),
      ([], "2 users like ben@contoso.com are locked out if the filter `Recent iOS` is false"),
      (["--user", "anna@contoso.com"], nil), (["--user", "root@contoso.com"], nil),
    ])
    func `an explanation ends with the users whom conditional access locks out`(
      arguments: [String], words: String?
    ) throws {
      let ended = try explain(["--tenant", Self.tenant] + arguments)
      let line = words.map {
        "com.microsoft.office.outlook: \($0), because conditional access requires an app protection policy"
      }
      #expect(ended.lines.filter { $0.contains("locked out") } == [line].compactMap { $0?[...] })
    }

    @Test func `an app name that matches no app of the tenant is an error`() throws {
      let ended = try desk.sluice(
        [
          "explain", "--channel", "share", "--app", "Outlook", "--to-app", "Solitaire", "--tenant",
          Self.tenant, "--user", "anna@contoso.com",
        ], ends: 2)
      #expect(
        ended.errors.contains("names the app `Solitaire`; it names com.microsoft.office.outlook"))
      #expect(ended.errors.contains("; write the bundle id of another app"))
    }

    @Test func `an account outside the tenant has no policy`() throws {
      let ended = try explain(["--tenant", Self.tenant, "--account", "bem@contoso.com"])
      #expect(ended.output.hasPrefix("ALLOWED"))
      #expect(ended.errors.contains("did you mean `ben@contoso.com`?"))
    }

    @Test func `sluice explain applies a proposed change to a tenant`() throws {
      let user = ["--tenant", Self.tenant, "--user", "anna@contoso.com"]
      #expect(try explain(user).output.hasPrefix("ALLOWED"))
      let blocked = try explain(user + ["--set", "Printing Org data=Block"])
      #expect(blocked.output.hasPrefix("BLOCKED"))
      let excluded = try explain(user + ["--member", "anna@contoso.com=Break glass"])
      #expect(excluded.output.contains("noRuleApplied"))
    }

    @Test func `sluice explain --exit-code reports the strictest of a user's alternative verdicts`()
      throws
    {
      let user = ["--tenant", Self.tenant, "--user", "ben@contoso.com", "--exit-code"]
      _ = try explain(user, ends: 1)
      _ = try explain(user + ["--device", "unmanaged,os=16.7"], ends: 0)
    }

    @Test
    func `for a filter with an unknown result, sluice decide gives a verdict for each result`()
      throws
    {
      let request =
        #"{"id": 7, "channel": "print", "sender": {"app": "com.microsoft.office.outlook", "account": "ben@contoso.com"}}"#
      let open = try desk.sluice("decide", "--tenant", Self.tenant, input: request, ends: 0)
      let check = try SchemaCheck("decide-verdict")
      #expect(try check.problems(in: open.output) == [])
      let alternatives = try #require(open.json()["alternatives"]?.array)
      #expect(
        alternatives.map { $0["verdict"]?["outcome"]?.string } == ["blocked", "allowed"])
      #expect(
        alternatives.map { $0["if"]?.array?.compactMap(\.string) } == [
          ["the filter `Recent iOS` is true"], ["the filter `Recent iOS` is false"],
        ])
      let known = try desk.sluice(
        "decide", "--tenant", Self.tenant, "--device", "unmanaged,os=17.2", input: request, ends: 0)
      #expect(try check.problems(in: known.output) == [])
      #expect(try known.json()["verdict"]?["outcome"]?.string == "blocked")
    }

    /// A tenant with one policy for two apps, whose filter reads the app's version.
    private func versions() throws -> String {
      try desk.folder.write(
        ##"""
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P",
         "allowedOutboundDataTransferDestinations": "managedApps",
         "apps": [{"mobileAppIdentifier": {"bundleId": "com.microsoft.office.outlook"}},
                  {"mobileAppIdentifier": {"bundleId": "com.microsoft.skype.teams"}}],
         "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget",
           "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "include"}}]}
        """##, to: "versions/policy.json")
      try desk.folder.write(
        ##"""
        {"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "f", "displayName": "New",
         "platform": "iOSMobileApplicationManagement", "rule": "app.appVersion -startsWith \"4.\""}
        """##, to: "versions/filter.json")
      try desk.folder.write(
        #"[{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}]"#,
        to: "versions/users.json")
      return "versions"
    }

    private static let toTeams = [
      "explain", "--channel", "share", "--app", "Outlook", "--to-app", "Teams", "--user",
      "anna@contoso.com", "--to-account", "anna@contoso.com", "--tenant",
    ]

    @Test func `a filter on app versions is evaluated separately for the two apps of a transfer`()
      throws
    {
      let folder = try versions()
      let open = try desk.sluice(Self.toTeams + [folder], ends: 0)
      let (outlook, teams) = ("com.microsoft.office.outlook", "com.microsoft.skype.teams")
      let headings = open.lines.filter { $0.hasPrefix("If ") }.map(String.init)
      #expect(
        Set(headings.flatMap { $0.dropLast().split(separator: "; if ") }.map { $0.lowercased() })
          .count == 4, "\(headings)")
      for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
        #expect(
          headings.contains {
            $0.lowercased().contains(
              "if the filter `new` is \(first) in `\(outlook)` and the filter `new` is \(second) in `\(teams)`"
            )
          }, "\(headings)")
      }
    }

    @Test(arguments: [
      ("app=4.1", "ALLOWED", "sendManagedAppsToManaged"),
      ("app:Outlook=4.1,app:Teams=3.9", "BLOCKED", "sendManagedAppsToUnmanaged"),
      ("app=4.1,app:com.microsoft.skype.teams=3.9", "BLOCKED", "sendManagedAppsToUnmanaged"),
      ("app:Outlook=3.9,app:Teams=4.1", "ALLOWED", "unmanagedSender"),
      ("app=3.9", "ALLOWED", "noRuleApplied"),
    ])
    func `--device states the version of all apps or of one app`(
      device: String, verdict: String, rule: String
    ) throws {
      let folder = try versions()
      let ended = try desk.sluice(Self.toTeams + [folder, "--device", device], ends: 0)
      #expect(ended.output.hasPrefix(verdict), "\(ended.output)")
      #expect(ended.output.contains("1. \(rule) "), "\(ended.output)")
      let json = try desk.sluice(
        "tenant", "who", folder, "--device", device, "--format", "json", ends: 0)
      #expect(try SchemaCheck("tenant-who").problems(in: json.output) == [])
    }

    @Test func `decide reads the app's version from a launch request`() throws {
      let folder = try versions()
      let launch = { (version: String) in
        #"{"launch": {"app": "com.microsoft.office.outlook", "account": "anna@contoso.com"\#(version)}}"#
      }
      let requests = [launch(""), launch(#", "appVersion": "4.1""#)].joined(separator: "\n")
      let ended = try desk.sluice("decide", "--tenant", folder, input: requests, ends: 0)
      let lines = try ended.lines.map { try JSONReader.read(String($0)) }
      #expect(lines.map { $0["alternatives"] != nil } == [true, false], "\(ended.output)")
    }

    @Test func `--device rejects the version of an app that no document of the tenant names`()
      throws
    {
      let ended = try desk.sluice(
        Self.toTeams + [try versions(), "--device", "app:WhatsApp=2.0"], ends: 2)
      #expect(ended.errors.contains("names the app `WhatsApp`; it names com.microsoft.office"))
    }

    @Test func `a matrix lists the users of each policy, and the users without a policy`() throws {
      let json = try desk.sluice(
        "matrix", Self.tenant, "--channel", "print", "--format", "json", ends: 0)
      #expect(try SchemaCheck("matrix").problems(in: json.output) == [])
      let policies = try #require(json.json()["policies"]?.array)
      #expect(policies.map { $0["policy"]?.string } == ["Office staff", "Field staff"])
      #expect(
        policies.map { $0["for"]?.array?.compactMap { $0["like"]?.string } } == [
          ["anna@contoso.com"], ["ben@contoso.com"],
        ])
      let unprotected = try #require(json.json()["unprotected"]?.array)
      #expect(unprotected.contains { $0["like"]?.string == "root@contoso.com" })
    }

    @Test(arguments: [
      (["--user", "anna@contoso.com", "a.json", "b.json"], "--user needs --tenant"),
      (["--member", "a@contoso.com=B", "a.json", "b.json"], "--member needs --tenant"),
      (["--tenant", "exports", "a.json"], "leave out `a.json`"), ([], "or '--tenant <folder>'"),
    ])
    func `tenant options without --tenant and policy files with --tenant are usage errors`(
      arguments: [String], message: String
    ) throws {
      #expect(try explain(arguments, ends: 64).errors.contains(message))
    }

    @Test func `the error for a user missing from the export suggests the nearest name`() throws {
      let ended = try explain(["--tenant", Self.tenant, "--user", "bem@contoso.com"], ends: 2)
      #expect(ended.errors.contains("no user `bem@contoso.com`; did you mean `ben@contoso.com`?"))
    }
  }
}
