/// An account in the cache.
struct AccountRecord: Sendable, Equatable, Codable {
  /// The host of the authority.
  var environment: String
  /// The claims of the account's ID token. `aud` is the id of the client to which the account has signed in.
  var claims: IDTokenClaims
}

extension AccountRecord {
  func isOf(clientId: String) -> Bool { claims.aud == clientId }

  /// Returns whether the account has all of these identifiers, ignoring case. An identifier that is nil or blank is not
  /// compared.
  func matches(identifier: String?, tenantProfileIdentifier: String?, username: String?) -> Bool {
    fits(claims.homeAccountId, identifier) && fits(claims.objectId, tenantProfileIdentifier)
      && fits(claims.preferredUsername, username)
  }

  private func fits(_ value: String?, _ wanted: String?) -> Bool {
    guard let wanted = nonEmpty(wanted) else { return true }
    return value?.lowercased() == wanted.lowercased()
  }
}
