package import BitCollections
package import GraphDocuments
package import JSON

/// The users and groups of a tenant, as far as its export shows them.
///
/// Users are rows of columns with shared values, so that a rule is evaluated once for each distinct value, and
/// a tenant of 100,000 users fits in memory. Create one with ``DirectoryBuilder``.
package struct Directory: Sendable {
  /// The place that states a user, a group or an assignment.
  package struct Source: Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var position: Position

    package init(file: String, position: Position) {
      self.file = file
      self.position = position
    }

    /// `Groups/sales.json:4`.
    package var description: String { "\(file):\(position.line)" }
  }

  package struct User: Sendable {
    /// The object id, in lower case; nil if the export does not state it.
    package var id: String?
    /// The user principal name as the export spells it.
    package var upn: String
    package var source: Source
    /// The groups that the user's own entry states.
    var groups: [GroupReference]
    /// Whether ``groups`` are all groups of the user, nested ones included.
    package internal(set) var hasAllGroups: Bool
  }

  package struct Group: Sendable {
    package var id: String?
    package var displayName: String
    package var source: Source
    var members: Members
  }

  /// What the export states about a group's members.
  enum Members: Sendable {
    /// Nothing.
    case unknown
    /// Direct members, by their indices, sorted. The list may be incomplete.
    case listed(users: [Int], groups: [Int], isComplete: Bool)
    case rule(DirectoryRule)
    /// The group contains devices only.
    case devices
  }

  package let users: [User]
  package let groups: [Group]
  private let columns: [RuleAttribute: Column]
  private let usersByName: [String: Int]
  private let groupsByID: [String: Int]
  private let groupsByName: [String: Int]

  /// The values of one attribute for all users.
  struct Column: Sendable {
    /// For each user, an index of ``values``.
    var codes: [Int32]
    /// The distinct values. The first is ``RuleValue/unknown``.
    var values: [RuleValue]
  }

  init(
    users: [User], groups: [Group], columns: [RuleAttribute: Column], usersByName: [String: Int],
    groupsByID: [String: Int], groupsByName: [String: Int]
  ) {
    self.users = users
    self.groups = groups
    self.columns = columns
    self.usersByName = usersByName
    self.groupsByID = groupsByID
    self.groupsByName = groupsByName
  }

  // MARK: Looking up

  /// Returns the user with that object id or user principal name, ignoring case; nil if there is none.
  package func user(_ name: String) -> Int? { usersByName[name.lowercased()] }

  /// Returns the group; nil if the export does not contain it.
  package func group(_ reference: GroupReference) -> Int? {
    if let id = reference.id, let group = groupsByID[id] { return group }
    return reference.name.flatMap { groupsByName[$0.lowercased()] }
  }

  /// Returns the value of a user's attribute.
  package func value(of attribute: RuleAttribute, for user: Int) -> RuleValue {
    columns[attribute].map { $0.values[Int($0.codes[user])] } ?? .unknown
  }

  /// Whether the user has a licence; nil if unknown. Which licence includes Intune is not in the export unless
  /// it states the service plans.
  package func isLicensed(_ user: Int) -> Bool? {
    // Intune's service is `SCO`: Microsoft Learn, "Manage rules for dynamic membership groups", example 2.
    if case .objects(let plans) = value(of: .assignedPlans, for: user) {
      return plans.contains {
        $0["service"]?.lowercased() == "sco" && $0["capabilityStatus"]?.lowercased() == "enabled"
      }
    }
    switch value(of: .assignedLicenses, for: user) {
    case .unknown: return nil
    case .null, .unavailable: return false
    case .strings(let licences): return !licences.isEmpty
    case .objects(let licences): return !licences.isEmpty
    }
  }

  // MARK: Membership

  /// Returns whether the user is a member of the group, directly or through nested groups, with the path.
  ///
  /// Intune and conditional access count nested members (Microsoft Learn, "Add groups to organize users and
  /// devices"; "Conditional Access: Users, groups, agents, and workload identities").
  package func membership(of user: Int, in group: Int) -> Membership {
    var visited: Set<Int> = []
    return membership(of: user, in: group, &visited)
  }

  private func membership(
    of user: Int, in group: Int, _ visited: inout Set<Int>
  ) -> Membership {
    guard visited.insert(group).inserted else { return .notMember }
    let entry = users[user]
    if entry.groups.contains(where: { self.group($0) == group }) { return .member([group]) }
    var unknown: Set<MembershipGap> = []
    switch groups[group].members {
    case .devices: return .notMember
    case .unknown: unknown.insert(.members(of: group))
    case .rule(let rule):
      switch rule.result(for: Row(user: user, directory: self)) {
      case .isMet: return .member([group])
      case .isNotMet: break
      case .unknown(let names): unknown.formUnion(names.map { .attribute($0) })
      }
    case .listed(let members, let nested, let isComplete):
      if Self.contains(members, user) { return .member([group]) }
      if !isComplete { unknown.insert(.members(of: group)) }
      for inner in nested {
        switch membership(of: user, in: inner, &visited) {
        case .member(let path): return .member(path + [group])
        case .notMember: break
        case .unknown(let gaps): unknown.formUnion(gaps)
        }
      }
    }
    return unknown.isEmpty || entry.hasAllGroups ? .notMember : .unknown(unknown)
  }

  /// Whether sorted indices contain one.
  private static func contains(_ indices: [Int], _ index: Int) -> Bool {
    var range = indices.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if indices[middle] == index { return true }
      range = indices[middle] < index ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

  /// A user as the subject of a rule.
  private struct Row: RuleSubject {
    let user: Int
    let directory: Directory

    func value(of attribute: RuleAttribute) -> RuleValue {
      guard attribute == .memberOf else { return directory.value(of: attribute, for: user) }
      return directory.directGroups(of: user)
    }
  }

  /// The groups that list the user, as objects with `objectId`; unknown if a group's members are.
  ///
  /// Source: Microsoft Learn, "Group membership in a dynamic group (preview)": direct members count, and
  /// dynamic groups that use `memberOf` themselves do not.
  private func directGroups(of user: Int) -> RuleValue {
    var objects: [[String: String]] = []
    for group in groups.indices {
      guard let id = groups[group].id else { continue }
      switch groups[group].members {
      case .devices: continue
      case .unknown:
        guard users[user].hasAllGroups else { return .unknown }
      case .listed(let members, _, let isComplete):
        if Self.contains(members, user) {
          objects.append(["objectId": id])
        } else if !isComplete, !users[user].hasAllGroups {
          return .unknown
        }
      case .rule(let rule):
        guard !rule.attributes.contains(.memberOf) else { continue }
        switch rule.result(for: Row(user: user, directory: self)) {
        case .isMet: objects.append(["objectId": id])
        case .isNotMet: break
        case .unknown: return .unknown
        }
      }
    }
    return .objects(objects)
  }
}

/// Whether a user is a member of a group.
package enum Membership: Sendable, Equatable {
  /// The groups from the one that contains the user directly to the one asked for.
  case member([Int])
  case notMember
  case unknown(Set<MembershipGap>)
}

/// What the export would have to state for an answer.
package enum MembershipGap: Sendable, Hashable {
  /// The members of a group, by its index.
  case members(of: Int)
  /// An attribute of the user.
  case attribute(String)
}

extension RuleAttribute {
  static let memberOf = RuleAttribute("memberOf", .objects)
  static let assignedPlans = RuleAttribute("assignedPlans", .objects)
  /// Not an attribute of rules: the licences of the user.
  static let assignedLicenses = RuleAttribute("assignedLicenses", .objects)
}

// MARK: - All users at once

extension Directory {
  /// The users of a group: members, and those whose membership is unknown.
  package struct Extent: Sendable {
    package var members: BitSet
    package var unknown: BitSet
  }

  /// Returns the members of groups. The result agrees with ``membership(of:in:)`` for each user.
  ///
  /// - Parameter wanted: The indices of the groups.
  package func extents(of wanted: some Sequence<Int>) -> [Int: Extent] {
    var survey = MembershipSurvey(self)
    return wanted.reduce(into: [:]) { $0[$1] = survey.extent(of: $1) }
  }

  fileprivate func column(_ attribute: RuleAttribute) -> Column {
    columns[attribute]
      ?? Column(codes: Array(repeating: 0, count: users.count), values: [.unknown])
  }
}

/// Computes the members of many groups. Groups that contain each other have the same members.
private struct MembershipSurvey {
  private let directory: Directory
  private var done: [Int: Directory.Extent] = [:]
  /// The groups that users' own entries state.
  private var stated: [Int: [Int]] = [:]
  /// The users whose entries state all of their groups.
  private var complete = BitSet()

  init(_ directory: Directory) {
    self.directory = directory
    for (user, entry) in directory.users.enumerated() {
      if entry.hasAllGroups { complete.insert(user) }
      for group in entry.groups.compactMap({ directory.group($0) }) {
        stated[group, default: []].append(user)
      }
    }
  }

  mutating func extent(of group: Int) -> Directory.Extent {
    if let known = done[group] { return known }
    // All groups nested in this one, each once; their own extents without nesting, united.
    var members = BitSet()
    var unknown = BitSet()
    var open = [group]
    var seen: Set = [group]
    while let next = open.popLast() {
      members.formUnion(BitSet(stated[next] ?? []))
      switch directory.groups[next].members {
      case .devices: break
      case .unknown: unknown.formUnion(BitSet(directory.users.indices))
      case .rule(let rule):
        let evaluated = ColumnRule(rule, directory).extent(count: directory.users.count)
        members.formUnion(evaluated.members)
        unknown.formUnion(evaluated.unknown)
      case .listed(let users, let groups, let isComplete):
        members.formUnion(BitSet(users))
        if !isComplete { unknown.formUnion(BitSet(directory.users.indices)) }
        open += groups.filter { seen.insert($0).inserted }
      }
    }
    unknown.subtract(members)
    unknown.subtract(complete)
    let extent = Directory.Extent(members: members, unknown: unknown)
    done[group] = extent
    return extent
  }
}

/// A rule with the results of its comparisons for each distinct value of a column.
private indirect enum ColumnRule {
  /// `results` by code: 0 is not met, 1 is met, 2 is unknown.
  case column([Int32], results: [UInt8])
  /// Depends on more than a column.
  case row(DirectoryRule, Directory)
  case not(ColumnRule)
  case and(ColumnRule, ColumnRule)
  case or(ColumnRule, ColumnRule)

  init(_ rule: DirectoryRule, _ directory: Directory) {
    switch rule {
    case .not(let rule): self = .not(ColumnRule(rule, directory))
    case .and(let left, let right):
      self = .and(ColumnRule(left, directory), ColumnRule(right, directory))
    case .or(let left, let right):
      self = .or(ColumnRule(left, directory), ColumnRule(right, directory))
    case .comparison, .elements, .directReports:
      guard let attribute = rule.attributes.first, attribute != .memberOf else {
        self = .row(rule, directory)
        return
      }
      let column = directory.column(attribute)
      self = .column(
        column.codes,
        results: column.values.map { value in
          switch rule.result(for: ConstantSubject(constant: value)) {
          case .isNotMet: 0
          case .isMet: 1
          case .unknown: 2
          }
        })
    }
  }

  func result(for user: Int) -> UInt8 {
    switch self {
    case .column(let codes, let results): return results[Int(codes[user])]
    case .row(let rule, let directory): return directory.result(of: rule, for: user)
    case .not(let rule):
      let result = rule.result(for: user)
      return result == 2 ? 2 : 1 - result
    case .and(let left, let right):
      let first = left.result(for: user)
      guard first != 0 else { return 0 }
      let second = right.result(for: user)
      return second == 0 ? 0 : max(first, second)
    case .or(let left, let right):
      let first = left.result(for: user)
      guard first != 1 else { return 1 }
      let second = right.result(for: user)
      return second == 1 ? 1 : max(first, second)
    }
  }

  func extent(count: Int) -> Directory.Extent {
    var members = BitSet(reservingCapacity: count)
    var unknown = BitSet()
    for user in 0..<count {
      switch result(for: user) {
      case 1: members.insert(user)
      case 2: unknown.insert(user)
      default:  // open: a number, here 0
        break
      }
    }
    return Directory.Extent(members: members, unknown: unknown)
  }
}

private struct ConstantSubject: RuleSubject {
  let constant: RuleValue

  func value(of attribute: RuleAttribute) -> RuleValue { constant }
}

extension Directory {
  fileprivate func result(of rule: DirectoryRule, for user: Int) -> UInt8 {
    switch rule.result(for: Row(user: user, directory: self)) {
    case .isNotMet: 0
    case .isMet: 1
    case .unknown: 2
    }
  }
}
