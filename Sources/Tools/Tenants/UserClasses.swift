internal import Directory
internal import Enrollment

/// Users whom the tenant's documents do not tell apart.
package struct UserClass: Sendable {
  /// The users' indices in the directory, sorted. Never empty.
  package let users: [Int]

  /// Creates a class of users, by their sorted indices.
  package init(users: [Int]) { self.users = users }

  /// The user who stands for the class.
  package var representative: Int { users[0] }
}

extension Tenant {
  /// Groups all users by what assignments and conditional access ask about them. Two users of a
  /// class get the same documents in every app and on every device.
  ///
  /// - Returns: The largest class first; of classes of one size, the one with the first user.
  package func classes() -> [UserClass] {
    let groups = directory.extents(of: namedGroups)
    var signatures: [[UInt8]: [Int]] = [:]
    let named = namedUsers
    for user in directory.users.indices {
      var signature: [UInt8] = []
      signature.reserveCapacity(groups.count + 3)
      for group in namedGroups {
        guard let extent = groups[group] else { continue }
        signature.append(
          extent.members.contains(user) ? 1 : extent.unknown.contains(user) ? 2 : 0)
      }
      signature.append(directory.isLicensed(user).map { $0 ? 1 : 0 } ?? 2)
      signature.append(directory.users[user].hasAllGroups ? 1 : 0)
      signature.append(guest(user))
      // A user whom a conditional access policy names is a class of its own.
      if let number = named[user] {
        withUnsafeBytes(of: number) { signature.append(contentsOf: $0) }
      }
      signatures[signature, default: []].append(user)
    }
    return signatures.values.map(UserClass.init(users:)).sorted {
      ($1.users.count, $0.representative) < ($0.users.count, $1.representative)
    }
  }

  /// Numbers the users whom conditional access policies name.
  private var namedUsers: [Int: Int] {
    var named: [Int: Int] = [:]
    for policy in conditionalAccess {
      for name in policy.users.included.union(policy.users.excluded).sorted() {
        if let user = directory.user(name) { named[user] = named[user] ?? named.count }
      }
    }
    return named
  }

  private func guest(_ user: Int) -> UInt8 {
    switch directory.value(of: RuleAttribute("userType"), for: user) {
    case .strings(let types): types.contains { $0.lowercased() == "guest" } ? 1 : 0
    case .null, .unavailable, .objects: 0
    case .unknown: directory.users[user].upn.contains("#EXT#") ? 1 : 2
    }
  }
}
