package import Model

/// A delegate that answers in its own time what ``ApplicationDelegate`` has to answer at once.
package protocol AsyncDelegate: AnyObject {
  func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void)
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  func restartApplication(_ application: Application, answer: @escaping (Bool) -> Void)
  /// - Returns: whether `answer` will be called; false leaves it to the policy manager's delegate.
  func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool
  /// The device's virtual clock has moved.
  func clockDidAdvance(in application: Application)
}

extension ApplicationDelegate {
  /// Who is asked what may take time: the delegate itself, where it can take its time.
  var asynchronous: any AsyncDelegate { (self as? any AsyncDelegate) ?? DelegateAdapter(self) }
}

/// Any other delegate, asked as an asynchronous one.
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
