public import Model

/// A delegate that answers in its own time the calls that ``ApplicationDelegate`` has to answer at once.
public protocol AsyncDelegate: AnyObject {
  /// Another app imports from this one; nil gives it nothing.
  func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void)
  /// The SDK needs the app to act for another account; `""` asks for an unmanaged one.
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  /// The SDK needs the account to be signed in to the app.
  func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  /// The account must not be used any longer.
  func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  /// The app must restart; the answer is whether it restarts itself.
  func restartApplication(_ application: Application, answer: @escaping (Bool) -> Void)
  /// Removes an account with all of its data; the answer is whether the files are gone, too.
  ///
  /// - Returns: whether `answer` will be called; false leaves the wipe to the policy manager's delegate.
  func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool
  /// The device's virtual clock has moved.
  func clockDidAdvance(in application: Application)
}

extension ApplicationDelegate {
  /// The delegate for questions that may take time: the delegate itself, where it is an ``AsyncDelegate``.
  var asynchronous: any AsyncDelegate { (self as? any AsyncDelegate) ?? DelegateAdapter(self) }
}

/// An adapter by which any other delegate answers as an ``AsyncDelegate``.
final class DelegateAdapter: AsyncDelegate {
  private let delegate: any ApplicationDelegate

  init(_ delegate: any ApplicationDelegate) { self.delegate = delegate }

  func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void
  ) {
    answer(delegate.application(application, itemForRequester: requester))
  }

  func restartApplication(_ application: Application, answer: @escaping (Bool) -> Void) {
    answer(delegate.restartApplication(application))
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    answer(delegate.identitySwitchRequired(forAccountId: accountId, reason: reason))
  }

  func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    answer(delegate.addAccountId(accountId))
  }

  func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    answer(delegate.blockAccountId(accountId))
  }

  func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool { false }

  func clockDidAdvance(in application: Application) {}
}
