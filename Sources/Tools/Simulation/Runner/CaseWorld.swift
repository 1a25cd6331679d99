internal import Analysis
package import Declarations
internal import EventLoop
internal import Foundation
internal import GraphDocuments
package import Host
package import Model
internal import Output
internal import Policy
package import Scenario
package import Wire

/// The world around a case's device: accounts, apps and policies as the scenario states them and as steps change them.
package final class CaseWorld: StepWorld {
  private let resolved: ResolvedScenario
  private let accounts: [String: AccountDefinition]
  private let showsValues: Bool
  private let folder: String
  /// The new UPNs of the accounts that have been renamed since the case began, keyed by the scenario's account names.
  private var names: [String: String] = [:]
  /// The changes that steps have made to the device's condition, the directory and the policies. They are repeated
  /// after a restart.
  private var changes: [(Device) -> Void] = []
  /// The declarations that the administrator has applied since the case began; nil if the scenario's declarations still
  /// apply.
  private(set) var declarations: DeclarationSet?
  /// The policies that are assigned to each account, keyed by the scenario's account names.
  private var targets: [String: [Target]]
  /// The policies saved with new settings since the case began, keyed by the scenario's policy names.
  private var saved: [String: [PolicyDocument]] = [:]
  /// For each policy with saved settings, the path of the file that the last save took them from, as the step names it.
  /// The key is the policy's name in the scenario. A policy with the scenario's settings has no entry.
  private var savedFiles: [String: String] = [:]
  private lazy var shareSheets = ShareSheets(resolved)

  init(_ resolved: ResolvedScenario, _ settings: RunSettings, folder: String) {
    self.resolved = resolved
    accounts = Dictionary(resolved.scenario.accounts.map { ($0.name, $0) }) { first, _ in first }
    self.folder = folder
    showsValues = settings.showsValues
    targets = resolved.scenario.policies.reduce(into: [:]) { targets, policy in
      for assignment in policy.assignments {
        targets[assignment.account, default: []].append(
          Target(policy: policy.name, apps: assignment.apps))
      }
    }
  }

  private struct Target {
    var policy: String
    /// The bundle ids in the assignment; nil if the policy's own targeting decides.
    var apps: [String]?
  }

  /// Makes a change to something outside of the device, such as assigned policies. The change is repeated after each
  /// restart.
  func change(_ device: Device, _ body: @escaping (Device) -> Void) {
    changes.append(body)
    body(device)
  }

  /// Applies all changes again after a restart.
  func restore(on device: Device) throws(HostError) {
    // The device has stored the names of only those accounts that had signed in or owned data.
    for (name, upn) in names.sorted(by: { $0.key < $1.key }) {
      try device.enrollment.rename(account(name), to: upn)
    }
    for change in changes { change(device) }
  }

  package func accountID(_ name: String) -> String { account(name).upn }

  /// Returns the scenario's account `name`, with its current UPN.
  package func account(_ name: String) -> Account {
    guard let known = accounts[name] else { return Account(upn: name) }
    return Account(
      upn: names[name] ?? known.upn, objectID: known.objectID, tenantID: known.tenantID)
  }

  private func rename(_ renaming: Action.Renaming, on device: Device) throws(HostError) {
    try device.enrollment.rename(account(renaming.account), to: renaming.upn)
    names[renaming.account] = renaming.upn
  }

  func assign(_ assignment: Action.Assignment, on device: Device) {
    targets[assignment.account] = assignment.policies.map { Target(policy: $0) }
    renewPolicies(of: assignment.account, on: device)
  }

  /// Saves a policy with new settings. Its assignments are unchanged.
  private func save(_ saving: Action.PolicySaving, on device: Device) throws(RunError) {
    let old = documents(of: saving.policy)
    let new = try resolved.documents(of: saving)
    device.record(.policySaved(policy: saving.policy, changes: Self.changes(from: old, to: new)))
    renew(saving, as: new, on: device)
  }

  /// Returns the path of the file with the settings that a step last saved for the policy, as the step names it. Nil if
  /// the policy has the scenario's settings.
  package func savedFile(of policy: String) -> String? { savedFiles[policy] }

  package struct SignedIn {
    /// The account's name in steps.
    package var name: String
    /// Whether a policy protects the account in the app.
    package var isManaged: Bool
    package var managementState: String
    /// The names of the scenario's policies that now target the account in the app; empty if an export assigns the
    /// device's policies.
    package var policies: [String]
  }

  /// Returns the accounts that are signed in to a guest; empty for extensions.
  package func signedIn(to guest: String, of app: AppDescription, on device: Device) -> [SignedIn] {
    device.accountStates(in: guest).map { account, isManaged, state in
      let name = reference(.account(account)).text
      return SignedIn(
        name: name, isManaged: isManaged, managementState: state.rawValue,
        policies: policies(of: name, in: app.bundleID, state))
    }
  }

  private func policies(
    of name: String, in bundleID: String, _ state: ManagementState
  ) -> [String] {
    let account = account(name)
    return (targets[name] ?? []).filter { target in
      documents(of: target.policy).contains {
        PolicyAssignment(document: $0, account: account, apps: target.apps)
          .reason(bundleID: bundleID, state: state) != nil
      }
    }.map(\.policy).unique
  }

  private func documents(of policy: String) -> [PolicyDocument] {
    saved[policy] ?? resolved.documents(named: policy)
  }

  private func renew(
    _ saving: Action.PolicySaving, as new: [PolicyDocument], on device: Device
  ) {
    saved[saving.policy] = new
    savedFiles[saving.policy] = saving.file
    for (account, targets) in targets.sorted(by: { $0.key < $1.key })
    where targets.contains(where: { $0.policy == saving.policy }) {
      renewPolicies(of: account, on: device)
    }
  }

  private static func changes(from old: [PolicyDocument], to new: [PolicyDocument]) -> [String] {
    guard old.count == new.count else { return ["\(old.count) policies -> \(new.count)"] }
    let changes = zip(old, new).flatMap { PolicyComparison($0, $1).changes }
    return changes.isEmpty ? ["nothing differs"] : changes
  }

  private func renewPolicies(of name: String, on device: Device) {
    let account = account(name)
    let assignments = (targets[name] ?? []).flatMap { target in
      documents(of: target.policy).map {
        PolicyAssignment(document: $0, account: account, apps: target.apps)
      }
    }
    change(device) { $0.enrollment.assign(assignments, to: account) }
  }

  private func assign(_ assignment: Action.ConfigurationAssignment, on device: Device) {
    let account = account(assignment.account)
    let found = assignment.configurations.flatMap { name in
      resolved.configurations(named: name, for: account, called: assignment.account)
    }
    change(device) { $0.configurations.assign(found, to: account) }
  }

  /// Returns whether reports may show the value of a key in an app's configuration.
  func mayShow(_ key: String, of guest: String) -> Bool {
    let app = resolved.apps.first { $0.specification.hasGuest(guest) }
    return showsValues && app?.description.scrubbedKeys.contains(key) != true
  }

  /// Reads the declarations in a folder, on another thread. A nil path means no declarations.
  func read(
    declarations path: String?, on loop: EventLoop,
    then finish: @escaping (Result<DeclarationSet, RunError>) -> Void
  ) {
    guard let path else { return finish(.success(DeclarationSet())) }
    let folder = ScenarioFiles.folder(of: resolved.scenario.file)
    loop.work {
      Result { () throws(RunError) in try ResolvedScenario.declarations(at: path, in: folder) }
    } then: {
      finish($0)
    }
  }

  /// Applies an administrator's declarations. They also apply after a restart of the device.
  @discardableResult
  package func apply(
    _ declarations: DeclarationSet, on device: Device
  ) throws(HostError) -> DeclarationOutcome {
    let outcome = try device.management.apply(declarations)
    self.declarations = declarations
    return outcome
  }

  /// Returns the stores in which an app and its extensions keep data.
  private func stores(of guest: String) -> [ResidueScope.App] {
    guard let app = resolved.apps.first(where: { $0.specification.hasGuest(guest) }) else {
      return [ResidueScope.App(name: guest)]
    }
    let extensions = resolved.apps.filter {
      $0.description.kind.containingApp == app.description.bundleID
    }
    return [Self.store(guest, app.description)]
      + extensions.flatMap { kind in
        kind.specification.guests.map { Self.store($0, kind.description) }
      }
  }

  private static func store(_ guest: String, _ app: AppDescription) -> ResidueScope.App {
    let groups = ["\(app.team).\(app.bundleID)"] + app.keychainAccessGroups + app.appGroups
    return ResidueScope.App(name: guest, bundleID: app.bundleID, groups: groups)
  }

  /// Restores the declarations that `steps` applied last. They are applied whenever the apps are installed, as after a
  /// restart.
  ///
  /// - Throws: ``RunError`` if their folder can no longer be read.
  func takeOverDeclarations(of steps: [Step]) throws(RunError) {
    declarations = try resolved.declarations(after: steps)
  }

  /// Makes the change that a step states. Unlike ``takeOver(_:on:)``, this also writes the changed settings of a saved
  /// policy to the journal.
  ///
  /// - Throws: ``HostError`` if the account cannot be renamed, ``RunError`` if the file is not a policy.
  func make(_ worldChange: WorldChange, on device: Device) throws {
    switch worldChange {
    case .savePolicy(let saving): try save(saving, on: device)
    case .rename(let renaming): try rename(renaming, on: device)
    case .device, .status, .assign, .assignConfiguration, .service, .conditionalAccess, .tenant:
      try takeOver(worldChange, on: device)
    }
  }

  /// Repeats a change that a step made while another process ran the device.
  ///
  /// - Throws: ``RunError`` if a file that the change names can no longer be read.
  func takeOver(_ worldChange: WorldChange, on device: Device) throws(RunError) {
    switch worldChange {
    case .device(let condition): change(device) { $0.access.change(condition.apply) }
    case .status(let status): set(status, on: device)
    case .assign(let assignment): assign(assignment, on: device)
    case .assignConfiguration(let assignment): assign(assignment, on: device)
    case .service(let service): change(service, on: device)
    case .conditionalAccess(let targeting): target(targeting, on: device)
    case .tenant(let tenant): replaceTenant(by: tenant.folder, on: device)
    case .savePolicy(let saving):
      renew(saving, as: try resolved.documents(of: saving), on: device)
    case .rename(let renaming):
      do throws(HostError) {
        try rename(renaming, on: device)
      } catch {
        throw RunError(error, device: folder)
      }
    }
  }

  /// Searches the device for an account's data that should have been removed. Calls `finish` with a line for each
  /// finding.
  func search(
    _ residue: Action.Residue, on loop: EventLoop, _ cancellation: Cancellation,
    then finish: @escaping ([String]) -> Void
  ) {
    let scope: ResidueScope =
      residue.guests.isEmpty ? .device : .apps(residue.guests.flatMap(stores))
    let check = ResidueCheck(
      folder: folder, account: account(residue.account), scope: scope,
      canaries: residue.canaries, cancellation: cancellation)
    loop.work {
      Result { () throws(HostError) in try check.run() }
    } then: { result in
      switch result {
      // The journal cites the scenario's steps, which contain the canaries.
      case .success(let report):
        finish(
          report.findings.filter { $0.store != .journal }.map { "\($0.place): \($0.words)" })
      case .failure(let error): finish([error.description])
      }
    }
  }

  /// Returns the share sheet that a guest would see now.
  func sheet(
    _ sheet: Action.ShareSheet, as task: TaskContext?, on device: Device
  ) throws(SheetError) -> Sheet {
    try shareSheets.sheet(sheet, as: task, on: device)
  }

  private func change(_ service: ServiceChange, on device: Device) {
    change(device) { [unowned self] device in
      device.enrollment.changeService { service.apply(to: &$0) { account($0) } }
    }
  }

  private func target(_ targeting: Action.ConditionalAccessTargeting, on device: Device) {
    let accounts = targeting.accounts.map { account($0) }
    change(device) { $0.tokens.assign(targeting.policy, to: accounts) }
  }

  /// Replaces the tenant's assignments, memberships and settings with the contents of the export.
  private func replaceTenant(by folder: String, on device: Device) {
    let assigned = resolved.assigned(byTenantIn: folder)
    change(device) { $0.tokens.assign(assigned.conditionalAccess) }
    for definition in resolved.scenario.accounts {
      let account = account(definition.name)
      let policies = assigned.policies(of: definition.account, now: account)
      let configurations = assigned.configurations(of: definition.account, now: account)
      change(device) { $0.configurations.assign(configurations, to: account) }
      change(device) { $0.enrollment.assign(policies, to: account) }
    }
  }

  package func capabilities(of guest: String) -> [String] {
    resolved.scenario.app(ofGuest: guest)?.capabilities ?? []
  }

  /// Returns the bundle id of the app or extension called `name`. Any other name is taken as a bundle id.
  func bundleID(of name: String) -> String { installedApp(name)?.description.bundleID ?? name }

  package func shareDestination(_ name: String) -> ShareDestination {
    guard let app = installedApp(name) else { return .app(name) }
    let bundleID = app.description.bundleID
    return app.extensionKind == nil ? .app(bundleID) : .appExtension(bundleID)
  }

  private func installedApp(_ name: String) -> ResolvedApp? {
    resolved.apps.first { $0.specification.hasGuest(name) || $0.description.bundleID == name }
  }

  private func set(_ status: Action.AccountStatus, on device: Device) {
    let account = account(status.account)
    change(device) {
      $0.access.set(account, isDisabled: status.isDisabled, isClockedOut: status.isClockedOut)
    }
  }

  /// Returns the reference by which steps name the identity in a decision. An `accountID` of nil means that there is no
  /// identity, and `""` means an unknown account.
  package func reference(_ accountID: String?) -> IdentityReference {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      .account(
        resolved.scenario.accounts.first { account($0.name).matches(identifier: name) }?.name
          ?? name)
    }
  }

  /// Returns the reference by which steps name an identity.
  package func reference(_ identity: Identity) -> IdentityReference {
    switch identity {
    case .unset: .unset
    case .unknown: .unknown
    case .account(let account):
      .account(
        resolved.scenario.accounts.first { self.account($0.name).isSameUser(as: account) }?.name
          ?? account.upn)
    }
  }
}
