internal import ArgumentParser
internal import Foundation
internal import Scenario
internal import Simulation

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create an app, an extension or a scenario that runs as it is.",
    subcommands: [NewApp.self, NewExtension.self, NewScenario.self])

  /// Writes everything, or nothing where one of the files exists or cannot be written.
  ///
  /// - Parameter hint: the work to be done before it runs; nil where there is none.
  /// - Throws: the exit status of the error, which is printed.
  static func write(_ scaffold: Scaffold, in folder: String, hint: String? = nil) throws {
    let prefix = folder == "." ? "" : "\(folder)/"
    var files = NewFiles(prefix: prefix)
    do throws(RunError) {
      try files.begin(scaffold.files.map { $0.path == scaffold.scenario ? withSchema($0) : $0 })
    } catch {
      throw Failure.report(error)
    }
    for file in scaffold.files { print(prefix + file.path) }
    if let hint { Failure.print(hint) }
    Failure.print(
      "sluice run \(prefix + scaffold.scenario) runs it; with --watch, again after every change")
  }

  /// The scenario with the line by which editors find its schema.
  private static func withSchema(_ file: Scaffold.File) -> Scaffold.File {
    guard let schema = Installation.own.scenarioSchema, !schema.contains(" ") else { return file }
    var file = file
    file.text = "# yaml-language-server: $schema=\(schema)\n" + file.text
    return file
  }

  static func check(_ name: String) throws {
    guard let first = name.first, first.isASCII, first.isLetter,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else {
      throw ValidationError("`\(name)` is no name; use letters, digits and `-`, a letter first")
    }
  }
}

/// The options that apps, extensions and scenarios have in common.
struct NewOptions: ParsableArguments {
  @Argument(help: "Its name: letters, digits and -, a letter first.")
  var name: String

  @Option(help: "The folder to write to, which must be there.", completion: .directory)
  var folder = "."

  func validate() throws {
    try New.check(name)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else { throw ValidationError("`\(folder)` is no folder") }
  }
}

/// The language of an app's or extension's program.
struct NewProgram: ParsableArguments {
  enum Language: String, CaseIterable, ExpressibleByArgument {
    case lua, python
  }

  @Option(help: "The language of its program.")
  var language = Language.lua

  /// Writes the files, and tells which packages a program in Python must have in its bundle.
  func begin(_ kind: Scaffold.Kind, _ options: NewOptions, bundle: String) throws {
    switch language {
    case .lua:
      try New.write(
        Scaffold(kind, in: .lua, name: options.name, bundle: bundle), in: options.folder)
    case .python:
      let packages: String
      do throws(RunError) {
        packages = try Installation.own.folder("python")
      } catch {
        throw Failure.report(error)
      }
      let prefix = options.folder == "." ? "" : "\(options.folder)/"
      let target = prefix + Scaffold.folder(kind, name: options.name)
      try New.write(
        Scaffold(kind, in: .python, name: options.name, bundle: bundle), in: options.folder,
        hint: "install what it imports first: "
          + "/usr/bin/python3 -m pip install --target \(target) \(packages)")
    }
  }
}

struct NewApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "An app in Lua or Python, or around your own Swift code.",
    discussion: """
      With --from, a Swift package is put around copies of your sources, adapted to Linux as `sluice code adapt` does: it \
      builds them against modules with the names of UIKit, IntuneMAMSwift and MSAL, and a scenario runs the program.
      """)

  @OptionGroup var options: NewOptions
  @OptionGroup var program: NewProgram

  @Option(help: "Its bundle id. (default: org.example.NAME)")
  var bundle: String?

  @Option(
    help: ArgumentHelp(
      "Swift files and folders of them that are to be the app; may be repeated.",
      valueName: "source"),
    completion: .file(extensions: ["swift"]))
  var from: [String] = []

  func run() throws {
    let bundle = bundle ?? "org.example.\(options.name.lowercased())"
    if from.isEmpty {
      try program.begin(.app, options, bundle: bundle)
    } else {
      try NewSwiftApp(name: options.name, bundle: bundle, sources: from, folder: options.folder)
        .begin()
    }
  }

  func validate() throws {
    if !from.isEmpty, NewSwiftApp.taken.contains(options.name) {
      throw ValidationError(
        "`\(options.name)` is the name of a module or package that the app is built with")
    }
    guard let bundle, !Name.isBundleID(bundle) else { return }
    throw ValidationError(
      "`\(bundle)` is no bundle id; use letters, digits and `-` with dots between, "
        + "as in `com.contoso.mail`")
  }
}

struct NewExtension: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extension",
    abstract: "An extension in Lua or Python, with a scenario that runs it.")

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case share, action, keyboard, notificationService

    var scaffold: Scaffold.Kind {
      switch self {
      case .share: .share
      case .action: .action
      case .keyboard: .keyboard
      case .notificationService: .notificationService
      }
    }
  }

  @OptionGroup var options: NewOptions
  @OptionGroup var program: NewProgram

  @Option(help: "The kind of extension.")
  var kind = Kind.share

  @Option(help: "Its bundle id, below that of its app. (default: org.example.host.NAME)")
  var bundle: String?

  func run() throws {
    let bundle = bundle ?? "org.example.host.\(options.name.lowercased())"
    try program.begin(kind.scaffold, options, bundle: bundle)
  }

  func validate() throws {
    guard let bundle, !Self.isBelowApp(bundle) else { return }
    throw ValidationError(
      "`\(bundle)` is no bundle id below that of an app; use letters, digits and `-` with dots "
        + "between, as in `org.example.notes.clip`")
  }

  /// Whether `bundle` is a bundle id, and stays one without its last part.
  private static func isBelowApp(_ bundle: String) -> Bool {
    guard let dot = bundle.lastIndex(of: ".") else { return false }
    return Name.isBundleID(bundle) && Name.isBundleID(String(bundle[..<dot]))
  }
}

struct NewScenario: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "A scenario of two apps and a policy, or of apps of your own.",
    discussion: """
      With --app, the scenario takes identifiers, team and extensions from the bundle of each app, and its \
      expectations hold as it is: change the policy, and see what follows.

      Exit status: 0 begun, 2 a file exists or an app cannot be used, 64 usage.
      """)

  @OptionGroup var options: NewOptions

  @Option(
    help: ArgumentHelp(
      "An app's folder (Foo.app) to take into the scenario; may be repeated.", valueName: "folder"),
    completion: .file())
  var app: [String] = []

  func run() throws {
    if app.isEmpty {
      try New.write(Scaffold(scenario: options.name), in: options.folder)
      return
    }
    let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let run = ScenarioRun(RunSettings(programs: .installed(), folder: folder))
    let scaffold: Scaffold
    do throws(RunError) {
      scaffold = try Scaffold(
        scenario: options.name, apps: app, in: options.folder, run: run)
    } catch {
      throw Failure.report(error)
    }
    try New.write(scaffold, in: options.folder)
  }
}
