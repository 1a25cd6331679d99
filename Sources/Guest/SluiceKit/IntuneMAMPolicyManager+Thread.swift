extension IntuneMAMPolicyManager {
  /// The identity that ``IntuneMAMSwiftContextManager`` has set at this point, as it was set.
  ///
  /// nil where unset, so that the identities of window and process count; `""` for the unknown account. On any
  /// thread: code that has no scope of its own, such as a handler that a library will call, can keep
  /// the identity and set it again.
  public static func getCurrentThreadAccountId() -> String? { ThreadIdentity.current.accountID }

  /// The current thread's account, as the static function returns it, on the thread of the app.
  public func getCurrentThreadAccountId() -> String? { Self.getCurrentThreadAccountId() }
}
