import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// Journals of real runs, decided anew.
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

    /// A desk with the devices of a scenario's cases, and a stricter policy.
    private static func kept(_ scenario: String = "scenarios/lineage.yaml") throws -> Desk {
      let desk = try Desk()
      let run = try desk.sluice("run", Repository.path(scenario), "--keep", "devices")
      #expect(run.status == 0, "\(run.output)")
      try desk.folder.write(strict, to: "strict.json")
      return desk
    }

    @Test func `the same rules answer the same, from the device's folder or its journal`() throws {
      let desk = try Self.kept()
      let device = try desk.sluice("replay", "devices/3")
      #expect(device.status == 0, "\(device.output)\(device.errors)")
      #expect(device.lines.first == "2 transfers decided anew, none is decided otherwise")
      #expect(device.output == (try desk.sluice("replay", "devices/3/journal.jsonl").output))
    }

    @Test func `an answer that is another is shown with its line`() throws {
      let desk = try Self.kept()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      let changed = journal.replacing(
        #""outcome":"allowed","decidedBy":"sendManagedAppsToManaged""#,
        with: #""outcome":"blocked","decidedBy":"sendNone""#)
      #expect(changed != journal)
      try desk.folder.write(changed, to: "changed.jsonl")
      let ended = try desk.sluice("replay", "changed.jsonl", "--format", "json")
      #expect(ended.status == 1)
      let report = try JSONReader.read(ended.output)
      let first = report["differences"]?.array?.first
      #expect(first?["change"]?.string == "letThrough")
      let line = first?["line"]?.int ?? 0
      let lines = changed.split(separator: "\n")
      #expect(lines[line - 1].contains(#""decidedBy":"sendNone""#))
    }

    @Test func `other policies refuse what each line of the journal says, asked by itself`() throws
    {
      for scenario in [
        "scenarios/lineage.yaml", "scenarios/clipboard.yaml", "scenarios/links.yaml",
      ] {
        let desk = try Self.kept(scenario)
        let cases = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path("devices"))
        for name in cases {
          let ended = try desk.sluice(
            "replay", "devices/\(name)", "--policy", "strict.json", "--format", "json")
          let journal = try desk.folder.read("devices/\(name)/journal.jsonl")
          let expected = try Self.naive(journal, at: desk)
          let report = try JSONReader.read(ended.output)
          #expect(report["differing"]?.int == expected, "\(scenario) \(name): \(ended.output)")
          #expect(ended.status == (expected == 0 ? 0 : 1))
        }
      }
    }

    /// How many decisions the strict policy turns, each as `sluice decide` answers what the journal states of it.
    private static func naive(_ journal: String, at desk: Desk) throws -> Int {
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
      let answers = try desk.sluice("decide", "--policy", "strict.json", input: input).lines
      #expect(answers.count == outcomes.count)
      return try zip(answers, outcomes).count { answer, outcome in
        try JSONReader.read(String(answer))["verdict"]?["outcome"]?.string != outcome
      }
    }

    @Test func `the report names setting, apps, account, line and request`() throws {
      let desk = try Self.kept()
      let ended = try desk.sluice("replay", "devices/3", "--policy", "strict.json")
      #expect(ended.status == 1)
      #expect(ended.lines.first == "refused now: 2 requests")
      #expect(ended.output.contains("`Send org data to other apps` = None in strict.json:3"))
      #expect(ended.output.contains("data of anna@contoso.com: allowed by"))
      #expect(ended.output.contains("the policies name none of the apps"))
    }

    @Test func `a policy is for the apps that it names`() throws {
      let desk = try Self.kept()
      let named =
        Self.strict.dropLast(1) + """
          , "apps": [{ "mobileAppIdentifier": { "bundleId": "com.contoso.notes" } }] }
          """
      try desk.folder.write(String(named), to: "named.json")
      let ended = try desk.sluice("replay", "devices/3", "--policy", "named.json")
      // mail is under no policy then.
      #expect(!ended.output.contains("the policies name none"))
      #expect(ended.output.contains("com.contoso.notes"), "\(ended.output)")
    }

    @Test func `half a line at the end is left out, and said to be`() throws {
      let desk = try Self.kept()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      try desk.folder.write(journal + #"{"seq":99,"time":"20"#, to: "cut.jsonl")
      let ended = try desk.sluice("replay", "cut.jsonl")
      #expect(ended.status == 0)
      #expect(ended.output.contains("the last line of the journal is half written, and left out"))
    }

    @Test func `what the journal does not state is counted as not decided`() throws {
      let desk = try Self.kept()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      let named = try #require(journal.firstMatch(of: /,"facts":"[0-9a-f]+"(?=,"verdict")/))
      var partly = journal
      partly.replaceSubrange(named.range, with: "")
      try desk.folder.write(partly, to: "partly.jsonl")
      let ended = try desk.sluice("replay", "partly.jsonl")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(
        ended.output.contains("not decided, as the journal does not state what was asked: 1 "))
      try desk.folder.write(
        journal.replacing(/,"facts":"[0-9a-f]+"(?=,"verdict")/, with: ""), to: "earlier.jsonl")
      let earlier = try desk.sluice("replay", "earlier.jsonl")
      #expect(earlier.status == 2)
      #expect(earlier.errors.contains("does not state what the rules were asked"))
    }

    @Test func `bad input is one error with its line`() throws {
      let desk = try Self.kept()
      let journal = try desk.folder.read("devices/3/journal.jsonl")
      let lines = journal.split(separator: "\n", omittingEmptySubsequences: false)
      let withoutFacts = lines.filter { !$0.contains(#""event":"facts.stated""#) }
      let files = [
        "missing.jsonl": withoutFacts.joined(separator: "\n"),
        "two.jsonl": journal + journal,
        "unknown.jsonl": journal.replacing(
          #""request":{"channel":"#, with: #""request":{"chanel":"#),
        "damaged.jsonl": journal.replacing(#""decidedBy":"#, with: #""decidedBy"#),
        "event.jsonl": journal.replacing(#""event":"facts.stated""#, with: #""event":"facts.new""#),
      ]
      for (name, text) in files {
        try desk.folder.write(text, to: name)
        let ended = try desk.sluice("replay", name)
        #expect(ended.status == 2, "\(name): \(ended.output)")
        #expect(ended.errors.contains("\(name):"), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
      }
      let nowhere = try desk.sluice("replay", "nowhere.jsonl")
      #expect(nowhere.status == 2)
    }
  }
}
