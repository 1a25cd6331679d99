import Foundation
import Scenario
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// The shipped scenarios pass, and their journals are reproducible.
  @Suite struct ShippedScenarioRunTests {
    private static let python = "/usr/bin/python3"
    private static let isPythonThere = FileManager.default.isExecutableFile(atPath: python)

    private static let inPython = Repository.scenarios.filter { file in
      scenario(file).apps.contains { $0.executable?.hasSuffix(".py") ?? false }
    }
    /// Their journals contain real times, so no two are equal.
    private static let byTheMachinesClock = Repository.scenarios.filter {
      scenario($0).device.beginsNow
    }
    private static let others = Repository.scenarios.filter {
      !inPython.contains($0) && !byTheMachinesClock.contains($0)
    }
    private static let oneByOne = others.filter { !isParallel(scenario($0)) }
    private static let concurrent = others.filter { isParallel(scenario($0)) }

    /// Whether processes run in parallel. An extension ends while its caller stores the returned
    /// item.
    private static func isParallel(_ scenario: Scenario) -> Bool {
      scenario.isConcurrent
        || scenario.apps.contains { $0.extensionKind != nil || $0.path != nil }
    }

    private static func scenario(_ file: String) -> Scenario {
      do {
        return try ScenarioFiles.read(Repository.path(file))
      } catch {
        preconditionFailure("\(error)")
      }
    }

    /// Plays cases that must all pass.
    @discardableResult
    private func expectPass(_ file: String, on stage: Stage) throws -> StageResult {
      let played = try stage.play(Repository.path(file))
      #expect(played.report.isPassed, "\(played.report.text())")
      #expect(played.report.suites.map(\.cases.count) == [Self.scenario(file).cases.count])
      for journal in played.journals { try expectSameDecisions(journal) }
      return played
    }

    /// Decides again all requests in the journal, and expects equal decisions.
    private func expectSameDecisions(_ journal: String) throws {
      let folder = try Workspace()
      try folder.write(journal, to: "journal.jsonl")
      let report = try Replay(of: folder.path("journal.jsonl")).report(under: nil)
      #expect(report.isSame, "\(report.text)")
    }

    @Test(.enabled(if: isPythonThere, "there is no /usr/bin/python3"), arguments: inPython)
    func `a scenario with Python guests passes`(file: String) throws {
      try expectPass(file, on: Stage())
    }

    @Test(.serverPrograms, arguments: byTheMachinesClock)
    func `a scenario on the machine's clock passes and reproduces its report`(
      file: String
    ) throws {
      let stage = try Stage()
      let first = try expectPass(file, on: stage).report.json()
      #expect(try stage.play(Repository.path(file)).report.json() == first)
    }

    @Test(arguments: oneByOne)
    func `a shipped scenario passes and reproduces its journals byte for byte`(
      file: String
    ) throws {
      let stage = try Stage()
      let first = try expectPass(file, on: stage).journals
      let again = try stage.play(Repository.path(file)).journals
      #expect(again == first, "\(Self.differences(first, again))")
    }

    /// The first differing lines of two journals, one above the other.
    private static func differences(_ first: [String], _ again: [String]) -> String {
      let pairs = zip(first, again).flatMap { one, other in
        zip(one.split(separator: "\n"), other.split(separator: "\n")).filter { $0 != $1 }
      }
      return pairs.prefix(3).map { "\n\($0)\n\($1)" }.joined()
    }

    @Test(arguments: concurrent)
    func `simultaneous events are unordered in journals and ordered in reports`(
      file: String
    ) throws {
      let stage = try Stage()
      let first = try expectPass(file, on: stage)
      let again = try stage.play(Repository.path(file))
      #expect(again.journals.map(unordered) == first.journals.map(unordered))
      #expect(again.report.json() == first.report.json())
    }

    @Test func `another seed changes only the line that names it`() throws {
      var stage = try Stage()
      let file = Repository.path("scenarios/criteria/SEND.yaml")
      let usual = try stage.play(file).journals.map(lines)
      stage.seed = 4711
      let seeded = try stage.play(file).journals.map(lines)
      #expect(seeded.allSatisfy { $0.first?.contains(#""seed":4711"#) ?? false })
      #expect(seeded.map { $0.dropFirst() } == usual.map { $0.dropFirst() })
    }

    private func lines(_ journal: String) -> [Substring] { journal.split(separator: "\n") }

    /// The lines in alphabetical order, without sequence numbers and the runs of extensions.
    private func unordered(_ journal: String) -> [String] {
      lines(journal).map {
        String($0).replacing(/"(seq|request)":\d+,?|"(from|stated)":\[[\d,]*\],|#\d+/, with: "")
      }.sorted()
    }
  }
}

extension Scenario {
  /// Whether steps run concurrently, in an undefined order.
  fileprivate var isConcurrent: Bool {
    cases.flatMap(\.steps).contains { step in
      if case .concurrently = step.action { return true }
      guard case .share(let share) = step.action else { return false }
      return guests(named: share.from).count > 1
    }
  }
}

@Suite struct ScenarioFilesTests {
  @Test func `hidden files of a folder are not scenarios`() throws {
    let workspace = try Workspace()
    let text = "apps: { viewer: { bundle: org.example.viewer } }\nsteps:\n  - launch: viewer\n"
    try workspace.write(text, to: "a.yaml")
    try workspace.write("version: 3", to: ".build/checkouts/b.yaml")
    try workspace.write("version: 3", to: ".c.yml")
    let scenarios = try ScenarioFiles.load([workspace.path])
    #expect(scenarios.map(\.file) == [workspace.path("a.yaml")])
  }
}

/// Worlds of scenarios that are moved to another folder.
@Suite struct WorldTextTests {
  @Test(arguments: Repository.scenarios)
  func `a scenario copied elsewhere names the same files`(file: String) throws {
    let text = try String(contentsOfFile: Repository.path(file), encoding: .utf8)
    let scenario = try Scenario.read(text, file: file)
    let world = try WorldText(text, of: scenario).relocated(scenario) { "there/\($0)" }
    let again = try Scenario.read(
      world.lines + "steps: [{ wait: idle }]\n", file: file)
    var old = scenario
    old.cases = []
    #expect(again.namedFiles == old.namedFiles.map { "there/\($0)" })
    #expect(again.accounts == scenario.accounts)
  }
}

/// The files that `sluice run --watch` watches.
@Suite struct WatchedFilesTests {
  private static let files = [
    "scenario.yaml", "policies/base.json", "access/protected.json", "limits.json",
    "declarations/first.json", "later/second.json", "maps/index.html", "app.lua",
  ]

  private static let scenario = """
    device: { mdm: { enrolled: true }, declarations: declarations }
    accounts: { anna: { upn: anna@contoso.com } }
    policies: { base: { file: policies } }
    configurations: { limits: { file: limits.json } }
    conditionalAccess: { protected: { file: access/protected.json } }
    servers: { maps: { host: maps.contoso.com, folder: maps } }
    apps:
      mail: { bundle: com.contoso.mail, executable: app.lua }
    steps:
      - concurrently: [{ declarations: later }]
    """

  @Test(arguments: files)
  func `a change of a named file is detected`(file: String) throws {
    let workspace = try Workspace()
    for name in Self.files { try workspace.write("{}", to: name) }
    try workspace.write(Self.scenario, to: "scenario.yaml")
    let paths = [workspace.path("scenario.yaml")]
    let before = WatchedFiles(of: paths)
    #expect(WatchedFiles(of: paths) == before)
    let changed = (file == "scenario.yaml" ? Self.scenario : "{}") + "\n"
    try workspace.write(changed, to: file)
    #expect(WatchedFiles(of: paths) != before)
    #expect(WatchedFiles(of: paths).changes(since: before) == [workspace.path(file)])
  }
}

/// The files that a journal's page may show.
@Suite struct CitedFilesTests {
  private let folder = NSTemporaryDirectory() + "cited-\(UUID().uuidString)"

  private func make() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(folder)/in/policies", withIntermediateDirectories: true)
    for path in ["in/policies/base.json", "in/key.pem", "out.json"] {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
    }
    try files.createSymbolicLink(
      atPath: "\(folder)/in/link.json", withDestinationPath: "\(folder)/out.json")
    try files.createSymbolicLink(
      atPath: "\(folder)/in/secret.json", withDestinationPath: "key.pem")
    try files.createSymbolicLink(atPath: "\(folder)/in/up", withDestinationPath: "..")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/in/.hidden.json"))
    try files.createSymbolicLink(
      atPath: "\(folder)/in/policies/own.json", withDestinationPath: "base.json")
  }

  @Test func `of a journal's files, policies and scenarios below one folder are found`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = CitedFiles(.below("\(folder)/in"))
    #expect(files.text(of: "policies/base.json") == "{}")
    #expect(files.text(of: "policies/own.json") == "{}")
    for path in [
      "../out.json", "\(folder)/out.json", "\(folder)/in/policies/base.json", "link.json",
      "key.pem",
      "policies", "policies/none.json", "policies/../../out.json", "",
      "none/../up/out.json", "up/out.json", "secret.json", ".hidden.json",
    ] {
      #expect(files.text(of: path) == nil, "\(path)")
    }
  }

  @Test func `of a run's files, those that it read are found`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(CitedFiles(.anywhere).text(of: "\(folder)/out.json") == "{}")
  }
}

@Suite struct SecretSearchTests {
  private static func finds(_ bytes: Data, in path: String, cutAt cuts: [Int] = []) -> Bool {
    var search = SecretSearch(in: [path])
    var start = 0
    for cut in cuts + [bytes.count] {
      search.scan(bytes[start..<cut])
      start = cut
    }
    return search.finish()
  }

  @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
  func `a private key is found across chunk boundaries`(_ encoding: String.Encoding)
    throws
  {
    let text = "a: |\n  -----BEGIN PRIVATE KEY-----\n  MIIB\n"
    let bytes = try #require(text.data(using: encoding))
    for first in 0..<bytes.count {
      #expect(Self.finds(bytes, in: "notes.yaml", cutAt: [first]))
      #expect(Self.finds(bytes, in: "notes.yaml", cutAt: [first, min(first + 3, bytes.count)]))
    }
  }

  @Test(arguments: [
    (#"{"wifi": {"PassWord": "x"}}"#, true), (#"{"a": ["the password is x"]}"#, true),
    (#"{"a": "\u0070assword"}"#, true), ("{ password, but no JSON", true), ("{}", false),
    ("", false),
  ])
  func `JSON that mentions a password is treated as secret`(text: String, isSecret: Bool) {
    #expect(Self.finds(Data(text.utf8), in: "settings.JSON") == isSecret)
    #expect(!Self.finds(Data(text.utf8), in: "settings.yaml"))
  }

  @Test func `oversized JSON is treated as secret, a program is not`() {
    let bytes = Data(repeating: UInt8(ascii: " "), count: (16 << 20) + 1)
    #expect(Self.finds(bytes, in: "large.json"))
    #expect(!Self.finds(bytes, in: "program"))
  }

  @Test(arguments: ["a.p12", "A.PFX", "b.key", "c.p8"])
  func `secret files are recognised by name`(_ name: String) {
    #expect(Self.finds(Data(), in: name))
  }
}
