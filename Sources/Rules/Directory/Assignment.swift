package import GraphDocuments

/// A filter that narrows assignments to some apps or devices.
package struct AssignmentFilter: Sendable {
  /// In lower case; nil if the export does not state it.
  package var id: String?
  /// The name; the id if the export states no name.
  package var displayName: String
  /// Graph's `platform`, such as `iOSMobileApplicationManagement`; nil if the export does not state
  /// it.
  package var platform: String?
  /// The rule as in the export.
  package var text: String
  /// Nil if ``text`` cannot be read.
  package var rule: DirectoryRule?
  /// The place of the filter.
  package var source: Directory.Source

  /// Whether the filter is for apps, by its platform, or by its rule if the export states no
  /// platform.
  package var isForApps: Bool {
    platform.map { $0.hasSuffix("MobileApplicationManagement") }
      ?? text.lowercased().contains("app.")
  }

  /// Whether the filter is for iPhones and iPads, or may be, because the export states no platform.
  package var isForIOS: Bool { platform?.lowercased().hasPrefix("ios") ?? true }

  var dialect: RuleDialect { isForApps ? .managedApps : .managedDevices }
}

// MARK: - Devices

/// An app on a device, as assignment filters see it. Nil is unknown.
package struct FilteredDevice: Sendable, Hashable, RuleSubject {
  /// Whether MDM manages the device; for apps, whether the app knows the enrolled user.
  package var isManaged: Bool?
  /// The version of iOS, such as `17.2`.
  package var osVersion: String?
  /// The model as the device reports it, such as `iPhone 15`.
  package var model: String?
  /// The version of the app.
  package var appVersion: String?
  /// Values of other attributes, such as `deviceOwnership`, by lowercase name.
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

  package func value(of attribute: RuleAttribute) -> RuleValue {
    let name = attribute.name
    if let other = others[name.lowercased()] { return .strings([other]) }
    let known: String? =
      switch name {
      case "appVersion": appVersion
      case "deviceManagementType": isManaged.map { $0 ? "Managed" : "Unmanaged" }
      case "deviceManufacturer", "manufacturer": "Apple"
      case "deviceModel", "model": model
      case "operatingSystemVersion", "osVersion": osVersion
      default:  // open: names of attributes
        nil
      }
    if let known { return .strings([known]) }
    // Windows and macOS only.
    return ["cpuArchitecture", "deviceTrustType", "operatingSystemSKU"].contains(name)
      ? .null : .unknown
  }
}

// MARK: - Reach

/// Whether a document reaches a user on a device, and why.
package enum Reach: Sendable, Hashable {
  /// Targeted by these assignments, by their indices.
  case applies([Int])
  /// Excluded by the assignment of that index.
  case excluded(Int)
  /// Assigned to the user, but removed by filters of these assignments.
  case filtered([Int])
  /// No assignment includes the user.
  case notAssigned
}

/// Evaluates which users assignments reach.
///
/// Sources: Microsoft Learn, "Include and exclude app assignments" (exclusion takes precedence over
/// inclusion for groups of users) and "Assignment filter reports and troubleshooting", filter mode:
/// assignments with a filter to exclude win over those without a filter, and these over those with
/// a filter to include; several of one mode are united.
package struct AssignmentJudge: Sendable {
  /// The users and groups of the tenant.
  package let directory: Directory
  /// Filters by lowercase id and name.
  package let filters: [String: AssignmentFilter]

  package init(_ directory: Directory, filters: [String: AssignmentFilter]) {
    self.directory = directory
    self.filters = filters
  }

  /// Returns whether a document reaches a user on a device. Asks `assumptions` for facts that the
  /// export does not state.
  ///
  /// - Parameter isForUsers: Whether the document is assigned to users only.
  package func reach(
    of assignments: [Assignment], user: some UserFacts, device: FilteredDevice,
    isForUsers: Bool = true, _ facts: inout Assumptions
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
    // Without an assignment that may include the user, exclusions do not matter.
    guard !included.isEmpty || !open.isEmpty else { return .notAssigned }
    if let excluded = exclusions.first(where: { facts.holds($0.fact) }) {
      return .excluded(excluded.index)
    }
    // An assignment without a filter is enough, unless one with a filter to exclude may join it.
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

  /// Whether a target concerns a user on a device.
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
        // A group that the export lacks may contain the device.
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
    case .unknown: return facts.holds(.filter(use.name))
    }
  }
}

extension Reach {
  /// Whether the document applies.
  package var isApplied: Bool {
    switch self {
    case .applies: true
    case .excluded, .filtered, .notAssigned: false
    }
  }
}

/// What is known of a user, or of a class of users, for assignments.
package protocol UserFacts {
  /// Whether the user is a member of the group; nil if unknown.
  func membership(_ group: Int) -> Bool?
  /// Whether the user has a licence; nil if unknown.
  var isLicensed: Bool? { get }
  /// Whether all groups of the user are known, so the user is in no group that the export lacks.
  var hasAllGroups: Bool { get }
  /// Whether the user is a member of a group that the export lacks; nil if unknown. Default: follows
  /// from ``hasAllGroups``.
  func membership(ofAbsent group: GroupReference) -> Bool?
}

extension UserFacts {
  package func membership(ofAbsent group: GroupReference) -> Bool? { hasAllGroups ? false : nil }
}
