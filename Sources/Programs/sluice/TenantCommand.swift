internal import ArgumentParser
internal import Directory
internal import Enrollment
internal import Output
internal import Simulation
internal import Tenants

struct TenantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tenant",
    abstract: "Show which user of a tenant gets which policy in which app, and why.",
    subcommands: [
      TenantWho.self, TenantDiffCommand.self, TenantLintCommand.self, TenantRunCommand.self,
    ],
    defaultSubcommand: TenantWho.self)
}

private struct TenantFolder: ParsableArguments {
  @Argument(
    help: "A folder with everything that the tenant exports: policies, groups, users, filters.",
    completion: .directory)
  var folder: String

  /// Reads the tenant, and prints the warnings about its files.
  func tenant() throws(RunError) -> Tenant { try Tenant.load(folder) }
}

// MARK: - Who

private struct TenantWho: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "who",
    abstract: "Show which policies reach which users in which apps, or explain one answer.",
    discussion: """
      sluice tenant who exports/ --user anna@contoso.com --app Outlook --device unmanaged,os=17.2

      Users with the same policies in every app and the same conditional access requirements share a row. With --user and --app, every policy is listed with the reason why it \
      applies to the user or does not. If an answer depends on facts that the export does not state, it names them \
      after `if`.

      sluice tenant who exports/ --policy 'Office staff'

      With --policy, the users whom one policy or app configuration reaches are listed, and those whom it does not \
      reach, with the reasons.

      With --output tenant.html, a page shows who is protected on unmanaged and managed devices, and what can \
      leave the apps. With --policy, it begins with the users whom the policy reaches and does not reach.

      With --set, --assign, --exclude, --unassign or --member, the answer assumes the change. The text then begins \
      with the differences from the export.

      Exit status: 0 shown, 2 a file of the export is invalid, 64 usage.
      """)

  @OptionGroup var source: TenantFolder

  @Option(help: "Only this user, by user principal name or object id.")
  var user: String?

  @Option(
    help: ArgumentHelp(
      "Only the known members of this group, by name or id; guests for all guests.",
      valueName: "group"))
  var group: String?

  @Option(help: "Only this app, by bundle id or name.")
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The users whom this policy, app configuration or conditional access policy reaches, by its name, id or file.",
      valueName: "policy"))
  var policy: String?

  @OptionGroup var device: TenantDeviceOption

  @OptionGroup var whatIf: WhatIfOptions

  @Flag(
    help:
      "Show a row for each user, even for indistinguishable ones. With --policy, name all users.")
  var all = false

  @Option(help: "Format of the table.")
  var format = TableFormat.text

  @OptionGroup var output: OutputOptions<TableFormat>

  func validate() throws {
    if user != nil, group != nil {
      throw ValidationError(
        "--user and --group exclude each other: name one user with --user, or all members of a group with --group"
      )
    }
  }

  func perform() throws(RunError) {
    let export = try source.tenant()
    let index = try user.map { name throws(RunError) in try export.user(named: name) }
    let bundleID = try app.map { name throws(RunError) in try export.askedApp(name) }
    let stated = try device.stated(in: export)
    let device = stated ?? TenantDevice()
    let tenant = try whatIf.changed(export, user: index, app: bundleID, on: device)
    let difference =
      whatIf.changes.isEmpty || export.directory.users.isEmpty
      ? ""
      : TenantDiff(
        export, tenant, called: whatIf.title(of: export.folder), user: user, group: group,
        apps: bundleID.map { [$0] }, devices: [device]
      ).text + "\n"
    let remark = index.flatMap(tenant.remark(onDisabled:)).map { $0 + "\n\n" } ?? ""
    let members = try group.map { name throws(RunError) in try tenant.members(ofGroup: name) }
    let users = members ?? index.map { [UserClass(users: [$0])] }
    if let policy,
      let text = tenant.text(ofAccessPolicy: policy, for: users, on: device, namingAll: all)
    {
      return try output.write(format) { format, _ throws(RunError) in
        guard format == .text else {
          throw RunError(
            .command,
            "the users of the conditional access policy `\(policy)` are listed only as text; use --format text",
            rule: "format")
        }
        return remark + difference + text
      }
    }
    let reach = try policy.map { name throws(RunError) in
      try self.reach(of: name, in: tenant, to: users, bundleID.map { [$0] }, on: device)
    }
    let apps = bundleID.map { [$0] } ?? tenant.sampleApps
    let rows = { self.rows(of: tenant, users, in: apps, on: stated) }
    let answer = index.flatMap { index in
      bundleID.map { tenant.answer(for: index, app: $0, on: device) }
    }
    try output.write(format) { format, _ in
      switch format {
      case .text:
        remark + difference
          + (reach?.text(namingAll: all) ?? answer.map(tenant.text)
            ?? tenant.text(of: rows(), on: device))
      case .json: reach?.json ?? tenant.json(of: rows(), on: device, explaining: answer)
      case .csv: reach?.csv ?? tenant.csv(of: rows(), on: device)
      case .html:
        tenant.page(
          of: users, in: bundleID.map { [$0] }, on: stated.map { [$0] } ?? TenantDevice.kinds,
          reachedBy: policy)
      }
    }
  }

  /// Returns the users whom a policy or app configuration reaches.
  ///
  /// - Throws: ``RunError`` with similar names if the export contains no document with this name.
  private func reach(
    of name: String, in tenant: Tenant, to users: [UserClass]?, _ apps: [String]?,
    on device: TenantDevice
  ) throws(RunError) -> DocumentReach {
    if let reach = tenant.reach(of: name, to: users, in: apps, on: device) { return reach }
    let hint = Suggestion.names(
      like: name, among: tenant.documentNames + tenant.conditionalAccess.map(\.displayName))
    throw RunError(
      .command,
      "the export contains no policy or app configuration `\(name)`\(hint)",
      rule: "policy")
  }

  /// Returns the rows of the table for the device that `--device` states, by default an unmanaged device. A row is a
  /// class of users, as on the page; with `--all`, a single user.
  private func rows(
    of tenant: Tenant, _ users: [UserClass]?, in apps: [String], on stated: TenantDevice?
  ) -> [Tenant.Row] {
    // With a row for each user, no classes are shown.
    let classes =
      all
      ? users ?? tenant.classes()
      : tenant.classes(of: users, in: apps, on: stated.map { [$0] } ?? TenantDevice.kinds)
    let rows = tenant.rows(for: classes, in: apps, on: stated ?? TenantDevice())
    return all ? tenant.rowsOfUsers(rows) : rows
  }
}

// MARK: - Lint

private struct TenantLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find errors in a tenant's assignments: gaps, lock-outs, filters that never match.",
    discussion: """
      Users are checked on an unmanaged and a managed device, or on that of --device. A lock-out that depends on a \
      filter or on a fact that the export does not state is reported with its condition. Disabled accounts are not \
      checked. Warnings about the files, such as a missing page of a Graph response, are findings as well.

      With --set, --assign, --exclude, --unassign or --member, the tenant after the change is checked, and the report \
      states which findings are new and which are resolved.

      No rule about a tenant has errors: use --fail-on warning in CI.

      Exit status: 0 no finding reaches --fail-on, 1 a finding does, 2 a file of the export is invalid, 64 usage.
      """)

  @OptionGroup var source: TenantFolder

  @OptionGroup var device: TenantDeviceOption

  @OptionGroup var whatIf: WhatIfOptions

  @OptionGroup var options: LintOptions

  func run() throws {
    let report = try Failure.reporting { () throws(RunError) in
      // The warnings about the files are findings.
      let export = try TenantFiles.load(source.folder)
      export.noteMissingUsers(so: "users without a policy are not found")
      let device = try device.stated(in: export)
      guard !whatIf.changes.isEmpty else { return FindingReport(export.findings(on: device)) }
      let changed = try whatIf.changed(export, on: device ?? TenantDevice())
      return FindingReport(changed.findings(on: device), since: export.findings(on: device))
    }
    try options.write(report)
    try options.check(report)
  }
}
