package import Model

/// The keychain groups that a signed process may use, in the order in which the system searches them.
///
/// Source: Apple Developer Documentation, "Sharing access to keychain items among a collection of apps".
package struct KeychainGroups: Sendable, Hashable {
  /// `keychain-access-groups`, then the application identifier, then the app groups; each once.
  package let groups: [String]

  /// Creates the groups of a process.
  ///
  /// - Parameters:
  ///   - team: The team identifier, the prefix of its groups without the dot.
  ///   - accessGroups: The entitlement `keychain-access-groups`, prefixes resolved.
  ///   - applicationIdentifier: `TEAM.bundle.id`; nil for a process that has none.
  ///   - applicationGroups: The entitlement `com.apple.security.application-groups`.
  /// - Throws: ``EntitlementError`` for a wildcard, and for a group of another team.
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

  /// Whether `group` names an app group. App groups begin with `group.` and are folders, so nothing in the name may
  /// lead elsewhere.
  private static func isAppGroup(_ group: String) -> Bool {
    group.hasPrefix("group.")
      && group.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
            || ".-_".unicodeScalars.contains($0))
      }
  }

  /// The group that new items go to where none is named; nil where the process has none.
  var defaultGroup: String? { groups.first }

  /// The decision on the operation, with the groups that it may touch; none where it is refused.
  ///
  /// - Parameter group: The group; nil: an addition goes to the default group, everything else looks in all groups.
  package func decide(group: String?, operation: Operation) -> KeychainDecision {
    guard let defaultGroup else { return decision(.keychainNoGroup, []) }
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

/// A verdict on a keychain operation, with the groups that the operation may touch.
package struct KeychainDecision: Sendable, Hashable {
  package var verdict: Verdict
  /// The groups in the order of search; empty where the operation is refused.
  package var groups: [String]

  /// The Security framework's status of a refusal: -34018, `errSecMissingEntitlement`; nil where the
  /// operation may take place.
  package var status: Int? { verdict.outcome == .blocked ? Self.missingEntitlement : nil }

  /// `errSecMissingEntitlement`.
  static let missingEntitlement = -34018
}

/// The reason why a group in an entitlements file cannot be granted.
package struct EntitlementError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rules that a group can break.
  package enum Code: String, Sendable, CaseIterable {
    /// A wildcard would grant groups that nobody named.
    case wildcard
    /// The group does not begin with the team's prefix.
    case otherTeam
    /// The group does not begin with `group.`, or has characters that no folder's name may have.
    case notAnAppGroup
  }

  package var code: Code
  /// The group as the entitlements write it.
  package var group: String
  /// The team whose prefix was expected.
  package var team: String

  /// Creates an error about a group.
  package init(_ code: Code, group: String, team: String) {
    self.code = code
    self.group = group
    self.team = team
  }

  /// The error as a sentence without a place, which only the reader of the file knows.
  package var description: String {
    switch code {
    case .wildcard: "the keychain group `\(group)` has a wildcard [wildcard]"
    case .otherTeam:
      "the keychain group `\(group)` does not begin with the team's prefix `\(team).` [otherTeam]"
    case .notAnAppGroup:
      "the app group `\(group)` must be `group.` and letters, digits, `.`, `-` or `_` [notAnAppGroup]"
    }
  }
}
