internal import AppConfiguration
internal import Directory
internal import Enrollment
internal import GraphDocuments
internal import Output
internal import Policy

/// The differences between two tenants for the users in both.
///
/// For each document, users with equal values of all properties that the document reads share one evaluation. The
/// results for an app are combined from the results of the documents.
package struct TenantDiff: Sendable {
  package struct Audience: Sendable, Hashable {
    /// A user in both tenants, by index in each directory.
    package struct User: Sendable, Hashable {
      package var old: Int
      package var new: Int
    }

    /// The users, in the order of the old tenant; at least one.
    package var users: [User]
    package var devices: [TenantDevice]
    /// The facts on which the change depends and which neither export states.
    package var conditions: [TenantCondition]
  }

  /// Users with changed setting values in some apps.
  package struct ProtectionChange: Sendable {
    package var audience: Audience
    /// The lowercase bundle ids of the apps, in alphabetical order.
    package var apps: [String]
    /// The policies that applied together, by their indices in the old tenant.
    package var old: [Int]
    package var new: [Int]
    /// The effective policy in the old tenant. Without a policy, nothing is restricted.
    let before: EffectivePolicy
    let after: EffectivePolicy
    /// The cases in which conditional access locked the users out, because no policy applied; none if a policy applied.
    package var oldLockOut: PolicyDemand
    package var newLockOut: PolicyDemand
    /// The conditional access policies that the users could not meet on the devices, by their indices in the old
    /// tenant.
    var oldBlocks: [Int]
    var newBlocks: [Int]
    /// The reasons why the first user gets different policies in the two tenants. Empty if only settings differ.
    package var causes: [TenantDiffCause]

    /// Whether conditional access locks the users out or blocks them in one of the tenants, regardless of unknown
    /// facts. If so, no flow is possible in that tenant, and the policies are not compared.
    var isLockOut: Bool {
      oldLockOut.isUnconditional || newLockOut.isUnconditional || !oldBlocks.isEmpty
        || !newBlocks.isEmpty
    }
  }

  /// Users with a changed app configuration in some apps.
  package struct ConfigurationChange: Sendable {
    package var audience: Audience
    package var apps: [String]
    /// The index of the configuration in the old tenant; nil if it did not reach the users.
    package var old: Int?
    package var new: Int?
    package var causes: [TenantDiffCause]
  }

  /// Users for whom the requirements of a conditional access policy change.
  package struct AccessChange: Sendable {
    package var audience: Audience
    /// The index of the policy in the old tenant; nil if there is none.
    package var old: Int?
    package var new: Int?
    /// The demands of the policy in the old tenant; nil if it did not apply.
    package var oldDemand: String?
    package var newDemand: String?
    /// The changed rules of groups on which the policy's result for the first user depends.
    package var rules: [TenantDiffCause.RuleChange]
    package var lockOuts: [LockOutChange]
  }

  /// Users whom conditional access locks out of some apps in only one tenant, or under different conditions in each
  /// tenant.
  package struct LockOutChange: Sendable {
    /// The users and devices, with the conditions of the ``AccessChange``.
    package var audience: Audience
    package var apps: [String]
    let old: PolicyDemand
    let new: PolicyDemand
  }

  package let old: Tenant
  package let new: Tenant
  /// The name of the second tenant in reports.
  let newName: String
  /// The changes in the restrictions by policies, ordered by descending number of users.
  package let protection: [ProtectionChange]
  /// The changes of configurations, ordered by descending number of users.
  package private(set) var configurations: [ConfigurationChange]
  /// The changes of conditional access, ordered by descending number of users.
  package private(set) var access: [AccessChange]
  /// The users who exist only in the old tenant, by their indices.
  package let removedUsers: [Int]
  package let addedUsers: [Int]
  /// The users with an account that is disabled only in the new tenant, by their indices in the old tenant.
  package let disabledUsers: [Int]
  /// The users with an account that is disabled only in the old tenant, by their indices in the old tenant.
  package let enabledUsers: [Int]
  /// The users for whom the effect of a changed document is unknown, because it depends on too many unknown facts. The
  /// users are given by their indices in the old tenant.
  package let undecidedUsers: [Int]

  /// Whether both tenants have the same users, and certainly deliver the same documents to each user.
  package var isEmpty: Bool {
    protection.isEmpty && configurations.isEmpty && access.isEmpty && removedUsers.isEmpty
      && addedUsers.isEmpty && disabledUsers.isEmpty && enabledUsers.isEmpty
      && undecidedUsers.isEmpty
  }

  package var ofProtection: TenantDiff {
    var difference = self
    difference.configurations = []
    difference.access = []
    return difference
  }

  /// Compares two tenants.
  ///
  /// - Parameters:
  ///   - name: The name of the second tenant in reports; nil for its folder.
  ///   - user: The name or id of the only user to compare; nil for all users.
  ///   - group: The name or id of a group. Only users who are known members in at least one of the tenants are
  ///     compared. Nil for all users.
  ///   - apps: Lowercase bundle ids; nil to use the bundle ids that documents name, and bundle ids that represent all
  ///     other apps.
  ///   - devices: The devices to ask about; nil for an unmanaged and a managed one.
  package init(
    _ old: Tenant, _ new: Tenant, called name: String? = nil, user: String? = nil,
    group: String? = nil, apps: [String]? = nil, devices: [TenantDevice]? = nil
  ) {
    self.old = old
    self.new = new
    newName = name ?? new.folder
    var partners: [(old: Int, new: Int)] = []
    var found: Set<Int> = []
    var removed: [Int] = []
    for (index, entry) in old.directory.users.enumerated() {
      let partner =
        entry.id.flatMap { new.directory.user($0) } ?? new.directory.user(entry.upn)
      if let partner, found.insert(partner).inserted {
        partners.append((index, partner))
      } else {
        removed.append(index)
      }
    }
    var added = new.directory.users.indices.filter { !found.contains($0) }
    if let user {
      partners = partners.filter {
        $0.old == old.directory.user(user) || $0.new == new.directory.user(user)
      }
      removed = removed.filter { $0 == old.directory.user(user) }
      added = added.filter { $0 == new.directory.user(user) }
    }
    if let group {
      let members = [old, new].map { tenant in
        Set((tenant.classes(ofGroup: group)?.members ?? []).flatMap(\.users))
      }
      partners = partners.filter { members[0].contains($0.old) || members[1].contains($0.new) }
      removed = removed.filter { members[0].contains($0) }
      added = added.filter { members[1].contains($0) }
    }
    let disabled = partners.map {
      (old: old.directory.isDisabled($0.old), new: new.directory.isDisabled($0.new))
    }
    let states = zip(partners, disabled)
    disabledUsers = states.compactMap { !$1.old && $1.new ? $0.old : nil }
    enabledUsers = states.compactMap { $1.old && !$1.new ? $0.old : nil }
    if user == nil {
      // A disabled account gets nothing new, so its documents are not compared.
      partners = states.compactMap { $1.old || $1.new ? nil : $0 }
    }
    removedUsers = removed
    addedUsers = added
    let devices = devices ?? [false, true].map { TenantDevice(isManaged: $0) }
    let apps = apps ?? Set(old.sampleApps).union(new.sampleApps).sorted()
    let changed = ChangedFacts(old, new)
    var search = TenantDiffSearch(
      DiffSide(old, users: partners.map(\.old), .old, comparing: changed),
      DiffSide(new, users: partners.map(\.new), .new, comparing: changed), comparing: changed)
    for device in devices {
      for app in apps {
        search.compareProtection(in: app, on: device)
        search.compareConfigurations(in: app, on: device)
      }
      search.compareAccess(on: device)
    }
    protection = search.protection(on: devices)
    configurations = search.configurations(on: devices)
    access = search.access(in: apps, on: devices)
    undecidedUsers = search.undecided.sorted().map { partners[$0].old }
  }
}

/// A reason why a policy or configuration reaches a user in one tenant only.
package struct TenantDiffCause: Sendable, Hashable {
  /// An assignment filter or a group with a changed rule.
  package struct RuleChange: Sendable, Hashable {
    package var name: String
    /// The location in the old tenant as `file:line`; nil if there is no rule.
    package var old: String?
    package var new: String?
  }

  package enum Kind: String, Sendable, CaseIterable {
    case added
    case removed
    /// The document targets different apps or device types.
    case targeting
    /// The document is assigned to different groups.
    case assignment
    /// The rule of an assignment filter has changed.
    case filter
    /// The membership rule of the group, or of another group on which its members depend, has changed.
    case membershipRule
    /// The user's groups differ, but the rules of these groups are the same.
    case membership
    /// The user has a licence in only one tenant, or it is unknown in one tenant whether the user has one.
    case licence
    /// A configuration that passes the enrolled user to the app was added, changed or removed.
    case managementState
  }

  /// The kinds of differences that may have caused the change.
  package var kinds: [Kind]
  package var document: String
  package var rules: [RuleChange] = []
  /// The reason why the document reached the user, or did not; nil if the old tenant does not contain the document.
  package var old: String?
  package var new: String?
}
