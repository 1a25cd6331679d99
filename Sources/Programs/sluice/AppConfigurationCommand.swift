internal import AppConfiguration
internal import ArgumentParser
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import Simulation
internal import Specification

struct AppConfigurationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app-config",
    abstract: "Inspect app configurations and the specifications that apps ship.",
    discussion: """
      docs/app-configuration.md shows what each command prints. No process is started.
      """,
    subcommands: [AppConfigurationShow.self, AppConfigurationLint.self, AppConfigurationSpec.self])
}

// MARK: - Show

private struct AppConfigurationShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show app configurations, or the values that an account receives in an app.",
    discussion: """
      sluice app-config show configurations/ --app com.contoso.mail --account anna@contoso.com

      Values are hidden unless --show-values is given; values of --scrub are always hidden. Warnings go to standard error.

      With --account and --app, all configurations count as assigned to the account, and each key is listed with all \
      configurations that state it.

      Exit status: 0 shown, 2 a configuration is invalid, 64 usage.
      """)

  @Argument(
    help: "App configurations as Microsoft Graph exports them, or folders of them.",
    completion: .file())
  var paths: [String]

  @Option(help: "The UPN of the account that the configurations are assigned to.")
  var account: String?

  @Option(help: "The account's object id, for tokens.")
  var objectID: String?

  @Option(help: "The app that receives the values, by bundle id or name.")
  var app: String?

  @Flag(
    help:
      "The device is enrolled in MDM, which manages the app, and the account is the enrolled user.")
  var enrolled = false

  @Option(help: "The text for a token such as serialnumber, as NAME=TEXT; can be repeated.")
  var token: [NamedValue] = []

  @Flag(help: "Show values.")
  var showValues = false

  @Option(help: "A key whose value stays hidden, even with --show-values; can be repeated.")
  var scrub: [String] = []

  @Option(help: "Format of the configurations. With --app, only text.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func validate() throws {
    guard (account == nil) == (app == nil) else {
      throw ValidationError("--account and --app must be given together")
    }
    if app != nil, output.formats(format).contains(.json) {
      throw ValidationError(
        "--format json needs configurations without --app; the values of an app are printed as text"
      )
    }
    if app == nil, enrolled || objectID != nil || !token.isEmpty {
      throw ValidationError("--enrolled, --object-id and --token need --account and --app")
    }
    for token in token where ConfigurationToken(name: token.name) == nil {
      throw ValidationError(
        "`\(token.name)` is not a token; expected the name of a token, such as `serialnumber`")
    }
  }

  func perform() throws(RunError) {
    let documents = try ConfigurationFiles.load(paths)
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    if let account, let app {
      let text = values(
        of: documents, for: Account(upn: account, objectID: objectID),
        in: Self.bundleID(of: app, among: documents))
      return try output.write(.text) { _, _ in text }
    }
    let view = ConfigurationView(documents, showing: disclosure)
    try output.write(format, text: view.text, json: JSONWriter.text { view.write(to: &$0) })
  }

  /// Returns the bundle id of the app `name`. Recognises the target apps of the configurations and well-known apps;
  /// returns any other name unchanged.
  private static func bundleID(
    of name: String, among documents: [AppConfigurationDocument]
  ) -> String {
    guard !name.contains(".") else { return name }
    let targetings =
      documents.map(\.targeting) + [Targeting(bundleIDs: documents.flatMap(\.mobileApps))]
    return AppName.bundleID(of: name, among: targetings) ?? name
  }

  /// Returns, as text, the values that `app` receives for `account`. A configuration that names no bundle id is assumed
  /// to be for `app`.
  private func values(
    of documents: [AppConfigurationDocument], for account: Account, in app: String
  ) -> String {
    let tokenValues = token.compactMap { token in
      ConfigurationToken(name: token.name).map { ($0, token.value) }
    }
    let book = ConfigurationBook(
      documents.map { document in
        let isOpaque =
          document.channel == .managedDevices
          && !document.mobileApps.contains { $0.contains(".") }
        return AppConfigurationAssignment(
          document: document, account: account, apps: isOpaque ? [app] : nil)
      }, tokenValues: Dictionary(tokenValues) { $1 })
    for warning in book.warnings(for: [app]) where enrolled { Failure.print("\(warning)") }
    let asked = ConfiguredApp(
      bundleID: app, state: enrolled ? .enrolled : .unenrolled, managed: enrolled ? [:] : nil)
    let view = ConfigurationView(
      book.documents(for: account, in: asked), showing: disclosure)
    return view.textByKey
  }

  private var disclosure: ConfigurationView.Disclosure {
    showValues ? .values(except: scrub) : .nothing
  }
}

// MARK: - Lint

private struct AppConfigurationLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check configurations of a managed app against its specification.",
    discussion: """
      sluice app-config lint production.plist --spec specification.json

      Findings about the specification come first. A file that cannot be read is a finding; the others are checked \
      nevertheless.

      Exit status: 0 no finding reaches --fail-on, 1 a finding does, 2 a file cannot be used, 64 usage.
      """)

  @Argument(help: "Configurations: property lists, XML or binary, or JSON.", completion: .file())
  var files: [String]

  @Option(help: "The app's specification, a JSON Schema that the app ships.", completion: .file())
  var spec: String

  @OptionGroup var options: LintOptions

  func run() throws {
    let specification = try Failure.reporting { () throws(RunError) in
      try SpecificationFile.read(spec)
    }
    let report = SpecificationReport(
      specification.findings + files.flatMap { findings(in: $0, against: specification) })
    try options.write(report)
    if report.hasUnreadableFile { throw Failure.input }
    try options.check(report)
  }

  private func findings(
    in file: String, against specification: AppSpecification
  ) -> [SpecificationFinding] {
    do throws(RunError) {
      return ConfigurationLinter.lint(
        try InputFile.document(file), file: file, against: specification)
    } catch {
      return [.unreadable(file: file, reason: error.reason)]
    }
  }
}

// MARK: - Spec

private struct AppConfigurationSpec: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "Write an administrator's guide to an app's configuration from its specification.",
    discussion: """
      A specification is a JSON Schema that an app ships (docs/specification.md). Findings about it go to standard \
      error.

      Exit status: 0 documented, 2 the specification cannot be used, 64 usage.
      """)

  enum Format: String, OutputFormat {
    case markdown, html, json
  }

  @Argument(help: "The app's specification.", completion: .file())
  var file: String

  @Option(help: "Format of the documentation.")
  var format = Format.markdown

  @OptionGroup var output: OutputOptions<Format>

  func perform() throws(RunError) {
    try output.check(isNoneOf: [file])
    let specification = try SpecificationFile.read(file)
    for finding in specification.findings { Failure.print(finding.description) }
    try output.write(format) { format, destination in
      let text = rendered(specification, as: format)
      switch destination {
      case .standardOutput: return text.escapingUnprintable(except: ["\n", "\t"])
      case .file: return text
      }
    }
  }

  private func rendered(_ specification: AppSpecification, as format: Format) -> String {
    switch format {
    case .markdown: return specification.markdown
    case .html: return specification.html
    case .json: return JSONWriter.line { specification.writeJSON(to: &$0) }
    }
  }
}

private enum SpecificationFile {
  static func read(_ path: String) throws(RunError) -> AppSpecification {
    let bytes = try InputFile.document(path)
    guard !ScenarioFiles.isScenario(bytes, file: path) else {
      throw RunError(
        .file(path), "this is a scenario, not a specification; `sluice run \(path)` runs it",
        rule: "file")
    }
    do throws(SpecificationError) {
      return try AppSpecification(bytes, file: path)
    } catch {
      throw RunError(error.findings.map(\.diagnostic))
    }
  }
}
