package import Model

/// The keychain groups that a signed process may use, in the order in which the system searches them.
///
/// Source: Apple Developer Documentation, "Sharing access to keychain items among a collection of apps".
package struct KeychainGroups: Sendable, Hashable {
  /// The groups without duplicates: those in `keychain-access-groups`, then the application identifier, then the app
  /// groups.
  package let groups: [String]

  /// Collects the groups from a process's entitlements.
  ///
  /// - Parameters:
  ///   - team: The team identifier. Keychain groups of the team begin with it and a dot.
  ///   - accessGroups: The entitlement `keychain-access-groups`, with prefixes resolved.
  ///   - applicationIdentifier: `TEAM.bundle.id`; nil if the process has none.
  ///   - applicationGroups: The entitlement `com.apple.security.application-groups`.
  /// - Throws: ``EntitlementError`` for a wildcard, a group of another team or an invalid app group.
  package init(
    team: String, accessGroups: [String], applicationIdentifier: String?,
    applicationGroups: [String] = []
  ) throws(EntitlementError) {
    let ofTeam = accessGroups + [applicationIdentifier].compactMap { $0 }
    var groups: [String] = []
    for group in ofTeam + applicationGroups where !groups.contains(group) {
      if group.contains("*") { throw EntitlementError(.wildcard, group: group, team: team) }
      groups.append(group)
    }
    for group in ofTeam where !group.hasPrefix(team + ".") {
      throw EntitlementError(.otherTeam, group: group, team: team)
    }
    for group in applicationGroups where !Self.isAppGroup(group) {
      throw EntitlementError(.notAnAppGroup, group: group, team: team)
    }
    self.groups = groups
  }

  /// Returns whether `group` is a valid app group. App groups become folder names, so their characters are limited.
  private static func isAppGroup(_ group: String) -> Bool {
    group.hasPrefix("group.")
      && group.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
            || ".-_".unicodeScalars.contains($0))
      }
  }

  /// Returns the verdict on a keychain operation, with the groups that the operation may access; without groups if it
  /// is denied.
  ///
  /// - Parameter group: The group that the process requests. If nil, an addition uses the default group, and other
  ///   operations search all groups.
  package func decide(group: String?, operation: Operation) -> KeychainDecision {
    guard let defaultGroup = groups.first else { return decision(.keychainNoGroup, []) }
    guard let group else {
      return operation == .keychainAdd
        ? decision(.keychainDefaultGroup, [defaultGroup]) : decision(.keychainGroupEntitled, groups)
    }
    return groups.contains(group)
      ? decision(.keychainGroupEntitled, [group]) : decision(.keychainGroupNotEntitled, [])
  }

  private func decision(_ rule: Rule, _ groups: [String]) -> KeychainDecision {
    KeychainDecision(
      verdict: Verdict([Reason(rule, .device, .keychainAccessGroups)]), groups: groups)
  }
}

/// The verdict on a keychain operation, with the groups that it may access.
package struct KeychainDecision: Sendable, Hashable {
  package var verdict: Verdict
  /// The groups that the operation may access, in search order; empty if it is denied.
  package var groups: [String]

  /// The status code that the Security framework returns for a denied operation: -34018, `errSecMissingEntitlement`.
  /// Nil if the operation is allowed.
  package var status: Int? { verdict.outcome == .blocked ? Self.missingEntitlement : nil }

  static let missingEntitlement = -34018
}

/// The reason why a group in an entitlements file cannot be granted.
package struct EntitlementError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The group contains a wildcard, which would grant groups that are not listed.
    case wildcard
    /// The group does not begin with the team's prefix.
    case otherTeam
    /// The app group does not begin with `group.`, or contains characters that are invalid in the name of its folder.
    case notAnAppGroup
  }

  package var code: Code
  /// The group as spelled in the entitlements.
  package var group: String
  /// The team identifier. Groups of the team begin with it and a dot.
  package var team: String

  package init(_ code: Code, group: String, team: String) {
    self.code = code
    self.group = group
    self.team = team
  }

  /// The error as a sentence. It contains no position, because only the reader of the entitlements file knows it.
  package var description: String {
    switch code {
    case .wildcard: "the keychain group `\(group)` has a wildcard [wildcard]"
    case .otherTeam:
      "the keychain group `\(group)` does not begin with the team's prefix `\(team).` [otherTeam]"
    case .notAnAppGroup:
      "the app group `\(group)` must be `group.` followed by letters, digits, `.`, `-` or `_` [notAnAppGroup]"
    }
  }
}
