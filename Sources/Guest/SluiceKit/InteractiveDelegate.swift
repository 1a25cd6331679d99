public import Wire

/// A delegate of an app that has a user in front of it: a scenario's steps say what the user does.
///
/// What the system's own gestures and sheets do for any app (copy, paste, share, save, open a URL), the user does without
/// the app's code. What the app's own screens ask for, the app takes.
public protocol InteractiveDelegate: ApplicationDelegate {
  /// The user signs in with an account.
  ///
  /// - Returns: whether the app shows a sign-in, which takes the account. False: the account is signed in to the app as
  ///   the SDK signs one in.
  func userDidSignIn(withAccountId accountId: String) -> Bool
  /// The user does something with what the app shows, leaves the app, or comes back to it.
  ///
  /// - Parameter done: takes the reason why the app shows nothing of the kind; nil once it has taken it.
  func user(_ act: UserAct, done: @escaping (_ failure: String?) -> Void)
}

extension InteractiveDelegate {
  /// An app that shows nothing.
  public func user(_ act: UserAct, done: @escaping (_ failure: String?) -> Void) {
    done("this app shows its user nothing")
  }
}
