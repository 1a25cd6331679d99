internal import Activation
internal import ArgumentParser
internal import Bundle
internal import Encodings
internal import Foundation
internal import Output
internal import Simulation
internal import UniformTypes

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Inspect and repair the property lists of apps and extensions.",
    discussion: "docs/bundles.md shows what each command prints. No process of an app is started.",
    subcommands: [
      BundleShow.self, BundleActivation.self, BundleLint.self, BundleFix.self,
    ])
}

private struct BundleOptions: ParsableArguments {
  @Argument(
    help: """
      Apps (Foo.app), extensions (Bar.appex), property lists, entitlements, or folders of them; - is a property list from \
      standard input.
      """, completion: .file())
  var paths: [String]

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The value of a build variable; it takes precedence over --xcconfig. Can be repeated.",
      valueName: "name=value"))
  var variables: [NamedValue] = []

  @Option(
    help:
      "A build configuration with values of variables. Can be repeated; the last value takes precedence.",
    completion: .file())
  var xcconfig: [String] = []

  @Option(help: "The entitlements of a property list that is not in a bundle.", completion: .file())
  var entitlements: String?

  func validate() throws {
    if paths.isEmpty { throw ValidationError("no bundle is named; expected a path") }
  }

  func settings() throws(BundleError) -> BuildSettings {
    var settings = BuildSettings()
    for path in xcconfig {
      let file = try BuildConfigurationFile(path, over: settings) { path throws(BundleError) in
        BundleFile.exists(path)
          ? try BundleFile.bytes(path, isFound: !xcconfig.contains(path)) : nil
      }
      for warning in file.warnings { Failure.print(warning) }
      settings = file.settings
    }
    for variable in variables { settings[variable.name] = variable.value }
    return settings
  }

  /// Reads the bundles at all paths. For a bundle that cannot be read, the result is the error. If a build
  /// configuration cannot be read, prints the error and throws ``Failure/input``.
  func inputs() throws(ExitCode) -> [Result<BundleInput, BundleError>] {
    let settings: BuildSettings
    do throws(BundleError) {
      settings = try self.settings()
    } catch {
      throw Failure.report(error)
    }
    var inputs: [Result<BundleInput, BundleError>] = []
    var projects = XcodeProjects()
    for path in paths {
      do throws(BundleError) {
        for one in try BundleInput.paths(at: path) {
          inputs.append(
            Result { () throws(BundleError) in
              try input(at: one, isFound: one != path, settings, &projects)
            })
        }
      } catch {
        inputs.append(.failure(error))
      }
    }
    return inputs
  }

  /// Reads an input. If a bundle's `PRODUCT_BUNDLE_IDENTIFIER` has no value, the value comes from the Xcode target that
  /// uses the bundle's list.
  private func input(
    at path: String, isFound: Bool, _ settings: BuildSettings, _ projects: inout XcodeProjects
  ) throws(BundleError) -> BundleInput {
    let input = try BundleInput(
      at: path, settings: settings, entitlements: entitlements, isFound: isFound)
    guard case .bundle(let bundle, _) = input, settings["PRODUCT_BUNDLE_IDENTIFIER"] == nil,
      bundle.source.list["CFBundleIdentifier"]?.string?.contains("PRODUCT_BUNDLE_IDENTIFIER")
        ?? true,
      let identifier = projects.bundleID(ofTargetWithListAt: bundle.source.list.file)
    else { return input }
    var settings = settings
    settings["PRODUCT_BUNDLE_IDENTIFIER"] = identifier
    return try BundleInput(
      at: path, settings: settings, entitlements: entitlements, isFound: isFound)
  }
}

// MARK: - Show

private struct BundleShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Show the identity, types, schemes, activation rules and groups that bundles declare.",
    discussion: """
      JSON has an object on a line for each bundle. Errors go to standard error; the other bundles are still shown.

      Exit status: 0 shown, 2 a bundle cannot be used, 64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @Option(help: "Format of the declarations.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func run() throws {
    var shown: [BundleInput] = []
    var problems: [String] = []
    var isComplete = true
    for input in try options.inputs() {
      switch input {
      case .success(let input):
        shown.append(input)
        if case .bundle(let bundle, _) = input {
          problems += (bundle.problems + bundle.invalidRules).map(\.description)
          if bundle.problems.contains(where: { $0.rule == .unreadable }) { isComplete = false }
        }
      case .failure(let error):
        problems.append(error.description)
        isComplete = false
      }
    }
    try Failure.reporting { () throws(RunError) in
      try output.write(
        format, text: shown.map { BundleView.text(of: $0) }.joined(separator: "\n"),
        json: shown.map { input in JSONWriter.line { input.writeJSON(to: &$0) } }.joined())
    }
    for problem in problems { Failure.print(problem) }
    if !isComplete { throw Failure.input }
  }
}

// MARK: - Lint

private struct BundleLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find declarations that prevent Open-In, sharing or the SDK from working.",
    discussion: """
      A file that cannot be read is a finding; the others are still checked.

      Exit status: 0 no finding reaches --fail-on, 1 a finding does, 2 a file cannot be used, 64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @OptionGroup var lint: LintOptions

  func run() throws {
    let inputs = try options.inputs()
    let report = BundleReport(
      inputs.flatMap { input in
        switch input {
        case .success(let input): BundleReport.findings(about: input)
        case .failure(let error): [BundleFinding(error)]
        }
      })
    try lint.write(report)
    if report.hasUnreadableFile { throw Failure.input }
    try lint.check(report)
  }
}

// MARK: - Fix

private struct BundleFix: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fix",
    abstract: "Rewrite property lists as the SDK's configurator does.",
    discussion: """
      Adds the types of managed apps to activation rules, the SDK's twins to URL schemes and queried schemes, the app \
      groups to `AppGroupIdentifiers`, and the keychain groups to entitlements. The rest of an XML property list is \
      unchanged; a binary property list is rewritten. Fixing again changes nothing.

      Exit status: 0 fixed, or nothing to fix; 1 with --check, a list would change; 2 a file cannot be used; \
      64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @Flag(help: "Write nothing; exit with status 1 if a list would change.")
  var check = false

  @Flag(help: "Write nothing; print the changes as a unified diff.")
  var diff = false

  func run() throws {
    let inputs = try options.inputs()
    do throws(BundleError) {
      let fixes = try fixes(of: inputs)
      for fix in fixes { try apply(fix) }
      warn(of: inputs)
      if !diff { report(fixes, of: inputs) }
      if check, !fixes.isEmpty { BundleFix.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  /// Prints a warning for each bundle that queries more schemes than iOS allows, and for each bundle that does not have
  /// exactly one entitlements file.
  private func warn(of inputs: [Result<BundleInput, BundleError>]) {
    for finding in inputs.compactMap({ try? $0.get() }).flatMap(BundleReport.findings(about:))
    where [.queriedLimit, .entitlementsFile].contains(finding.rule) {
      Failure.print("\(finding.diagnostic)")
    }
  }

  /// Returns the fixes of all bundles, without writing them, so an error in one bundle is found before any file
  /// changes.
  private func fixes(
    of inputs: [Result<BundleInput, BundleError>]
  ) throws(BundleError) -> [FixedList] {
    var fixes: [FixedList] = []
    for input in inputs {
      let input = try input.get()
      if let problem = input.unreadableFile { throw problem }
      for fix in try BundleFixer.fixes(of: input)
      where !fixes.contains(where: { $0.file == fix.file }) {
        fixes.append(fix)
      }
    }
    return fixes
  }

  /// Prints the number of errors that need a manual fix.
  private func report(_ fixes: [FixedList], of inputs: [Result<BundleInput, BundleError>]) {
    // The bundles still have the content from before the fix.
    let errors = inputs.compactMap { try? $0.get() }.flatMap(BundleReport.findings(about:))
      .count { $0.severity == .error && $0.repairs.isEmpty }
    let left =
      errors == 1
      ? "the error that `sluice bundle lint` reports needs a manual fix"
      : "the \(errors) errors that `sluice bundle lint` reports need manual fixes"
    switch (fixes.isEmpty, errors) {
    case (true, 0): print("nothing to fix")
    case (true, _): print("nothing to fix; \(left)")
    case (false, 0): break
    case (false, _): print(left)
    }
  }

  private func apply(_ fix: FixedList) throws(BundleError) {
    if diff {
      print(try fix.unifiedDiff(), terminator: "")
      return
    }
    if !check { try BundleFile.replace(fix.file, with: fix.after) }
    print("\(check ? "would fix" : "fixed") \(fix.file)")
    for finding in fix.findings {
      let line = finding.position.map { "\($0.line): " } ?? ""
      print("  \(line)\(finding.message) [\(finding.rule.rawValue)]")
    }
  }
}

extension FixedList {
  /// Runs `diff -u` and returns its output: the changes that the fix makes.
  ///
  /// - Throws: ``BundleError`` if `diff` is not installed, or fails.
  fileprivate func unifiedDiff() throws(BundleError) -> String {
    guard let text else { return "Binary files \(file) and \(file) (fixed) differ\n" }
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "sluice-fix-\(UUID().uuidString)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["LC_ALL=C", "diff", "-u", "--label", file, "--label", "\(file) (fixed)", "before", "after"]
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    defer { try? files.removeItem(at: folder) }
    do {
      try files.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Data(text.before).write(to: folder.appending(path: "before"))
      try Data(text.after).write(to: folder.appending(path: "after"))
      try process.run()
    } catch {
      throw BundleError(file: file, message: "`diff` cannot be run: \(error)")
    }
    let difference = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // Status 1 means that the files differ (diff(1)). Status 127 means that there is no such
    // program (env(1)).
    switch process.terminationStatus {
    case 1: return String(decoding: difference, as: UTF8.self)
    case 127:
      throw BundleError(file: file, message: "`diff` is not installed; --diff needs it in `PATH`")
    default:  // open: any other status
      throw BundleError(
        file: file, message: "`diff` fails with status \(process.terminationStatus)")
    }
  }
}

// MARK: - Activation

private struct BundleActivation: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activation",
    abstract: "Explain whether share and action extensions are offered for items.",
    discussion: """
      sluice bundle activation Notes.app --item public.jpeg

      `>` marks the deciding parts of an activation rule. An app's extensions and declared types are included.

      Exit status: 0 every extension is offered, 1 one is not, 2 a bundle or its rule cannot be used, or there is no \
      extension, 64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @Option(
    help: ArgumentHelp(
      "An attachment of the shared item: its uniform types, separated by `,`. `+` or another --item begins the next attachment.",
      valueName: "types"))
  var item: [String]

  @Flag(help: "Share each --item as a separate item, not as an attachment of one item.")
  var apart = false

  @Flag(
    help:
      "Add the Intune App SDK's prefix to the types, as under a policy that restricts sending.")
  var restricted = false

  @Option(help: "Format of the answers; in JSON one object a line for each extension.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func validate() throws {
    for text in item {
      for types in UniformTypeArgument.attachments(text) {
        try UniformTypeArgument.check(types, of: text)
      }
    }
    if item.isEmpty { throw ValidationError("no item is named; add --item public.jpeg") }
  }

  func run() throws {
    let inputs = try options.inputs()
    var isComplete = true
    var given: [Answer] = []
    var reported: Set<String> = []
    for input in inputs {
      switch input {
      case .success(.bundle(let bundle, let app)):
        let problems = bundle.problems + bundle.invalidRules
        for problem in problems { Failure.print(problem.description) }
        let types = types(declaredAround: bundle, in: app)
        for warning in UniformTypeArgument.warnings(about: namedTypes, in: types)
        where reported.insert(warning).inserted {
          Failure.print(warning)
        }
        let answers = answers(about: bundle, types)
        given += answers
        // Only a bundle that the command line names needs an activation rule, because a folder may
        // also contain other bundles.
        if answers.isEmpty, isNamed(bundle.source.path) {
          refuse(bundle.source.path, Self.absence)
          isComplete = false
        }
        isComplete = isComplete && bundle.invalidRules.isEmpty
      case .success(.entitlements(let file)):
        // An entitlements file is an error only if the command line names it, because a folder may
        // also contain such files.
        guard isNamed(file.list.file) else { break }
        refuse(
          file.list.file,
          "the file contains entitlements, which have no activation rule; name a bundle or an `Info.plist`"
        )
        isComplete = false
      case .failure(let error):
        Failure.print(error.description)
        isComplete = false
      }
    }
    try Failure.reporting { () throws(RunError) in
      try output.write(format) { format, _ in given.map { $0.rendered(format) }.joined() }
    }
    if isComplete, given.isEmpty, let path = options.paths.first {
      refuse(path, Self.absence)
      isComplete = false
    }
    if !isComplete { throw Failure.input }
    if !given.allSatisfy(\.isOffered) { throw Failure.expectation }
  }

  private static let absence = "no share or action extension was found"

  /// Returns whether `path` is an argument of the command. False for a bundle that was found in a folder.
  private func isNamed(_ path: String) -> Bool {
    options.paths.contains { $0 == path || $0 == path + "/" }
  }

  private func refuse(_ path: String, _ why: String) {
    Failure.print("\(path): error: \(why) [bundle]")
  }

  private var namedTypes: [String] { item.flatMap(UniformTypeArgument.attachments).flatMap(\.self) }

  /// The items to share. With `--apart`, each `--item` is an item; otherwise, all attachments belong to one item.
  private var shared: [SharedItem] {
    let items = item.map { text in
      let item = SharedItem(
        attachments: UniformTypeArgument.attachments(text).map(
          SharedAttachment.init(registeredTypeIdentifiers:)))
      return restricted ? item.restricted : item
    }
    return apart ? items : [SharedItem(attachments: items.flatMap(\.attachments))]
  }

  /// Returns the types of the system and those that an app and its extensions declare. The app is the containing app
  /// `app`; if this is nil, the bundle itself takes its place.
  private func types(declaredAround bundle: AppBundle, in app: AppBundle?) -> TypeLibrary {
    let surroundings = app ?? bundle
    return TypeLibrary.system.adding(
      ([surroundings] + surroundings.plugIns).flatMap(\.info.declaredTypes))
  }

  private func answers(about bundle: AppBundle, _ types: TypeLibrary) -> [Answer] {
    let bundles = [bundle] + bundle.plugIns
    let items = shared
    return bundles.filter(\.kind.isOfferedByRule).map { bundle in
      Answer(
        path: bundle.source.path, invalidRule: bundle.info.appExtension?.invalidRule?.message,
        view: bundle.info.appExtension?.activationRule.map {
          ActivationView(rule: $0, items: items, types: types)
        })
    }
  }

  private struct Answer {
    var path: String
    /// A description of the error in the extension's activation rule; nil if the rule is valid or absent.
    var invalidRule: String?
    /// The evaluation of the activation rule; nil if the rule is invalid or absent.
    var view: ActivationView?

    var isOffered: Bool { view?.matches ?? false }

    func rendered(_ format: TextFormat) -> String {
      switch format {
      case .text:
        "\(path): \(isOffered ? "offered" : "not offered")\(missingRule)\n" + (view?.text ?? "")
      case .json: json
      }
    }

    private var missingRule: String {
      if view != nil { return "" }
      return invalidRule == nil
        ? ", it has no activation rule" : ", its activation rule is not valid"
    }

    private var json: String {
      JSONWriter.objectLine { writer in
        writer.member("path", path)
        writer.member("offered", isOffered)
        writer.member("ruleError", invalidRule)
        if let view { writer.object("explanation") { view.explanation.writeMembers(to: &$0) } }
      }
    }
  }
}

extension SharedItem {
  /// The item as under a policy that restricts sending: the SDK registers its attachments under the Intune twins of
  /// their types.
  fileprivate var restricted: SharedItem {
    SharedItem(
      attachments: attachments.map { attachment in
        SharedAttachment(
          registeredTypeIdentifiers: attachment.registeredTypeIdentifiers.map(IntuneTypeAlias.of))
      })
  }
}

extension ActivationExplanation {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("text", text)
    switch verdict {
    case .holds: writer.member("holds", true)
    case .fails: writer.member("holds", false)
    case .counts(let count, let total):
      writer.member("count", count)
      writer.member("of", total)
    }
    writer.member("detail", detail)
    writer.member("decides", decides)
    writer.member("line", line)
    writer.member("column", column)
    guard !parts.isEmpty else { return }
    writer.objects("parts", of: parts) { $1.writeMembers(to: &$0) }
  }
}

private struct ActivationView {
  let rule: ActivationRule
  let items: [SharedItem]
  let types: TypeLibrary

  var matches: Bool { rule.matches(items, types: types) }

  var explanation: ActivationExplanation { rule.explain(items, types: types) }

  /// The evaluation of the rule as text, with an indented line for each part of the rule. `>` marks the parts that
  /// decide.
  var text: String {
    Self.lines(explanation, indent: "").joined(separator: "\n") + "\n"
  }

  private static func lines(_ explanation: ActivationExplanation, indent: String) -> [String] {
    let verdict =
      switch explanation.verdict {
      case .holds: "yes"
      case .fails: "no"
      case .counts(let count, let total): "\(count) of \(total)"
      }
    let mark = explanation.decides ? "> " : "  "
    let detail = explanation.detail.map { "  (\($0))" } ?? ""
    return ["\(mark)\(indent)\(verdict): \(explanation.text)\(detail)"]
      + explanation.parts.flatMap { lines($0, indent: indent + "  ") }
  }
}
