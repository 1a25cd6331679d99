public import Wire

/// The accounts of this app (`IntuneMAMEnrollmentManager` of the Intune App SDK).
public final class IntuneMAMEnrollmentManager {
  private unowned let application: Application

  init(_ application: Application) { self.application = application }

  /// Signs an account in; if a policy targets it in this app, it is enrolled and managed from then on.
  ///
  /// - Parameter accountId: a UPN or an object id in any casing.
  public func registerAndEnrollAccountId(
    _ accountId: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    application.request(.signIn(account: accountId), completion)
  }

  /// Signs an account out and removes its data from this app.
  public func deRegisterAndUnenrollAccountId(
    _ accountId: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    application.request(.signOut(account: accountId), completion)
  }
}
