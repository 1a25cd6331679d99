/// What Sluice reads of an entitlements file.
public struct Entitlements: Sendable, Equatable {
  /// `keychain-access-groups`, `$(AppIdentifierPrefix)` resolved.
  public var keychainAccessGroups: [String]
  /// `com.apple.security.application-groups`.
  public var appGroups: [String]

  /// No entitlement at all.
  public init() {
    keychainAccessGroups = []
    appGroups = []
  }

  /// - Parameter team: the team identifier that stands for `$(AppIdentifierPrefix)`.
  /// - Throws: ``BundleError`` where `bytes` are no property list.
  public init(_ bytes: [UInt8], team: String, file: String) throws(BundleError) {
    let list = try PropertyList(bytes, file: file)
    keychainAccessGroups = list.strings("keychain-access-groups").map { group in
      let variable = "$(AppIdentifierPrefix)"
      return group.hasPrefix(variable) ? "\(team).\(group.dropFirst(variable.count))" : group
    }
    appGroups = list.strings("com.apple.security.application-groups")
  }
}
