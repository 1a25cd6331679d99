/// MSAL's access to the device. It is a protocol, so tests can replace it.
protocol DeviceAccess: Sendable {
  /// Requests an access token.
  ///
  /// - Parameters:
  ///   - account: The UPN or object id.
  ///   - completion: Called with the token, which is a JSON Web Token, on a thread that must not
  ///     block.
  func acquireToken(
    for account: String, _ question: TokenQuestion,
    completion: @escaping @Sendable (Result<String, TokenRefusal>) -> Void)

  /// Whether this process is an extension, in which MSAL shows no sign-in prompt.
  var isExtension: Bool { get }

  /// Shows a sign-in prompt.
  ///
  /// - Parameters:
  ///   - hint: The suggested account; nil for none.
  ///   - completion: Called with the account that signs in, or with nil if the user dismisses the prompt, on a
  ///     thread that must not block.
  /// - Returns: A closure that dismisses the prompt.
  func showSignIn(
    hint: String?, completion: @escaping @Sendable (_ account: String?) -> Void
  ) -> @Sendable () -> Void

  /// Writes a line to the device's trace. Each line is written only once per process.
  func logOnce(_ line: String)
}
