internal import Activation
internal import ArgumentParser
internal import Bundle
internal import Foundation
internal import Model
internal import Output
internal import Scenario
internal import Simulation
internal import UniformTypes

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create an app, an extension or a scenario that can run immediately.",
    subcommands: [NewApp.self, NewExtension.self, NewScenario.self])

  /// Writes the files of a scaffold. If a file already exists or cannot be written, no written file is left.
  ///
  /// - Parameter hint: An action that the user must take before the program can run; nil for none.
  /// - Throws: The exit status. The error has already been printed.
  static func write(_ scaffold: Scaffold, in folder: String, hint: String? = nil) throws {
    let prefix = folder == "." ? "" : "\(folder)/"
    var files = NewFiles(prefix: prefix)
    try Failure.reporting { () throws(RunError) in
      try files.begin(scaffold.files.map { $0.path == scaffold.scenario ? withSchema($0) : $0 })
    }
    for file in scaffold.files { print(prefix + file.path) }
    for warning in scaffold.warnings { Failure.print(warning) }
    if let hint { Failure.print(hint) }
    Failure.print(
      "sluice run \(prefix + scaffold.scenario) runs the scenario; --watch reruns it after changes")
  }

  /// Returns the scenario file with a first line that tells editors where its schema is.
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

/// The arguments that `new app`, `new extension` and `new scenario` have in common.
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

/// The option that selects the language of a new app or extension.
private struct NewProgram: ParsableArguments {
  enum Language: String, CaseIterable, ExpressibleByArgument {
    case lua, python
  }

  @Option(help: "The language of the program.")
  var language = Language.lua

  /// Writes the files of an app or extension. For Python, prints a command that installs the packages that the program
  /// imports.
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
        hint: "install its dependencies first: "
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
      against modules with the names of UIKit, IntuneMAMSwift and MSAL, and a scenario runs the program. If a folder \
      of sources has the app's Info.plist, the package gets a copy, and the bundle id that the list or its Xcode \
      project states.
      """)

  @OptionGroup var options: NewOptions
  @OptionGroup var program: NewProgram

  @Option(help: "The bundle id. (default: that of the sources, or org.example.NAME)")
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
      var package = NewSwiftPackage(
        name: options.name, bundle: bundle, sources: from, folder: options.folder)
      package.isBundleStated = self.bundle != nil
      try package.begin(as: nil)
    }
  }

  func validate() throws {
    if !from.isEmpty { try NewSwiftPackage.check(options.name) }
    guard let bundle, !Name.isBundleID(bundle) else { return }
    throw ValidationError(
      "`\(bundle)` is not a bundle id; use letters, digits and `-` with dots between, "
        + "as in `com.contoso.mail`")
  }
}

private struct NewExtension: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extension",
    abstract: "Create an extension in Lua or Python, or around your own Swift code.",
    discussion: """
      sluice new extension Clip --from ShareExtension/

      --from makes a Swift package of the sources of a share or action extension, as for `new app`. If a folder of \
      sources has the extension's Info.plist, the package gets a copy, with its activation rule.
      """)

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

  @Option(
    help: ArgumentHelp(
      "The extension's Swift files, or folders of them. Can be repeated.",
      valueName: "source"),
    completion: .file(extensions: ["swift"]))
  var from: [String] = []

  func run() throws {
    let bundle = bundle ?? "org.example.host.\(options.name.lowercased())"
    if from.isEmpty {
      try program.begin(kind.scaffold, options, bundle: bundle)
    } else {
      var package = NewSwiftPackage(
        name: options.name, bundle: bundle, sources: from, folder: options.folder)
      package.isBundleStated = self.bundle != nil
      try package.begin(as: kind.scaffold)
    }
  }

  func validate() throws {
    if !from.isEmpty {
      try NewSwiftPackage.check(options.name)
      guard kind == .share || kind == .action else {
        throw ValidationError("`--from` is for extensions of the kinds `share` and `action`")
      }
    }
    guard let bundle, !Self.isBelowApp(bundle) else { return }
    throw ValidationError(
      "`\(bundle)` is not a bundle id of an extension; expected the app's bundle id and one more "
        + "part of letters, digits and `-`, as in `org.example.notes.clip`")
  }

  /// Returns whether `bundle` is a valid bundle id of an extension: without its last component, it must be a valid
  /// bundle id of an app.
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

/// Creates several files. If one cannot be created, none is left.
struct NewFiles {
  private let prefix: String
  /// The files and folders created so far. A folder precedes its contents.
  private var made: [String] = []

  init(prefix: String) { self.prefix = prefix }

  /// Creates the files. If a file already exists or cannot be created, removes the files created before it, and throws
  /// the error.
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

  /// Creates a folder and those of its parents that do not exist. `path` is the file that errors refer to.
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

  /// Returns the error for a path that could not be created. `errno` states the reason.
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

/// A new Swift package around existing sources of an app or extension.
private struct NewSwiftPackage {
  let name: String
  let bundle: String
  let sources: [String]
  let folder: String
  /// Whether the user gave the bundle id with `--bundle`. Otherwise, it comes from the Info.plist beside the sources
  /// or, if that does not state it, from the target in the Xcode project.
  var isBundleStated = false

  /// Writes the package, with copies of the sources that are adapted to Linux. If a file cannot be written, none is
  /// left.
  ///
  /// - Parameter kind: The kind of extension to assume if the Info.plist states none; nil for an app.
  /// - Throws: The exit status. The error has already been printed.
  func begin(as kind: Scaffold.Kind?) throws {
    let adapted = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: adapted) }
    let prefix = folder == "." ? "" : "\(folder)/"
    guard !FileManager.default.fileExists(atPath: prefix + name) else {
      throw Failure.report(
        RunError(.path(prefix + name), "the folder exists; choose another name", rule: "file"))
    }
    let status = try Failure.reporting { () throws(RunError) in
      try SourceTool.status(of: "adapt", sources + ["-o", adapted])
    }
    guard status == 0 else { throw ExitCode(status) }
    let scaffold = try Failure.reporting { () throws(RunError) in
      let files = try Self.files(in: adapted, below: Scaffold.sources(of: name))
      var scaffold = try self.scaffold(kind, around: files)
      scaffold.files += files
      if kind == nil { scaffold.files += try storyboards() }
      return scaffold
    }
    try New.write(scaffold, in: folder, hint: "swift build --package-path \(prefix + name)")
  }

  /// Reads the Swift files in `folder`. The paths of the results are below `target`.
  private static func files(
    in folder: String, below target: String
  ) throws(RunError) -> [Scaffold.File] {
    try RunError.collecting(InputFolder(folder)?.names.sorted() ?? []) { name throws(RunError) in
      guard name.hasSuffix(".swift") else { return nil }
      return Scaffold.File(
        path: "\(target)/\(name)", text: try InputFile.text("\(folder)/\(name)"))
    }.compactMap(\.self)
  }

  private func scaffold(
    _ kind: Scaffold.Kind?, around files: [Scaffold.File]
  ) throws(RunError) -> Scaffold {
    let modules = try Installation.own.folder("ios-modules")
    let main = files.contains { $0.path.hasSuffix("/main.swift") }
    let marked = files.first { $0.text.contains(/(?m)^\s*@main\b/) }
    let combine = /(?m)^\s*(@\w+\s+)*import\s+(Combine|SwiftUI)\b/
    var package = Scaffold.SwiftSources(
      // A clone's `share/sluice` has links, whose paths select what Package.swift contains.
      modules: URL(fileURLWithPath: modules).path,
      sluice: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
      hasEntry: main || kind == nil && marked != nil,
      usesCombine: files.contains { $0.text.contains(combine) })
    let own = try infoPlist(kind == nil ? [.app] : Self.extensionKinds)
    var stated = own?.info.identifier
    if let own, stated.map(Name.isBundleID) != true, !isBundleStated {
      var projects = XcodeProjects()
      stated = projects.bundleID(ofTargetWithListAt: own.source.list.file)
    }
    let identifier = stated.flatMap { Name.isBundleID($0) ? $0 : nil } ?? bundle
    if let own, isBundleStated, identifier != bundle {
      throw RunError(
        .path(own.source.list.file), "the bundle id is `\(identifier)`; leave out `--bundle`",
        rule: "bundle")
    }
    let list = try own.map { own throws(RunError) in try text(of: own, identifier) }
    package.requiresPolicy = own?.info.intuneSettings?.startsWithoutPolicy == false
    guard let kind else {
      return Scaffold(app: name, bundle: identifier, infoPlist: list, from: package)
    }
    if let marked {
      let file = marked.path.dropFirst(Scaffold.sources(of: name).count + 1)
      throw RunError(
        .path(String(file)), "the file has an app's entry point; name only the extension's sources",
        rule: "entry")
    }
    let details = try details(kind, own, list, around: files, hasEntry: main)
    return Scaffold(extension: name, bundle: identifier, details, from: package)
  }

  // MARK: Property lists

  private static let extensionKinds: [AppBundle.Kind] = [
    .shareExtension, .actionExtension, .actionWithoutInterface,
  ]
  /// The values of `CFBundlePackageType` for bundles that are neither apps nor extensions: bundles, frameworks and XPC
  /// services.
  private static let foreignTypes = ["BNDL", "FMWK", "XPC!"]

  /// Returns the bundle of one of these kinds that a property list beside the sources describes; nil if there is none.
  /// Throws an error if there are several.
  private func infoPlist(_ kinds: [AppBundle.Kind]) throws(RunError) -> AppBundle? {
    let bundles = bundlePaths.compactMap { try? AppBundle(at: $0, settings: BuildSettings()) }
    let found = bundles.filter {
      let type = $0.source.list["CFBundlePackageType"]?.string ?? ""
      return kinds.contains($0.kind) && ($0.kind != .app || !Self.foreignTypes.contains(type))
    }
    guard found.count > 1 else { return found.first }
    throw RunError(
      .path(found[1].source.path),
      "the sources have two \(kinds == [.app] ? "apps" : "extensions"), this one and "
        + "`\(found[0].source.path)`; name the folder of only one",
      rule: "bundle")
  }

  /// The paths of the bundles and property lists in the folders of the sources.
  private var bundlePaths: [String] {
    let folders = sources.map { source in
      InputFolder(source) == nil ? (source as NSString).deletingLastPathComponent : source
    }
    return Set(folders).sorted().flatMap { folder in
      (try? BundleInput.paths(at: folder.isEmpty ? "." : folder)) ?? []
    }
  }

  /// Returns an error if an extension beside the sources is of a kind that Sluice does not launch; otherwise nil.
  private func foreignExtension() -> RunError? {
    for path in bundlePaths {
      do throws(BundleError) {
        _ = try AppBundle(at: path, settings: BuildSettings())
      } catch {
        guard error.rule == .notLaunched else { continue }
        return RunError(.path(error.file), error.message, rule: "bundle")
      }
    }
    return nil
  }

  /// Returns the text of the bundle's property list. Build variables that the package determines, such as
  /// `$(PRODUCT_MODULE_NAME)`, are replaced as Xcode would replace them.
  private func text(of own: AppBundle, _ identifier: String) throws(RunError) -> String {
    let settings = BuildSettings([
      "TARGET_NAME": name, "PRODUCT_BUNDLE_IDENTIFIER": identifier,
    ])
    return settings.expanding(try InputFile.text(own.source.list.file)).text
  }

  /// Reads the storyboards beside the sources, which become part of the app's bundle. If several have the same name,
  /// only the first is used.
  private func storyboards() throws(RunError) -> [Scaffold.File] {
    let target = "\(name)/\(Scaffold.folder(.app, name: name))/Base.lproj"
    var files: [Scaffold.File] = []
    for source in sources {
      for path in InputFolder(source)?.names.sorted() ?? [] where path.hasSuffix(".storyboard") {
        let file = "\(target)/\((path as NSString).lastPathComponent)"
        guard !files.contains(where: { $0.path == file }) else { continue }
        files.append(Scaffold.File(path: file, text: try InputFile.text("\(source)/\(path)")))
      }
    }
    return files
  }

  // MARK: Extensions

  private func details(
    _ kind: Scaffold.Kind, _ own: AppBundle?, _ infoPlist: String?,
    around files: [Scaffold.File], hasEntry: Bool
  ) throws(RunError) -> Scaffold.SwiftExtension {
    let named = own?.info.appExtension?.principalClass?.split(separator: ".").last.map(String.init)
    guard let principal = named ?? Self.principal(in: files) ?? (hasEntry ? name : nil) else {
      throw foreignExtension()
        ?? RunError(
          .path(sources[0]),
          "no class handles the extension's requests; expected a subclass of "
            + "`UIViewController` or `SLComposeServiceViewController`, or `NSExtensionPrincipalClass` "
            + "in an `Info.plist` beside the sources",
          rule: "principal")
    }
    return Scaffold.SwiftExtension(
      kind: own.map { $0.kind == .shareExtension ? .share : .action } ?? kind,
      principal: principal,
      infoPlist: infoPlist, type: Self.accepted(by: own?.info.appExtension?.activationRule))
  }

  /// Returns the name of the class that handles the extension's requests: the first subclass of a known view
  /// controller. Nil if the sources contain none.
  private static func principal(in files: [Scaffold.File]) -> String? {
    for parent in ["SLComposeServiceViewController", "UIViewController"] {
      for file in files {
        for match in file.text.matches(of: /\bclass\s+(\w+)\s*:\s*([\w.]+)/)
        where match.2.split(separator: ".").last.map(String.init) == parent {
          return String(match.1)
        }
      }
    }
    return nil
  }

  /// Returns a type of item that the activation rule accepts: a common type or one that the rule names. If it accepts
  /// none of them, returns plain text.
  private static func accepted(by rule: ActivationRule?) -> String {
    let common = [
      Item.plainText, "public.url", "public.jpeg", "com.adobe.pdf", "public.mpeg-4", "public.data",
    ]
    let named = (rule?.typeIdentifiers ?? []).filter { !$0.contains("$") }
    return (common + named).first {
      rule?.matches([SharedItem(types: [$0])], types: .system) ?? true
    } ?? Item.plainText
  }

  static func check(_ name: String) throws {
    guard !taken.contains(name) else {
      throw ValidationError(
        "`\(name)` is the name of a module or package that the new package uses; choose another name"
      )
    }
  }

  /// The names that a package must not have, because its dependencies or its test use them.
  private static let taken: Set<String> = [
    "AppProcess", "Combine", "CoreServices", "DeviceClient", "Encodings", "Foundation",
    "FoundationExtensions", "IntuneMAMSwift", "MSAL", "ManagedApp", "MobileCoreServices", "Model",
    "OSLog", "PhoneTests", "SluiceKit", "SluiceTesting", "Social", "Swift", "SwiftUI", "Testing",
    "UIKit", "UniformTypeIdentifiers", "UserNotifications", "Wire", "XCTest", "ios-modules", "os",
    "sluice",
  ]
}
