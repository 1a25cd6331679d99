/// The accounts that have signed in to the app, as stored in the cache file. An app may have
/// several clients. The file contains the accounts of all clients, but each client sees only its
/// own.
struct CachedAccounts: Sendable, Equatable, Codable {
  var accounts: [AccountRecord] = []
  /// For each client, the account that it last reported as its current account. The keys are client
  /// ids.
  var current: [String: AccountRecord] = [:]
}

extension CachedAccounts {
  func accounts(of clientId: String) -> [AccountRecord] {
    accounts.filter { $0.isOf(clientId: clientId) }
  }

  /// Adds an account, or updates it if it exists.
  mutating func add(_ record: AccountRecord) {
    remove(record.claims.homeAccountId, of: record.claims.aud)
    accounts.append(record)
  }

  mutating func remove(_ homeAccountId: String, of clientId: String) {
    accounts.removeAll {
      $0.isOf(clientId: clientId) && $0.claims.homeAccountId == homeAccountId
    }
  }

  /// Removes an account from all clients, also as their current account.
  mutating func wipe(_ homeAccountId: String) {
    accounts.removeAll { $0.claims.homeAccountId == homeAccountId }
    current = current.filter { $0.value.claims.homeAccountId != homeAccountId }
  }
}
