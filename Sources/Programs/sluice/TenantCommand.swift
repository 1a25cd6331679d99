internal import ArgumentParser
internal import Directory
internal import GraphDocuments
internal import Output
internal import Simulation
internal import Tenants

struct TenantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tenant",
    abstract: "Answer which user of a tenant gets which policy in which app, and why.",
    subcommands: [TenantWho.self, TenantLintCommand.self], defaultSubcommand: TenantWho.self)
}

/// The folder of an export.
private struct TenantFolder: ParsableArguments {
  @Argument(
    help: "A folder with everything that the tenant exports: policies, groups, users, filters.",
    completion: .directory)
  var folder: String

  /// Reads the tenant, and prints the warnings about its files.
  ///
  /// - Throws: ``RunError`` with the errors of all files.
  func tenant() throws(RunError) -> Tenant {
    guard let input = InputFolder(folder) else {
      throw RunError(
        .command, "`\(folder)` is not a folder; `sluice tenant` reads the folder of an export",
        rule: "folder")
    }
    var reader = TenantReader(folder: folder)
    for name in input.names.sorted() where TenantReader.reads(name) {
      reader.add(try input.read(name))
    }
    do throws(TenantReader.Errors) {
      let tenant = try reader.finish()
      for diagnostic in tenant.diagnostics { Failure.print(diagnostic.description) }
      return tenant
    } catch {
      throw RunError(error.diagnostics)
    }
  }
}

// MARK: - Who

private enum TenantFormat: String, OutputFormat {
  case text, json, csv
}

private struct TenantWho: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "who",
    abstract: "Show which policies reach which users in which apps, or explain one answer.",
    discussion: """
      sluice tenant who exports/ --user anna@contoso.com --app Outlook --device unmanaged,os=17.2

      Users whom nothing tells apart share a row. With --user and --app, every policy is listed \
      with the reason why it reaches the user or does not. What the export does not state is never \
      guessed: the answer names it after `if`.

      Exit status: 0 shown, 2 a file of the export is invalid, 64 usage.
      """)

  @OptionGroup var source: TenantFolder

  @Option(help: "Only this user, by user principal name or object id.")
  var user: String?

  @Option(help: "Only this app, by bundle id or name.")
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The device: managed or unmanaged, and if it matters os=, model= and app= (its version).",
      valueName: "device"), transform: { try DeviceArgument($0) })
  var device = DeviceArgument.unmanaged

  @Flag(help: "A row for each user, also for users whom nothing tells apart.")
  var all = false

  @Option(help: "Format of the table.")
  var format = TenantFormat.text

  @OptionGroup var output: OutputOptions<TenantFormat>

  func perform() throws(RunError) {
    let tenant = try source.tenant()
    let index = try user.map { name throws(RunError) in try find(name, in: tenant) }
    let bundleID = try app.map { name throws(RunError) in try find(app: name, in: tenant) }
    if let index, let bundleID, output.formats(format).allSatisfy({ $0 == .text }) {
      let answer = tenant.answer(for: index, app: bundleID, on: device.device)
      return try output.write(format) { _, _ in tenant.text(of: answer) }
    }
    let rows = rows(of: tenant, index, in: bundleID.map { [$0] } ?? tenant.bundleIDs)
    try output.write(format) { format, _ in
      switch format {
      case .text: tenant.text(of: rows, on: device.device)
      case .json: tenant.json(of: rows)
      case .csv: tenant.csv(of: rows)
      }
    }
  }

  private func rows(of tenant: Tenant, _ user: Int?, in apps: [String]) -> [Tenant.Row] {
    let classes = user.map { [UserClass(users: [$0])] } ?? tenant.classes()
    let rows = tenant.rows(for: classes, in: apps, on: device.device)
    guard all else { return rows }
    return rows.flatMap { row in row.users.users.map { (user: $0, row: row.row(of: $0)) } }
      .sorted { ($0.user, $0.row.app) < ($1.user, $1.row.app) }.map(\.row)
  }

  private func find(_ name: String, in tenant: Tenant) throws(RunError) -> Int {
    if let user = tenant.directory.user(name) { return user }
    throw RunError(
      .command,
      "the export contains no user `\(name)`"
        + Suggestion.nearest(to: name, among: tenant.directory.users.map(\.upn)), rule: "user")
  }

  private func find(app name: String, in tenant: Tenant) throws(RunError) -> String {
    if let app = tenant.app(named: name) { return app }
    throw RunError(
      .command,
      "no policy or configuration of the export names the app `\(name)`; it names "
        + ListFormat.first(6, of: tenant.bundleIDs), rule: "app")
  }
}

/// A device on the command line: `unmanaged,os=17.2`.
private struct DeviceArgument: Sendable {
  let device: TenantDevice

  static let unmanaged = DeviceArgument(device: TenantDevice())

  private init(device: TenantDevice) { self.device = device }

  /// Parses the option's value.
  ///
  /// - Throws: `ValidationError` for a part that is neither a state nor a known property.
  init(_ text: String) throws {
    var device = TenantDevice()
    var parts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      // Names of models contain a comma: `iPhone15,2`.
      if let last = parts.last, last.hasPrefix("model="), !last.contains(","),
        !part.isEmpty, part.allSatisfy(\.isNumber)
      {
        parts[parts.count - 1] = "\(last),\(part)"
      } else {
        parts.append(part)
      }
    }
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      switch (pair.first, pair.count) {
      case ("managed", 1) where part == "managed": device.isManaged = true
      case ("unmanaged", 1) where part == "unmanaged": device.isManaged = false
      case ("os", 2): device.osVersion = pair[1]
      case ("model", 2): device.model = pair[1]
      case ("app", 2): device.appVersion = pair[1]
      default:  // open: user input
        throw ValidationError(
          "`\(part)` does not describe a device; expected managed, unmanaged, os=17.2, "
            + "model=iPhone15,2 or app=4.2")
      }
    }
    self.device = device
  }
}

// MARK: - Lint

private struct TenantLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Look for mistakes in a tenant's assignments: gaps, lock-outs, dead filters.",
    discussion: """
      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file of the export is \
      invalid, 64 usage.
      """)

  @OptionGroup var source: TenantFolder

  @OptionGroup var options: LintOptions

  func run() throws {
    let tenant = try Failure.reporting { () throws(RunError) in try source.tenant() }
    let report = FindingReport(tenant.lint())
    try options.write(report)
    try options.failOn.check(report)
  }
}
