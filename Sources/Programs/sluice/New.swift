internal import ArgumentParser
internal import Foundation
internal import Output
internal import Scenario
internal import Simulation

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create an app, an extension or a scenario that can run immediately.",
    subcommands: [NewApp.self, NewExtension.self, NewScenario.self])

  /// Writes all files. If a file exists or cannot be written, writes none.
  ///
  /// - Parameter hint: What the user must do before the program runs; nil if nothing.
  /// - Throws: The exit status. The error has been printed by then.
  static func write(_ scaffold: Scaffold, in folder: String, hint: String? = nil) throws {
    let prefix = folder == "." ? "" : "\(folder)/"
    var files = NewFiles(prefix: prefix)
    try Failure.reporting { () throws(RunError) in
      try files.begin(scaffold.files.map { $0.path == scaffold.scenario ? withSchema($0) : $0 })
    }
    for file in scaffold.files { print(prefix + file.path) }
    if let hint { Failure.print(hint) }
    Failure.print(
      "sluice run \(prefix + scaffold.scenario) runs it; with --watch, again after every change")
  }

  /// Returns the scenario, preceded by a line that points editors to its schema.
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
      throw ValidationError(
        "`\(name)` is not a name; use letters, digits and `-`, beginning with a letter")
    }
  }
}

// MARK: - Options

/// The options shared by apps, extensions and scenarios.
private struct NewOptions: ParsableArguments {
  @Argument(help: "The name: letters, digits and -, beginning with a letter.")
  var name: String

  @Option(help: "The folder to write to, which must exist.", completion: .directory)
  var folder = "."

  func validate() throws {
    try New.check(name)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else { throw ValidationError("`\(folder)` is not a folder") }
  }
}

/// The language of an app or extension.
private struct NewProgram: ParsableArguments {
  enum Language: String, CaseIterable, ExpressibleByArgument {
    case lua, python
  }

  @Option(help: "The language of the program.")
  var language = Language.lua

  /// Writes the files. For Python, prints the packages that the bundle must contain.
  func begin(_ kind: Scaffold.Kind, _ options: NewOptions, bundle: String) throws {
    switch language {
    case .lua:
      try New.write(
        Scaffold(kind, in: .lua, name: options.name, bundle: bundle), in: options.folder)
    case .python:
      let packages = try Failure.reporting { () throws(RunError) in
        try Installation.own.folder("python")
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

// MARK: - Apps, extensions and scenarios

private struct NewApp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Create an app in Lua or Python, or around your own Swift code.",
    discussion: """
      sluice new app Notes --from Sources/

      --from makes a Swift package of your sources, adapted to Linux by `sluice code adapt`. The package builds them \
      against modules with the names of UIKit, IntuneMAMSwift and MSAL, and a scenario runs the program.
      """)

  @OptionGroup var options: NewOptions
  @OptionGroup var program: NewProgram

  @Option(help: "The bundle id. (default: org.example.NAME)")
  var bundle: String?

  @Option(
    help: ArgumentHelp(
      "The app's Swift files, or folders of them. Can be repeated.",
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
      "`\(bundle)` is not a bundle id; use letters, digits and `-` with dots between, "
        + "as in `com.contoso.mail`")
  }
}

private struct NewExtension: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extension",
    abstract: "Create an extension in Lua or Python, with a scenario that runs it.")

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

  @Option(help: "The bundle id, below that of its app. (default: org.example.host.NAME)")
  var bundle: String?

  func run() throws {
    let bundle = bundle ?? "org.example.host.\(options.name.lowercased())"
    try program.begin(kind.scaffold, options, bundle: bundle)
  }

  func validate() throws {
    guard let bundle, !Self.isBelowApp(bundle) else { return }
    throw ValidationError(
      "`\(bundle)` is not a bundle id below an app's; use letters, digits and `-` with dots "
        + "between, as in `org.example.notes.clip`")
  }

  /// Returns whether `bundle` is a bundle id. It may lack the last component.
  private static func isBelowApp(_ bundle: String) -> Bool {
    guard let dot = bundle.lastIndex(of: ".") else { return false }
    return Name.isBundleID(bundle) && Name.isBundleID(String(bundle[..<dot]))
  }
}

private struct NewScenario: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Create a scenario of two apps and a policy, or of your own apps.",
    discussion: """
      With --app, the scenario gets identifiers, team and extensions from each app's bundle. Its expectations hold \
      initially: change the policy to see the effect.

      Exit status: 0 written, 2 a file exists or an app cannot be used, 64 usage.
      """)

  @OptionGroup var options: NewOptions

  @Option(
    help: ArgumentHelp(
      "The folder of an app to include (Foo.app). Can be repeated.", valueName: "folder"),
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
    let scaffold = try Failure.reporting { () throws(RunError) in
      try Scaffold(scenario: options.name, apps: app, in: options.folder, run: run)
    }
    try New.write(scaffold, in: options.folder)
  }
}

// MARK: - Files

/// Creates several files: all of them or none.
struct NewFiles {
  /// The prefix of all paths.
  private let prefix: String
  /// The created paths. A folder precedes its contents.
  private var made: [String] = []

  init(prefix: String) { self.prefix = prefix }

  /// Writes the files.
  ///
  /// - Throws: ``RunError`` if a file exists or cannot be created. All files written until then are
  ///   removed.
  mutating func begin(_ files: [Scaffold.File]) throws(RunError) {
    do throws(RunError) {
      for file in files { try begin(file) }
    } catch {
      discard()
      throw error
    }
  }

  private mutating func begin(_ file: Scaffold.File) throws(RunError) {
    let path = prefix + file.path
    if let slash = file.path.lastIndex(of: "/") {
      try makeFolder("\(prefix)\(file.path[..<slash])", for: path)
    }
    // No symbolic link is followed, and no file is overwritten.
    let mode: mode_t = file.isExecutable ? 0o777 : 0o666
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Self.refusal(of: path) }
    defer { close(descriptor) }
    made.append(path)
    do throws(OutputError) {
      try OutputFile.fill(descriptor, with: Array(file.text.utf8))
    } catch {
      throw RunError(unwritable: path, error.code)
    }
  }

  /// Creates a folder and its missing parents.
  private mutating func makeFolder(_ folder: String, for path: String) throws(RunError) {
    if let slash = folder.lastIndex(of: "/"), slash > folder.startIndex,
      !FileManager.default.fileExists(atPath: String(folder[..<slash]))
    {
      try makeFolder(String(folder[..<slash]), for: path)
    }
    if mkdir(folder, 0o777) == 0 {
      made.append(folder)
    } else if errno != EEXIST {
      throw Self.refusal(of: path)
    }
  }

  /// Returns the error for a path that could not be created, according to `errno`.
  private static func refusal(of path: String) -> RunError {
    guard errno == EEXIST else { return RunError(unwritable: path, errno) }
    return RunError(.path(path), "the file exists; choose another name", rule: "file")
  }

  private mutating func discard() {
    for path in made.reversed() { remove(path) }
    made = []
  }
}

// MARK: - Packages around Swift sources

/// Creates a Swift package around existing sources.
private struct NewSwiftApp {
  let name: String
  let bundle: String
  let sources: [String]
  let folder: String

  /// Writes the package with adapted copies of the sources: all files or none.
  ///
  /// - Throws: The exit status. The error has been printed by then.
  func begin() throws {
    let adapted = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: adapted) }
    let prefix = folder == "." ? "" : "\(folder)/"
    guard !FileManager.default.fileExists(atPath: prefix + name) else {
      throw Failure.report(
        RunError(.path(prefix + name), "the folder exists; choose another name", rule: "file"))
    }
    let (status, scaffold) = try Failure.reporting { () throws(RunError) -> (Int32, Scaffold) in
      let status = try SourceTool.status(of: "adapt", sources + ["-o", adapted])
      var scaffold = try self.scaffold()
      scaffold.files += try Self.files(in: adapted, below: Scaffold.sources(of: name))
      return (status, scaffold)
    }
    guard status == 0 else { throw ExitCode(status) }
    try New.write(scaffold, in: folder, hint: "swift build --package-path \(prefix + name)")
  }

  /// Reads the Swift files in a folder. The results have paths below `target`.
  private static func files(
    in folder: String, below target: String
  ) throws(RunError) -> [Scaffold.File] {
    try RunError.collecting(InputFolder(folder)?.names.sorted() ?? []) { name throws(RunError) in
      guard name.hasSuffix(".swift") else { return nil }
      return Scaffold.File(
        path: "\(target)/\(name)", text: try InputFile.text("\(folder)/\(name)"))
    }.compactMap(\.self)
  }

  private func scaffold() throws(RunError) -> Scaffold {
    let modules = try Installation.own.folder("ios-modules")
    return Scaffold(
      app: name, bundle: bundle,
      from: Scaffold.SwiftSources(
        modules: URL(fileURLWithPath: modules).standardizedFileURL.path,
        sluice: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
        hasEntry: sources.contains(where: Self.hasEntry)))
  }

  /// Returns whether a file, or a file in a folder, contains the program's entry point.
  private static func hasEntry(_ path: String) -> Bool {
    (InputFolder(path)?.names.map { "\(path)/\($0)" } ?? [path]).contains { path in
      guard path.hasSuffix(".swift") else { return false }
      if path.hasSuffix("/main.swift") || path == "main.swift" { return true }
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return text?.contains(/(?m)^\s*@(main|UIApplicationMain)\b/) ?? false
    }
  }

  /// Names that are reserved for the package's dependencies and its own test.
  static let taken: Set<String> = [
    "AppProcess", "Combine", "CoreServices", "DeviceClient", "Encodings", "Foundation",
    "FoundationExtensions", "IntuneMAMSwift", "MSAL", "ManagedApp", "MobileCoreServices", "Model",
    "OSLog", "PhoneTests", "SluiceKit", "SluiceTesting", "Social", "Swift", "SwiftUI", "Testing",
    "UIKit", "UniformTypeIdentifiers", "UserNotifications", "Wire", "XCTest", "ios-modules", "os",
    "sluice",
  ]
}
