import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests replays of journals from real runs.
  @Suite(.timeLimit(.minutes(5))) struct ReplayCommandTests {
    private static let strict = """
      {
        "displayName": "Strict",
        "allowedOutboundDataTransferDestinations": "none",
        "allowedOutboundClipboardSharingLevel": "blocked",
        "saveAsBlocked": true,
        "printBlocked": true
      }
      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.strict, to: "strict.json")
    }

    /// Keeps the devices of a shipped scenario's cases.
    private func keep(_ scenario: String = "lineage") throws {
      try desk.sluice(
        "run", Repository.path("scenarios/\(scenario).yaml"), "--output-dir", "devices", ends: 0)
    }

    /// Keeps the device of a scenario with one case.
    private func keep(text: String) throws {
      try desk.folder.write(text, to: "own.yaml")
      try desk.sluice("run", "own.yaml", "--output-dir", "devices", ends: 0)
    }

    /// Writes the strict policy for these apps as the file `named.json`.
    private func write(strictFor apps: String...) throws {
      let named = apps.map { #"{ "mobileAppIdentifier": { "bundleId": "\#($0)" } }"# }
      try desk.folder.write(
        Self.strict.dropLast(1) + #", "apps": [\#(named.joined(separator: ", "))] }\#n"#,
        to: "named.json")
    }

    @Test
    func `replaying a device folder or its journal under the recorded rules finds no differences`()
      throws
    {
      try keep()
      let device = try desk.sluice("replay", "devices/3", ends: 0)
      #expect(device.lines.first == "2 transfers decided again, no decision changes")
      #expect(device.output == (try desk.sluice("replay", "devices/3/journal.jsonl").output))
    }

    @Test(arguments: [
      ("lineage", ["1", "2", "3", "4"]),
      ("organization", ["1/ben-phone", "1/anna-phone", "1/ben-tablet", "1/anna-tablet"]),
    ])
    func `each journal of a results folder is replayed separately under its name`(
      scenario: String, first: [String]
    ) throws {
      try keep(scenario)
      let all = try desk.sluice("replay", "devices", ends: 0)
      let parts = all.output.components(separatedBy: "\n\n")
      for (part, name) in zip(parts, first) {
        let lines = part.split(separator: "\n")
        #expect(lines.first?.hasPrefix("devices/\(name): ") == true, "\(part)")
        let alone = try desk.sluice("replay", "devices/\(name)").lines
        #expect(Array(lines.dropFirst()) == alone)
      }
      let strict = try desk.sluice(
        "replay", "devices", "--policy", "strict.json", "--format", "json", ends: 1)
      let reports = try strict.jsonLines()
      #expect(
        reports.prefix(4).map { $0["journal"]?.string }
          == first.map { "devices/\($0)/journal.jsonl" })
      #expect(reports.allSatisfy { $0["case"]?.string != nil && $0["suite"]?.string != nil })
      for line in strict.lines {
        #expect(try SchemaCheck("replay").problems(in: String(line)) == [])
      }
      let split = try desk.sluice("replay", "devices", "--shard", "1/2", "--blob", "part", ends: 2)
      #expect(split.errors.contains("take one journal"))
    }

    @Test func `replaying a results folder with a single case gives the same output as that case`()
      throws
    {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.sluice("run", "passing.yaml", "--filter", "arrives", "--output-dir", "one", ends: 0)
      let folder = try desk.sluice("replay", "one", ends: 0)
      #expect(folder.output == (try desk.sluice("replay", "one/1").output))
    }

    @Test func `a replay reports a changed verdict with its line in the journal`() throws {
      try keep()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      let changed = journal.replacing(
        #""outcome":"allowed","decidedBy":"sendManagedAppsToManaged""#,
        with: #""outcome":"blocked","decidedBy":"sendNone""#)
      #expect(changed != journal)
      try desk.folder.write(changed, to: "changed.jsonl")
      let report = try desk.sluice("replay", "changed.jsonl", "--format", "json", ends: 1).json()
      let first = report["differences"]?.array?.first
      #expect(first?["change"]?.string == "letThrough")
      let line = first?["line"]?.int ?? 0
      let lines = changed.split(separator: "\n")
      #expect(lines[line - 1].contains(#""decidedBy":"sendNone""#))
    }

    @Test(arguments: ["lineage", "clipboard", "links"])
    func `sluice replay --policy counts the same changed verdicts as sluice decide`(
      scenario: String
    ) throws {
      try keep(scenario)
      for name in try desk.folder.names(in: "devices") where name != "run.json" {
        let ended = try desk.sluice(
          "replay", "devices/\(name)", "--policy", "strict.json", "--format", "json")
        let expected = try naive(desk.folder.read("devices/\(name)/journal.jsonl"))
        let report = try ended.json()
        #expect(report["differing"]?.int == expected, "\(name): \(ended.output)")
        #expect(ended.status == (expected == 0 ? 0 : 1))
      }
    }

    /// Counts the decisions that the strict policy changes. It asks `sluice decide` about the
    /// journal's requests.
    private func naive(_ journal: String) throws -> Int {
      var facts: [String: String] = [:]
      var outcomes: [String] = []
      var requests: [String] = []
      for line in journal.split(separator: "\n") {
        let event = try JSONReader.read(String(line))
        guard let name = event["facts"]?.string else { continue }
        if event["event"]?.string == "facts.stated" {
          let request = try #require(line.firstMatch(of: /"request":(\{.*\})\}$/)).output.1
          facts[name] = String(request).replacing(/"policy":"[0-9a-f]+"/, with: #""managed":true"#)
        } else {
          requests.append(try #require(facts[name]))
          outcomes.append(try #require(event["verdict"]?["outcome"]?.string))
        }
      }
      let input = requests.map { $0 + "\n" }.joined()
      let answers = try desk.sluice("decide", "strict.json", input: input).lines
      #expect(answers.count == outcomes.count)
      return try zip(answers, outcomes).count { answer, outcome in
        try JSONReader.read(String(answer))["verdict"]?["outcome"]?.string != outcome
      }
    }

    @Test func `the replay report names setting, policy line and account of each changed verdict`()
      throws
    {
      try keep()
      let ended = try desk.sluice("replay", "devices/3", "--policy", "strict.json", ends: 1)
      #expect(ended.lines.first == "refused now: 2 requests")
      #expect(ended.output.contains("`Send org data to other apps` = `None` in strict.json:3"))
      #expect(ended.output.contains("data of anna@contoso.com: allowed by"))
      #expect(ended.output.contains("the policies name none of the recorded apps"))
    }

    @Test func `in a replay, a policy applies only to the apps that it names`() throws {
      try keep()
      try write(strictFor: "com.contoso.notes")
      let ended = try desk.sluice("replay", "devices/3", "--policy", "named.json")
      // In that case, mail has no policy.
      #expect(!ended.output.contains("the policies name none"))
      #expect(ended.output.contains("com.contoso.notes"))
    }

    @Test func `a replay names the apps that the new policies no longer target`() throws {
      try keep(
        text: """
          accounts: { anna: { upn: anna@contoso.com } }
          policies:
            base: { json: { displayName: B, apps: [] }, assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }] }
          apps:
            mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
            notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
          steps:
            - launch: notes
            - use: { app: notes, feature: print, text: Figures }
          """)
      try write(strictFor: "com.contoso.mail")
      let ended = try desk.sluice("replay", "devices/1", "--policy", "named.json", ends: 0)
      #expect(ended.output.contains("no longer under a policy: com.contoso.notes"))
      let report = try desk.sluice(
        "replay", "devices/1", "--policy", "named.json", "--format", "json"
      ).json()
      #expect(report["policiesFor"]?.string == "namedApps")
      #expect(report["underNone"]?.array?.compactMap(\.string) == ["com.contoso.notes"])
    }

    /// Apps that make requests which users of `sluice decide` would not make.
    private static let oddities: [(scenario: String, script: String)] = [
      (
        """
        accounts: { anna: { upn: anna@contoso.com } }
        policies:
          base: { json: { displayName: B, saveAsBlocked: true }, assign: [{ account: anna, apps: [com.contoso.h] }] }
        apps: { h: { bundle: com.contoso.h, sdk: true, signedIn: [anna], executable: odd.lua } }
        steps: [{ launch: h }, { wait: idle }]
        """,
        #"""
        app.launched(function()
          policy.isOpenFromAllowed("dropbox", "")
          policy.isSaveToAllowed("cameraRoll", "x@y")
          policy.isSaveToAllowed("box", "x: allowed\n\n9 transfers decided again\27[8m")
          policy.getOpenFromLocations("a@b")
          policy.getSaveToLocations("a@b")
          url.canOpen("a:" .. string.rep("\1", 4000))
        end)
        """#
      ),
      (
        """
        accounts: { anna: { upn: anna@contoso.com }, ben: { upn: ben@contoso.com } }
        policies:
          base:
            json: { displayName: B, thirdPartyKeyboardsBlocked: true }
            assign: [{ account: anna, apps: [com.contoso.mail] }, { account: ben, apps: [com.contoso.mail] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, multiManagedIdentities: true, signedIn: [anna, ben] }
        steps:
          - launch: mail
          - switchIdentity: { app: mail, to: ben }
          - use: { app: mail, feature: keyboard, text: abc }
        """, ""
      ),
    ]

    @Test(arguments: oddities)
    func `all requests with unusual values are replayed with their original verdicts`(
      scenario: String, script: String
    ) throws {
      try desk.folder.write(scenario, to: "odd.yaml")
      try desk.folder.write(script, to: "odd.lua")
      // The run's own report is not checked here.
      try desk.sluice("run", "odd.yaml", "--output-dir", "devices")
      let events = try desk.folder.read("devices/1/journal.jsonl").split(separator: "\n")
      let decided = events.count {
        $0.contains(#""event":"request.decided""#) && $0.contains(#""facts":"#)
      }
      try #require(decided > 0)
      let same = try desk.sluice("replay", "devices/1", "--format", "json", ends: 0).json()
      #expect(same["decided"]?.int == decided)
      #expect(same["differing"]?.int == 0)
      let strict = try desk.sluice("replay", "devices/1", "--policy", "strict.json", ends: 1)
      #expect(!strict.output.contains("\u{1b}"))
      let summary = strict.lines.filter {
        $0.contains("decided again") && !$0.contains("data of")
      }
      #expect(summary.count == 1)
      #expect(summary.first?.hasPrefix("\(decided) transfer") == true, "\(strict.output)")
    }

    @Test func `in a replay, an account that is not signed in has no policy in the app`() throws {
      try keep(
        text: """
          accounts: { anna: { upn: anna@contoso.com } }
          policies:
            base: { json: { displayName: B, apps: [] }, assign: [{ account: anna, apps: [com.contoso.mail] }] }
          apps:
            mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
            edge: { bundle: com.microsoft.msedge, sdk: true, multiIdentity: true }
          steps:
            - launch: [mail, edge]
            - use: { app: mail, feature: print, text: x }
            - openFrom: { into: edge, location: other, account: anna }
            - saveTo: { from: edge, location: oneDriveForBusiness, account: anna, text: x }
          """)
      try write(strictFor: "com.contoso.mail", "com.microsoft.msedge")
      let ended = try desk.sluice("replay", "devices/1", "--policy", "named.json")
      #expect(ended.output.contains("3 transfers decided again, 1 decision changes"))
    }

    @Test func `in a replay, a renamed account is signed in under its new name`() throws {
      try keep(
        text: """
          accounts: { anna: { upn: anna@contoso.com, objectId: 6f4de2a1-7a53-4b68-9a35-a6d3bd0c1a11 } }
          policies:
            base: { json: { displayName: B, apps: [] }, assign: [{ account: anna, apps: [com.contoso.mail] }] }
          apps:
            mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
            notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
          steps:
            - launch: [mail, notes]
            - rename: { account: anna, upn: anna.b@contoso.com }
            - use: { app: notes, feature: print, text: Figures }
          """)
      try write(strictFor: "com.contoso.mail", "com.contoso.notes")
      let ended = try desk.sluice("replay", "devices/1", "--policy", "named.json")
      #expect(ended.lines.first == "refused now: 1 request", "\(ended.output)\(ended.errors)")
    }

    @Test func `a replay skips an incomplete last line of a journal and prints a note`() throws {
      try keep()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      try desk.folder.write(journal + #"{"seq":99,"time":"20"#, to: "cut.jsonl")
      let ended = try desk.sluice("replay", "cut.jsonl", ends: 0)
      #expect(ended.output.contains("the last line of the journal is incomplete and was skipped"))
    }

    @Test func `a replay counts requests without recorded facts as not decided`() throws {
      try keep()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      let named = try #require(journal.firstMatch(of: /,"facts":"[0-9a-f]+"(?=,"verdict")/))
      var partly = journal
      partly.replaceSubrange(named.range, with: "")
      try desk.folder.write(partly, to: "partly.jsonl")
      let ended = try desk.sluice("replay", "partly.jsonl", ends: 0)
      #expect(
        ended.output.contains("not decided: the journal does not record the facts: 1 "))
      try desk.folder.write(
        journal.replacing(/,"facts":"[0-9a-f]+"(?=,"verdict")/, with: ""), to: "earlier.jsonl")
      let earlier = try desk.sluice("replay", "earlier.jsonl", ends: 2)
      #expect(earlier.errors.contains("does not record the facts of decisions"))
    }

    @Test func `replay reports invalid input as one error with its line`() throws {
      try keep()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      let lines = journal.split(separator: "\n", omittingEmptySubsequences: false)
      let withoutFacts = lines.filter { !$0.contains(#""event":"facts.stated""#) }
      let files = [
        "missing.jsonl": withoutFacts.joined(separator: "\n"),
        "two.jsonl": journal + journal,
        "unknown.jsonl": journal.replacing(
          #""request":{"channel":"#, with: #""request":{"chanel":"#),
        "damaged.jsonl": journal.replacing(#""decidedBy":"#, with: #""decidedBy"#),
        "no-journal.jsonl": "hello, I am no journal",
        "torn.jsonl": lines.enumerated().filter { $0.offset != 6 }
          .map { $0.offset == 5 ? $0.element.prefix(60) + lines[6] : $0.element }
          .joined(separator: "\n"),
        "endless.jsonl": String(repeating: "x", count: 20 << 20),
        "empty.jsonl": "",
        "blank.jsonl": "\n\n",
        "gap.jsonl": lines.enumerated().filter { $0.offset != 4 }.map(\.element)
          .joined(separator: "\n"),
        "garbage.jsonl": lines.enumerated().map { $0.offset == 4 ? "x\($0.element)" : $0.element }
          .joined(separator: "\n"),
        "event.jsonl": journal.replacing(#""event":"facts.stated""#, with: #""event":"facts.new""#),
      ]
      for (name, text) in files {
        try desk.folder.write(text, to: name)
        let ended = try desk.sluice("replay", name)
        #expect(ended.status == 2, "\(name): \(ended.output)")
        #expect(ended.errors.contains("\(name):"))
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
      }
      try desk.sluice("replay", "nowhere.jsonl", ends: 2)
    }
  }
}
