extension TokenClient {
  func accounts(
    where isMeant: (AccountRecord) -> Bool = { _ in true }
  ) throws(Failure) -> [MSALAccount] {
    try cache.read().accounts(of: clientId).filter(isMeant)
      .map { MSALAccount($0, withTenantProfiles: true) }
  }

  /// Returns the app's single account, and the account that the previous call returned. Each is nil
  /// if there is no such account.
  ///
  /// - Throws: An error if the app has several accounts.
  func current() throws(Failure) -> (account: MSALAccount?, previous: MSALAccount?) {
    let records = try cache.read().accounts(of: clientId)
    guard records.count < 2 else {
      throw .internal(
        .internalErrorAmbiguousAccount,
        "the app has several accounts, so it is unknown which one is current")
    }
    let previous = try cache.change { [clientId] accounts -> AccountRecord? in
      let previous = accounts.current[clientId]
      accounts.current[clientId] = records.first
      return previous
    }
    return (records.first.map(account), previous.map(account))
  }

  func remove(_ account: MSALAccount) throws(Failure) {
    guard let id = account.identifier else { return }
    try cache.change { [clientId] in $0.remove(id, of: clientId) }
  }

  func signOut(_ account: MSALAccount, _ parameters: MSALSignoutParameters) throws(Failure) {
    tell(parameters.ineffective)
    try remove(account)
    let (isWiped, areAllWiped) = (parameters.wipeAccount, parameters.wipeCacheForAllAccounts)
    guard isWiped || areAllWiped, let id = account.identifier else { return }
    try cache.change { accounts in
      if areAllWiped { accounts = CachedAccounts() } else { accounts.wipe(id) }
    }
  }

  private func account(_ record: AccountRecord) -> MSALAccount {
    MSALAccount(record, withTenantProfiles: true)
  }
}
