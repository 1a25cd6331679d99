package import GraphDocuments
internal import Output

/// Collects users and groups in any order. Then resolves the references between them.
package struct DirectoryBuilder: Sendable {
  /// A group's member, as the group's entry states it.
  package enum Member: Sendable {
    /// An object id, a user principal name, or a group's name.
    case named(String)
    /// The object id or user principal name of a user. The entry states that the object is a user.
    case user(String)
    /// An object that is neither a user nor a group, such as a device.
    case other
  }

  /// The group's members, as the group's entry states them.
  package enum StatedMembers: Sendable {
    case nothing
    case list([Member], isComplete: Bool)
    case rule(DirectoryRule, text: String)
    case devices
  }

  private struct StatedGroup {
    var id: String?
    /// The name; the id if no entry states a name.
    var displayName: String
    var source: Directory.Source
    var members: KnownMembers
  }

  /// The equivalent of ``StatedMembers`` with indices of members instead of names. This saves memory, because a user is
  /// a member of many groups.
  private enum KnownMembers {
    case nothing
    case list([ListedMember], hasDevices: Bool, isComplete: Bool)
    case rule(DirectoryRule, text: String)
    case devices
  }

  private struct ListedMember {
    /// The index of the name in ``memberNames``.
    var name: Int32
    var isUser: Bool
  }

  private var users: [Directory.User] = []
  private var usersByName: [String: Int] = [:]
  private var columns: [RuleAttribute: Interner] = [:]
  private var groups: [StatedGroup] = []
  private var groupsByID: [String: Int] = [:]
  private var groupsByName: [String: [Int]] = [:]
  /// The indices of groups without an id, by lowercase name.
  private var groupsWithoutID: [String: Int] = [:]
  /// For each group, the names in later entries that differ from the group's name and have been reported by a warning,
  /// in lower case.
  private var otherNames: [Int: Set<String>] = [:]
  /// The distinct names of members, as groups spell them.
  private var memberNames: [String] = []
  private var memberNumbers: [String: Int32] = [:]
  /// The warnings so far, in the order of their addition.
  package private(set) var warnings: [DirectoryWarning] = []

  package init() {}

  package mutating func warn(
    _ code: DirectoryWarningCode, _ source: Directory.Source, _ message: String
  ) {
    warnings.append(
      DirectoryWarning(code, file: source.file, at: source.position, message))
  }

  // MARK: Users

  /// Adds a user. If the user already has an entry, adds the groups to the entry, and fills in a missing id and missing
  /// attributes.
  ///
  /// - Parameters:
  ///   - groups: The groups that the entry states.
  ///   - hasAllGroups: Whether these are all groups of the user, including those that contain the user through nested
  ///     groups.
  package mutating func add(
    userID id: String?, upn: String, _ attributes: [(RuleAttribute, RuleValue)],
    groups: [GroupReference] = [], hasAllGroups: Bool = false, source: Directory.Source
  ) {
    let id = id?.lowercased()
    let index: Int
    if let known = id.flatMap({ usersByName[$0] }) ?? usersByName[upn.lowercased()] {
      index = known
      warnIfDifferent(users[known], id, upn, source)
      users[known].id = users[known].id ?? id
      users[known].groups += groups
      users[known].hasAllGroups = users[known].hasAllGroups || hasAllGroups
    } else {
      index = users.count
      users.append(
        Directory.User(
          id: id, upn: upn, source: source, groups: groups, hasAllGroups: hasAllGroups))
    }
    usersByName[upn.lowercased()] = index
    if let id { usersByName[id] = index }
    for (attribute, value) in attributes {
      columns[attribute, default: Interner()].set(value, at: index)
    }
  }

  /// Warns if two entries that count as one user probably describe different users.
  private mutating func warnIfDifferent(
    _ user: Directory.User, _ id: String?, _ upn: String, _ source: Directory.Source
  ) {
    let difference: String? =
      if let id, let other = user.id, id != other {
        "`\(upn)` has the id `\(id)` here, but the id `\(other)` in \(user.source)"
      } else if user.upn.lowercased() != upn.lowercased() {
        "`\(upn)` has the id of `\(user.upn)` in \(user.source)"
      } else if user.upn != upn, user.source.file == source.file {
        "`\(upn)` differs only in case from `\(user.upn)` in \(user.source)"
      } else {
        nil
      }
    guard let difference else { return }
    warn(.duplicateUser, source, difference + "; both entries count as one user")
  }

  /// The values of one attribute for all users. Each distinct value is stored once, and each user has only the value's
  /// code.
  private struct Interner: Sendable {
    private var codes: [Int32] = []
    private var values: [RuleValue] = [.unknown]
    private var codeOf: [RuleValue: Int32] = [.unknown: 0]

    mutating func set(_ value: RuleValue, at row: Int) {
      fill(to: row + 1)
      guard codes[row] == 0 else { return }
      if let known = codeOf[value] {
        codes[row] = known
      } else {
        let code = Int32(values.count)
        codeOf[value] = code
        values.append(value)
        codes[row] = code
      }
    }

    private mutating func fill(to count: Int) {
      if codes.count < count {
        codes.append(contentsOf: repeatElement(0, count: count - codes.count))
      }
    }

    func column(rows: Int) -> Directory.Column {
      var filled = self
      filled.fill(to: rows)
      return Directory.Column(codes: filled.codes, values: filled.values)
    }
  }

  // MARK: Groups

  /// Adds a group. If the group already has an entry, merges the statements about its members. Two lists are combined,
  /// a list replaces a rule, and a statement replaces a missing one. Otherwise, the earlier statement is kept. A name
  /// without an id may also be the id of a group.
  package mutating func add(
    groupID id: String?, displayName: String?, _ members: StatedMembers, source: Directory.Source
  ) {
    let id = id?.lowercased()
    let members = numbered(members)
    let known =
      id.flatMap { groupsByID[$0] ?? groupsWithoutID[$0] }
      ?? displayName.flatMap { displayName in
        let name = displayName.lowercased()
        return id == nil ? groupsByName[name]?.first ?? groupsByID[name] : groupsWithoutID[name]
      }
    guard let known else {
      let index = groups.count
      let name = displayName ?? id ?? ""
      groups.append(StatedGroup(id: id, displayName: name, source: source, members: members))
      if let id { groupsByID[id] = index } else { groupsWithoutID[name.lowercased()] = index }
      groupsByName[name.lowercased(), default: []].append(index)
      return
    }
    if let id, groups[known].id == nil {
      groups[known].id = id
      groupsByID[id] = known
      groupsWithoutID[groups[known].displayName.lowercased()] = nil
    }
    if let displayName, displayName.lowercased() != groups[known].displayName.lowercased() {
      if groups[known].displayName.lowercased() == groups[known].id {
        groups[known].displayName = displayName
        groupsByName[displayName.lowercased(), default: []].append(known)
      } else if displayName.lowercased() != groups[known].id,
        otherNames[known, default: []].insert(displayName.lowercased()).inserted
      {
        warn(
          .duplicateGroup, source,
          "`\(displayName)` has the id of `\(groups[known].displayName)` in \(groups[known].source); both entries "
            + "count as one group")
      }
    }
    switch (groups[known].members, members) {
    case (
      .list(let some, let hasDevices, let isComplete),
      .list(let others, let hasOtherDevices, let isOtherComplete)
    ):
      groups[known].members = .list(
        some + others, hasDevices: hasDevices || hasOtherDevices,
        isComplete: isComplete || isOtherComplete)
    case (.nothing, _), (.rule, .list):
      groups[known].members = members
      groups[known].source = source
    case (_, .nothing), (.list, _), (.rule, _), (.devices, _): break
    }
  }

  private mutating func numbered(_ stated: StatedMembers) -> KnownMembers {
    switch stated {
    case .nothing: return .nothing
    case .rule(let rule, let text): return .rule(rule, text: text)
    case .devices: return .devices
    case .list(let members, let isComplete):
      var listed: [ListedMember] = []
      listed.reserveCapacity(members.count)
      for member in members {
        switch member {
        case .named(let name):
          let isUser = name.utf8.contains(UInt8(ascii: "@"))
          listed.append(ListedMember(name: number(of: name), isUser: isUser))
        case .user(let name): listed.append(ListedMember(name: number(of: name), isUser: true))
        case .other: break
        }
      }
      return .list(listed, hasDevices: listed.count < members.count, isComplete: isComplete)
    }
  }

  private mutating func number(of name: String) -> Int32 {
    if let known = memberNumbers[name] { return known }
    let number = Int32(memberNames.count)
    memberNames.append(name)
    memberNumbers[name] = number
    return number
  }

  // MARK: Names

  /// Returns whether a user with this object id or user principal name was added, ignoring case.
  func hasUser(_ name: String) -> Bool { usersByName[name.lowercased()] != nil }

  /// Returns whether a group with this id or name was added, ignoring case.
  package func hasGroup(_ name: String) -> Bool {
    groupsByID[name.lowercased()] != nil || groupsByName[name.lowercased()] != nil
  }

  func hasID(groupNamed name: String) -> Bool {
    let name = name.lowercased()
    return groupsByID[name] != nil
      || groupsByName[name]?.contains { groups[$0].id != nil } ?? false
  }

  /// The user principal names, in the order of the entries.
  var userNames: [String] { users.map(\.upn) }

  /// The names of groups, in the order of the entries.
  var groupNames: [String] { groups.map(\.displayName) }

  /// Returns the directory of all users and groups that were added. Warns about names that several groups share, and
  /// about members that the export does not contain.
  package mutating func finish() -> Directory {
    let members = memberNames.map(resolve)
    var resolved: [Directory.Group] = []
    for group in groups {
      resolved.append(
        Directory.Group(
          id: group.id, displayName: group.displayName, source: group.source,
          members: resolve(group, members), hasDevices: Self.hasDevices(group.members)))
    }
    var names: [String: Int] = [:]
    for (name, indices) in groupsByName {
      names[name] = indices[0]
      // `name` can be an id that was used until an entry stated the group's name. Such an id is not
      // a name.
      guard indices.count > 1, groups[indices[0]].displayName.lowercased() == name else { continue }
      let second = groups[indices[1]]
      warn(
        .ambiguousGroup, second.source,
        "\(indices.count) groups are named `\(second.displayName)`; where only the name is given, "
          + "the group in \(groups[indices[0]].source) is used")
    }
    return Directory(
      users: users, groups: resolved,
      columns: columns.mapValues { $0.column(rows: users.count) }, usersByName: usersByName,
      groupsByID: groupsByID, groupsByName: names)
  }

  private static func hasDevices(_ members: KnownMembers) -> Bool {
    switch members {
    case .nothing, .rule: false
    case .devices: true
    case .list(_, let hasDevices, _): hasDevices
    }
  }

  /// The object to which a member's name refers.
  private enum Resolution {
    case user(Int)
    case group(Int)
    case missing
  }

  private func resolve(_ name: String) -> Resolution {
    let key = name.lowercased()
    if let user = usersByName[key] { return .user(user) }
    return (groupsByID[key] ?? groupsByName[key]?.first).map { .group($0) } ?? .missing
  }

  /// Returns the members of a group, with names replaced by indices of users and groups. Warns about members that the
  /// export does not contain.
  ///
  /// - Parameter known: For each name in ``memberNames``, the object that it refers to.
  private mutating func resolve(
    _ group: StatedGroup, _ known: [Resolution]
  ) -> Directory.Members {
    switch group.members {
    case .nothing: return .unknown
    case .rule(let rule, let text): return .rule(rule, text: text)
    case .devices: return .devices
    case .list(let members, _, let isComplete):
      var found: (users: [Int], groups: [Int]) = ([], [])
      var missing: [String] = []
      // A missing member that may be a group may contain any user.
      var hasMissingGroup = false
      for member in members {
        switch known[Int(member.name)] {
        case .user(let user): found.users.append(user)
        case .group(let nested): found.groups.append(nested)
        case .missing:
          missing.append(memberNames[Int(member.name)])
          hasMissingGroup = hasMissingGroup || !member.isUser
        }
      }
      if !missing.isEmpty {
        warn(
          .unknownMember, group.source,
          "`\(group.displayName)` has members that the export does not contain: "
            + ListFormat.first(3, of: missing.sorted().map { "`\($0)`" })
            + (hasMissingGroup ? "; members of groups among them are unknown" : ""))
      }
      return .listed(
        users: Self.sortedOnce(found.users), groups: Self.sortedOnce(found.groups),
        isComplete: isComplete && !hasMissingGroup)
    }
  }

  /// Returns the indices in ascending order, without duplicates.
  private static func sortedOnce(_ indices: [Int]) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(indices.count)
    for index in indices.sorted() where result.last != index { result.append(index) }
    return result
  }
}

// MARK: - Diagnostics

package enum DirectoryDocuments: DocumentKind {
  package typealias ErrorCode = DirectoryErrorCode
  package typealias WarningCode = DirectoryWarningCode
}

/// An error that makes a file of users, groups or filters unusable.
package typealias DirectoryError = DocumentError<DirectoryErrorCode>
/// A warning about users, groups or filters in a file that remains usable.
package typealias DirectoryWarning = DocumentWarning<DirectoryWarningCode>

package enum DirectoryErrorCode: String, DocumentErrorCode, CaseIterable {
  case jsonSyntax
  /// An object has two properties with the same name.
  case duplicateProperty
  /// A property's JSON type differs from Graph's.
  case wrongType
  /// A table that is empty or has an unclosed quotation mark.
  case wrongTable
  /// A table without a column that names users or members.
  case foreignTable
  /// A user or a group with neither a name nor an id, or a filter without a rule.
  case missingProperty
  /// An unknown key in a hand-written file.
  case unknownKey
  /// A group with both members and a rule in a hand-written file.
  case conflictingKeys
  /// A user in a hand-written file whose name is not a user principal name.
  case invalidName
  /// A hand-written file refers to a user or group that neither the file nor the export contains.
  case unknownName
  /// A hand-written file contains a group whose rule cannot be parsed.
  case invalidRule
}

package enum DirectoryWarningCode: String, DocumentWarningCode, CaseIterable {
  case unknownProperty
  /// A rule that cannot be parsed. If it is a membership rule, the group's members are unknown.
  case invalidRule
  /// A membership rule whose processing is paused in Entra. The group's members are unknown.
  case pausedRule
  /// Two entries with the same id or user principal name that probably describe different users.
  case duplicateUser
  /// A group in a hand-written file has no id. Assignments refer to groups by id only, so no assignment can be matched
  /// to the group.
  case groupWithoutID
  /// Two entries with the same id and different names.
  case duplicateGroup
  /// Two different filters with the same id.
  case duplicateFilter
  /// Several groups have the same name.
  case ambiguousGroup
  /// A group lists a member that the export does not contain.
  case unknownMember
  /// A list of members that may be incomplete, because Graph returns long lists in parts.
  case incompleteList
}
