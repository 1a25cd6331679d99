extension IntuneMAMPolicyManager {
  /// The identity that ``IntuneMAMSwiftContextManager`` has set where this is called, as it was set.
  ///
  /// nil: unset, so that the identities of window and process count; `""`: the unknown account. On any
  /// thread: code that has no scope of its own, such as a handler that some library will call, can keep
  /// it and set it again.
  public static func getCurrentThreadAccountId() -> String? { ThreadIdentity.current.accountID }

  /// The same as the static one, on the thread that has the app.
  public func getCurrentThreadAccountId() -> String? { Self.getCurrentThreadAccountId() }
}
