/// An account in the cache.
struct AccountRecord: Sendable, Equatable, Codable {
  /// The host of the authority.
  var environment: String
  /// The claims of the ID token. Its `aud` is the id of the client to which the record belongs.
  var claims: IDTokenClaims
}

extension AccountRecord {
  func isOf(clientId: String) -> Bool { claims.aud == clientId }

  /// Returns whether the account has these identifiers, regardless of case. An identifier that is nil
  /// or blank matches every account.
  func matches(identifier: String?, tenantProfileIdentifier: String?, username: String?) -> Bool {
    fits(claims.homeAccountId, identifier) && fits(claims.objectId, tenantProfileIdentifier)
      && fits(claims.preferredUsername, username)
  }

  private func fits(_ value: String?, _ wanted: String?) -> Bool {
    guard let wanted = nonEmpty(wanted) else { return true }
    return value?.lowercased() == wanted.lowercased()
  }
}
