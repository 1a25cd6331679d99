internal import Model

/// The organisations' accounts; all others are personal.
final class AccountDirectory {
  private(set) var accounts: [Account]

  /// - Parameters:
  ///   - accounts: the accounts with which the directory was made.
  ///   - known: the accounts that the device knows: the directory has renamed some of them while the device ran.
  init(_ accounts: [Account], knownAs known: [Account]) {
    self.accounts = accounts.map { account in
      guard account.objectID != nil else { return account }
      return known.first { $0.objectID != nil && $0.isSame(as: account) } ?? account
    }
  }

  /// The organisations' account of that name or object id, or a personal one.
  func account(named accountID: String) -> Account {
    accounts.first { $0.isNamed(accountID) } ?? Account(upn: accountID)
  }

  /// The account under its present name.
  func current(_ account: Account) -> Account {
    accounts.first { $0.isSame(as: account) } ?? account
  }

  func contains(_ account: Account) -> Bool { accounts.contains { $0.isSame(as: account) } }

  func rename(_ account: Account, to new: Account) {
    accounts = accounts.map { $0.isSame(as: account) ? new : $0 }
  }
}
