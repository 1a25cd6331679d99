internal import Foundation

extension MSALPublicClientApplication {
  /// Has the user sign in, and gets a token. A sign-in that is shown already ends the call with
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

  /// Gets a token for an account that has signed in. Without one, or where it has left the app, the call ends with
  /// `MSALError.interactionRequired`.
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

  /// Not on the connection's thread, where the app's log must not be called.
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
