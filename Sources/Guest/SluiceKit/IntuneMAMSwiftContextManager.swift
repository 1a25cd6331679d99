/// Sets the identity of the running thread or task for a scope (`IntuneMAMSwiftContextManager` of the
/// Intune App SDK).
///
/// Within the scope the identity counts before those of the window and the process, for what the user sees and
/// for files. The scope restores the identity before it, whether it returns, throws or is cancelled, and
/// may contain others, of which the innermost counts. Swift has no call that sets an identity without a
/// scope, because asynchronous code changes threads (seed 001, "Change identity").
///
/// Code that runs elsewhere meanwhile does not see the identity, unless it takes it along: `Task { }`, `async let` and
/// the tasks of a group do, `Task.detached`, Dispatch, operations and threads do not. The module
/// SluiceDispatch has counterparts of the latter that do.
///
/// ```swift
/// try IntuneMAMSwiftContextManager.setAccountId("anna@contoso.com") {
///   try notes.write(to: "Documents/notes")
/// }
/// ```
public enum IntuneMAMSwiftContextManager {
  /// Runs `scope` for an account.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing; `""` for an unknown account, which nobody
  ///     manages; nil to unset, so that the identities of window and process count, also within the scope
  ///     of an account.
  ///   - scope: the body, which runs at once, on the caller's thread.
  /// - Throws: the error of `scope`.
  public static func setAccountId<Value, Failure>(
    _ accountId: String?, forScope scope: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try ThreadIdentity(accountID: accountId).scope(scope)
  }

  /// Runs asynchronous code for an account, on the caller's actor.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing; `""` for an unknown account, which nobody
  ///     manages; nil to unset, so that the identities of window and process count, also within the scope
  ///     of an account.
  ///   - scope: the body, which may change threads; the identity goes with it.
  /// - Throws: the error of `scope`.
  public nonisolated(nonsending) static func setAccountId<Value, Failure>(
    _ accountId: String?, forScope scope: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await ThreadIdentity(accountID: accountId).scope(scope)
  }
}
