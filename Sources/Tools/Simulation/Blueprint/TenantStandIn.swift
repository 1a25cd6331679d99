internal import Directory
internal import GraphDocuments
package import Host
internal import Model
internal import Output
internal import Policy
package import Scenario
package import Tenants

/// Users of a tenant who replace the managed accounts of scenarios. The tenant's assignments
/// replace the scenarios' own policies.
package struct TenantStandIn: Sendable {
  private let tenant: Tenant
  /// The indices of users in the tenant's directory whom the tenant's documents do not distinguish. Each managed account
  /// of a scenario is replaced by a different one of them, in order.
  private let users: [Int]
  /// The lowercase bundle id of an app of the tenant. The tenant's policies treat a scenario's managed app as this app
  /// if they do not target it under its own bundle id.
  package let app: String
  /// The device that replaces the devices of scenarios; nil if scenarios keep their own devices.
  private let device: TenantDevice?
  private let unstated: UnstatedProperties

  /// Creates a stand-in that uses the tenant's users and assignments.
  ///
  /// - Parameters:
  ///   - users: The indices of users whom the tenant's documents do not distinguish; at least one.
  ///   - app: The lowercase bundle id of the tenant's app that represents managed apps which no policy of the tenant
  ///     targets; nil for the app that most policies target.
  ///   - device: The device that replaces the devices of scenarios; nil if scenarios keep their own devices.
  ///   - unstated: The values that filters use for a device without a stated version or model.
  package init(
    _ tenant: Tenant, users: [Int], app: String? = nil, device: TenantDevice? = nil,
    unstated: UnstatedProperties = .simulated
  ) {
    self.unstated = unstated
    self.tenant = tenant
    self.users = users
    self.app = app ?? tenant.principalApp
    self.device = device
  }

  /// A scenario with users in place of its managed accounts.
  package struct Standing: Sendable {
    /// The scenario without the ``misfits``.
    package var scenario: Scenario
    package var tenants: ScenarioTenants
    /// The cases that cannot run with the users, with the reasons as clauses.
    package var misfits: [(test: Case, why: String)]
    /// The bundle ids of the scenario's apps that the tenant's policies treat as ``TenantStandIn/app``, in order.
    package var replacedApps: [String]
  }

  /// Returns the scenario with the users in place of its managed accounts.
  ///
  /// - Parameter programs: The programs that devices start. Their folder also contains the executables of shipped
  ///   bundles.
  /// - Throws: ``RunError`` if a file that the scenario names cannot be read.
  package func standing(
    in scenario: Scenario, programs: DeviceConfiguration.Programs
  ) throws(RunError) -> Standing {
    let managed = try ManagedRoles(of: scenario, tenant, programs)
    var stand = scenario
    var misfits: [(test: Case, why: String)] = []
    stand.cases = []
    for test in scenario.cases {
      if managed.accounts.isEmpty {
        misfits.append((test, "the scenario has no account"))
      } else if managed.accounts.count > users.count {
        let count = managed.accounts.count
        misfits.append(
          (test, "the scenario has \(count) managed accounts, more than the class has users"))
      } else if test.steps.flatMap(\.parts).contains(where: \.replacesPolicies) {
        misfits.append((test, "its steps change the scenario's own policies"))
      } else if !scenario.configurations.isEmpty,
        test.steps.flatMap(\.parts).contains(where: \.readsConfigurations)
      {
        misfits.append((test, "its steps read the scenario's own app configurations"))
      } else {
        stand.cases.append(test)
      }
    }
    let people = zip(managed.accounts, users.map { tenant.directory.users[$0] })
    let roles = Dictionary(managed.apps.map { ($0, app) }) { first, _ in first }
    stand.take(Array(people), device, roles)
    for index in stand.devices.indices { stand.devices[index].take(Array(people), device, roles) }
    return Standing(
      scenario: stand, tenants: ScenarioTenants(tenant, roles: roles, unstated: unstated),
      misfits: misfits, replacedApps: managed.apps)
  }

  /// The device that replaces the devices of scenarios or, if there is none, a device without stated properties. An
  /// unstated iOS version or model has the default value of scenarios.
  package var usualDevice: TenantDevice {
    var usual = device ?? TenantDevice()
    let posture = DeviceConfiguration.usualConditions
    usual.osVersion = usual.osVersion ?? "\(posture.osVersion)"
    usual.model = usual.model ?? posture.model
    return usual
  }

  /// Returns the names of the policies that the first user gets in ``app`` on ``usualDevice``; nil if they depend on
  /// facts that the supposition does not cover.
  package func policies(supposing supposition: DeliverySupposition?) -> [String]? {
    let user = tenant.directory.users[users[0]]
    let recipient = TenantRecipient(Account(upn: user.upn, objectID: user.id), of: tenant)
    let device = usualDevice
    let apps = [TenantApp(bundleID: app, version: device.version(of: app))]
    let delivery = recipient.flatMap {
      try? tenant.delivery(to: $0, in: apps, on: device, supposing: supposition)
    }
    return delivery?.policies(in: app, on: device).map(\.displayName)
  }
}

extension Tenant {
  /// The lowercase bundle id of the app that most policies target. If several apps are targeted equally often, this is
  /// the first in alphabetical order.
  fileprivate var principalApp: String {
    let apps = Set(bundleIDs).union(["com.microsoft.office.outlook"]).sorted()
    let counts = apps.map { app in (app: app, count: policies.count { $0.targets(app) }) }
    return counts.min { ($1.count, $0.app) < ($0.count, $1.app) }?.app ?? ""
  }
}

/// The accounts and apps that a scenario's own policies manage.
private struct ManagedRoles {
  /// The names of the accounts, in the order of the scenario. If the policies manage no account, this is the scenario's
  /// first account.
  var accounts: [String]
  /// The bundle ids of managed apps that no policy of the tenant targets; empty if the scenario itself names a tenant.
  var apps: [String] = []

  init(
    of scenario: Scenario, _ tenant: Tenant, _ programs: DeviceConfiguration.Programs
  ) throws(RunError) {
    guard scenario.tenant == nil else {
      let names = scenario.accounts.filter { TenantRecipient($0.account, of: tenant) != nil }
        .map(\.name)
      accounts = names.isEmpty ? scenario.accounts.prefix(1).map(\.name) : names
      return
    }
    let assigned = Set(
      scenario.policies.flatMap(\.assignments).map(\.account)
        + scenario.configurations.flatMap(\.assignments).map(\.account))
    accounts = scenario.accounts.map(\.name).filter(assigned.contains)
    if accounts.isEmpty { accounts = scenario.accounts.prefix(1).map(\.name) }
    let resolved = try ResolvedScenario(scenario, programs: programs)
    apps = resolved.apps.map(\.description).filter { app in
      app.integratesSDK && app.kind.containingApp == nil
        && !tenant.policies.contains { $0.targets(app.bundleID) }
        && resolved.policies.contains { policy in
          ManagementState.allCases.contains {
            policy.reason(bundleID: app.bundleID, state: $0) != nil
          }
        }
    }.map(\.bundleID)
  }
}

extension Step {
  fileprivate var readsConfigurations: Bool {
    if case .configuration = action { true } else { false }
  }

  /// Whether the step changes or assigns policies or configurations of the scenario.
  fileprivate var replacesPolicies: Bool {
    guard case .change(let change) = action else { return false }
    return switch change {
    case .assign, .savePolicy, .assignConfiguration, .conditionalAccess, .tenant: true
    case .device, .status, .rename, .service: false
    }
  }
}

extension Scenario {
  /// Replaces accounts by users, and removes the scenario's own policies.
  ///
  /// - Parameters:
  ///   - device: The properties of the device; nil for the properties in the scenario.
  ///   - roles: The bundle ids of the tenant's apps that apps of the scenario represent, keyed by the bundle ids of
  ///     these apps.
  fileprivate mutating func take(
    _ people: [(account: String, user: Directory.User)], _ device: TenantDevice?,
    _ roles: [String: String]
  ) {
    for (account, user) in people { replace(account, by: user) }
    tenant = nil
    policies = []
    configurations = []
    conditionalAccess = []
    if let device { adapt(to: device, roles) }
  }

  /// Replaces the account `name`, including its mentions in app configurations.
  private mutating func replace(_ name: String, by user: Directory.User) {
    guard let index = accounts.firstIndex(where: { $0.name == name }) else { return }
    let former = accounts[index].account
    accounts[index].upn = user.upn
    accounts[index].objectID = user.id
    accounts[index].tenantID = nil
    accounts[index].groups = nil
    for app in apps.indices {
      for (key, value) in apps[app].configuration where former.matches(identifier: value) {
        apps[app].configuration[key] = value.contains("@") ? user.upn : user.id ?? value
      }
    }
  }

  private mutating func adapt(to device: TenantDevice, _ roles: [String: String]) {
    self.device.isMDMEnrolled = device.isManaged
    if let version = device.osVersion.flatMap(Version.init) {
      self.device.conditions.osVersion = version
    }
    if let model = device.model { self.device.conditions.model = model }
    for index in apps.indices where apps[index].usesSDK {
      if device.isManaged { apps[index].isMDMManaged = true }
      let bundle = apps[index].bundle
      if let version = device.version(of: roles[bundle] ?? bundle).flatMap(Version.init) {
        apps[index].version = version
      }
    }
  }
}
