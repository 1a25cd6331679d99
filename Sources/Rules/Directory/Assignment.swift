package import GraphDocuments

/// An assignment filter: a rule that limits assignments to some apps or devices.
package struct AssignmentFilter: Sendable {
  /// The id, in lower case; nil if the export does not state it.
  package var id: String?
  /// The name; the id if the export states no name.
  package var displayName: String
  /// Graph's `platform`, such as `iOSMobileApplicationManagement`; nil if the export does not state it.
  package var platform: String?
  /// The rule's text in the export.
  package var text: String
  /// The parsed rule; nil if ``text`` is not a valid rule.
  package var rule: DirectoryRule?
  package var source: Directory.Source

  /// Whether the filter is for apps instead of devices, according to the platform. If the export states no platform,
  /// the rule's text decides.
  package var isForApps: Bool {
    platform.map { $0.hasSuffix("MobileApplicationManagement") }
      ?? text.lowercased().contains("app.")
  }

  /// Whether the filter is for iPhones and iPads; true if the export states no platform.
  package var isForIOS: Bool { platform?.lowercased().hasPrefix("ios") ?? true }

  var dialect: RuleDialect { isForApps ? .managedApps : .managedDevices }
}

// MARK: - Devices

/// The properties of a device, or of an app on it, that assignment filters read. Nil means unknown.
package struct FilteredDevice: Sendable, Hashable, RuleSubject {
  /// For a filter for devices: whether MDM manages the device. For a filter for apps: whether the app knows the
  /// enrolled user.
  package var isManaged: Bool?
  /// The version of iOS, such as `17.2`.
  package var osVersion: String?
  /// The model as the device reports it, such as `iPhone 15`.
  package var model: String?
  /// The app's version, such as `4.2.0`.
  package var appVersion: String?
  /// The app's bundle id if the question is about several apps, because their versions may differ; nil if it is about
  /// one app.
  package var app: String?
  /// The values of all other attributes, such as `deviceOwnership`. The keys are lowercase names.
  package var others: [String: String] = [:]

  package init(
    isManaged: Bool? = nil, osVersion: String? = nil, model: String? = nil,
    appVersion: String? = nil
  ) {
    self.isManaged = isManaged
    self.osVersion = osVersion
    self.model = model
    self.appVersion = appVersion
  }

  fileprivate static let appVersionName = "appVersion"

  package func value(of attribute: RuleAttribute) -> RuleValue {
    let name = attribute.name
    if let other = others[name.lowercased()] { return .strings([other]) }
    let known: String? =
      switch name {
      case Self.appVersionName: appVersion
      case "deviceManagementType": isManaged.map { $0 ? "Managed" : "Unmanaged" }
      case "deviceManufacturer", "manufacturer": "Apple"
      case "deviceModel", "model": model
      case "operatingSystemVersion", "osVersion": osVersion
      default:  // open: names of attributes
        nil
      }
    if let known { return .strings([known]) }
    // These attributes exist only on Windows and macOS.
    return ["cpuArchitecture", "deviceTrustType", "operatingSystemSKU"].contains(name)
      ? .null : .unknown
  }
}

// MARK: - Reach

/// Whether the assignments of a document reach a user on a device, with the reason.
package enum Reach: Sendable, Hashable {
  /// The document reaches the user through the assignments at these indices.
  case applies([Int])
  /// The assignment at this index excludes the user.
  case excluded(Int)
  /// The assignments at these indices include the user, but their filters rule out the device.
  case filtered([Int])
  /// The user has no licence, so the assignments at these indices have no effect. The list is empty if unknown facts
  /// determine which assignments would apply.
  case unlicensed([Int])
  case notAssigned
}

/// Determines which users the assignments of a document reach.
///
/// Sources:
///
/// - Microsoft Learn, "Include and exclude app assignments": for groups of users, exclusion takes precedence over
///   inclusion.
/// - "Assignment filter reports and troubleshooting", filter mode: assignments with an excluding filter take precedence
///   over assignments without a filter, and these over assignments with an including filter. Assignments with equal
///   modes are combined.
/// - "App protection policies overview", end-user requirements: the user needs a licence for Intune, even if the user
///   is a member of an assigned group.
package struct AssignmentJudge: Sendable {
  package let directory: Directory
  /// The filters. Each is stored under its id and under its name, in lower case.
  package let filters: [String: AssignmentFilter]
  package let unknownLicences: UnknownLicences

  package let readsAppVersions: Bool

  /// The treatment, in assignments to groups, of users whose licence the export does not state.
  package enum UnknownLicences: Sendable {
    /// The licence is an unknown fact, so answers depend on it.
    case asked
    /// The user counts as licensed, and answers do not mention the licence. Used in tenants that assign no document to
    /// all licensed users.
    case granted
  }

  package init(
    _ directory: Directory, filters: [String: AssignmentFilter], unknownLicences: UnknownLicences
  ) {
    self.directory = directory
    self.filters = filters
    self.unknownLicences = unknownLicences
    readsAppVersions = filters.values.contains {
      $0.rule?.attributes.contains { $0.name == FilteredDevice.appVersionName } ?? false
    }
  }

  /// Returns whether a document reaches a user on a device, with the reason. If a fact is needed that the export does
  /// not state, the value is requested from `facts`.
  ///
  /// - Parameter isForUsers: Whether the document can be assigned to users only, not to devices.
  package func reach(
    of assignments: [Assignment], user: some UserFacts, device: FilteredDevice,
    isForUsers: Bool = true, _ facts: inout Assumptions
  ) -> Reach {
    if isForUsers, user.isLicensed == false {
      return reach(of: assignments, unlicensed: user, device: device)
    }
    let reach = assigned(assignments, to: user, device, isForUsers: isForUsers, &facts)
    guard isForUsers, case .applies(let indices) = reach else { return reach }
    return hasLicence(user, &facts) ? reach : .unlicensed(indices)
  }

  /// Returns the reason why a document for users does not reach the unlicensed user. No unknown facts are requested,
  /// because the document does not reach the user, whatever their values are.
  private func reach(
    of assignments: [Assignment], unlicensed user: some UserFacts, device: FilteredDevice
  ) -> Reach {
    let alternatives = Assumptions.explore { facts in
      assigned(assignments, to: user, device, isForUsers: true, &facts)
    }
    guard let reach = alternatives?.first?.answer, alternatives?.count == 1 else {
      return .unlicensed([])
    }
    guard case .applies(let indices) = reach else { return reach }
    return .unlicensed(indices)
  }

  private func hasLicence(_ user: some UserFacts, _ facts: inout Assumptions) -> Bool {
    if let isLicensed = user.isLicensed { return isLicensed }
    return switch unknownLicences {
    case .asked: facts.holds(.licence)
    case .granted: true
    }
  }

  /// Returns whether the assignments would reach a user with a licence, with the reason.
  private func assigned(
    _ assignments: [Assignment], to user: some UserFacts, _ device: FilteredDevice,
    isForUsers: Bool, _ facts: inout Assumptions
  ) -> Reach {
    // Facts that are known come first: they may decide without the others.
    var included: [Int] = []
    var open: [(index: Int, fact: UnknownFact)] = []
    var exclusions: [(index: Int, fact: UnknownFact)] = []
    for (index, assignment) in assignments.enumerated() {
      switch concern(of: assignment.target, user, device, isForUsers) {
      case .known(true):
        if case .exclusion = assignment.target { return .excluded(index) }
        included.append(index)
      case .known(false): break
      case .unknown(let fact):
        if case .exclusion = assignment.target {
          exclusions.append((index, fact))
        } else {
          open.append((index, fact))
        }
      }
    }
    // If no assignment can include the user, exclusions have no effect.
    guard !included.isEmpty || !open.isEmpty else { return .notAssigned }
    if let excluded = exclusions.first(where: { facts.holds($0.fact) }) {
      return .excluded(excluded.index)
    }
    // An assignment without a filter settles the result, unless an assignment with a filter to
    // exclude may also include the user.
    let isDecided =
      included.contains { assignments[$0].filter == nil }
      && !open.contains { assignments[$0.index].filter?.mode == .exclude }
    if !isDecided {
      included = (included + open.filter { facts.holds($0.fact) }.map(\.index)).sorted()
    }
    guard !included.isEmpty else { return .notAssigned }
    let of = { (mode: Assignment.Filter.Mode?) in
      included.filter { assignments[$0].filter?.mode == mode }
    }
    let excluding = of(.exclude)
    if !excluding.isEmpty {
      let matching = excluding.filter { isMatched(assignments[$0], device, &facts) }
      return matching.isEmpty ? .applies(excluding) : .filtered(matching)
    }
    let plain = of(nil)
    if !plain.isEmpty { return .applies(plain) }
    let matching = included.filter { isMatched(assignments[$0], device, &facts) }
    return matching.isEmpty ? .filtered(included) : .applies(matching)
  }

  /// Whether an assignment's target includes a user on a device; if this is unknown, the fact that decides.
  private enum Concern {
    case known(Bool)
    case unknown(UnknownFact)

    init(_ known: Bool?, else fact: UnknownFact) {
      self = known.map { .known($0) } ?? .unknown(fact)
    }
  }

  private func concern(
    of target: Assignment.Target, _ user: some UserFacts, _ device: FilteredDevice,
    _ isForUsers: Bool
  ) -> Concern {
    switch target {
    case .group(let reference), .exclusion(let reference):
      guard let group = directory.group(reference) else {
        // A group that is missing from the export may contain the device.
        let mayContainDevice = !isForUsers && device.isManaged != false
        let membership = user.membership(ofAbsent: reference)
        return Concern(
          membership == false && mayContainDevice ? nil : membership,
          else: .absentGroup(reference))
      }
      let membership = user.membership(group)
      if membership == false, !isForUsers, device.isManaged != false,
        directory.groups[group].hasDevices
      {
        return .unknown(.deviceMembership(group: group))
      }
      return Concern(membership, else: .membership(group: group))
    case .allLicensedUsers: return Concern(user.isLicensed, else: .licence)
    case .allDevices:
      return isForUsers ? .known(false) : Concern(device.isManaged, else: .managedDevice)
    case .other: return .known(false)
    }
  }

  private func isMatched(
    _ assignment: Assignment, _ device: FilteredDevice, _ facts: inout Assumptions
  ) -> Bool {
    guard let use = assignment.filter else { return true }
    guard let rule = filters[use.name.lowercased()]?.rule else {
      return facts.holds(.filter(use.name))
    }
    switch rule.result(for: device) {
    case .isMet: return true
    case .isNotMet: return false
    case .unknown(let names):
      return facts.holds(
        .filter(use.name, app: names.contains(FilteredDevice.appVersionName) ? device.app : nil))
    }
  }
}

extension Reach {
  package var isApplied: Bool {
    switch self {
    case .applies: true
    case .excluded, .filtered, .unlicensed, .notAssigned: false
    }
  }
}

/// The known facts about a user, or about a class of users, on which assignments depend.
package protocol UserFacts {
  /// Returns whether the user is a member of the group; nil if unknown.
  func membership(_ group: Int) -> Bool?
  /// Whether the user has a licence; nil if unknown.
  var isLicensed: Bool? { get }
  /// Whether the export lists all groups of the user. If so, the user is in no other group, including groups that the
  /// export does not contain.
  var hasAllGroups: Bool { get }
  /// Returns whether the user is a member of a group that the export does not contain; nil if unknown. By default,
  /// false if ``hasAllGroups`` is true, otherwise nil.
  func membership(ofAbsent group: GroupReference) -> Bool?
}

extension UserFacts {
  package func membership(ofAbsent group: GroupReference) -> Bool? { hasAllGroups ? false : nil }
}
