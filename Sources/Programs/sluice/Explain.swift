internal import Analysis
internal import ArgumentParser
internal import Directory
internal import Encodings
internal import Foundation
internal import GraphDocuments
internal import Host
internal import Model
internal import Output
internal import Policy
internal import Replay
internal import Simulation
internal import Tenants

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain the verdict on a transfer, or which policy applies to an account in an app.",
    discussion: """
      sluice explain base.json --app com.contoso.mail --account anna@contoso.com --channel share \
      --to-app org.example.viewer

      Without a subcommand, a transfer is explained; `sluice explain transfer --help` lists the options.
      """,
    subcommands: [ExplainTransfer.self, ExplainDeviceState.self],
    defaultSubcommand: ExplainTransfer.self)
}

// MARK: - Transfers

private struct ExplainTransfer: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Explain the verdict on a transfer: the rules that apply, and what would change it.",
    discussion: """
      sluice explain policy.json --app com.contoso.mail --account anna@contoso.com --channel print

      sluice explain --tenant exports/ --user anna@contoso.com --app Outlook --channel print

      The options describe the transfer. Without --channel, requests of `sluice decide` are read from standard \
      input, one per line (docs/decide.md). No process is started.

      With --tenant, or a folder of policies that are assigned to groups, each account is a user of the tenant and \
      has what the tenant assigns. Without an account, there is an answer for each class of users.

      Exit status: 0 explained, 2 a policy or a request is invalid, or no policy targets an app in which an account \
      is named, 64 usage. With --exit-code: 0 allowed, 1 blocked, 3 encrypted, or unknown because no account is named; \
      for several requests, 1 if any is blocked, otherwise 3 if any is encrypted.
      """)

  @OptionGroup var policies: PolicySourceOptions

  @OptionGroup var transfer: TransferOptions

  @Flag(help: "Exit with a status that depends on the verdict: 0 allowed, 1 blocked, 3 otherwise.")
  var exitCode = false

  func perform() throws(RunError) {
    let outcome: Outcome?
    switch try policies.source() {
    case .policies(let documents):
      var decider = Decider(documents)
      let transfer = transfer.resolved(among: documents)
      if let line = transfer.line() {
        if transfer.isForNobody {
          Failure.print(Self.hint)
        } else if let app = transfer.targetWithoutAccount(among: documents) {
          Failure.print(Self.hint(onReceiver: app))
        }
        let found = try explain(line, by: &decider)
        outcome = transfer.isForNobody && found == .allowed ? nil : found
      } else {
        outcome = try explainInput { line, number throws(RunError) in
          [try Self.explained(line, number: number, by: &decider)]
        }
      }
    case .tenant(let query):
      outcome = try explain(for: query)
    }
    if exitCode, let status = Self.status(of: outcome) { Self.exit(withError: status) }
  }

  /// Returns the exit status that `--exit-code` requires for `outcome`; nil for the status 0. A nil `outcome` means
  /// that the outcome is unknown.
  private static func status(of outcome: Outcome?) -> ExitCode? {
    switch outcome {
    case .allowed: nil
    case .blocked: Failure.expectation
    case .encrypted, nil: Failure.undecided
    }
  }

  /// The note that no policy applies, for a command line that names no account. Users need the note because policies do
  /// not list accounts.
  private static let hint =
    "sluice: note: no account is named, so no policy applies; name one with --account, such as "
    + "--account anna@contoso.com [account]"

  /// The note that the app in `--to-app` counts as unmanaged although a policy targets it, because no account is named
  /// there.
  private static func hint(onReceiver app: String) -> String {
    "sluice: note: `\(app)` counts as unmanaged, because no account is named in it; name one with --to-account, "
      + "such as --to-account anna@contoso.com [account]"
  }

  func validate() throws {
    guard transfer.line() == nil, isatty(STDIN_FILENO) == 1 else { return }
    throw ValidationError("state a transfer with --channel, or write requests to standard input")
  }

  /// An explained verdict: its heading, the explanation and its outcome. The heading is nil if there is none.
  private typealias Explained = (heading: String?, text: String, outcome: Outcome)

  private static func explained(
    _ line: String, number: Int, by decider: inout Decider
  ) throws(RunError) -> Explained {
    let (request, verdict) = try decider.explain(line, number: number)
    let notice = decider.notice.map { "notice: \($0)\n\n" } ?? ""
    return (nil, notice + verdict.text(on: request), verdict.outcome)
  }

  /// Prints the explanation of the transfer that the options describe, and returns its outcome. `line` is the transfer
  /// as a request of `sluice decide`.
  private func explain(_ line: String, by decider: inout Decider) throws(RunError) -> Outcome {
    do throws(RunError) {
      return Self.show([try Self.explained(line, number: 1, by: &decider)])
    } catch {
      // Errors about a line in a file are not meaningful for options.
      guard let message = decider.mistakenApp() else { throw error }
      let missing = transfer.app == nil ? "--app is missing; " : ""
      throw RunError(
        .command,
        missing + message
          + "; --managed asks as if the policies applied, --unmanaged as if none did",
        rule: Decider.appRule)
    }
  }

  /// Prints explanations, and returns their strictest outcome.
  private static func show(_ explanations: [Explained]) -> Outcome {
    let texts = explanations.map { explained in
      (explained.heading.map { "\($0)\n\n" } ?? "") + explained.text
    }
    print(texts.joined(separator: "\n"), terminator: "")
    return explanations.map(\.outcome).min() ?? .allowed
  }

  /// Prints the explanations of the requests on standard input, and returns their strictest outcome.
  ///
  /// - Parameter explain: Gets a request's line and its number. Returns the explanations of the request.
  private func explainInput(
    _ explain: (String, Int) throws(RunError) -> [Explained]
  ) throws(RunError) -> Outcome {
    var number = 0
    var hasAnswered = false
    var strictest = Outcome.allowed
    while let line = readLine() {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let explanations = try explain(line, number)
      if hasAnswered { print() }
      strictest = min(strictest, Self.show(explanations))
      hasAnswered = true
    }
    return strictest
  }

  // MARK: Tenants

  /// Prints explanations for a tenant's users, and returns the strictest outcome among them. Explains the transfer in
  /// the options or, if the options describe none, the requests on standard input.
  private func explain(for query: TenantQuery) throws(RunError) -> Outcome {
    var decisions = TenantDecisions(query)
    let transfer = try transfer.resolved(for: query.tenant)
    guard let line = transfer.line(on: query.device) else {
      return try explainInput { line, number throws(RunError) in
        try Self.explanations(of: line, number: number, by: &decisions)
      }
    }
    do throws(RunError) {
      let outcome = Self.show(try Self.explanations(of: line, number: 1, by: &decisions))
      let lockOuts = transfer.lockOuts(for: query)
      if !lockOuts.isEmpty { print() }
      for line in lockOuts { print(line.escapingUnprintable()) }
      return outcome
    } catch {
      // Errors about a line in a file are not meaningful for options.
      guard let message = decisions.decider.mistakenApp(onlyNear: true) else { throw error }
      throw RunError(.command, message, rule: Decider.appRule)
    }
  }

  private static func explanations(
    of line: String, number: Int, by decisions: inout TenantDecisions
  ) throws(RunError) -> [Explained] {
    let answers = try decisions.answers(
      to: line, number: number, forAll: true, by: { (explained: Verdicted) in explained.key }
    ) { decider throws(RunError) in
      let (request, verdict) = try decider.explain(line, number: number)
      return Verdicted(request: request, verdict: verdict)
    }
    return answers.map {
      ($0.heading, $0.value.verdict.text(on: $0.value.request), $0.value.verdict.outcome)
    }
  }

  private struct Verdicted {
    var request: TransferRequest
    var verdict: ExplainedVerdict

    /// A text that is equal for equal verdicts. It contains no accounts.
    var key: String { JSONWriter.line { verdict.write(to: &$0) } }
  }
}

// MARK: - Device states

private struct ExplainDeviceState: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "device-state",
    abstract: "Explain which policies apply to each account in an app, and why others do not.",
    discussion: """
      sluice explain device-state mail --scenario story.yaml

      The scenario states apps, accounts and policies; its steps are not carried out. With --device, sign-ins and \
      enrollment are those of that device. No app is started.

      Exit status: 0 explained, 2 the scenario, the device or the app is invalid, 64 usage.
      """)

  @Argument(help: "The app, by its name in the scenario or its bundle id.")
  var app: String

  @OptionGroup var beginning: ScenarioBeginning

  @Option(help: "The folder of a persistent device.")
  var device: String?

  @Option(help: "Format of the explanation.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func perform() throws(RunError) {
    let view = try beginning.ask(on: device) { run, prepared throws(RunError) in
      try run.deviceState(of: app, in: prepared)
    }
    try output.write(format, text: view.text, json: view.json)
  }
}

// MARK: - Options of a transfer

private struct TransferOptions: ParsableArguments {
  @Option(
    help: "How the data moves. (values: \(ChannelArgument.names))",
    completion: .list(Channel.names), transform: { try ChannelArgument($0) })
  var channel: ChannelArgument?

  @Option(help: "Whether data moves by the SDK's own sharing or the system's.")
  var via: SharingPath?

  @Option(help: "The app that acts, by bundle id or name. (default: \(Self.defaultApp))")
  var app: String?

  private static let defaultApp = "com.contoso.mail"

  @Option(
    help: "The UPN of the account that the app acts for. Default: none, so no policy applies.")
  var account: String?

  @Flag(help: "Whether policies apply to --account. Default: their own targeting decides.")
  var managed: Managed?

  @Option(help: "The app at the other end, by bundle id or name.")
  var toApp: String?

  // Options that users expect; they are errors that name the right one.
  @Option(help: .hidden) var to: String?
  @Option(help: .hidden) var from: String?
  @Option(help: .hidden) var fromApp: String?

  @Option(
    help: """
      The UPN of the account that the app at the other end acts for. Default: none, so the app counts as unmanaged.
      """)
  var toAccount: String?

  @Flag(help: "Whether policies apply to --to-account. Default: their own targeting decides.")
  var toManaged: ToManaged?

  @Option(
    name: .customLong("to-scheme"),
    help: """
      A URL scheme that the app at the other end registers, by which a policy may name a browser, dialer or messaging \
      app. Can be repeated.
      """)
  var toSchemes: [String] = []

  @Option(help: "The location that data is saved to or opened from.")
  var location: StorageLocation?

  @Option(help: "The account that the location belongs to. Default: none.")
  var locationAccount: String?

  @Option(help: "The URL that is opened.")
  var url: String?

  @Option(help: "The text that moves.")
  var text: String?

  @Flag(help: "The device is enrolled in MDM, and the apps' configuration names their account.")
  var enrolled = false

  enum Managed: String, EnumerableFlag {
    case managed, unmanaged
  }

  enum ToManaged: String, EnumerableFlag {
    case toManaged, toUnmanaged
  }

  func validate() throws {
    if to != nil { throw ValidationError("Unknown option '--to'. Did you mean '--to-app'?") }
    if from != nil || fromApp != nil {
      throw ValidationError(
        "Unknown option '\(from == nil ? "--from-app" : "--from")'. --app is the app that acts, and --to-app the other "
          + "app. With `import`, data comes from the other app")
    }
    if let channel { return try check(channel) }
    let isAlone =
      via == nil && account == nil && managed == nil && toManaged == nil && !enrolled
      && toApp == nil && toAccount == nil && toSchemes.isEmpty && location == nil
      && locationAccount == nil && url == nil && text == nil
    if !isAlone { throw ValidationError("Missing expected argument '--channel <channel>'") }
  }

  var isForNobody: Bool { account == nil && toAccount == nil && locationAccount == nil }

  /// Returns the app in `--to-app` if one of the policies targets it, and the options neither name an account in it nor
  /// state whether it is managed; otherwise nil.
  func targetWithoutAccount(among documents: [PolicyDocument]) -> String? {
    guard let toApp, toAccount == nil, toManaged == nil else { return nil }
    let isTargeted = documents.contains { document in
      ManagementState.allCases.contains {
        document.targets(bundleID: toApp, state: $0).isTargeted
      }
    }
    return isTargeted ? toApp : nil
  }

  /// Returns the options with bundle ids in place of app names. The names come from the tenant's documents.
  ///
  /// - Throws: ``RunError`` if an option contradicts the tenant, `--app` is missing, or no document names an app.
  func resolved(for tenant: Tenant) throws(RunError) -> TransferOptions {
    let ignored =
      managed == .managed
      ? "--managed" : toManaged == .toManaged ? "--to-managed" : enrolled ? "--enrolled" : nil
    if let ignored {
      throw RunError(
        .command,
        ignored == "--enrolled"
          ? "the tenant decides what an enrolled device gets; use --device managed instead of --enrolled"
          : "the tenant decides which policies apply; leave \(ignored) out", rule: "tenant")
    }
    var resolved = self
    if channel != nil {
      guard let app else {
        throw RunError(
          .command,
          "--app is missing; the tenant's documents name "
            + ListFormat.first(6, of: tenant.sampleApps), rule: "app")
      }
      resolved.app = app.contains(".") ? app : try tenant.bundleID(of: app)
      if let toApp, !toApp.contains(".") {
        resolved.toApp =
          if let id = AppName.bundleID(of: toApp, among: tenant.namedApps) {
            id
          } else {
            try tenant.bundleID(of: toApp, otherwise: "; write the bundle id of another app")
          }
      }
    }
    return resolved
  }

  /// Returns the options with bundle ids in place of app names. A name that the documents do not resolve stays
  /// unchanged.
  func resolved(among documents: [PolicyDocument]) -> TransferOptions {
    let targetings = documents.map(\.targeting)
    let bundleID = { (name: String) in
      name.contains(".") ? name : AppName.bundleID(of: name, among: targetings) ?? name
    }
    var resolved = self
    resolved.app = app.map(bundleID)
    resolved.toApp = toApp.map(bundleID)
    return resolved
  }

  /// Returns a line for each class of users that conditional access locks out of the app in `--app`. Empty without
  /// `--app` or with `--unmanaged`.
  func lockOuts(for query: TenantQuery) -> [String] {
    guard let app, managed != .unmanaged else { return [] }
    let tenant = query.tenant
    let users: [UserClass]
    if let account {
      users = tenant.directory.user(account).map { [UserClass(users: [$0])] } ?? []
    } else {
      users = query.users ?? tenant.classes()
    }
    return tenant.lockOuts(of: users, in: app.lowercased(), on: query.device)
  }

  /// Returns the options as a request of `sluice decide`; nil without `--channel`.
  ///
  /// - Parameter device: The device that a tenant's users use; nil without a tenant.
  func line(on device: TenantDevice? = nil) -> String? {
    guard let channel = channel?.channel else { return nil }
    let isEnrolled = device?.isManaged ?? enrolled
    return JSONWriter.objectText { writer in
      writer.member("channel", channel.rawValue)
      writer.member("via", via?.rawValue)
      writeParties(channel, Enrollment(isEnrolled, statesUPN: device == nil), to: &writer)
      writer.member("location", location?.rawValue)
      if let locationAccount {
        writer.object("locationAccount") { $0.member("account", locationAccount) }
      }
      writer.member("url", url)
      writer.member("text", text)
      if isEnrolled { writer.object("device") { $0.member("mdmEnrolled", true) } }
    }
  }

  /// The statement about the device's enrollment in a request.
  private enum Enrollment {
    case none
    /// The device is enrolled. The request does not state whether an app's configuration names the account, because the
    /// tenant determines this.
    case enrolled
    case enrolledWithUPN

    init(_ isEnrolled: Bool, statesUPN: Bool) {
      self = isEnrolled ? statesUPN ? .enrolledWithUPN : .enrolled : .none
    }
  }

  /// Writes the sender and the receiver of the request.
  ///
  /// The app in `--app` is the sender, and the app in `--to-app` is the receiver. On a channel that brings data to the
  /// app, such as `import` or a channel from the system or a location, the two are exchanged.
  private func writeParties(
    _ channel: Channel, _ enrollment: Enrollment, to writer: inout JSONWriter
  ) {
    writer.object(channel.isIncoming ? "receiver" : "sender") { writer in
      write(
        app ?? Self.defaultApp, account, managed.map { $0 == .managed }, enrollment, to: &writer)
    }
    guard let toApp else { return }
    writer.object(channel.isIncoming ? "sender" : "receiver") { writer in
      write(toApp, toAccount, toManaged.map { $0 == .toManaged }, enrollment, to: &writer)
      guard !toSchemes.isEmpty else { return }
      writer.array("schemes") { writer in toSchemes.forEach { writer.string($0) } }
    }
  }

  private func write(
    _ app: String, _ account: String?, _ isManaged: Bool?, _ enrollment: Enrollment,
    to writer: inout JSONWriter
  ) {
    writer.member("app", app)
    writer.member("account", account)
    if let isManaged { writer.member("managed", isManaged) }
    switch enrollment {
    case .none: break
    case .enrolled: writer.member("mdmManaged", true)
    case .enrolledWithUPN:
      writer.member("mdmManaged", true)
      if account != nil { writer.member("enrolledUPN", true) }
    }
  }

  /// Checks the options for the channel: none may be missing, malformed or meaningless for the channel.
  private func check(_ argument: ChannelArgument) throws {
    let counterpart = argument.channel.counterpart
    try require(toApp, "--to-app", on: argument, where: counterpart == .app)
    try require(url, "--url", on: argument, where: counterpart == .url)
    try require(location, "--location", on: argument, where: counterpart == .location)
    try refuse(toApp, "--to-app", on: argument, unless: counterpart == .app || counterpart == .url)
    try refuse(url, "--url", on: argument, unless: counterpart == .url)
    try refuse(location, "--location", on: argument, unless: counterpart == .location)
    try checkLocation(argument)
    if let url, URLScheme.of(url) == nil {
      throw ValidationError(
        "--url: `\(url)` is not a URL; expected a scheme and `:`, as in https://contoso.com")
    }
    if managed == .managed, account?.isEmpty ?? true {
      throw ValidationError("--managed needs --account")
    }
    if toApp == nil, toAccount != nil || toManaged != nil {
      throw ValidationError("--to-account, --to-managed and --to-unmanaged need --to-app")
    }
    try checkSchemes(argument)
    if toManaged == .toManaged, toAccount?.isEmpty ?? true {
      throw ValidationError("--to-managed needs --to-account")
    }
  }

  private func checkSchemes(_ argument: ChannelArgument) throws {
    guard let first = toSchemes.first else { return }
    try refuse(first, "--to-scheme", on: argument, unless: argument.channel.counterpart == .url)
    if toApp == nil { throw ValidationError("--to-scheme needs --to-app") }
    if let wrong = toSchemes.first(where: { !$0.isURLScheme }) {
      throw ValidationError(
        "--to-scheme: `\(wrong)` is not a URL scheme; expected one without a colon, as in `tel`")
    }
  }

  private func checkLocation(_ argument: ChannelArgument) throws {
    guard let location else {
      return try refuse(locationAccount, "--location-account", on: argument, unless: false)
    }
    let known =
      argument.channel == .saveTo ? StorageLocation.saveLocations : StorageLocation.openLocations
    guard known.contains(location) else {
      throw ValidationError(
        "--location: `\(location.rawValue)` is not a location of \(argument.name); expected one of "
          + known.map(\.rawValue).joined(separator: ", ") + "")
    }
    if !location.hasAccount, locationAccount != nil {
      throw ValidationError(
        "--location-account: `\(location.rawValue)` belongs to no account; leave the option out")
    }
  }

  private func require<Value>(
    _ value: Value?, _ option: String, on argument: ChannelArgument, where isNeeded: Bool
  ) throws {
    guard isNeeded, value == nil else { return }
    throw ValidationError("--channel \(argument.name) needs \(option)")
  }

  private func refuse<Value>(
    _ value: Value?, _ option: String, on argument: ChannelArgument, unless isKnown: Bool
  ) throws {
    guard !isKnown, value != nil else { return }
    throw ValidationError("\(option) has no effect with --channel \(argument.name)")
  }
}
