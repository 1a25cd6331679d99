internal import Analysis
internal import ArgumentParser
internal import Directory
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy
internal import Simulation
internal import Tenants

// MARK: - Options

/// The options that select a tenant, in place of policies, and one of its users.
struct TenantOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of a tenant's export, in place of policies: each user has what the tenant assigns.",
      valueName: "folder"), completion: .directory)
  var tenant: String?

  @Option(
    help: ArgumentHelp(
      "The user of the tenant, by user principal name or object id. Default: all, by classes.",
      valueName: "user"))
  var user: String?

}

struct TenantDeviceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The device: managed or unmanaged, and if it matters os=, model=, app= (the version of apps) and app:Outlook= "
        + "(that of one app).",
      valueName: "device"), transform: { try DeviceArgument($0) })
  var device: DeviceArgument?

  /// Returns the device from the option; nil without the option.
  func stated(in tenant: Tenant) throws(RunError) -> TenantDevice? {
    try device.map { device throws(RunError) in try device.device(in: tenant) }
  }

  /// Returns the device from the option, or an unmanaged device.
  func value(in tenant: Tenant) throws(RunError) -> TenantDevice {
    try stated(in: tenant) ?? TenantDevice()
  }
}

/// A device as given on the command line, such as `unmanaged,os=17.2`.
struct DeviceArgument: Sendable {
  private let device: TenantDevice
  /// The versions of individual apps, keyed by app name or bundle id.
  private let versions: [String: String]

  init(_ text: String) throws {
    var device = TenantDevice()
    var versions: [String: String] = [:]
    var parts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      // Model names contain a comma, such as `iPhone15,2`.
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
      case (let key?, 2) where key.hasPrefix("app:") && key.count > 4:
        versions[String(key.dropFirst(4))] = pair[1]
      default:  // open: user input
        throw ValidationError(
          "`\(part)` does not describe a device; expected managed, unmanaged, os=17.2, "
            + "model=iPhone15,2, app=4.2 or app:Outlook=4.2")
      }
    }
    self.device = device
    self.versions = versions
  }

  /// Returns the device. Its app versions are keyed by bundle id. An app that no document of the tenant names is an
  /// error.
  func device(in tenant: Tenant) throws(RunError) -> TenantDevice {
    var device = device
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      device.appVersions[try tenant.bundleID(of: name)] = version
    }
    return device
  }
}

/// The options that select policies: files, folders, or a tenant.
struct PolicySourceOptions: ParsableArguments {
  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of exports.", completion: .file())
  var policies: [String] = []

  @OptionGroup var options: TenantOptions

  @OptionGroup var device: TenantDeviceOption

  @OptionGroup var whatIf: WhatIfOptions

  /// The first option that is valid only with a tenant; nil if none is given.
  private var tenantOption: String? {
    if options.user != nil { return "--user" }
    if device.device != nil { return "--device" }
    return whatIf.changes.first.map { String($0.text.prefix { $0 != " " }) }
  }

  func validate() throws {
    if let tenant = options.tenant {
      guard policies.isEmpty else {
        throw ValidationError("--tenant \(tenant) states the policies: leave out `\(policies[0])`")
      }
      return
    }
    guard !policies.isEmpty else {
      throw ValidationError("Missing expected argument '<policies> ...' or '--tenant <folder>'")
    }
    if policies.count > 1, let tenantOption {
      throw ValidationError("\(tenantOption) needs --tenant, the folder of an export")
    }
  }

  /// Returns the policies, or the tenant. A tenant comes from `--tenant`, or from a single folder
  /// of policies that are assigned to groups.
  ///
  /// - Throws: ``RunError`` if a file is invalid, the tenant has no such user, or an option needs a tenant and there is
  ///   none.
  func source() throws(RunError) -> PolicySource {
    if let folder = options.tenant { return .tenant(try query(folder)) }
    let isFolder = policies.count == 1 && InputFolder(policies[0]) != nil
    if let tenantOption {
      guard isFolder else {
        throw RunError(
          .command,
          "\(tenantOption) needs the folder of a tenant's export, and `\(policies[0])` is a file; name the folder with "
            + "--tenant", rule: "tenant")
      }
      return .tenant(try query(policies[0]))
    }
    let documents = try PolicyFiles.load(policies)
    if isFolder, documents.contains(where: \.dependsOnDirectory) {
      return .tenant(try query(policies[0]))
    }
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    return .policies(documents)
  }

  private func query(_ folder: String) throws(RunError) -> TenantQuery {
    let tenant = try Tenant.load(folder)
    let user = try options.user.map { name throws(RunError) in try tenant.user(named: name) }
    let device = try device.value(in: tenant)
    let changed = try whatIf.changed(tenant, user: user, on: device)
    return try TenantQuery(changed, for: options.user, on: device)
  }
}

enum PolicySource {
  /// Policies that apply according to their own targeting.
  case policies([PolicyDocument])
  /// Policies that apply according to the tenant's assignments.
  case tenant(TenantQuery)
}

// MARK: - Tenants

extension Tenant {
  /// Reads the tenant in a folder, and prints the warnings about its files. Collects the errors of all files.
  static func load(_ folder: String) throws(RunError) -> Tenant { try load([folder])[0] }

  /// Reads several tenants at once, like ``load(_:)``. Warnings and errors keep the order of the folders.
  static func load(_ folders: [String]) throws(RunError) -> [Tenant] {
    let loads = folders.concurrentMap { folder in
      Result { () throws(RunError) in try TenantFiles.load(folder) }
    }
    var tenants: [Tenant] = []
    for load in loads {
      let tenant = try load.get()
      for diagnostic in tenant.diagnostics { Failure.print(diagnostic.description) }
      tenants.append(tenant)
    }
    return tenants
  }

  /// Returns the index of the user with this user principal name or object id.
  func user(named name: String) throws(RunError) -> Int {
    if let user = directory.user(name) { return user }
    guard !directory.users.isEmpty else {
      throw RunError(
        .command, "the export contains no users, so none is called `\(name)`; \(Self.usersHint)",
        rule: "user")
    }
    throw RunError(
      .command, "the export contains no user `\(name)`\(users(like: name))", rule: "user")
  }

  /// Returns the classes of the members of a group, and prints a note about users with unknown membership.
  ///
  /// - Throws: ``RunError`` if there is no such group, or if no enabled user is known to be a member.
  func members(ofGroup name: String) throws(RunError) -> [UserClass] {
    guard let (members, unknown) = classes(ofGroup: name) else {
      let hint = Suggestion.names(
        like: name, among: directory.groups.map(\.displayName) + ["guests"])
      throw RunError(.command, "the export contains no group `\(name)`\(hint)", rule: "group")
    }
    let users = "\(unknown) user\(unknown == 1 ? "" : "s")"
    guard !members.isEmpty else {
      throw RunError(
        .command,
        "no enabled user of the export is known to be in `\(name)`"
          + (unknown == 0 ? "" : "; the membership of \(users) is unknown"), rule: "group")
    }
    if unknown > 0 {
      Failure.print(
        Diagnostic(
          .command,
          "\(users) with unknown membership in `\(name)` \(unknown == 1 ? "is" : "are") left out",
          rule: "group", severity: .note
        ).description)
    }
    return members
  }

  var noUsers: RunError {
    RunError(
      .path(folder), "the export contains no users; \(Self.usersHint)", rule: "noUser")
  }

  /// Returns the bundle id of the app with this name. The hint ends the message about an app that no document names.
  func bundleID(of name: String, otherwise hint: String = "") throws(RunError) -> String {
    if let app = app(named: name) { return app }
    let known = app(nearestTo: name).map { Suggestion.text($0) }
    throw RunError(
      .command,
      "no policy or configuration of the export names the app `\(name)`"
        + (known ?? "; it names \(ListFormat.first(6, of: sampleApps))\(hint)"), rule: "app")
  }

  /// Returns the bundle id of a query's app, even if no document names the app. Prints a note if no policy targets it.
  ///
  /// - Throws: ``RunError`` for an app that no document names. Exceptions are a well-known app, and a bundle id that
  ///   resembles no bundle id in the documents.
  func askedApp(_ name: String) throws(RunError) -> String {
    let wellKnown = app(named: name) == nil ? AppName.bundleID(of: name) : nil
    let bundleID = wellKnown ?? name.lowercased()
    guard wellKnown != nil || name.contains(".") && app(nearestTo: name) == nil else {
      return try self.bundleID(of: name, otherwise: "; write the bundle id of another app")
    }
    let isTargeted = policies.contains { policy in
      ManagementState.allCases.contains {
        policy.targets(bundleID: bundleID, state: $0).isTargeted
      }
    }
    if !isTargeted {
      Failure.print(
        Diagnostic(
          .command, "no policy of the export targets the app `\(bundleID)`", rule: "app",
          severity: .note
        ).description)
    }
    return bundleID
  }

  /// Prints a note if the export contains no users. The consequence is a clause.
  func noteMissingUsers(so consequence: String) {
    guard directory.users.isEmpty else { return }
    Failure.print(
      Diagnostic(
        .path(folder), "the export contains no users, so \(consequence); \(Self.usersHint)",
        rule: "noUser", severity: .note
      ).description)
  }

  /// Prints a note if the account of the user that a query is about is disabled.
  func noteDisabledAccount(of user: Int?) {
    guard let message = user.flatMap({ clause(onDisabled: $0) }) else { return }
    Failure.print(
      Diagnostic(.path(folder), message, rule: "disabledAccount", severity: .note).description)
  }

  /// Prints notes about users whom conditional access blocks on a device.
  func noteBlocks(of classes: [UserClass], on device: TenantDevice) {
    guard !classes.isEmpty else { return }
    for clause in blocks(of: classes, on: device) {
      Failure.print(
        Diagnostic(
          .path(folder), "\(clause), so apps get no new data there", rule: "blocked",
          severity: .note
        ).description)
    }
  }

  fileprivate static let usersHint =
    "add Graph's `/users` as JSON, the admin centre's CSV file of users, or `directory.yaml`"
}

/// A query to a tenant about one user or about all users, on a device.
struct TenantQuery {
  let tenant: Tenant
  /// The user's index in the directory; nil for all users.
  let user: Int?
  let device: TenantDevice

  /// Creates a query. Prints notes if the export contains no users, or if the user's account is disabled.
  ///
  /// - Parameter name: The user's name or id; nil for all users.
  init(_ tenant: Tenant, for name: String?, on device: TenantDevice) throws(RunError) {
    self.tenant = tenant
    self.device = device
    user = try name.map { name throws(RunError) in try tenant.user(named: name) }
    tenant.noteMissingUsers(so: "there are no classes of users")
    tenant.noteDisabledAccount(of: user)
  }

  /// The selected users; nil for all users.
  var users: [UserClass]? { user.map { [UserClass(users: [$0])] } }

  func account(of user: Int) -> Account { Account(upn: tenant.directory.users[user].upn) }

  /// Returns the policies with their recipients, for each app separately. Too many unknown facts are an error.
  func policies() throws(RunError) -> PoliciesByRecipient {
    let policies = tenant.policiesByRecipient(of: users, on: device)
    guard policies.unknown.isEmpty else {
      throw tooManyFacts(about: policies.unknown, policies.unknownFacts)
    }
    return policies
  }

  /// Returns the error for users with policies that depend on too many unknown facts. The facts are clauses.
  func tooManyFacts(about recipients: [PolicyRecipients], _ facts: [String]) -> RunError {
    RunError(
      .path(tenant.folder),
      "which policies reach \(recipients.text) depends on \(facts.count) facts that the export does not state: "
        + "\(ListFormat.all(of: facts)); export the groups with their members, and the users",
      rule: "assignments")
  }
}
