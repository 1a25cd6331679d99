internal import AppConfiguration
internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
package import Host
internal import Model
package import Output
internal import Policy
package import Scenario
package import Tenants

/// The policies and configurations that administrators assign to a scenario's accounts on one device.
struct AssignedDocuments: Sendable {
  var policies: [PolicyAssignment] = []
  var configurations: [AppConfigurationAssignment] = []
  var conditionalAccess = ConditionalAccess()
  /// The user for whom MDM enrolled the device. Nil if no export assigns the documents, or if the export does not
  /// contain the user. Exports come from Intune, so Intune is the MDM.
  var deviceUser: Account?

  init() {}

  /// Creates the assignments that the scenario itself states.
  ///
  /// - Parameters:
  ///   - documents: The documents of each policy, by policy name.
  ///   - configurations: The documents of each configuration, by configuration name.
  init(
    statedIn scenario: Scenario, policies documents: [String: [PolicyDocument]],
    configurations: [String: [AppConfigurationDocument]], _ conditionalAccess: ConditionalAccess
  ) {
    for policy in scenario.policies {
      for assignment in policy.assignments {
        guard let account = scenario.account(named: assignment.account)?.account else { continue }
        policies += (documents[policy.name] ?? []).map {
          PolicyAssignment(document: $0, account: account, apps: assignment.apps)
        }
      }
    }
    for configuration in scenario.configurations {
      for assignment in configuration.assignments {
        guard let account = scenario.account(named: assignment.account)?.account else { continue }
        self.configurations += (configurations[configuration.name] ?? []).map {
          AppConfigurationAssignment(document: $0, account: account, apps: assignment.apps)
        }
      }
    }
    self.conditionalAccess = conditionalAccess
  }

  /// Returns the policies that are assigned to `account`, as assignments to `current`, the same account under its
  /// present name.
  func policies(of account: Account, now current: Account) -> [PolicyAssignment] {
    policies.filter { $0.account.isSameUser(as: account) }.map { assignment in
      var assignment = assignment
      assignment.account = current
      return assignment
    }
  }

  /// Returns the configurations that are assigned to `account`, as assignments to `current`, the same account under its
  /// present name.
  func configurations(of account: Account, now current: Account) -> [AppConfigurationAssignment] {
    configurations.filter { $0.account.isSameUser(as: account) }.map { assignment in
      var assignment = assignment
      assignment.account = current
      return assignment
    }
  }
}

// MARK: - Tenants

package enum TenantFiles {
  /// Reads the export of a tenant.
  ///
  /// - Parameters:
  ///   - path: The folder's path. Documents are cited by paths that begin with it.
  ///   - place: The position of the path, for the error if it is not a folder.
  /// - Throws: ``RunError`` if the path is not a folder, or with the errors of all files that cannot be read.
  package static func load(
    _ path: String, at place: Diagnostic.Location = .command
  ) throws(RunError) -> Tenant {
    guard let input = InputFolder(path) else {
      throw RunError(
        place, "`\(path)` is not a folder; a tenant is the folder of an export", rule: "folder")
    }
    var reader = TenantReader(folder: path)
    for name in input.names.sorted() {
      if TenantReader.isWrittenDirectory(name) {
        try add(writtenDirectory: name, of: input, to: &reader)
      } else if TenantReader.reads(name) {
        reader.add(try input.read(name))
      }
    }
    // YAML may be a scenario beside the export.
    let others = input.names.filter { !$0.hasSuffix(".yaml") && !$0.hasSuffix(".yml") }
    for name in ExportFolder(name: path).scripts(among: others) {
      reader.add(script: try input.read(name))
    }
    do throws(TenantReader.Errors) {
      return try reader.finish()
    } catch {
      throw RunError(error.diagnostics)
    }
  }
}

extension TenantFiles {
  /// Adds `directory.yaml`, a hand-written file of users and groups. YAML errors are reported together with the errors
  /// of the other files.
  private static func add(
    writtenDirectory name: String, of input: InputFolder, to reader: inout TenantReader
  ) throws(RunError) {
    let file = try input.file(name)
    let text = try InputFile.documentText(file)
    do throws(ScenarioErrors) {
      reader.add(
        writtenDirectory: try YAMLFile.json(text, file: file), text: text, path: name)
    } catch {
      reader.add(errors: error.diagnostics)
    }
  }
}

/// The treatment of three properties if neither the scenario nor the export states them: the iOS version, the model,
/// and the user's licence. Assignments may depend on them.
package enum UnstatedProperties: Sendable {
  /// The simulated device's iOS version and model are used, and the user is assumed to have a licence.
  case simulated
  /// The properties are unknown, because the question is about all devices and users that have the stated properties.
  case unknown
}

/// The exports of a tenant that apply during a scenario.
package struct ScenarioTenants: Sendable {
  /// The export that applies before the first step; nil if the scenario states policies itself.
  let initial: Tenant?
  /// The exports that steps switch to, keyed by the folder as the step names it.
  private var later: [String: Tenant] = [:]
  /// The bundle ids of the tenant's apps that apps of the scenario represent, keyed by the scenario app's bundle id in
  /// lower case. A document that targets the tenant's app also targets the scenario's app.
  private let roles: [String: String]
  private let unstated: UnstatedProperties
  /// The assumed values of facts that neither the export nor the scenario states; nil if nothing is assumed.
  private var supposition: DeliverySupposition?

  /// Uses the export of a tenant in place of a scenario's own policies.
  ///
  /// - Parameters:
  ///   - roles: The bundle ids of the tenant's apps that apps of the scenario represent, keyed by the scenario app's
  ///     bundle id. A document that targets the tenant's app also targets the scenario's app.
  ///   - unstated: The values of iOS version, model and licence if neither the export nor the scenario states them.
  package init(
    _ tenant: Tenant, roles: [String: String] = [:],
    unstated: UnstatedProperties = .simulated
  ) {
    initial = tenant
    self.roles = Dictionary(roles.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    self.unstated = unstated
  }

  /// Creates a value without an export, for questions that do not depend on policies.
  private init() {
    initial = nil
    roles = [:]
    unstated = .simulated
    supposition = nil
  }

  /// Returns a copy with assumed values of facts that neither the export nor the scenario states.
  package func supposing(_ supposition: DeliverySupposition) -> ScenarioTenants {
    var tenants = self
    tenants.supposition = supposition
    return tenants
  }

  /// Returns all combinations of values for the unknown facts on which the documents for the scenario's accounts
  /// depend. A fact is unknown if neither the export nor the scenario states it.
  ///
  /// - Parameter others: Variants of the scenario, with the same accounts and apps. Facts that matter only for a
  ///   variant are included.
  /// - Throws: ``RunError`` if a file that the scenario names cannot be read, or the answer depends on too many facts.
  package func suppositions(
    about scenario: Scenario, and others: [Scenario] = [], programs: DeviceConfiguration.Programs
  ) throws(RunError) -> [DeliverySupposition] {
    guard let initial else { return [] }
    var plain = scenario
    plain.tenant = nil
    let apps = tenantApps(
      try ResolvedScenario(plain, programs: programs, tenants: ScenarioTenants()).apps)
    let assigners = ([scenario] + others).map { Assigner(initial, $0, apps, unstated: unstated) }
    return try Assigner.suppositions(of: assigners)
  }

  /// Reads the exports that a scenario in `folder` names.
  init(of scenario: Scenario, in folder: String) throws(RunError) {
    roles = [:]
    unstated = .simulated
    supposition = nil
    let read = { (path: String) throws(RunError) -> Tenant in
      let place = scenario.filePositions[path].map { Diagnostic.Location.file(scenario.file, $0) }
      return try TenantFiles.load(
        ScenarioFiles.resolve(path, in: folder), at: place ?? .file(scenario.file))
    }
    initial = try scenario.tenant.map(read)
    for step in scenario.cases.flatMap(\.steps).flatMap(\.parts) {
      guard case .change(.tenant(let change)) = step.action, later[change.folder] == nil else {
        continue
      }
      later[change.folder] = try read(change.folder)
    }
  }

  /// Returns the export's initial assignments; nil if the scenario states policies itself.
  ///
  /// - Throws: ``RunError`` if no account is a user of the tenant, if no export names an account's group, or
  ///   if an account's assignments depend on unknown facts.
  func assigned(
    in scenario: Scenario, to apps: [ResolvedApp]
  ) throws(RunError) -> AssignedDocuments? {
    try initial.map { tenant throws(RunError) in
      try Assigner(
        tenant, scenario, tenantApps(apps), groupNames: groupNames, unstated: unstated,
        supposing: supposition
      ).documents()
    }
  }

  /// The groups that the exports name. An account may be in a group that only a later export names.
  private var groupNames: Set<String> {
    Set(([initial].compactMap(\.self) + later.values).flatMap(\.groupNames))
  }

  /// Returns the assignments of each export that a step applies, keyed by the folder as the step names it.
  func assignedLater(
    in scenario: Scenario, to apps: [ResolvedApp]
  ) throws(RunError) -> [String: AssignedDocuments] {
    let folders = later.keys.sorted()
    let assigned = try RunError.collecting(folders) { folder throws(RunError) in
      try Assigner(later[folder]!, scenario, tenantApps(apps), groupNames: groupNames).documents()
    }
    return Dictionary(zip(folders, assigned)) { first, _ in first }
  }

  /// Returns the apps of the device, without extensions, because policies and configurations name an extension's
  /// containing app.
  private func tenantApps(_ apps: [ResolvedApp]) -> [TenantApp] {
    var known: Set<String> = []
    return apps.filter { $0.description.kind.containingApp == nil }.compactMap { app in
      let bundleID = app.description.bundleID
      guard known.insert(bundleID.lowercased()).inserted else { return nil }
      return TenantApp(
        bundleID: bundleID, targetedAs: roles[bundleID.lowercased()],
        version: app.description.version.map { "\($0)" })
    }
  }
}

extension Scenario {
  /// Returns the scenario with the object ids and tenant ids that the export adds to its accounts.
  func identified(by tenant: Tenant?) -> Scenario {
    guard let tenant else { return self }
    var accounts = accounts
    for index in accounts.indices {
      guard let recipient = TenantRecipient(accounts[index], of: tenant, in: self) else { continue }
      accounts[index].objectID = recipient.account.objectID
      accounts[index].tenantID = recipient.account.tenantID
    }
    var scenario = self
    scenario.accounts = accounts
    return scenario
  }
}

extension TenantRecipient {
  /// Creates the recipient for an account of a scenario; nil if the account is not a user of the tenant.
  fileprivate init?(
    _ definition: AccountDefinition, of tenant: Tenant, in scenario: Scenario,
    unstated: UnstatedProperties = .simulated
  ) {
    let isLicensed =
      switch unstated {
      case .simulated: true as Bool?
      case .unknown: nil as Bool?
      }
    self.init(
      definition.account, of: tenant, groups: definition.groups,
      isLicensed: scenario.device.service?.users[definition.name]?.isLicensed ?? isLicensed)
  }
}

/// Assigns a tenant's documents to the scenario's accounts that are users of the tenant.
private struct Assigner {
  let tenant: Tenant
  let scenario: Scenario
  let apps: [TenantApp]
  /// The names of the groups that accounts of the scenario may state; any other name is an error.
  let groupNames: Set<String>
  let unstated: UnstatedProperties
  let supposition: DeliverySupposition?

  init(
    _ tenant: Tenant, _ scenario: Scenario, _ apps: [TenantApp], groupNames: Set<String> = [],
    unstated: UnstatedProperties = .simulated, supposing supposition: DeliverySupposition? = nil
  ) {
    self.tenant = tenant
    self.scenario = scenario
    self.apps = apps
    self.groupNames = groupNames
    self.unstated = unstated
    self.supposition = supposition
  }

  /// The accounts that are users of the tenant.
  private var recipients: [(definition: AccountDefinition, recipient: TenantRecipient)] {
    scenario.accounts.compactMap { definition in
      TenantRecipient(definition, of: tenant, in: scenario, unstated: unstated)
        .map { (definition, $0) }
    }
  }

  /// Returns all combinations of values for the unknown facts on which the assignments depend.
  ///
  /// - Parameter assigners: One assigner for each variant of a scenario; at least one. All have the same user of the
  ///   tenant.
  static func suppositions(of assigners: [Assigner]) throws(RunError) -> [DeliverySupposition] {
    guard let first = assigners.first, let user = first.recipients.first else { return [] }
    do throws(TenantGaps) {
      return try first.tenant.suppositions(
        about: user.recipient, in: first.apps, on: assigners.map(\.device))
    } catch {
      let facts = error.gaps.map(\.fact)
      throw RunError(
        .path(first.tenant.folder),
        "the documents for \(user.recipient.account.upn) depend on \(facts.count) facts that the export does not state: "
          + "\(ListFormat.all(of: facts)); export the groups with their members, and state the device",
        rule: "unknownFact")
    }
  }

  func documents() throws(RunError) -> AssignedDocuments {
    try checkGroups()
    let recipients = recipients
    guard !recipients.isEmpty else { throw noUser }
    let deliveries = try RunError.collecting(recipients) { pair throws(RunError) in
      try delivery(to: pair.recipient, stated: pair.definition)
    }
    var assigned = AssignedDocuments()
    let owner = deviceUser(among: recipients.map(\.definition))
    assigned.deviceUser = recipients.first { $0.definition.name == owner }?.definition.account
    for ((definition, recipient), delivery) in zip(recipients, deliveries) {
      let account = recipient.account
      assigned.policies += delivery.policies.map {
        PolicyAssignment(document: $0, account: account)
      }
      assigned.configurations += delivery.configurations.filter { configuration in
        switch configuration.channel {
        case .managedApps: true
        case .managedDevices: definition.name == owner
        }
      }.map { AppConfigurationAssignment(document: $0, account: account) }
    }
    assigned.conditionalAccess = ConditionalAccess([
      ConditionalAccess.Assignment(
        name: tenant.folder, policies: tenant.conditionalAccess,
        audience: .members(deliveries.map(\.member)))
    ])
    return assigned
  }

  /// Returns the name of the account for which MDM enrolled the device; by default, the first of `definitions`, or nil
  /// if there are none. Configurations for managed devices apply only to this account.
  private func deviceUser(among definitions: [AccountDefinition]) -> String? {
    if case .account(let name)? = scenario.device.service?.mdmUser { return name }
    return definitions.first?.name
  }

  private var device: TenantDevice {
    var device = TenantDevice(isManaged: scenario.device.isMDMEnrolled)
    switch unstated {
    case .simulated:
      var posture = DeviceConfiguration.usualConditions
      scenario.device.conditions.apply(to: &posture)
      (device.osVersion, device.model) = ("\(posture.osVersion)", posture.model)
    case .unknown:
      device.osVersion = scenario.device.conditions.osVersion.map { "\($0)" }
      device.model = scenario.device.conditions.model
    }
    for (attribute, values) in scenario.device.directory.attributes {
      device.others[attribute.rawValue.lowercased()] = values.first
    }
    return device
  }

  // MARK: Errors

  private func delivery(
    to recipient: TenantRecipient, stated definition: AccountDefinition
  ) throws(RunError) -> TenantDelivery {
    do throws(TenantGaps) {
      return try tenant.delivery(to: recipient, in: apps, on: device, supposing: supposition)
    } catch {
      throw RunError(
        error.gaps.map { gap in
          Diagnostic(
            .file(scenario.file, definition.position),
            "the export `\(tenant.folder)` does not state whether \(gap.fact), on which "
              + "\(ListFormat.first(3, of: gap.documents)) "
              + "\(gap.documents.count == 1 ? "depends" : "depend"); \(gap.remedy)",
            rule: "unknownFact")
        })
    }
  }

  private var noUser: RunError {
    let names = tenant.directory.users.map(\.upn)
    guard !names.isEmpty, let account = scenario.accounts.first else {
      return RunError(
        .file(scenario.file),
        "the export `\(tenant.folder)` contains no users; state the `groups` of the account, as in `groups: []`; "
          + "the account then counts as a user in these groups", rule: "noUser")
    }
    return RunError(
      .file(scenario.file, account.position),
      "no account of the scenario is a user of the export `\(tenant.folder)`: it contains no "
        + "`\(account.upn)`" + Suggestion.nearest(to: account.upn, among: names), rule: "noUser")
  }

  /// Checks the groups that accounts state.
  ///
  /// - Throws: ``RunError`` if an account states a group that no export names.
  private func checkGroups() throws(RunError) {
    let stated = scenario.accounts.flatMap { account in
      (account.groups ?? []).map { (account, $0) }
    }
    guard !stated.isEmpty else { return }
    let known = Set(groupNames.map { $0.lowercased() })
    let unknown = stated.filter { !known.contains($0.1.lowercased()) }
    guard unknown.isEmpty else {
      throw RunError(
        unknown.map { account, group in
          Diagnostic(
            .file(scenario.file, account.position),
            "the export `\(tenant.folder)` names no group `\(group)`"
              + Suggestion.nearest(to: group, among: groupNames.sorted()), rule: "unknownGroup")
        })
    }
  }

  /// Warnings about accounts that are probably meant to be users of the tenant.
  var warnings: [String] {
    let users = tenant.directory.users.map(\.upn)
    let domains = Set(users.compactMap { $0.lowercased().split(separator: "@").last })
    return scenario.accounts.compactMap { account in
      guard let domain = account.upn.lowercased().split(separator: "@").last,
        domains.contains(domain), TenantRecipient(account, of: tenant, in: scenario) == nil
      else { return nil }
      return Diagnostic(
        .file(scenario.file, account.position),
        "the export `\(tenant.folder)` contains no user `\(account.upn)`, so no policy is assigned to "
          + "`\(account.name)`" + Suggestion.nearest(to: account.upn, among: users),
        rule: "noUser", severity: .warning
      ).description
    }
  }
}

extension PolicyDocument {
  /// Returns whether the policy targets the app in at least one management state.
  func targets(_ bundleID: String) -> Bool {
    ManagementState.allCases.contains { targets(bundleID: bundleID, state: $0).isTargeted }
  }
}

extension ScenarioTenants {
  /// Returns warnings about accounts that are probably meant to be users of the tenant. Also returns a warning if the
  /// tenant's policies target none of the scenario's apps with the SDK.
  func warnings(in scenario: Scenario, _ apps: [ResolvedApp]) -> [String] {
    guard let initial else { return [] }
    let accounts = Assigner(initial, scenario, []).warnings
    let protected = apps.map(\.description).filter(\.integratesSDK)
    let targeted = tenantApps(apps).filter { app in
      initial.policies.contains { $0.targets(app.targetedAs) }
    }
    guard !protected.isEmpty, targeted.isEmpty else { return accounts }
    let names = protected.map { "`\($0.bundleID)`" }
    return accounts + [
      Diagnostic(
        .file(scenario.file),
        "no policy of the export `\(initial.folder)` targets any of the scenario's apps with the SDK: "
          + ListFormat.first(3, of: names), rule: "policyWithoutApp", severity: .warning
      ).description
    ]
  }
}
