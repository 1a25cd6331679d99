/// The accounts that an app has signed in with, as the cache's file has them. Of all clients of the app: each sees its
/// own.
struct CachedAccounts: Sendable, Equatable, Codable {
  var accounts: [AccountRecord] = []
  /// The account that each client was last told to be current, by client id.
  var current: [String: AccountRecord] = [:]
}

extension CachedAccounts {
  func accounts(of clientId: String) -> [AccountRecord] {
    accounts.filter { $0.isOf(clientId: clientId) }
  }

  /// Adds an account, or replaces what is known of it.
  mutating func add(_ record: AccountRecord) {
    remove(record.claims.homeAccountId, of: record.claims.aud)
    accounts.append(record)
  }

  mutating func remove(_ homeAccountId: String, of clientId: String) {
    accounts.removeAll {
      $0.isOf(clientId: clientId) && $0.claims.homeAccountId == homeAccountId
    }
  }

  /// Removes an account of all clients, and what else names it.
  mutating func wipe(_ homeAccountId: String) {
    accounts.removeAll { $0.claims.homeAccountId == homeAccountId }
    current = current.filter { $0.value.claims.homeAccountId != homeAccountId }
  }
}
