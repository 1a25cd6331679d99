import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice evidence`, and the standing of verdicts in other commands.
  @Suite struct EvidenceCommandTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(
        #"{ "displayName": "Base", "printBlocked": true, "previousPinBlockCount": 3 }"#,
        to: "policy.json")
    }

    @Test(
      arguments: [
        ([], "\nRules by standing, each with the number of its statements\n"),
        (["otherTenant"], "otherTenant: assumed\n"),
        (["Printing Org data"], "Printing Org data (printBlocked): "),
        (["print"], "Print (print): "), (["alreadyEnrolled"], "alreadyEnrolled: "),
        (["evidence/mdm/screenshots.yaml"], "\nStatements that hold: 1\n"),
        (["policy.json"], "Base (policy.json): "),
      ] as [([String], String)])
    func `sluice evidence shows a subject as text and as JSON`(subject: [String], text: String)
      throws
    {
      let ended = try desk.sluice(["evidence"] + subject, ends: 0)
      #expect(ended.output.contains(text))
      let json = try desk.sluice(["evidence"] + subject + ["--format", "json"], ends: 0)
      #expect(try SchemaCheck("evidence").problems(in: json.output) == [])
    }

    @Test func `sluice evidence suggests the subject nearest to a misspelt name`() throws {
      let ended = try desk.sluice("evidence", "printingBlokked", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(
        ended.errors
          == "sluice: error: no rule, setting, channel, status or file is called `printingBlokked`; "
          + "did you mean `printingBlocked`? [subject]\n")
    }

    @Test func `each verdict of sluice decide has a standing and conforms to the schema`() throws {
      let requests = ["print", "notification"].map { channel in
        #"{"channel":"\#(channel)","sender":{"app":"a","account":"anna@contoso.com","managed":true}}"#
      }
      let ended = try desk.sluice(
        ["decide", "policy.json"], input: requests.joined(separator: "\n") + "\n", ends: 0)
      let check = try SchemaCheck("decide-verdict")
      for line in ended.lines {
        #expect(try check.problems(in: String(line)) == [])
        #expect(try JSONReader.read(String(line))["verdict"]?["standing"]?.string == "documented")
      }
    }

    // MARK: Field kit

    @Test
    func `sluice evidence add converts a field kit's completed form to an evidence statement`()
      throws
    {
      let kit = [
        "field-kit", "pinOutdated", "-o", "kit.html", "-o", "form.yaml", "--policy-dir", "policies",
      ]
      #expect(try desk.sluice(kit, ends: 0).output.isEmpty)
      #expect(try desk.folder.read("kit.html").contains("<article id=\"longer-pin\">"))
      try desk.sluice(line: "policy lint policies/open.json --fail-on note", ends: 0)

      let empty = try desk.sluice(line: "evidence add form.yaml", ends: 2)
      #expect(empty.errors.hasPrefix("form.yaml:3:4: error: the form needs `at` [missing-key]\n"))
      let facts = [
        "at": "https://example.org/form", "title": "A form", "date": "2026-12-01",
        "  observed": "blocked",
      ]
      let lines = try desk.folder.read("form.yaml").split(separator: "\n").map { line in
        let key = line.prefix { $0 != ":" }
        return facts[String(key)].map { "\(key): \($0)" } ?? String(line)
      }
      try desk.folder.write(lines.joined(separator: "\n"), to: "form.yaml")

      let file = "evidence/field/longer-pin-2026-12-01.yaml"
      let added = try desk.sluice(line: "evidence add form.yaml", ends: 0)
      #expect(
        added.output == """
          longer-pin: blocked, as Sluice decides

          Confirmed
            pinOutdated (reported, observed 1×)

          \(file)

          """)
      #expect(try desk.folder.read(file).contains("rules: [pinOutdated]\n"))
      let again = try desk.sluice(line: "evidence add form.yaml", ends: 2)
      #expect(again.errors == "\(file): error: the file exists; choose another name [file]\n")
    }

    @Test(
      arguments: [
        ("pinOutdatd", "no rule is called `pinOutdatd`; did you mean `pinOutdated`?"),
        (
          "conditionTakenAsMet",
          "no experiment settles these rules; `sluice field-kit` lists all experiments"
        ),
        (
          "otherTenant --without other-tenant",
          "no experiment settles these rules; `sluice field-kit` lists all experiments"
        ),
      ])
    func `a field kit limited to rules that no experiment settles is an error`(
      arguments: String, message: String
    ) throws {
      let ended = try desk.sluice(line: "field-kit \(arguments)", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "sluice: error: \(message) [rule]\n")
    }

    // MARK: Minimum evidence

    private static let scenario = """
      name: Two organisations
      accounts:
        anna: { upn: anna@contoso.com, tenant: contoso.com }
        cleo: { upn: cleo@fabrikam.com, tenant: fabrikam.com }
      policies:
        base:
          json: { displayName: Base, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps, printBlocked: true }
          assign: [{ account: anna }, { account: cleo }]
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        notes: { bundle: com.contoso.notes, sdk: true, signedIn: [cleo] }
      cases:
        - name: nothing is printed
          steps:
            - launch: mail
            - use: { app: mail, feature: print }
              expect: { verdict: blocked }
        - name: nothing reaches another organisation
          steps:
            - launch: [mail, notes]
            - share: { from: mail, to: notes, text: Figures }
              expect: { verdict: blocked }
        - name: a case without expectations
          steps:
            - launch: [mail, notes]
            - share: { from: mail, to: notes, text: Figures }

      """

    @Test(
      arguments: [
        ([], [], 0), (["reported"], ["nothing reaches another organisation"], 1),
        (["documented"], ["nothing reaches another organisation"], 1),
        (["observed"], ["nothing is printed", "nothing reaches another organisation"], 1),
        (["assumed"], [], 64),
      ] as [([String], [String], Int32)])
    func `with --min-evidence, cases decided by rules with too little evidence fail`(
      minimum: [String], failed: [String], status: Int32
    ) throws {
      try desk.folder.write(Self.scenario, to: "scenario.yaml")
      let options = minimum.flatMap { ["--min-evidence", $0] }
      let ended = try desk.sluice(["run", "scenario.yaml"] + options, ends: status)
      guard status != 64 else { return }
      let names = ended.lines.filter { $0.hasPrefix("  failed ") }.map { String($0.dropFirst(9)) }
      #expect(names == failed)
      #expect(ended.errors.contains("otherTenant (assumed)") == (status == 1))
      #expect(
        ended.output.contains("rules, found otherTenant (assumed)\n") == (status == 1))
    }

    @Test func `--min-evidence also applies to the HTML page and the JSON of a run`() throws {
      try desk.folder.write(Self.scenario, to: "scenario.yaml")
      let minimum = ["--min-evidence", "documented"]
      try desk.sluice(["run", "scenario.yaml", "-o", "run.html"] + minimum, ends: 1)
      let page = try desk.folder.read("run.html")
      #expect(page.contains("Passed: 2 of 3 cases (1 expects nothing); 1 failed."))
      let report = try desk.sluice(["run", "scenario.yaml", "--format", "json"] + minimum, ends: 1)
      #expect(report.output.contains(#""standing":"assumed","end":"refused""#))
    }

    @Test func `a failed case shows the standing of its deciding rule`() throws {
      try desk.folder.write(
        Self.scenario.replacingOccurrences(
          of: "{ verdict: blocked }", with: "{ verdict: allowed }"),
        to: "scenario.yaml")
      let ended = try desk.sluice("run", "scenario.yaml", ends: 1)
      #expect(ended.output.contains("policy does not allow printing org data (documented)\n"))
      #expect(ended.output.contains("and counts as unmanaged (assumed)\n"))
    }
  }
}
