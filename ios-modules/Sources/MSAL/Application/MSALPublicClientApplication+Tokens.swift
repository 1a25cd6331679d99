internal import Foundation

extension MSALPublicClientApplication {
  /// Prompts the user to sign in, and acquires a token. If a sign-in prompt is already shown, fails with
  /// `MSALInternalError.internalErrorInteractiveSessionAlreadyRunning`.
  @preconcurrency
  public func acquireToken(
    with parameters: MSALInteractiveTokenParameters,
    completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
  ) {
    let delivery = Delivery.interactive(parameters.completionBlockQueue)
    client.acquireInteractively(parameters) {
      Self.deliver($0, of: "acquireToken", delivery, completionBlock)
    }
  }

  @discardableResult
  public func acquireToken(
    with parameters: MSALInteractiveTokenParameters
  ) async throws -> MSALResult {
    try await withCheckedThrowingContinuation { continuation in
      client.acquireInteractively(parameters) {
        Self.resume(continuation, with: $0, of: "acquireToken")
      }
    }
  }

  /// Acquires a token for a signed-in account. Fails with `MSALError.interactionRequired` if the parameters contain no
  /// account, or if the account has been removed from the app.
  @preconcurrency
  public func acquireTokenSilent(
    with parameters: MSALSilentTokenParameters,
    completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
  ) {
    let delivery = Delivery.silent(parameters.completionBlockQueue)
    client.acquireSilently(parameters) {
      Self.deliver($0, of: "acquireTokenSilent", delivery, completionBlock)
    }
  }

  @discardableResult
  public func acquireTokenSilent(
    with parameters: MSALSilentTokenParameters
  ) async throws -> MSALResult {
    try await withCheckedThrowingContinuation { continuation in
      client.acquireSilently(parameters) {
        Self.resume(continuation, with: $0, of: "acquireTokenSilent")
      }
    }
  }

  /// Resumes the caller on a background thread. The connection's thread cannot be used, because this function first
  /// calls the app's log callback.
  private static func resume(
    _ continuation: CheckedContinuation<MSALResult, any Error>,
    with result: Result<MSALResult, Failure>, of call: String
  ) {
    Delivery.background(call) { continuation.resume(with: told(result, of: call)) }
  }

  private static func deliver(
    _ result: Result<MSALResult, Failure>, of call: String, _ delivery: Delivery,
    _ block: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
  ) {
    delivery(call) {
      let result = told(result, of: call)
      block(result.success, result.failure)
    }
  }
}
