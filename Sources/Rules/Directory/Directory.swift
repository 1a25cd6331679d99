package import BitCollections
package import Encodings
package import GraphDocuments

/// The users and groups of a tenant, as stated in its export.
///
/// Attributes are stored in columns with shared values. A rule is therefore evaluated once for each distinct value, and
/// a tenant of 100,000 users fits in memory. Create a directory with ``DirectoryBuilder``.
package struct Directory: Sendable {
  /// The place in the export that defines a user, a group, a filter or an assignment.
  package struct Source: Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var position: Position

    package init(file: String, position: Position) {
      self.file = file
      self.position = position
    }

    package var description: String { "\(file):\(position.line)" }
  }

  /// A user. The user's attributes are stored in ``Column``.
  package struct User: Sendable {
    /// The object id, in lower case; nil if the export does not state it.
    package var id: String?
    /// The user principal name as the export spells it.
    package var upn: String
    /// The position of the user's first entry.
    package var source: Source
    /// The groups that the user's own entry in the export lists. Entries of groups may list the user too.
    var groups: [GroupReference]
    /// Whether ``groups`` contains all of the user's groups, both direct and nested.
    package internal(set) var hasAllGroups: Bool

    /// The names by which the user can be found: the object id and the user principal name, in lower case.
    package var names: [String] { [id, upn.lowercased()].compactMap(\.self) }
  }

  /// A group of users or devices.
  package struct Group: Sendable {
    /// The object id, in lower case; nil if the export does not state it.
    package var id: String?
    /// The name; the id if the export states no name.
    package var displayName: String
    /// The position of the group's entry; of several entries, the one that states the most about the members.
    package var source: Source
    var members: Members
    /// Whether the group's entry lists objects that are neither users nor groups, such as devices.
    package internal(set) var hasDevices = false
  }

  /// The information in the export about a group's members.
  enum Members: Sendable {
    case unknown
    /// The members that the export lists: sorted indices of users and of nested groups.
    case listed(users: [Int], groups: [Int], isComplete: Bool)
    case rule(DirectoryRule, text: String)
    /// The group contains devices only.
    case devices
  }

  /// All users, in the order of the export.
  package private(set) var users: [User]
  /// All groups, in the order of the export.
  package private(set) var groups: [Group]
  private let columns: [RuleAttribute: Column]
  private let usersByName: [String: Int]
  private let groupsByID: [String: Int]
  private let groupsByName: [String: Int]

  /// The values of one attribute for all users.
  struct Column: Sendable {
    /// For each user, an index into ``values``.
    var codes: [Int32]
    /// The distinct values. The first is ``RuleValue/unknown``, for users without a stated value.
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

  /// Returns the index of the user with this object id or user principal name, ignoring case; nil if there is none.
  package func user(_ name: String) -> Int? { usersByName[name.lowercased()] }

  /// Returns the index of the group; nil if the export does not contain it.
  package func group(_ reference: GroupReference) -> Int? {
    if let id = reference.id, let group = groupsByID[id] { return group }
    return reference.name.flatMap { groupsByName[$0.lowercased()] }
  }

  /// Returns the value of a user's attribute; ``RuleValue/unknown`` if the export does not state it.
  package func value(of attribute: RuleAttribute, for user: Int) -> RuleValue {
    columns[attribute].map { $0.values[Int($0.codes[user])] } ?? .unknown
  }

  /// Returns whether the user has a licence; nil if the export does not state licences. If the export states service
  /// plans, the licence must include Intune. Otherwise, any licence counts.
  package func isLicensed(_ user: Int) -> Bool? {
    // The service `SCO` is Intune: Microsoft Learn, "Manage rules for dynamic membership groups",
    // example 2.
    if case .objects(let plans) = value(of: .assignedPlans, for: user) {
      return plans.contains {
        $0["service"]?.lowercased() == "sco" && $0["capabilityStatus"]?.lowercased() == "enabled"
      }
    }
    switch value(of: .assignedLicenses, for: user) {
    case .unknown: return nil
    case .null, .unavailable: return false
    // A hand-written file states `licensed: false`.
    case .strings(let licences): return licences.contains { $0.lowercased() != "false" }
    case .objects(let licences): return !licences.isEmpty
    }
  }

  /// Returns whether the account is disabled, so the user cannot sign in. An account without a stated `accountEnabled`
  /// counts as enabled.
  ///
  /// Source: Microsoft Graph, resource type `user`, property `accountEnabled`.
  package func isDisabled(_ user: Int) -> Bool {
    guard case .strings(let values) = value(of: .accountEnabled, for: user) else { return false }
    return values.contains { $0.lowercased() == "false" }
  }

  package var enabledUsers: [Int] { users.indices.filter { !isDisabled($0) } }

  // MARK: Membership

  /// Returns whether the user is a member of the group, directly or through nested groups. A member's result includes
  /// the path through the groups.
  ///
  /// Intune and conditional access count nested members (Microsoft Learn, "Add groups to organize users and devices";
  /// "Conditional Access: Users, groups, agents, and workload identities").
  package func membership(of user: Int, in group: Int) -> Membership {
    let entry = users[user]
    let stated = Set(entry.groups.compactMap { self.group($0) })
    // The visited groups, each with the group that lists it. The search is iterative, because
    // nesting may be deep.
    var outer = [group: group]
    var open = [group]
    var unknown: Set<MembershipGap> = []
    while let next = open.popLast() {
      var isMember = stated.contains(next)
      switch groups[next].members {
      case .devices: break
      case .unknown: unknown.insert(.members(of: next))
      case .rule(let rule, _):
        switch rule.result(for: Row(user: user, directory: self)) {
        case .isMet: isMember = true
        case .isNotMet: break
        case .unknown(let names): unknown.formUnion(names.map { .attribute($0) })
        }
      case .listed(let members, let nested, let isComplete):
        isMember = isMember || Self.contains(members, user)
        if !isComplete { unknown.insert(.members(of: next)) }
        for inner in nested.reversed() where outer[inner] == nil {
          outer[inner] = next
          open.append(inner)
        }
      }
      if isMember {
        var path = [next]
        while let last = path.last, last != group, let outside = outer[last] {
          path.append(outside)
        }
        return .member(path)
      }
    }
    return unknown.isEmpty || entry.hasAllGroups ? .notMember : .unknown(unknown)
  }

  /// Returns whether the sorted `indices` contain `index`.
  private static func contains(_ indices: [Int], _ index: Int) -> Bool {
    var range = indices.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if indices[middle] == index { return true }
      range = indices[middle] < index ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

  private struct Row: RuleSubject {
    let user: Int
    let directory: Directory

    func value(of attribute: RuleAttribute) -> RuleValue { value(of: attribute, among: nil) }

    func value(of attribute: RuleAttribute, among ids: [String]?) -> RuleValue {
      guard attribute == .memberOf else { return directory.value(of: attribute, for: user) }
      return directory.directGroups(of: user, among: ids)
    }
  }

  /// Returns the groups that directly contain the user, as objects with the property `objectId`.
  ///
  /// Source: Microsoft Learn, "Group membership in a dynamic group (preview)": direct members count; members of dynamic
  /// groups with `memberOf` rules do not.
  ///
  /// - Parameter ids: The lowercase ids of the groups to check; nil to check all groups. If `ids` is not nil and a
  ///   membership is known, the result contains only the known memberships.
  /// - Returns: ``RuleValue/unknown`` if the result depends on a group whose members are unknown.
  private func directGroups(of user: Int, among ids: [String]?) -> RuleValue {
    let wanted = ids ?? groups.compactMap(\.id)
    let memberships = wanted.map { (id: $0, isMember: isDirectMember(user, of: $0)) }
    let known = memberships.filter { $0.isMember == true }.map { ["objectId": $0.id] }
    let hasGap = memberships.contains { $0.isMember == nil }
    return hasGap && (ids == nil || known.isEmpty) ? .unknown : .objects(known)
  }

  /// Returns whether the user is a direct member of the group with this lowercase id; nil if unknown.
  private func isDirectMember(_ user: Int, of id: String) -> Bool? {
    let entry = users[user]
    let group = groupsByID[id]
    let isStated = entry.groups.contains { $0.id == id || group != nil && self.group($0) == group }
    let known: Bool? =
      switch group.map({ groups[$0].members }) {
      case .devices: false
      case .rule(let rule, _):
        rule.attributes.contains(.memberOf)
          ? false : rule.result(for: Row(user: user, directory: self)).isMet
      case .listed(let members, _, let isComplete):
        Self.contains(members, user) ? true : isComplete && !isStated ? false : nil
      case .unknown, nil: nil
      }
    if let known { return known }
    // An entry with all groups also lists the groups that contain the user only indirectly.
    return entry.hasAllGroups ? (isStated ? nil : false) : (isStated ? true : nil)
  }
}

package enum Membership: Sendable, Equatable {
  /// The user is a member. The path begins with the group that directly contains the user and ends with the requested
  /// group.
  case member([Int])
  case notMember
  case unknown(Set<MembershipGap>)
}

/// A piece of information without which a membership is unknown.
package enum MembershipGap: Sendable, Hashable {
  /// The members of the group with this index.
  case members(of: Int)
  /// The user's attribute with this name.
  case attribute(String)
}

extension RuleAttribute {
  static let memberOf = RuleAttribute("memberOf", .objects)
  static let assignedPlans = RuleAttribute("assignedPlans", .objects)
  static let accountEnabled = RuleAttribute("accountEnabled", .boolean)
  static let objectID = RuleAttribute("objectId")
  static let userPrincipalName = RuleAttribute("userPrincipalName")
  /// The licences of a user. This attribute is for ``Directory/isLicensed(_:)``; membership rules cannot read it.
  static let assignedLicenses = RuleAttribute("assignedLicenses", .objects)
}

// MARK: - Changes

extension Directory {
  /// Returns whether the group's entry lists its members. If so, ``add(_:to:)`` adds a user to this list. Otherwise, it
  /// adds the group to the user's entry.
  package func listsMembers(_ group: Int) -> Bool {
    if case .listed = groups[group].members { true } else { false }
  }

  /// Returns the user principal name of the first user whose name before the `@` is `name`, ignoring case.
  package func upn(ofAlias name: String) -> String? {
    let alias = name.lowercased() + "@"
    return users.first { $0.upn.lowercased().hasPrefix(alias) }?.upn
  }

  /// Returns whether a membership rule determines a group's members.
  package func isDynamic(_ group: Int) -> Bool {
    if case .rule = groups[group].members { true } else { false }
  }

  /// Makes a user a direct member of a group.
  package mutating func add(_ user: Int, to group: Int) {
    if case .listed(let members, let nested, let isComplete) = groups[group].members {
      groups[group].members = .listed(
        users: Set(members).union([user]).sorted(), groups: nested, isComplete: isComplete)
    } else {
      users[user].groups.append(
        GroupReference(id: groups[group].id, name: groups[group].displayName))
    }
  }
}

// MARK: - All users at once

extension Directory {
  /// The known members of a group, and the users whose membership is unknown.
  package struct Extent: Sendable {
    /// The indices of the members.
    package var members: BitSet
    /// The indices of the users whose membership is unknown.
    package var unknown: BitSet

    /// Returns whether no member of `other` can be a member of this group. False if the members of `other` are not all
    /// known.
    package func isWithoutMember(of other: Extent) -> Bool {
      other.unknown.count == 0 && members.isDisjoint(with: other.members)
        && unknown.isDisjoint(with: other.members)
    }
  }

  /// Returns the known members and the users of unknown membership for each requested group, by the group's index. For
  /// each user, the result agrees with ``membership(of:in:)``.
  ///
  /// - Parameter wanted: The indices of the groups.
  package func extents(of wanted: some Sequence<Int>) -> [Int: Extent] {
    var survey = MembershipSurvey(self)
    return wanted.reduce(into: [:]) { $0[$1] = survey.extent(of: $1) }
  }

  /// Returns the requested groups and all groups that their membership depends on: nested groups, and groups in
  /// membership rules, at any depth.
  ///
  /// - Parameter wanted: The indices of the groups.
  package func groups(usedBy wanted: some Sequence<Int>) -> Set<Int> {
    var used = Set(wanted)
    var open = Array(used)
    while let next = open.popLast() {
      let inner =
        switch groups[next].members {
        case .listed(_, let nested, _): nested
        case .rule(let rule, _): rule.groupIDs.compactMap { groupsByID[$0] }
        case .unknown, .devices: [Int]()
        }
      open += inner.filter { used.insert($0).inserted }
    }
    return used
  }

  /// Returns whether the export states the group's members, as a list of users and nested groups or as a membership
  /// rule for users.
  package func statesMembers(_ group: Int) -> Bool {
    switch groups[group].members {
    case .listed, .rule: true
    case .unknown, .devices: false
    }
  }

  /// Returns the text of a group's membership rule; nil if the group has no readable rule for users.
  package func membershipRule(of group: Int) -> String? {
    switch groups[group].members {
    case .rule(_, let text): text
    case .unknown, .listed, .devices: nil
    }
  }

  fileprivate func nestedGroups(in group: Int) -> [Int] {
    switch groups[group].members {
    case .listed(_, let nested, _): nested
    case .unknown, .rule, .devices: []
    }
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
  /// For each group, the users whose own entries list the group.
  private var stated: [Int: [Int]] = [:]
  /// The users whose own entries list all of their groups.
  private var complete = BitSet()
  private let everyone: BitSet

  init(_ directory: Directory) {
    self.directory = directory
    everyone = BitSet(directory.users.indices)
    for (user, entry) in directory.users.enumerated() {
      if entry.hasAllGroups { complete.insert(user) }
      for group in entry.groups.compactMap({ directory.group($0) }) {
        stated[group, default: []].append(user)
      }
    }
  }

  mutating func extent(of group: Int) -> Directory.Extent {
    if done[group] == nil { computeExtents(from: group) }
    return done[group] ?? Directory.Extent(members: BitSet(), unknown: BitSet())
  }

  /// Computes the members of a group and of all groups nested in it. Visits each group once.
  ///
  /// Uses Tarjan's algorithm for strongly connected components. The search is iterative, because nesting may be deep.
  private mutating func computeExtents(from root: Int) {
    var numbers: [Int: Int] = [:]
    var lowest: [Int: Int] = [:]
    /// The visited groups whose strongly connected components are not complete yet.
    var open: [Int] = []
    var path: [(group: Int, nested: ArraySlice<Int>)] = []
    var entered: Int? = root
    while true {
      if let group = entered {
        let number = numbers.count
        numbers[group] = number
        lowest[group] = number
        open.append(group)
        path.append((group, directory.nestedGroups(in: group)[...]))
        entered = nil
      }
      guard let group = path.last?.group else { return }
      if let inner = path[path.count - 1].nested.popFirst() {
        guard done[inner] == nil else { continue }
        if let number = numbers[inner] {
          lowest[group] = min(lowest[group] ?? number, number)
        } else {
          entered = inner
        }
        continue
      }
      path.removeLast()
      let low = lowest[group] ?? 0
      if let outer = path.last?.group { lowest[outer] = min(lowest[outer] ?? low, low) }
      guard low == numbers[group], let start = open.lastIndex(of: group) else { continue }
      let extent = extent(ofComponent: open[start...])
      for member in open[start...] { done[member] = extent }
      open.removeSubrange(start...)
    }
  }

  /// Returns the members of groups that contain each other. The members of all other nested groups must have been
  /// computed.
  private func extent(ofComponent component: ArraySlice<Int>) -> Directory.Extent {
    var members = BitSet()
    var unknown = BitSet()
    for group in component {
      members.formUnion(BitSet(stated[group] ?? []))
      switch directory.groups[group].members {
      case .devices: break
      case .unknown: unknown.formUnion(everyone)
      case .rule(let rule, _):
        let evaluated = ColumnRule(rule, directory).extent(count: directory.users.count)
        members.formUnion(evaluated.members)
        unknown.formUnion(evaluated.unknown)
      case .listed(let users, let groups, let isComplete):
        members.formUnion(BitSet(users))
        if !isComplete { unknown.formUnion(everyone) }
        for extent in groups.compactMap({ done[$0] }) {
          members.formUnion(extent.members)
          unknown.formUnion(extent.unknown)
        }
      }
    }
    unknown.subtract(members)
    unknown.subtract(complete)
    return Directory.Extent(members: members, unknown: unknown)
  }
}

/// A rule whose comparisons were evaluated once for each distinct value of a column instead of once for each user.
private indirect enum ColumnRule {
  /// A comparison of one attribute: for each user, the code of the user's value, and for each code, the result. 0 is
  /// not met, 1 is met, 2 is unknown.
  case column([Int32], results: [UInt8])
  /// A rule on more than the value of one attribute, such as a rule on groups. It is evaluated for each user.
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
