internal import Foundation

extension TokenClient {
  typealias Completion = @Sendable (Result<MSALResult, Failure>) -> Void

  /// Acquires a token for a signed-in account without user interaction.
  ///
  /// - Parameter completion: Called once, on any thread.
  func acquireSilently(
    _ parameters: MSALSilentTokenParameters, completion: @escaping Completion
  ) {
    begin(parameters, completion) { call, completion throws(Failure) in
      guard let account = parameters.account else {
        throw .interactionRequired("the call names no account")
      }
      guard try accounts().contains(account) else {
        throw .interactionRequired("the account has not signed in to this app, or has signed out")
      }
      ask(account.deviceAccountId, account.username, call) { answer in
        completion(answer.flatMap { result(of: $0, call) }.map(\.result))
      }
    }
  }

  /// Prompts the user to sign in, acquires a token for the account, and adds the account to the app.
  ///
  /// - Parameter completion: Called once, on any thread.
  func acquireInteractively(
    _ parameters: MSALInteractiveTokenParameters, completion: @escaping Completion
  ) {
    let hint = parameters.hint
    begin(parameters, completion) { call, completion throws(Failure) in
      try signIn(hint: hint) { end in
        switch end {
        case .signedIn(let account):
          let username = account.contains("@") ? account : nil
          ask(account, username, call) { completion($0.flatMap { add($0, call) }) }
        case .dismissed:
          completion(.failure(.userCanceled("the user has dismissed the sign-in")))
        case .canceled:
          completion(.failure(.userCanceled("the app has cancelled the sign-in")))
        }
      }
    }
  }

  /// Validates the parameters, and runs `body` with the validated call. Adds the call's correlation id to every error.
  private func begin(
    _ parameters: MSALTokenParameters, _ completion: @escaping Completion,
    _ body: (TokenCall, @escaping Completion) throws(Failure) -> Void
  ) {
    tell(parameters.ineffective)
    let id = parameters.correlationId ?? UUID()
    let named: Completion = { result in
      completion(
        result.mapError { failure in
          var failure = failure
          failure.correlationId = id
          return failure
        })
    }
    do throws(Failure) {
      try body(try TokenCall(parameters, correlationId: id, of: self), named)
    } catch {
      named(.failure(error))
    }
  }

  /// Prompts the user to sign in.
  ///
  /// - Throws: An error if a sign-in prompt is already shown, or if this process is an extension.
  private func signIn(
    hint: String?, _ end: @escaping @Sendable (InteractiveSessions.End) -> Void
  ) throws(Failure) {
    // Source: microsoft-authentication-library-for-objc, issue 772.
    guard !device.isExtension else {
      throw .internal(
        .internalErrorUINotSupportedInExtension, "an extension cannot show a sign-in")
    }
    let prompt = ShownPrompt()
    let session = sessions.begin { ending in
      prompt.dismiss()
      end(ending)
    }
    guard let session else {
      throw .internal(
        .internalErrorInteractiveSessionAlreadyRunning, "a sign-in is shown already")
    }
    prompt.isShown(device.showSignIn(hint: hint) { sessions.answer($0, to: session) })
  }

  private func ask(
    _ account: String, _ username: String?, _ call: TokenCall,
    _ completion: @escaping @Sendable (Result<String, Failure>) -> Void
  ) {
    let question = TokenQuestion(
      clientId: clientId, capabilities: capabilities, resource: call.scopes.resource)
    device.acquireToken(for: account, question) { answer in
      completion(answer.mapError { Failure($0, username: username) })
    }
  }

  private func add(_ token: String, _ call: TokenCall) -> Result<MSALResult, Failure> {
    result(of: token, call).flatMap { answer in
      do throws(Failure) {
        try cache.change { $0.add(answer.record) }
        return .success(answer.result)
      } catch {
        return .failure(error)
      }
    }
  }

  private func result(
    of token: String, _ call: TokenCall
  ) -> Result<(result: MSALResult, record: AccountRecord), Failure> {
    guard let claims = AccessTokenClaims(token: token) else {
      return .failure(
        .internal(.internalErrorInvalidResponse, "the token service's answer is not a token"))
    }
    let record = AccountRecord(
      environment: call.authority.environment, claims: IDTokenClaims(claims, clientId: clientId))
    return .success((MSALResult(token, claims, record, call), record))
  }
}

extension Failure {
  /// Creates the failure of a call from the refusal of its token.
  ///
  /// - Parameter username: The account's user name; nil if unknown.
  init(_ refusal: TokenRefusal, username: String?) {
    if refusal.code == MSALError.serverProtectionPoliciesRequired.rawValue {
      self = .protectionRequired(homeAccountId: refusal.homeAccountId, username: username)
    } else {
      self = .internal(
        .internalErrorUnexpected,
        "the token service issued no token (status \(refusal.code)); the journal has the reason")
    }
  }
}
