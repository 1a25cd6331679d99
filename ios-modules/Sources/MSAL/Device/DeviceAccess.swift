/// MSAL's access to the device. It is a protocol, so tests can replace it.
protocol DeviceAccess: Sendable {
  /// Requests an access token.
  ///
  /// - Parameters:
  ///   - account: The UPN or object id.
  ///   - completion: Called with the token (a JSON Web Token) or the reason for the refusal. It must not block the
  ///     thread on which it is called.
  func acquireToken(
    for account: String, _ question: TokenQuestion,
    completion: @escaping @Sendable (Result<String, TokenRefusal>) -> Void)

  /// Whether this process is an extension. MSAL shows no sign-in prompt in an extension.
  var isExtension: Bool { get }

  /// Shows a sign-in prompt.
  ///
  /// - Parameters:
  ///   - hint: The suggested account; nil for none.
  ///   - completion: Called with the account that signs in, or with nil if the user dismisses the prompt. It must not
  ///     block the thread on which it is called.
  /// - Returns: A closure that dismisses the prompt.
  func showSignIn(
    hint: String?, completion: @escaping @Sendable (_ account: String?) -> Void
  ) -> @Sendable () -> Void

  /// Writes a line to the device's trace. Each line is written only once per process.
  func logOnce(_ line: String)
}
