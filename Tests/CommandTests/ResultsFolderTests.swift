import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the results folders of runs, and the commands that read them.
  @Suite(.timeLimit(.minutes(5))) struct ResultsFolderTests {
    /// Two scenarios with three cases in total. Two names contain `sends`, and one name is a prefix
    /// of another.
    private static let mail = """
      name: Mail
      accounts: { anna: { upn: anna@contoso.com } }
      policies:
        base: { json: { displayName: B, apps: [] }, assign: [{ account: anna, apps: [org.example.a] }] }
      apps:
        a: { bundle: org.example.a, sdk: true, signedIn: [anna] }
        b: { bundle: org.example.b }
      cases:
        - name: mail sends
          steps:
            - launch: [a, b]
            - share: { from: a, to: b, text: Hi }
        - name: mail sends twice
          steps:
            - launch: [a, b]
            - { share: { from: a, to: b, text: Hi }, repeat: 2 }

      """
    private static let print = """
      name: Print
      apps: { a: { bundle: org.example.a } }
      cases:
        - name: a page is printed
          steps:
            - launch: a
            - use: { app: a, feature: print, text: Page }

      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.mail, to: "mail.yaml")
      try desk.folder.write(Self.print, to: "print.yaml")
      try desk.sluice("run", "mail.yaml", "print.yaml", "--output-dir", "kept", ends: 0)
    }

    /// Commands that read results and print them.
    static let readers = ["flows", "replay", "export --format dot"]

    @Test(arguments: readers)
    func `--case chooses a case of a results folder by number or part of its name`(command: String)
      throws
    {
      for (number, choices) in [
        ("1", ["1", "mail sends", "Mail: mail sends", "MAIL SENDS"]), ("2", ["2", "twice"]),
        ("3", ["3", "printed", "Print:"]),
      ] {
        let words = command.split(separator: " ").map(String.init)
        let alone = try desk.sluice(words + ["kept/\(number)", "--case", number], ends: 0)
        #expect(!alone.output.isEmpty)
        for choice in choices {
          let chosen = try desk.sluice(words + ["kept", "--case", choice], ends: 0)
          #expect(chosen.output == alone.output, "\(choice)")
        }
      }
    }

    @Test func `report --case writes a page with only that case`() throws {
      let all = try desk.sluice("report", "kept", "-o", "-", ends: 0).output
      #expect(all.contains("Passed: 3 of 3 cases (3 expect nothing)."))
      let chosen = try desk.sluice("report", "kept", "--case", "twice", "-o", "-", ends: 0).output
      #expect(chosen.contains("Passed: 1 of 1 case (1 expects nothing)."))
    }

    @Test(arguments: readers + ["report -o -", "leaks --scenario"])
    func `an unknown or ambiguous --case lists the cases of the results folder`(command: String)
      throws
    {
      let words = command.split(separator: " ").map(String.init) + ["kept", "--case"]
      let none = try desk.sluice(words + ["prints"], ends: 2)
      #expect(
        none.errors
          == "kept: error: no case is called `prints`; the cases are 1 `mail sends`, 2 `mail sends twice`, 3 `a page is printed` [case]\n"
      )
      #expect(none.output.isEmpty)
      let number = try desk.sluice(words + ["4"], ends: 2)
      #expect(number.errors.contains("no case is called `4`"))
      let several = try desk.sluice(words + ["sends t"], ends: command.hasPrefix("leaks") ? 1 : 0)
      #expect(!several.output.isEmpty)
      let ambiguous = try desk.sluice(words + ["mail s"], ends: 2)
      #expect(
        ambiguous.errors
          == "kept: error: `mail s` is in the names of 2 cases: 1 `mail sends`, 2 `mail sends twice`; choose one by its number [case]\n"
      )
    }

    @Test
    func `sluice leaks searches the scenario of a results folder, a case or a journal`() throws {
      let scenario = try desk.sluice("leaks", "--scenario", "mail.yaml", ends: 1)
      for place in ["kept/1", "kept/2/journal.jsonl"] {
        #expect(try desk.sluice("leaks", "--scenario", place, ends: 1).output == scenario.output)
      }
      let chosen = try desk.sluice("leaks", "--scenario", "kept", "--case", "2", ends: 1)
      #expect(chosen.output == scenario.output)
      let several = try desk.sluice("leaks", "--scenario", "kept", ends: 2)
      #expect(several.errors.contains("the run has 2 scenarios: "))
      #expect(several.errors.contains("choose one of them by one of its cases, with `--case`"))
      let file = try desk.sluice("leaks", "--scenario", "mail.yaml", "--case", "1", ends: 2)
      #expect(file.errors.contains("chooses a case in a results folder"))
      // A device that was not created by a run does not name a scenario.
      try desk.sluice("device", "create", "phone", "--scenario", "mail.yaml", ends: 0)
      let device = try desk.sluice("leaks", "--scenario", "phone", ends: 2)
      #expect(device.errors.contains("does not name its scenario"))
      try FileManager.default.removeItem(atPath: desk.folder.path("mail.yaml"))
      let gone = try desk.sluice("leaks", "--scenario", "kept/1", ends: 2)
      #expect(gone.errors.contains("mail.yaml` no longer exists"))
    }

    @Test func `a run writes an index of its cases into the results folder`() throws {
      let text = try desk.folder.read("kept/run.json")
      #expect(try SchemaCheck("run").problems(in: text) == [])
      let index = try JSONReader.read(text)
      let cases = try #require(index["cases"]?.array)
      #expect(cases.map { $0["number"]?.int } == [1, 2, 3])
      #expect(cases.map { $0["suite"]?.string } == ["Mail", "Mail", "Print"])
      #expect(
        cases.map { $0["case"]?.string } == ["mail sends", "mail sends twice", "a page is printed"])
      #expect(
        cases.map { $0["file"]?.string }
          == ["mail.yaml", "mail.yaml", "print.yaml"].map { file in
            URL(fileURLWithPath: desk.folder.path(file)).standardizedFileURL.path
          })
      #expect(cases.map { $0["line"]?.int } == [9, 13, 4])
      #expect(cases.allSatisfy { ($0["milliseconds"]?.int ?? -1) >= 0 })
    }

    @Test func `--case selects all devices of a case, or one kept failure by number or name`()
      throws
    {
      try desk.sluice(
        "run", Repository.path("scenarios/organization.yaml"), "--output-dir", "many", ends: 0)
      for command in Self.readers {
        let words = command.split(separator: " ").map(String.init)
        let first = try desk.sluice(words + ["many", "--case", "1"], ends: 0)
        #expect(first.output == (try desk.sluice(words + ["many/1"], ends: 0).output))
      }
      let name = try #require(
        JSONReader.read(desk.folder.read("many/run.json"))["cases"]?.array?.first?["case"]?.string)
      let within = try desk.sluice("flows", "many/1", "--case", name, ends: 0)
      #expect(within.output == (try desk.sluice("flows", "many/1").output))
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      try desk.sluice("run", "failing.yaml", "--keep-failures", "failed", ends: 1)
      let second = try desk.sluice("flows", "failed", "--case", "2", ends: 0)
      #expect(second.output == (try desk.sluice("flows", "failed/journals/2.jsonl").output))
      let kept = try desk.sluice("flows", "failed", "--case", "kept back", ends: 0)
      #expect(kept.output == (try desk.sluice("flows", "failed/journals/1.jsonl").output))
    }
  }
}
