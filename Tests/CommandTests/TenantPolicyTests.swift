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

    @Test func `a folder with assignments is answered for each class of users`() throws {
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

    @Test(arguments: [
      ("anna@contoso.com", "unmanaged", "ALLOWED", "Office staff.json"),
      ("ben@contoso.com", "unmanaged,os=17.2", "BLOCKED", "Field staff.json:5"),
      ("ben@contoso.com", "unmanaged,os=16.7", "ALLOWED", "noRuleApplied"),
      ("root@contoso.com", "unmanaged", "ALLOWED", "noRuleApplied"),
    ])
    func `a user has the policies and configurations that the tenant assigns`(
      user: String, device: String, verdict: String, reason: String
    ) throws {
      let ended = try explain(["--tenant", Self.tenant, "--user", user, "--device", device])
      #expect(ended.output.hasPrefix(verdict), "\(ended.output)")
      #expect(ended.output.contains(reason), "\(ended.output)")
    }

    @Test func `an account outside the tenant has no policy`() throws {
      let ended = try explain(["--tenant", Self.tenant, "--account", "bem@contoso.com"])
      #expect(ended.output.hasPrefix("ALLOWED"))
      #expect(ended.errors.contains("did you mean `ben@contoso.com`?"))
    }

    @Test func `a proposed change of a tenant affects the verdict`() throws {
      let user = ["--tenant", Self.tenant, "--user", "anna@contoso.com"]
      #expect(try explain(user).output.hasPrefix("ALLOWED"))
      let blocked = try explain(user + ["--set", "Printing Org data=Block"])
      #expect(blocked.output.hasPrefix("BLOCKED"))
      let excluded = try explain(user + ["--member", "anna@contoso.com=Break glass"])
      #expect(excluded.output.contains("noRuleApplied"))
    }

    @Test func `the exit status is the strictest verdict of the alternatives`() throws {
      let user = ["--tenant", Self.tenant, "--user", "ben@contoso.com", "--exit-code"]
      _ = try explain(user, ends: 1)
      _ = try explain(user + ["--device", "unmanaged,os=16.7"], ends: 0)
    }

    @Test func `decide names the facts on which a verdict depends`() throws {
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

    @Test func `a matrix lists the users of each policy, and those without one`() throws {
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
    func `tenant options without a tenant, or policies with one, are usage errors`(
      arguments: [String], message: String
    ) throws {
      #expect(try explain(arguments, ends: 64).errors.contains(message))
    }

    @Test func `a user whom the export does not contain is an error with the nearest name`() throws
    {
      let ended = try explain(["--tenant", Self.tenant, "--user", "bem@contoso.com"], ends: 2)
      #expect(ended.errors.contains("no user `bem@contoso.com`; did you mean `ben@contoso.com`?"))
    }
  }
}
