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

/// The options `--tenant`, which replaces policies, and `--user`.
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

  /// Returns the device of `--device`; nil without this option.
  func stated(in tenant: Tenant) throws(RunError) -> TenantDevice? {
    try device.map { device throws(RunError) in try device.device(in: tenant) }
  }

  /// Returns the device of `--device`, or an unmanaged device without this option.
  func value(in tenant: Tenant) throws(RunError) -> TenantDevice {
    try stated(in: tenant) ?? TenantDevice()
  }
}

/// A value of `--device`, such as `unmanaged,os=17.2`.
struct DeviceArgument: Sendable {
  private let device: TenantDevice
  /// The versions of individual apps. Keys are names or bundle ids as given on the command line.
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

  /// Returns the device with its app versions keyed by bundle id. Throws an error for an app that no document of the
  /// tenant names.
  func device(in tenant: Tenant) throws(RunError) -> TenantDevice {
    var device = device
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      device.appVersions[try tenant.bundleID(of: name)] = version
    }
    return device
  }
}

/// The arguments and options that select policies: files, folders of policies, or a tenant.
struct PolicySourceOptions: ParsableArguments {
  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of exports.", completion: .file())
  var policies: [String] = []

  @OptionGroup var options: TenantOptions

  @OptionGroup var device: TenantDeviceOption

  @OptionGroup var whatIf: WhatIfOptions

  /// The first option on the command line that needs a tenant; nil if there is none.
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
      throw ValidationError("\(tenantOption) needs --tenant with the folder of an export")
    }
  }

  /// Returns the tenant of `--tenant`, or otherwise the policies. A single folder is also read as a tenant if its
  /// policies are assigned to groups or an option needs a tenant.
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
  /// Policies without a tenant. Their own targeting determines the apps to which they apply.
  case policies([PolicyDocument])
  /// A tenant. Its assignments determine which policies apply to a user.
  case tenant(TenantQuery)
}

// MARK: - Tenants

extension Tenant {
  /// Reads the export in a folder, and prints the warnings about its files. If files have errors, the thrown error
  /// contains all of them.
  static func load(_ folder: String) throws(RunError) -> Tenant { try load([folder])[0] }

  /// Reads several exports concurrently, as ``load(_:)`` does. Warnings are in the order of the folders, and the first
  /// folder with an error determines the thrown error.
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

  /// Returns the index of the user with this UPN or object id. Throws an error if there is none.
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

  /// Returns the members of a group as classes of users. Prints a note with the number of users whose membership is
  /// unknown.
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

  /// Returns the bundle id of the app with this name. Throws an error if no document names the app.
  ///
  /// - Parameter hint: The end of the error's message.
  func bundleID(of name: String, otherwise hint: String = "") throws(RunError) -> String {
    if let app = app(named: name) { return app }
    let known = app(nearestTo: name).map { Suggestion.text($0) }
    throw RunError(
      .command,
      "no policy or configuration of the export names the app `\(name)`"
        + (known ?? "; it names \(ListFormat.first(6, of: sampleApps))\(hint)"), rule: "app")
  }

  /// Returns the bundle id of the app `name` that the user asks about. Prints a note if no policy targets the app.
  ///
  /// - Throws: ``RunError`` if no document names the app. Two kinds of names are valid nevertheless: a well-known app,
  ///   and a bundle id that is not similar to one in the documents.
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

  /// Prints a note if the export contains no users. `consequence` is a clause that follows "so".
  func noteMissingUsers(so consequence: String) {
    guard directory.users.isEmpty else { return }
    Failure.print(
      Diagnostic(
        .path(folder), "the export contains no users, so \(consequence); \(Self.usersHint)",
        rule: "noUser", severity: .note
      ).description)
  }

  /// Prints a note if the user's account is disabled. Prints nothing for nil.
  func noteDisabledAccount(of user: Int?) {
    guard let message = user.flatMap({ clause(onDisabled: $0) }) else { return }
    Failure.print(
      Diagnostic(.path(folder), message, rule: "disabledAccount", severity: .note).description)
  }

  /// Prints a note for each class of users whose apps conditional access blocks on the device.
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

/// A question about one user of a tenant, or about all, on a device.
struct TenantQuery {
  let tenant: Tenant
  /// The user's index in the directory; nil for all users.
  let user: Int?
  let device: TenantDevice

  /// Creates a query. Prints a note if the export contains no users, and another if the user's account is disabled.
  ///
  /// - Parameter name: The user's UPN or object id; nil for all users.
  init(_ tenant: Tenant, for name: String?, on device: TenantDevice) throws(RunError) {
    self.tenant = tenant
    self.device = device
    user = try name.map { name throws(RunError) in try tenant.user(named: name) }
    tenant.noteMissingUsers(so: "users cannot be grouped into classes")
    tenant.noteDisabledAccount(of: user)
  }

  /// The user as a class of its own; nil if the query is about all users.
  var users: [UserClass]? { user.map { [UserClass(users: [$0])] } }

  func account(of user: Int) -> Account { Account(upn: tenant.directory.users[user].upn) }

  /// Returns the policies in each app, with the users who get them. Throws an error if they depend on too many unknown
  /// facts.
  func policies() throws(RunError) -> PoliciesByRecipient {
    let policies = tenant.policiesByRecipient(of: users, on: device)
    guard policies.unknown.isEmpty else {
      throw tooManyFacts(about: policies.unknown, policies.unknownFacts)
    }
    return policies
  }

  /// Returns an error with the message that the policies of `recipients` depend on too many unknown facts. `facts` are
  /// clauses.
  func tooManyFacts(about recipients: [PolicyRecipients], _ facts: [String]) -> RunError {
    RunError(
      .path(tenant.folder),
      "the policies of \(recipients.text) depend on \(facts.count) facts that the export does not state: "
        + "\(ListFormat.all(of: facts)); export the groups with their members, and the users",
      rule: "assignments")
  }
}
