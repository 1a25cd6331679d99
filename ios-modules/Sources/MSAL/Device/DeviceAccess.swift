/// What MSAL needs of the device, behind a protocol so that tests need none.
protocol DeviceAccess: Sendable {
  /// Asks for an access token.
  ///
  /// - Parameters:
  ///   - account: a UPN or an object id.
  ///   - completion: takes the token, a JSON Web Token; on a thread that must not wait.
  func acquireToken(
    for account: String, _ question: TokenQuestion,
    completion: @escaping @Sendable (Result<String, TokenRefusal>) -> Void)

  /// Shows a sign-in.
  ///
  /// - Parameters:
  ///   - hint: the account that the sign-in proposes; nil: nobody.
  ///   - completion: takes the account that the user signs in with; on a thread that must not wait.
  /// - Returns: what takes the sign-in off the screen.
  func showSignIn(
    hint: String?, completion: @escaping @Sendable (_ account: String) -> Void
  ) -> @Sendable () -> Void

  /// Writes a line to the device's trace, once in a process.
  func logOnce(_ line: String)
}
