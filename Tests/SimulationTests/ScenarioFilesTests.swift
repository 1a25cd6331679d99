import Foundation
import Scenario
import TestSupport
import Testing

@testable import Simulation

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

  @Test func `a case's duration is read from the run.json of its run`() throws {
    let workspace = try Workspace()
    for (run, milliseconds) in [("first", 40), ("second", 50)] {
      try workspace.write(
        """
        {"cases":[{"number":1,"suite":"s","case":"a","line":1,"milliseconds":\(milliseconds)},\
        {"number":2,"suite":"s","case":"b","line":2}]}
        """, to: "\(run)/run.json")
    }
    try workspace.write("no index", to: "third/run.json")
    let places = ["first/1", "second/1", "first/2", "first/3", "first", "third/1", "elsewhere/1"]
    #expect(
      RunIndex.durations(of: places.map { workspace.path($0) }) == [
        .milliseconds(40), .milliseconds(50), nil, nil, nil, nil, nil,
      ])
  }
}

/// The files that `sluice new app --from` writes around the sources of an app.
@Suite struct SwiftAppScaffoldTests {
  private let scaffold = Scaffold(
    app: "Mail", bundle: "com.contoso.mail",
    from: Scaffold.SwiftSources(
      modules: "/opt/sluice/ios-modules", sluice: "/opt/sluice/bin/sluice", hasEntry: true))

  private func text(_ path: String) throws -> String {
    try #require(scaffold.files.first { $0.path == path }).text
  }

  @Test func `generated tests name the apps and accounts of the scenario`() throws {
    let scenario = try ScenarioFiles.scenario(in: text(scaffold.scenario), file: "Mail.yaml")
    #expect(scenario.apps.map(\.name) == ["app", "viewer"])
    #expect(scenario.accounts.map(\.name) == ["anna"])
    let tests = try text("Mail/Tests/PhoneTests/PhoneTests.swift")
    for part in [#"launch("app")"#, #"launch("viewer")"#, #"enroll("anna""#, #""Mail.yaml""#] {
      #expect(tests.contains(part), "\(part)")
    }
  }

  @Test func `a generated package's tests use the module SluiceTesting`() throws {
    let package = try text("Mail/Package.swift")
    #expect(package.contains(#".product(name: "SluiceTesting", package: "sluice")"#))
    #expect(package.contains(#"name: "PhoneTests""#))
    #expect(scaffold.files.map(\.path).contains("Mail/Mail.app/Info.plist"))
    #expect(!scaffold.files.map(\.path).contains("Mail/Sources/Mail/AppDelegate.swift"))
  }

  @Test func `a scaffold keeps an app's existing Info.plist unchanged`() throws {
    let sources = Scaffold.SwiftSources(modules: "/m", sluice: "/s", hasEntry: true)
    let kept = Scaffold(app: "Mail", bundle: "a.b", infoPlist: "<plist/>", from: sources).files
    #expect(kept.first { $0.path == "Mail/Mail.app/Info.plist" }?.text == "<plist/>")
    #expect(kept.first { $0.path == "Mail/Mail.yaml" }?.text.contains("bundle: a.b\n") == true)
  }

  @Test func `a scaffold's scenario does not require a policy to start the app`() throws {
    let sources = Scaffold.SwiftSources(
      modules: "/m", sluice: "/s", hasEntry: true, requiresPolicy: true)
    let files = Scaffold(app: "Mail", bundle: "a.b", from: sources).files
    let text = try #require(files.first { $0.path == "Mail/Mail.yaml" }).text
    let scenario = try ScenarioFiles.scenario(in: text, file: "Mail.yaml")
    #expect(scenario.apps.first?.requiresPolicy == false)
  }

  @Test(arguments: [false, true])
  func `a package depends on Combine only if its sources import it`(usesCombine: Bool) throws {
    let sources = Scaffold.SwiftSources(
      modules: "/m", sluice: "/s", hasEntry: true, usesCombine: usesCombine)
    let files = Scaffold(app: "Mail", bundle: "a.b", from: sources).files
    let package = try #require(files.first { $0.path == "Mail/Package.swift" }).text
    let product = #".product(name: "Combine", package: "ios-modules")"#
    #expect(package.contains("// \(product)") != usesCombine)
    #expect(package.contains(product))
  }

  private static func share(
    _ kind: Scaffold.Kind = .share, infoPlist: String? = nil, hasEntry: Bool = false
  ) -> Scaffold {
    Scaffold(
      extension: "Clip", bundle: "com.contoso.notes.clip",
      Scaffold.SwiftExtension(
        kind: kind, principal: "ShareViewController", infoPlist: infoPlist, type: "public.url"),
      from: Scaffold.SwiftSources(
        modules: "/opt/sluice/ios-modules", sluice: "/opt/sluice/bin/sluice", hasEntry: hasEntry))
  }

  @Test(arguments: [Scaffold.Kind.share, .action])
  func `the generated scenario of an extension shares a type that its activation rule accepts`(
    kind: Scaffold.Kind
  ) throws {
    let files = Self.share(kind).files
    let text = try #require(files.first { $0.path == "Clip/Clip.yaml" }).text
    let scenario = try ScenarioFiles.scenario(in: text, file: "Clip.yaml")
    #expect(scenario.apps.map(\.name) == ["mail", "viewer", "host", "extension"])
    let bundles = ["org.example.viewer", "com.contoso.notes", "com.contoso.notes.clip"]
    #expect(scenario.apps.map(\.bundle)[1...] == bundles[...])
    #expect(text.contains("extension: \(kind.rawValue)\n"))
    #expect(text.components(separatedBy: "type: public.url }").count == 3)
    let tests = try #require(files.first { $0.path == "Clip/Tests/PhoneTests/PhoneTests.swift" })
    #expect(tests.text.contains(#"launch("mail")"#) && tests.text.contains("to: extension"))
  }

  @Test(arguments: ["org.example.viewer.clip", "org.example.Viewer"])
  func `the viewer of a generated scenario has a bundle id of its own`(
    bundle: String
  ) throws {
    let files = Scaffold(.share, name: "Clip", bundle: bundle).files
    let text = try #require(files.first { $0.path == "Clip.yaml" }).text
    #expect(text.contains("  viewer: { bundle: org.example.viewer-2 }\n"))
  }

  @Test func `a generated main.swift starts the extension, unless the sources already do`() throws {
    let path = "Clip/Sources/Clip/main.swift"
    let main = try #require(Self.share().files.first { $0.path == path })
    #expect(main.text == "import UIKit\n\nUIExtensionMain(ShareViewController.self)\n")
    #expect(!Self.share(hasEntry: true).files.map(\.path).contains(path))
  }

  @Test func `a scaffold keeps an extension's existing Info.plist unchanged`() throws {
    let path = "Clip/Clip.appex/Info.plist"
    let kept = Self.share(infoPlist: "<plist/>").files.first { $0.path == path }
    #expect(kept?.text == "<plist/>")
    let written = try #require(Self.share(.action).files.first { $0.path == path }).text
    for part in ["com.apple.ui-services", "ShareViewController", "SUBQUERY"] {
      #expect(written.contains(part), "\(part)")
    }
  }
}

/// Named pipes that users name as files.
@Suite struct NamedPipeTests {
  private let workspace: Workspace
  private let pipe: String

  init() throws {
    workspace = try Workspace()
    pipe = workspace.path("journal.jsonl")
    try #require(mkfifo(pipe, 0o600) == 0)
  }

  @Test func `reading a named pipe without a writer is an error`() {
    let expected = "\(pipe): error: no program writes to this named pipe [file]"
    let readers: [() throws -> Void] = [
      { _ = try InputFile.document(pipe) }, { _ = try InputFile.bytes(pipe) },
      { _ = try JournalFile.read(pipe) }, { _ = try JournalFile.remains(of: pipe) },
    ]
    for read in readers {
      let error = #expect(throws: RunError.self) { try read() }
      #expect(error?.description == expected)
    }
  }

  @Test func `a pipe is read until its writer closes it`() throws {
    let path = pipe
    Thread.detachNewThread {
      // Waits for the reader.
      let writer = open(path, O_WRONLY | O_CLOEXEC)
      for line in ["first\n", "second\n"] {
        _ = line.withCString { write(writer, $0, line.utf8.count) }
      }
      close(writer)
    }
    #expect(try InputFile.text(pipe) == "first\nsecond\n")
  }
}

/// Worlds of scenarios that are moved to another folder.
@Suite struct WorldTextTests {
  @Test(arguments: Repository.scenarios)
  func `a scenario copied to another folder refers to the same files`(file: String) throws {
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

extension WorldTextTests {
  @Test func `a scenario copied to another folder refers to the same tenant`() throws {
    let text = """
      name: x
      tenant: exports
      apps: { mail: { bundle: com.contoso.mail } }
      cases:
        - name: any
          steps: [{ wait: idle }]
      """
    let scenario = try Scenario.read(text, file: "a.yaml")
    let world = try WorldText(text, of: scenario).relocated(scenario) { "there/\($0)" }
    #expect(world.lines.contains("tenant: there/exports\n"))
  }
}

/// Tests the files that `sluice run --watch` watches.
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
  func `a change of a file that the scenario names is detected`(file: String) throws {
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

/// Tests the files that a journal's page may show.
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

  @Test func `a journal can cite only permitted file types below its folder`() throws {
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

  @Test func `a run can cite files in any folder`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(CitedFiles(.anywhere).text(of: "\(folder)/out.json") == "{}")
  }
}
