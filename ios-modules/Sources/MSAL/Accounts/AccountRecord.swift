/// What the cache keeps of an account.
struct AccountRecord: Sendable, Equatable, Codable {
  /// The host of the authority.
  var environment: String
  /// The claims are also those of whom the account is for: `aud` is the client id.
  var claims: IDTokenClaims
}

extension AccountRecord {
  func isOf(clientId: String) -> Bool { claims.aud == clientId }

  /// Whether the account has the ids, in any casing; nil ids fit any account.
  func matches(identifier: String?, tenantProfileIdentifier: String?, username: String?) -> Bool {
    fits(claims.homeAccountId, identifier) && fits(claims.objectId, tenantProfileIdentifier)
      && fits(claims.preferredUsername, username)
  }

  private func fits(_ value: String?, _ wanted: String?) -> Bool {
    guard let wanted = nonEmpty(wanted) else { return true }
    return value?.lowercased() == wanted.lowercased()
  }
}
