internal import AppConfiguration
internal import ArgumentParser
internal import GraphDocuments
internal import JSON
internal import Model
internal import Policy
internal import Simulation

struct ConfigurationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "configuration",
    abstract: "Inspect app configurations, without running anything.",
    discussion: "docs/app-configuration.md shows what each prints.",
    subcommands: [ConfigurationShow.self])
}

private struct ConfigurationShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what app configurations hold, or what an account in an app receives of them.",
    discussion: """
      Values are private: they are shown with --show-values only, and those of --scrub never. Warnings go to \
      standard error.

      With --account and --app, all the configurations count as assigned to the account, and each key is listed \
      with everything that is said of it.

      Exit status: 0 shown, 2 a configuration is invalid, 64 usage.
      """)

  @Argument(
    help: "App configurations as Microsoft Graph exports them, or folders of them.",
    completion: .file())
  var paths: [String]

  @Option(help: "The account that they are assigned to: a UPN.")
  var account: String?

  @Option(help: "The account's object id, for tokens.")
  var objectID: String?

  @Option(help: "The app that asks: a bundle id.")
  var app: String?

  @Flag(
    help:
      "The device is enrolled in MDM, which manages the app, and the account is the enrolled user.")
  var enrolled = false

  @Option(help: "What a token stands for, as NAME=TEXT; can be repeated.")
  var token: [NamedValue] = []

  @Flag(help: "Show values.")
  var showValues = false

  @Option(help: "A key whose value is not shown, even with --show-values; can be repeated.")
  var scrub: [String] = []

  @Option(help: "Format of the configurations; what reaches an app has text only.")
  var format = TextFormat.text

  func validate() throws {
    guard (account == nil) == (app == nil) else {
      throw ValidationError("--account and --app go together.")
    }
    if app != nil, format == .json {
      throw ValidationError("--format json is for configurations; what reaches an app is text.")
    }
    if app == nil, enrolled || objectID != nil || !token.isEmpty {
      throw ValidationError("--enrolled, --object-id and --token need --account and --app.")
    }
    for token in token where ConfigurationToken(name: token.name) == nil {
      throw ValidationError("`\(token.name)` is no token, such as serialnumber.")
    }
  }

  func perform() throws(RunError) {
    let documents = try ConfigurationFiles.load(paths)
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    if let account, let app {
      show(documents, to: Account(upn: account, objectID: objectID), in: app)
    } else {
      show(documents)
    }
  }

  private func show(_ documents: [AppConfigurationDocument]) {
    let view = ConfigurationView(documents, showing: disclosure)
    switch format {
    case .text: print(view.text, terminator: "")
    case .json:
      var writer = JSONWriter()
      view.write(to: &writer)
      print(writer.text, terminator: "")
    }
  }

  /// Shows the values delivered to an app. A configuration without a bundle id counts as the app's.
  private func show(
    _ documents: [AppConfigurationDocument], to account: Account, in app: String
  ) {
    let told = token.compactMap { token in
      ConfigurationToken(name: token.name).map { ($0, token.value) }
    }
    let book = ConfigurationBook(
      documents.map { document in
        let isOpaque =
          document.channel == .managedDevices
          && !document.mobileApps.contains { $0.contains(".") }
        return AppConfigurationAssignment(
          document: document, account: account, apps: isOpaque ? [app] : nil)
      }, told: Dictionary(told) { $1 })
    for warning in book.warnings(for: [app]) where enrolled { Failure.print("\(warning)") }
    let asked = ConfiguredApp(
      bundleID: app, state: enrolled ? .enrolled : .unenrolled, managed: enrolled ? [:] : nil)
    let view = ConfigurationView(
      book.documents(for: account, in: asked), showing: disclosure)
    print(view.textByKey, terminator: "")
  }

  private var disclosure: ConfigurationView.Disclosure {
    showValues ? .values(except: scrub) : .nothing
  }
}
