internal import Foundation

extension MSALPublicClientApplication {
  /// Returns the accounts that have signed in to the app.
  public func allAccounts() throws -> [MSALAccount] {
    try rethrowing { () throws(Failure) in try client.accounts() }
  }

  /// Returns the account with an identifier.
  ///
  /// - Throws: An error if no account matches, because Swift imports a nil result of an Objective-C
  ///   method as an error.
  public func account(forIdentifier identifier: String) throws -> MSALAccount {
    try first(MSALAccountEnumerationParameters(identifier: identifier))
  }

  /// Returns the account with a user name.
  ///
  /// - Throws: An error if the name is blank or no account matches, because Swift imports a nil result of an
  ///   Objective-C method as an error.
  public func account(forUsername username: String) throws -> MSALAccount {
    guard nonEmpty(username) != nil else {
      throw Failure.internal(.internalErrorUnexpected, "the call names no user").nsError
    }
    return try first(MSALAccountEnumerationParameters(identifier: nil, username: username))
  }

  public func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
    try rethrowing { () throws(Failure) in try client.accounts(where: parameters.match) }
  }

  private func first(_ parameters: MSALAccountEnumerationParameters) throws -> MSALAccount {
    guard let account = try accounts(for: parameters).first else {
      throw NSError(domain: "Foundation._GenericObjCError", code: 0)
    }
    return account
  }

  /// Returns the accounts that have signed in to the app. Accounts from a broker are not included, because there is no
  /// broker.
  @preconcurrency
  public func accountsFromDevice(
    for parameters: MSALAccountEnumerationParameters,
    completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
  ) {
    let result = Result { try accounts(for: parameters) }
    Delivery.local(parameters.completionBlockQueue)("accountsFromDevice") {
      completionBlock(result.success, result.failure)
    }
  }

  public func accountsFromDevice(
    for parameters: MSALAccountEnumerationParameters
  ) async throws -> [MSALAccount] {
    try accounts(for: parameters)
  }

  /// Returns the app's single account, and the account that the previous call returned. If the app has several
  /// accounts, fails with `MSALInternalError.internalErrorAmbiguousAccount`.
  @preconcurrency
  public func getCurrentAccount(
    with parameters: MSALParameters?,
    completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
  ) {
    let result = Result { try current() }
    Delivery.local(parameters?.completionBlockQueue)("getCurrentAccount") {
      completionBlock(result.success?.0, result.success?.1, result.failure)
    }
  }

  public func currentAccount(
    with parameters: MSALParameters?
  ) async throws -> (MSALAccount?, MSALAccount?) {
    try current()
  }

  private func current() throws -> (MSALAccount?, MSALAccount?) {
    try rethrowing { () throws(Failure) in try client.current() }
  }

  // MARK: Sign-out

  /// Removes an account from the app. If the app does not have the account, this is not an error.
  public func remove(_ account: MSALAccount) throws {
    try rethrowing { () throws(Failure) in try client.remove(account) }
  }

  /// Removes an account from the app.
  @preconcurrency
  public func signout(
    with account: MSALAccount, signoutParameters: MSALSignoutParameters,
    completionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let result = Result { try signOut(account, signoutParameters) }
    Delivery.interactive(signoutParameters.completionBlockQueue)("signout") {
      completionBlock(result.success != nil, result.failure)
    }
  }

  @discardableResult
  public func signout(
    with account: MSALAccount, signoutParameters: MSALSignoutParameters
  ) async throws -> Bool {
    try signOut(account, signoutParameters)
    return true
  }

  private func signOut(_ account: MSALAccount, _ parameters: MSALSignoutParameters) throws {
    try rethrowing { () throws(Failure) in try client.signOut(account, parameters) }
  }
}
