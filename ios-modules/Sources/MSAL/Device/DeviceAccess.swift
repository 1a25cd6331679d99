/// MSAL's access to the device, a protocol so that tests can replace it.
protocol DeviceAccess: Sendable {
  /// Requests an access token.
  ///
  /// - Parameters:
  ///   - account: the UPN or object ID.
  ///   - completion: called with the token, a JSON Web Token, on a thread that must not block.
  func acquireToken(
    for account: String, _ question: TokenQuestion,
    completion: @escaping @Sendable (Result<String, TokenRefusal>) -> Void)

  /// Shows a sign-in prompt.
  ///
  /// - Parameters:
  ///   - hint: the suggested account; nil for none.
  ///   - completion: called with the account that signs in, on a thread that must not block.
  /// - Returns: a closure that dismisses the prompt.
  func showSignIn(
    hint: String?, completion: @escaping @Sendable (_ account: String) -> Void
  ) -> @Sendable () -> Void

  /// Writes a line to the device's trace, once per process.
  func logOnce(_ line: String)
}
