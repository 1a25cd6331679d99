import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice tenant diff`, and the options that assume changes of a tenant.
  @Suite struct TenantDiffCommandTests {
    private static let example = Repository.path("examples/tenant")
    private static let setting = ["--set", "Printing Org data=Block"]

    private let desk: Desk

    init() throws { desk = try Desk() }

    private func diff(_ arguments: [String], ends status: Int32) throws -> Desk.Ended {
      try desk.sluice(["tenant", "diff", Self.example] + arguments, ends: status)
    }

    @Test func `tenant diff of a tenant with itself reports that no user is affected`() throws {
      let ended = try diff([Self.example], ends: 0)
      #expect(ended.lines.count == 1)
      #expect(ended.output.hasSuffix(": no user is affected\n"))
      #expect(try diff([Self.example, "--format", "json"], ends: 0).json()["same"]?.bool == true)
    }

    @Test func `tenant diff and policy diff --tenant require users in both exports`() throws {
      let policy = "AppProtection/Office staff.json"
      try desk.folder.write(
        String(contentsOfFile: "\(Self.example)/\(policy)", encoding: .utf8), to: "bare/\(policy)")
      for arguments in [
        ["bare", "bare"], ["bare"] + Self.setting, [Self.example, "bare"], ["bare", Self.example],
      ] {
        let ended = try desk.sluice(["tenant", "diff"] + arguments, ends: 2)
        #expect(ended.output.isEmpty)
        #expect(
          ended.errors.contains("bare: error: the export contains no users; add"),
          "\(ended.errors)")
      }
      let ended = try desk.sluice(["policy", "diff", "--tenant", "bare"] + Self.setting, ends: 2)
      #expect(ended.errors.contains("bare: error: the export contains no users; add"))
    }

    @Test func `the diff of a proposed setting names users, apps and flows`() throws {
      let ended = try diff(Self.setting, ends: 1)
      for line in [
        "  3 users like anna@contoso.com in com.microsoft.office.outlook, com.microsoft.skype.teams",
        "    Office staff, changed", "    Become impossible: managed -> system: Print",
      ] {
        #expect(ended.lines.contains { $0 == line }, "\(line)\n\(ended.output)")
      }
      // The line that the setting gets in the file, which does not state it.
      #expect(ended.output.contains("staff.json:40)"), "\(ended.output)")
      let json = try diff(Self.setting + ["--format", "json"], ends: 1).json()
      let change = try #require(json["protection"]?.array?.first)
      #expect(change["users"]?.array?.count == 3)
      #expect(change["apps"]?.array?.count == 2)
      #expect(change["comparison"]?["flows"]?.array?.count == 1)
      let page = try diff(Self.setting + ["--format", "html"], ends: 1).output
      #expect(page.hasPrefix("<!DOCTYPE html>"))
      #expect(page.contains("3 users like anna@contoso.com"))
    }

    @Test(arguments: [
      [example], setting,
      [
        "--member", "fay@contoso.com=Field staff", "--member", "anna@contoso.com=Break glass",
        "--assign", "Outlook=Field staff",
      ],
    ])
    func `the JSON of tenant diff conforms to its schema`(arguments: [String]) throws {
      let ended = try diff(
        arguments + ["--format", "json"], ends: arguments == [Self.example] ? 0 : 1)
      #expect(try SchemaCheck("tenant-diff").problems(in: ended.output) == [])
    }

    @Test func `tenant diff names the users whom a newly enforced policy locks out`() throws {
      let path = "ConditionalAccess/Require app protection.json"
      let policy = try String(contentsOfFile: "\(Self.example)/\(path)", encoding: .utf8)
      try desk.folder.copy(Self.example, to: "old")
      try desk.folder.write(
        policy.replacing(
          #""state": "enabled""#, with: #""state": "enabledForReportingButNotEnforced""#),
        to: "old/\(path)")
      let arguments = ["tenant", "diff", "old", Self.example]
      let ended = try desk.sluice(arguments, ends: 1)
      let locked = "      2 users like ben@contoso.com in com.microsoft.skype.teams: now locked out"
      #expect(ended.lines.contains { $0 == locked }, "\(ended.output)")
      let json = try desk.sluice(arguments + ["--format", "json"], ends: 1)
      #expect(try SchemaCheck("tenant-diff").problems(in: json.output) == [])
      let change = try json.json()["conditionalAccess"]?.array?.first
      #expect(
        change?["lockOuts"]?.array?.contains {
          $0["apps"]?.array?.compactMap(\.string) == ["com.microsoft.skype.teams"]
            && $0["new"]?.array?.count == 1 && $0["old"]?.array?.isEmpty == true
        } == true, "\(json.output)")
    }

    @Test func `a proposed member of a dynamic group yields a warning`() throws {
      let ended = try diff(["--member", "fay@contoso.com=Field staff"], ends: 1)
      #expect(
        ended.errors.contains("Entra computes the members of `Field staff` by its rule"),
        "\(ended.errors)")
      let unknown = try diff(["--member", "fay=Field staff"], ends: 2)
      #expect(unknown.errors.contains("no user `fay`; did you mean `fay@contoso.com`?"))
    }

    @Test func `tenant diff --group reports only the members of the group`() throws {
      let users = { (arguments: [String]) throws -> Set<String> in
        let json = try diff(Self.setting + arguments + ["--format", "json"], ends: 1).json()
        return Set(
          (json["protection"]?.array ?? []).flatMap { change in
            (change["users"]?.array ?? []).compactMap(\.string)
          })
      }
      #expect(try users([]) == ["anna@contoso.com", "emil@contoso.com", "fay@contoso.com"])
      #expect(try users(["--group", "Sales"]) == ["anna@contoso.com", "emil@contoso.com"])
      // The proposed members belong to the group, too.
      #expect(try users(["--group", "Sales", "--member", "fay@contoso.com=Sales"]).count == 3)
      _ = try diff(Self.setting + ["--group", "Field staff"], ends: 0)
      for (arguments, message, status) in [
        (["--group", "Sale"], "contains no group `Sale`; did you mean `Sales`? [group]", 2),
        (["--group", "Sales", "--user", "fay@contoso.com"], "exclude each other", 64),
      ] as [([String], String, Int32)] {
        let ended = try diff(Self.setting + arguments, ends: status)
        #expect(ended.errors.contains(message), "\(ended.errors)")
      }
      let who = try desk.sluice(
        ["tenant", "who", Self.example, "--group", "Sales"] + Self.setting, ends: 0)
      #expect(who.output.contains("with --set 'Printing Org data=Block': 2 users are affected"))
    }

    // MARK: Policy diff

    private func policyDiff(_ arguments: String..., ends status: Int32) throws -> Desk.Ended {
      try desk.sluice(["policy", "diff"] + arguments, ends: status)
    }

    @Test func `policy diff of exports with users lists changed flows by class of users`() throws {
      try desk.folder.copy(Self.example, to: "new")
      let policy = "new/AppProtection/Office staff.json"
      let text = try desk.folder.read(policy)
      #expect(text.contains("managedApps\""))
      try desk.folder.write(text.replacing("managedApps\"", with: "none\""), to: policy)
      let ended = try policyDiff(Self.example, "new", ends: 1)
      #expect(
        ended.lines.contains {
          $0
            == "  3 users like anna@contoso.com in com.microsoft.office.outlook, com.microsoft.skype.teams"
        }, "\(ended.output)")
      #expect(!ended.output.contains("ben@contoso.com"))
      let json = try policyDiff(
        Self.example, "new", "--user", "anna@contoso.com", "--format", "json", ends: 1)
      #expect(try SchemaCheck("tenant-diff").problems(in: json.output) == [])
      #expect(
        try json.json()["protection"]?.array?.map { $0["users"]?.array?.compactMap(\.string) }
          == [["anna@contoso.com"]])
      let ben = try policyDiff(Self.example, "new", "--user", "ben@contoso.com", ends: 0)
      #expect(ben.output.hasSuffix(": no user is affected\n"), "\(ben.output)")
    }

    @Test
    func `policy diff of a proposed tenant change reports only differences in app protection`()
      throws
    {
      let ended = try policyDiff(
        "--tenant", Self.example, "--member", "anna@contoso.com=Break glass", ends: 1)
      #expect(ended.output.contains("    Office staff -> no policy\n"), "\(ended.output)")
      #expect(!ended.output.contains("Conditional access\n"))
      #expect(!ended.output.contains("App configuration\n"))
      let page = try policyDiff(
        Self.example, "--set", "Printing Org data=Block", "--user", "anna@contoso.com", "--format",
        "html", ends: 1)
      #expect(page.output.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(arguments: [
      ([], "Missing expected argument '<old>'"), (["a.json"], "Missing expected argument '<new>'"),
      (["--tenant", "a"], "--tenant needs a proposed change, such as --set"),
      (["--tenant", "a", "b"], "leave out `b`"),
      (["a", "b", "--set", "c=d"], "exclude each other"),
      (["a", "b", "--user", "c", "--name", "d"], "--name selects policies of two folders"),
    ])
    func `policy diff requires two inputs`(arguments: [String], message: String) throws {
      let ended = try desk.sluice(["policy", "diff"] + arguments, ends: 64)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    @Test func `the diff of a proposed membership cites file and line`() throws {
      let ended = try diff(["--member", "fay@contoso.com=Field staff", "--app", "Teams"], ends: 1)
      for line in [
        "    Office staff -> no policy, locked out",
        "    Conditional access locks them out, so no flow becomes possible",
        "    `Office staff`: other groups",
        "      before: applies: all users with a licence (AppProtection/Office staff.json:23)",
      ] {
        #expect(ended.lines.contains { $0 == line }, "\(line)\n\(ended.output)")
      }
    }

    @Test func `tenant diff --write-exports writes an export with the proposed changes`() throws {
      try desk.folder.copy(Self.example, to: "new")
      let ended = try diff(Self.setting + ["--write-exports", "new"], ends: 1)
      #expect(ended.errors == "wrote new/AppProtection/Office staff.json\n")
      let written = try diff(["new", "--format", "json"], ends: 1).json()
      let proposed = try diff(Self.setting + ["--format", "json"], ends: 1).json()
      #expect(
        written["protection"]?.array?.first?["users"]?.line
          == proposed["protection"]?.array?.first?["users"]?.line)
    }

    @Test func `tenant diff does not overwrite an input`() throws {
      let ended = try diff(Self.setting + ["--write-exports", Self.example], ends: 2)
      #expect(ended.errors.contains("this is an input"))
    }

    @Test func `a users table with a proposed change states the affected users and all users`()
      throws
    {
      let ended = try desk.sluice(["tenant", "who", Self.example] + Self.setting, ends: 0)
      #expect(ended.output.contains("with --set 'Printing Org data=Block': 3 users are affected"))
      #expect(ended.output.contains("\nusers "))
    }

    @Test
    func `tenant lint with a proposed change sorts findings into resolved, new and unchanged`()
      throws
    {
      let lint = ["tenant", "lint", Self.example, "--unassign", "Office staff=All users"]
      let ended = try desk.sluice(lint, ends: 0)
      let headings = ended.lines.filter { ["Resolved", "New", "Unchanged"].contains($0) }
      #expect(headings == ["Resolved", "New", "Unchanged"])
      let sections = ended.output.split(separator: "\nNew\n")
      #expect(sections.count == 2, "\(ended.output)")
      #expect(sections.first?.contains("2 users like ben@contoso.com cannot use") == true)
      #expect(sections.last?.contains("`Office staff` reaches no user") == true)
      #expect(ended.lines.last == "0 errors, 3 warnings, 1 note; 3 new, 1 resolved")
      let json = try desk.sluice(lint + ["--format", "json"], ends: 0).json()
      #expect(json["findings"]?.array?.map { $0["isNew"]?.bool } == [true, false, true, true])
      #expect(json["resolved"]?.array?.map { $0["code"]?.string } == ["lockOut"])
      _ = try desk.sluice(lint + ["--fail-on", "warning"], ends: 1)
    }

    @Test func `a finding that a proposed change resolves does not affect the exit status`() throws
    {
      let ended = try desk.sluice(
        "tenant", "lint", Self.example, "--unassign", "Office staff=Field staff", "--fail-on",
        "note", ends: 0)
      #expect(ended.lines.first == "Resolved")
      #expect(ended.lines.last == "0 errors, 0 warnings, 0 notes; 0 new, 2 resolved")
    }

    @Test(arguments: [
      ([], Int32(64), "name a second folder"),
      ([RealProcesses.TenantDiffCommandTests.example, "--set", "a=b"], 64, "exclude each other"),
      (
        [RealProcesses.TenantDiffCommandTests.example, "--write-exports", "x"], 64, "needs a change"
      ),
      (["--set", "Printing Org dat=Block"], 2, "did you mean `Printing Org data`?"),
      (["--set", "Printing Org data=No"], 2, "expected `Allow` or `Block`"),
      (["--assign", "Office staf=Sales"], 2, "did you mean `Office staff`?"),
      (["--member", "ana@contoso.com=Sales"], 2, "did you mean `anna@contoso.com`?"),
    ])
    func `tenant diff's error for an invalid change lists the valid values or a suggestion`(
      arguments: [String], status: Int32, message: String
    ) throws {
      let ended = try diff(arguments, ends: status)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }
  }
}
