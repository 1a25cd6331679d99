/// The reason why a group in an entitlements file cannot be granted.
public struct EntitlementError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rules that a group can break.
  public enum Code: String, Sendable, CaseIterable {
    /// A wildcard would grant groups that nobody named.
    case wildcard
    /// The group does not begin with the team's prefix.
    case otherTeam
    /// The group does not begin with `group.`, or has characters that no folder's name may have.
    case notAnAppGroup
  }

  public var code: Code
  /// The group as the entitlements write it.
  public var group: String
  /// The team whose prefix was expected.
  public var team: String

  /// Creates an error about a group.
  public init(_ code: Code, group: String, team: String) {
    self.code = code
    self.group = group
    self.team = team
  }

  /// The error as a sentence without a place, which only the reader of the file knows.
  public var description: String {
    switch code {
    case .wildcard: "the keychain group `\(group)` has a wildcard [wildcard]"
    case .otherTeam:
      "the keychain group `\(group)` does not begin with the team's prefix `\(team).` [otherTeam]"
    case .notAnAppGroup:
      "the app group `\(group)` must be `group.` and letters, digits, `.`, `-` or `_` [notAnAppGroup]"
    }
  }
}
