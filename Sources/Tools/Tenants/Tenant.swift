package import AppConfiguration
package import Directory
package import Enrollment
package import GraphDocuments
internal import Model
package import Output
package import Policy

/// A tenant, read from its export by ``TenantReader``.
package struct Tenant: Sendable {
  /// The folder as the user named it.
  package let folder: String
  /// The app protection policies for iOS.
  package let policies: [PolicyDocument]
  /// The app configurations for managed apps and for managed devices.
  package let configurations: [AppConfigurationDocument]
  package let conditionalAccess: [ConditionalAccessPolicy]
  package let judge: AssignmentJudge
  /// The bundle ids of apps, keyed by the lowercase id of the Graph object.
  package let apps: [String: String]
  /// Warnings and notes about the files, grouped by kind of document: policies, app configurations, conditional
  /// access, then users and groups.
  package let diagnostics: [Diagnostic]

  /// The sorted indices of the groups that assignments and conditional access name.
  let namedGroups: [Int]

  package var directory: Directory { judge.directory }

  /// Creates a tenant from the documents of its export.
  ///
  /// - Parameter filters: Assignment filters by lowercase id and name.
  init(
    folder: String, policies: [PolicyDocument], configurations: [AppConfigurationDocument],
    conditionalAccess: [ConditionalAccessPolicy], directory: Directory,
    filters: [String: AssignmentFilter], apps: [String: String], diagnostics: [Diagnostic]
  ) {
    self.folder = folder
    self.policies = policies
    // Configurations for managed devices name apps by their objects' ids.
    self.configurations = configurations.map { configuration in
      var configuration = configuration
      configuration.mobileApps = configuration.mobileApps.map { apps[$0.lowercased()] ?? $0 }
      return configuration
    }
    self.conditionalAccess = conditionalAccess
    let assignments =
      policies.flatMap { $0.assignments ?? [] } + configurations.flatMap { $0.assignments ?? [] }
    let references =
      assignments.compactMap(\.group)
      + conditionalAccess.flatMap { $0.principals.included + $0.principals.excluded }
      .flatMap(\.members).compactMap(\.group)
    namedGroups = Set(references.compactMap { directory.group($0) }).sorted()
    let usesLicences = assignments.contains { $0.target == .allLicensedUsers }
    judge = AssignmentJudge(
      directory, filters: filters, unknownLicences: usesLicences ? .asked : .granted)
    self.apps = apps
    self.diagnostics = diagnostics
  }

  /// The lowercase bundle ids that policies and configurations name, sorted.
  package var bundleIDs: [String] {
    var found: Set<String> = []
    for policy in policies { found.formUnion(policy.targeting.bundleIDs) }
    for configuration in configurations {
      found.formUnion(configuration.targeting.bundleIDs)
      found.formUnion(configuration.mobileApps.filter { $0.contains(".") }.map { $0.lowercased() })
    }
    return found.sorted()
  }

  /// Returns the bundle id of an app that documents name; nil if there is none.
  ///
  /// - Parameter name: A bundle id or a name, such as `Outlook`.
  package func app(named name: String) -> String? {
    Targeting.app(named: name, among: namedApps)
  }

  /// Returns the bundle id that a misspelled name probably means; nil if there is none.
  package func app(nearestTo name: String) -> String? {
    Targeting.app(nearestTo: name, among: namedApps)
  }

  package var namedApps: [Targeting] {
    policies.map(\.targeting) + [Targeting(bundleIDs: bundleIDs)]
  }
}

// MARK: - Questions

package struct TenantDevice: Sendable, Hashable {
  package var isManaged: Bool
  /// The version of iOS, such as `17.2`; nil if unknown.
  package var osVersion: String?
  /// The model, such as `iPhone15,2`; nil if unknown.
  package var model: String?
  /// The version of apps without an entry in ``appVersions``; nil if unknown.
  package var appVersion: String?
  /// The versions of apps, by lowercase bundle id.
  package var appVersions: [String: String] = [:]
  /// Values of other attributes that filters read, such as `deviceOwnership`, by lowercase name.
  package var others: [String: String] = [:]
  /// Whether the question is about several apps. If so, an unknown version is a separate fact for each app.
  package var hasSeveralApps = false
  /// The app to which ``appVersion`` applies in a question about several apps; nil in a question about one app.
  private var app: String?

  package static let kinds = [TenantDevice(isManaged: false), TenantDevice(isManaged: true)]

  package init(
    isManaged: Bool = false, osVersion: String? = nil, model: String? = nil,
    appVersion: String? = nil
  ) {
    self.isManaged = isManaged
    self.osVersion = osVersion
    self.model = model
    self.appVersion = appVersion
  }

  /// Returns the version of an app, given by its bundle id; nil if unknown.
  package func version(of app: String) -> String? { appVersions[app.lowercased()] ?? appVersion }

  /// Returns the device as an app sees it. If two apps see equal devices, every assignment filter has the same result
  /// for both apps.
  ///
  /// - Parameter app: A lowercase bundle id.
  func running(_ app: String) -> TenantDevice {
    var device = self
    device.appVersion = version(of: app)
    device.appVersions = [:]
    if hasSeveralApps { device.app = app }
    return device
  }

  var filtered: FilteredDevice {
    var filtered = FilteredDevice(
      isManaged: isManaged, osVersion: osVersion, model: model, appVersion: appVersion)
    filtered.others = others
    filtered.app = app
    return filtered
  }

  /// The device in words: `an unmanaged device with iOS 17.2`.
  package var text: String { (isManaged ? "a managed device" : "an unmanaged device") + properties }

  /// The known properties in words, as a continuation of the device's description: ` with iOS 17.2`; empty if none is
  /// known.
  var properties: String {
    let versions = appVersions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let others = versions.isEmpty ? "app version" : "any other app"
    let words =
      [osVersion.map { "iOS \($0)" }, model.map { "model \($0)" }].compactMap(\.self) + versions
      + (appVersion.map { ["\(others) \($0)"] } ?? [])
    return words.isEmpty ? "" : " with \(ListFormat.all(of: words))"
  }
}

/// A user of the directory, as assignments evaluate it.
struct TenantUser: UserFacts {
  let directory: Directory
  let index: Int
  let isLicensed: Bool?
  private let memberships: Memberships

  /// The memberships in the groups that the tenant's documents name.
  private enum Memberships {
    /// All members of each group, computed once for all users.
    case extents([Int: Directory.Extent])
    /// This user's known memberships, by group.
    case known([Int: Bool])
  }

  /// Reads the user with this index in the directory.
  ///
  /// - Parameter extents: The members of the groups that documents name, if they are known already.
  init(_ index: Int, of tenant: Tenant, _ extents: [Int: Directory.Extent]? = nil) {
    directory = tenant.directory
    self.index = index
    isLicensed = directory.isLicensed(index)
    if let extents {
      memberships = .extents(extents)
      return
    }
    var known: [Int: Bool] = [:]
    for group in tenant.namedGroups {
      switch directory.membership(of: index, in: group) {
      case .member: known[group] = true
      case .notMember: known[group] = false
      case .unknown: break
      }
    }
    memberships = .known(known)
  }

  func membership(_ group: Int) -> Bool? {
    switch memberships {
    case .known(let known): known[group]
    case .extents(let extents):
      extents[group].flatMap { extent in
        extent.unknown.contains(index) ? nil : extent.members.contains(index)
      }
    }
  }

  var hasAllGroups: Bool { directory.users[index].hasAllGroups }

  var account: Account {
    let user = directory.users[index]
    let tenant = user.upn.split(separator: "@").last.map(String.init) ?? ""
    return Account(upn: user.upn, objectID: user.id, tenantID: tenant)
  }
}

/// The results for all documents of a tenant, for one user in an app on a device.
package struct TenantAnswer: Sendable {
  /// The result for one document: an answer for each combination of unknown facts.
  package struct Result<Answer: Sendable>: Sendable {
    /// The document's index in the tenant's list of its kind.
    package var document: Int
    /// Nil if the answer depends on too many unknown facts.
    package var alternatives: [Assumptions.Alternative<Answer>]?
  }

  /// Whether a document reaches the user in the app, and why.
  package enum Delivery: Sendable, Hashable {
    /// The document does not target the app, or targets it only on other devices.
    case notTargeted(Targeting.Result)
    /// The export does not state the document's assignments.
    case unassigned
    case assigned(Reach)

    package var applies: Bool {
      switch self {
      case .notTargeted, .unassigned: false
      case .assigned(let reach): reach.isApplied
      }
    }
  }

  /// The user's index in the directory.
  package let user: Int
  /// The app's lowercase bundle id.
  package let app: String
  package let device: TenantDevice
  package let policies: [Result<Delivery>]
  /// The policies that apply together, by their indices, for each combination of unknown facts. Nil if there are too
  /// many such facts.
  package let effective: [Assumptions.Alternative<[Int]>]?
  package let configurations: [Result<Delivery>]
  package let conditionalAccess: [Result<ConditionalAccessPolicy.Judgement>]
}

extension Tenant {
  /// Returns the documents that the user gets in the app on the device.
  ///
  /// - Parameters:
  ///   - user: The user's index in the directory.
  ///   - app: A lowercase bundle id.
  package func answer(for user: Int, app: String, on device: TenantDevice) -> TenantAnswer {
    answer(for: TenantUser(user, of: self), app: app, on: device)
  }

  func answer(for user: TenantUser, app: String, on device: TenantDevice) -> TenantAnswer {
    let question = TenantQuestion(tenant: self, user: user, app: app, device: device)
    return TenantAnswer(
      user: user.index, app: app, device: device,
      policies: policies.indices.map { index in
        TenantAnswer.Result(
          document: index, alternatives: Assumptions.explore { question.policy(index, &$0) })
      },
      effective: Assumptions.explore { question.effective(&$0) },
      configurations: configurations.indices.map { index in
        TenantAnswer.Result(
          document: index, alternatives: Assumptions.explore { question.configuration(index, &$0) })
      },
      conditionalAccess: conditionalAccess(for: user, on: device))
  }

  func conditionalAccess(
    for user: TenantUser, on device: TenantDevice
  ) -> [TenantAnswer.Result<ConditionalAccessPolicy.Judgement>] {
    conditionalAccess.indices.map { conditionalAccess($0, for: user, on: device) }
  }

  func conditionalAccess(
    _ policy: Int, for user: TenantUser, on device: TenantDevice
  ) -> TenantAnswer.Result<ConditionalAccessPolicy.Judgement> {
    let question = TenantQuestion(tenant: self, user: user, app: "", device: device)
    return TenantAnswer.Result(
      document: policy, alternatives: Assumptions.explore { question.judgement(policy, &$0) })
  }

  func policies(
    for user: some UserFacts, app: String, on device: TenantDevice, _ facts: inout Assumptions
  ) -> (policies: [Int], state: ManagementState) {
    let question = TenantQuestion(tenant: self, user: user, app: app, device: device)
    return (question.effective(&facts), question.state(&facts))
  }
}

extension Assignment {
  var group: GroupReference? {
    switch target {
    case .group(let group), .exclusion(let group): group
    case .allLicensedUsers, .allDevices, .other: nil
    }
  }
}

extension AppConfigurationDocument {
  /// Whether the configuration gives apps on managed devices the UPN of the enrolled user (`IntuneMAMUPN`).
  var namesUser: Bool {
    channel == .managedDevices && entries.contains { $0.key == "IntuneMAMUPN" }
  }
}

extension ConditionalAccessPolicy.Principal {
  var group: GroupReference? {
    switch self {
    case .group(let id): GroupReference(id: id)
    case .role, .guests: nil
    }
  }

  var role: String? {
    switch self {
    case .role(let id): id
    case .group, .guests: nil
    }
  }
}

/// The evaluation of one tenant's documents for a user, an app and a device.
struct TenantQuestion<User: UserFacts> {
  let tenant: Tenant
  let user: User
  let app: String
  /// The device as the app sees it.
  let device: TenantDevice

  init(tenant: Tenant, user: User, app: String, device: TenantDevice) {
    self.tenant = tenant
    self.user = user
    self.app = app
    self.device = device.running(app)
  }

  /// Returns the policies that apply, by their indices.
  func effective(_ facts: inout Assumptions) -> [Int] {
    var found: [Int] = []
    let state = state(&facts)
    for index in tenant.policies.indices where policy(index, state, &facts).applies {
      found.append(index)
    }
    return found
  }

  func policy(_ index: Int, _ facts: inout Assumptions) -> TenantAnswer.Delivery {
    policy(index, state(&facts), &facts)
  }

  func policy(
    _ index: Int, _ state: ManagementState, _ facts: inout Assumptions
  ) -> TenantAnswer.Delivery {
    let policy = tenant.policies[index]
    if policy.assignments?.isEmpty == true { return .assigned(.notAssigned) }
    let target = policy.targets(bundleID: app, state: state)
    guard target.isTargeted else { return .notTargeted(target) }
    guard let assignments = policy.assignments else { return .unassigned }
    return .assigned(
      tenant.judge.reach(of: assignments, user: user, device: filtered(in: state), &facts))
  }

  /// Returns the device as filters for managed apps evaluate it: managed only if the app knows the enrolled user.
  private func filtered(in state: ManagementState) -> FilteredDevice {
    var filtered = device.filtered
    filtered.isManaged = state == .enrolled
    return filtered
  }

  /// Returns the app's management state: whether MDM manages the device, and whether Intune or a configuration names
  /// the user to the app.
  func state(_ facts: inout Assumptions) -> ManagementState {
    guard device.isManaged else { return .unenrolled }
    if ManagementState.intuneNamesUser(to: app) { return .enrolled }
    var hasUPN = false
    for index in tenant.configurations.indices {
      let document = tenant.configurations[index]
      guard document.namesUser, configuration(index, .enrolled, &facts).applies else { continue }
      hasUPN = true
    }
    return ManagementState(isMDMEnrolled: true, hasEnrolledUPN: hasUPN)
  }

  func configuration(_ index: Int, _ facts: inout Assumptions) -> TenantAnswer.Delivery {
    configuration(index, state(&facts), &facts)
  }

  func configuration(
    _ index: Int, _ state: ManagementState, _ facts: inout Assumptions
  ) -> TenantAnswer.Delivery {
    let document = tenant.configurations[index]
    if document.assignments?.isEmpty == true { return .assigned(.notAssigned) }
    let isForUsers = document.channel == .managedApps
    guard document.targets(bundleID: app, state: state), isForUsers || device.isManaged else {
      return .notTargeted(
        isForUsers
          ? document.targeting.result(bundleID: app, state: state)
          : device.isManaged ? .otherApp : .otherState(state))
    }
    guard let assignments = document.assignments else { return .unassigned }
    return .assigned(
      tenant.judge.reach(
        of: assignments, user: user, device: isForUsers ? filtered(in: state) : device.filtered,
        isForUsers: isForUsers, &facts))
  }

  func judgement(
    _ index: Int, _ facts: inout Assumptions
  ) -> ConditionalAccessPolicy.Judgement where User == TenantUser {
    let policy = tenant.conditionalAccess[index]
    let signIn = SignIn(
      user.account,
      device: DirectoryDevice(
        isMDMEnrolled: device.isManaged, osVersion: device.osVersion ?? "",
        model: device.model ?? ""))
    // All principals are evaluated before the policy decides, so each fact that matters is known.
    var known: [ConditionalAccessPolicy.Principal: Bool] = [:]
    for condition in policy.principals.included + policy.principals.excluded {
      // The roles of a condition are one fact: only whether the user has one of them matters.
      let roles = condition.members.compactMap(\.role).unique.sorted()
      let hasRole = !roles.isEmpty && facts.holds(.roles(roles))
      for principal in condition.members {
        known[principal] = principal.role == nil ? isAmong(principal, &facts) : hasRole
      }
    }
    return policy.judgement(on: signIn) { known[$0] }
  }

  private func isAmong(
    _ principal: ConditionalAccessPolicy.Principal, _ facts: inout Assumptions
  ) -> Bool where User == TenantUser {
    switch principal {
    case .group(let id):
      let reference = GroupReference(id: id)
      guard let group = user.directory.group(reference) else {
        return user.hasAllGroups ? false : facts.holds(.absentGroup(reference))
      }
      return user.membership(group) ?? facts.holds(.membership(group: group))
    case .role(let id): return facts.holds(.roles([id]))
    case .guests:
      switch user.directory.value(of: RuleAttribute("userType"), for: user.index) {
      case .strings(let types): return types.contains { $0.lowercased() == "guest" }
      case .null, .unavailable, .objects: return false
      case .unknown: return user.account.upn.contains("#EXT#") ? true : facts.holds(.guest)
      }
    }
  }
}
