/// An account in the cache.
struct AccountRecord: Sendable, Equatable, Codable {
  /// The host of the authority.
  var environment: String
  /// The claims of the ID token, whose `aud` is the ID of the client that owns the record.
  var claims: IDTokenClaims
}

extension AccountRecord {
  func isOf(clientId: String) -> Bool { claims.aud == clientId }

  /// Whether the account has these identifiers, ignoring case. A nil identifier matches any account.
  func matches(identifier: String?, tenantProfileIdentifier: String?, username: String?) -> Bool {
    fits(claims.homeAccountId, identifier) && fits(claims.objectId, tenantProfileIdentifier)
      && fits(claims.preferredUsername, username)
  }

  private func fits(_ value: String?, _ wanted: String?) -> Bool {
    guard let wanted = nonEmpty(wanted) else { return true }
    return value?.lowercased() == wanted.lowercased()
  }
}
