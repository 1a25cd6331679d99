internal import Directory
internal import Enrollment
internal import GraphDocuments

/// Users that the tenant's documents do not distinguish.
package struct UserClass: Sendable, Hashable {
  /// The users' indices in the directory, sorted. Never empty.
  package let users: [Int]

  package init(users: [Int]) { self.users = users }

  package var representative: Int { users[0] }
}

extension Tenant {
  /// Groups all users with enabled accounts by the properties that assignments and conditional access evaluate. Users
  /// in the same class get the same documents in every app and on every device.
  ///
  /// - Returns: The classes by descending size. Classes of equal size are ordered by their first user.
  package func classes() -> [UserClass] { classes(directory.extents(of: namedGroups)) }

  /// Returns the classes of a group's members, and the number of users with unknown membership. Disabled accounts are
  /// left out. Returns nil if the export contains no such group.
  ///
  /// - Parameter name: The name or id of a group; `guests` for all guests, unless a group has this name.
  package func classes(ofGroup name: String) -> (members: [UserClass], unknown: Int)? {
    let isMember: (Int) -> Bool?
    if let group = directory.group(GroupReference(id: name, name: name)),
      let extent = directory.extents(of: [group])[group]
    {
      isMember = { extent.unknown.contains($0) ? nil : extent.members.contains($0) }
    } else if name.lowercased() == "guests" {
      isMember = isGuest
    } else {
      return nil
    }
    let members = classes().compactMap { users in
      let members = users.users.filter { isMember($0) == true }
      return members.isEmpty ? nil : UserClass(users: members)
    }
    return (members, directory.enabledUsers.count { isMember($0) == nil })
  }

  /// Groups users like ``classes()``.
  ///
  /// - Parameter extents: The members of the groups that documents name.
  func classes(_ extents: [Int: Directory.Extent]) -> [UserClass] {
    partition(extents).blocks(of: directory.enabledUsers).map(UserClass.init(users:)).sorted {
      ($1.users.count, $0.representative) < ($0.users.count, $1.representative)
    }
  }

  private func partition(_ extents: [Int: Directory.Extent]) -> UserPartition {
    var partition = UserPartition(count: directory.users.count)
    for extent in extents.values {
      partition.split(extent.members)
      partition.split(extent.unknown)
    }
    let users = directory.users.indices
    for isLicensed in [true, nil] {
      partition.split(users.lazy.filter { directory.isLicensed($0) == isLicensed })
    }
    for isGuest in [true, nil] {
      partition.split(users.lazy.filter { self.isGuest($0) == isGuest })
    }
    partition.split(users.lazy.filter { directory.users[$0].hasAllGroups })
    // A user that a conditional access policy names is a separate class.
    for user in namedUsers { partition.split(CollectionOfOne(user)) }
    return partition
  }

  /// The indices of the users whom conditional access policies name directly, not by their groups or roles.
  private var namedUsers: Set<Int> {
    let names = conditionalAccess.map { $0.users.included.union($0.users.excluded) }
    return Set(names.joined().compactMap { directory.user($0) })
  }

  /// Returns whether the user is a guest; nil if unknown.
  func isGuest(_ user: Int) -> Bool? {
    switch directory.value(of: RuleAttribute("userType"), for: user) {
    case .strings(let types): types.contains { $0.lowercased() == "guest" }
    case .null, .unavailable, .objects: false
    case .unknown: directory.users[user].upn.contains("#EXT#") ? true : nil
    }
  }
}

/// A partition of users into blocks. Each ``split(_:)`` refines the partition, in a time proportional to the number of
/// users that are passed to it.
package struct UserPartition: Sendable {
  /// The label of each user's block.
  private(set) var labels: [Int32]
  /// During a ``split(_:)``: for each label, the new label of the given users with this label; -1 if no such user has
  /// been found yet.
  private var successors: [Int32] = [-1]

  init(count: Int) { labels = Array(repeating: 0, count: count) }

  /// Splits each block into the given users and all other users.
  mutating func split(_ users: some Sequence<Int>) {
    var touched: [Int] = []
    for user in users {
      let label = Int(labels[user])
      if successors[label] < 0 {
        successors[label] = Int32(successors.count)
        successors.append(-1)
        touched.append(label)
      }
      labels[user] = successors[label]
    }
    for label in touched { successors[label] = -1 }
  }

  /// Groups the given users by block. The groups are in the order of their first users.
  func blocks(of users: some Sequence<Int>) -> [[Int]] {
    var numbers = Array(repeating: -1, count: successors.count)
    var blocks: [[Int]] = []
    for user in users {
      let label = Int(labels[user])
      if numbers[label] < 0 {
        numbers[label] = blocks.count
        blocks.append([])
      }
      blocks[numbers[label]].append(user)
    }
    return blocks
  }
}
