internal import ArgumentParser
internal import Directory
internal import Simulation
internal import Tenants

struct TenantDiffCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show which users a change of a tenant affects, and why.",
    discussion: """
      sluice tenant diff before/ after/
      sluice tenant diff exports/ --set 'Office staff: Printing Org data=Block' --member 'ben@contoso.com=Sales'

      Users are compared by object id, then by user principal name. Each change lists the users and apps, its \
      causes (assignments, groups, filters, apps or settings) with file and line, and the flows that become \
      possible or impossible. Accounts that are disabled in only one export are listed; documents of disabled \
      accounts are compared only for --user. Without --device, unmanaged and managed devices are compared.

      Exit status: 0 no user is affected, 1 some are or may be, or users were added, removed, disabled or enabled, \
      2 a file or a change is invalid, 64 usage.
      """)

  @Argument(help: "The folder of an export.", completion: .directory)
  var old: String

  @Argument(
    help: "The folder of a later export. Without it, the options describe changes to the first.",
    completion: .directory)
  var new: String?

  @Option(help: "Only this user, by user principal name or object id.")
  var user: String?

  @Option(
    help: ArgumentHelp(
      "Only the known members of this group in one of the exports, by name or id; guests for all guests.",
      valueName: "group"))
  var group: String?

  @Option(help: "Only this app, by bundle id or name.")
  var app: String?

  @OptionGroup var device: TenantDeviceOption

  @OptionGroup var whatIf: WhatIfOptions

  @Option(help: "Format of the comparison.")
  private var format = TextOrPageFormat.text

  @OptionGroup private var output: OutputOptions<TextOrPageFormat>

  func validate() throws {
    if user != nil, group != nil {
      throw ValidationError(
        "--user and --group exclude each other: name one user with --user, or all members of a group with --group"
      )
    }
    guard (new == nil) == whatIf.changes.isEmpty else { return }
    throw ValidationError(
      new == nil
        ? "name a second folder, or propose a change with --set, --assign, --exclude, --unassign or --member"
        : "a second folder and proposed changes, such as --set, exclude each other: "
          + "name a second folder to compare two exports, or propose changes to one export")
  }

  func perform() throws(RunError) {
    let tenants = try Tenant.load([old] + [new].compactMap(\.self))
    for tenant in tenants where tenant.directory.users.isEmpty { throw tenant.noUsers }
    let export = tenants[0]
    let device = try device.stated(in: export)
    let tenant: Tenant
    let bundleID: String?
    if new != nil {
      tenant = tenants[1]
      if let user, export.directory.user(user) == nil { _ = try tenant.user(named: user) }
      bundleID = try app.map { name throws(RunError) -> String in
        if let app = tenant.app(named: name) { return app }
        return try export.askedApp(name)
      }
    } else {
      let index = try user.map { name throws(RunError) in try export.user(named: name) }
      bundleID = try app.map { name throws(RunError) in try export.askedApp(name) }
      tenant = try whatIf.changed(export, user: index, app: bundleID, on: device ?? TenantDevice())
    }
    if let group {
      // A change may add the first member or remove the last one.
      let sides = [tenant, export]
      let known = sides.first { $0.classes(ofGroup: group)?.members.isEmpty == false }
      _ = try (known ?? tenant).members(ofGroup: group)
    }
    let difference = TenantDiff(
      export, tenant, called: new == nil ? whatIf.title(of: export.folder) : nil, user: user,
      group: group, apps: bundleID.map { [$0] }, devices: device.map { [$0] })
    if difference.disabledUsers.isEmpty {
      tenant.noteDisabledAccount(of: user.flatMap { tenant.directory.user($0) })
    }
    try output.write(format) { format, _ in
      switch format {
      case .text: difference.text
      case .json: difference.json
      case .html: difference.html
      }
    }
    if !difference.isEmpty { Self.exit(withError: Failure.expectation) }
  }
}
