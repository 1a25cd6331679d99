public import SluiceKit
public import Wire

/// The receiver of what the device says to the Intune App SDK in this process.
///
/// Called on the connection's thread, which must not wait: an implementation has the app's code run elsewhere, and
/// calls `answer` on any thread whenever the answer is there.
public protocol SDKReceiver: AnyObject, Sendable {
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)
  func policyRequest(with status: IntuneMAMEnrollmentStatus)
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage message: String, andErrorTitle title: String)
  /// - Parameter accountId: nil where the notification is not about a single account.
  func didPost(_ notification: IntuneMAMNotification, forAccountId accountId: String?)
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
  func addAccountId(
    _ accountId: String, answer: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
  func blockAccountId(
    _ accountId: String, answer: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
  /// - Parameter answer: takes whether the app restarts itself.
  func restartApplication(answer: @escaping @Sendable (Bool) -> Void)
  /// - Parameter answer: takes whether the app has removed the files, too.
  func wipeData(forAccountId accountId: String, answer: @escaping @Sendable (Bool) -> Void)
}

/// The receiver of what the device says to the app or extension as such.
///
/// Called on the connection's thread, which must not wait: an implementation has the app's code run elsewhere, and
/// calls `done` or `answer` on any thread when that code has returned.
public protocol SystemReceiver: AnyObject, Sendable {
  /// An item has arrived. The sender waits until `done` is called.
  func receive(_ item: ReceivedItem, done: @escaping @Sendable () -> Void)
  /// A URL was opened whose scheme the app has registered.
  ///
  /// - Parameter accountId: the account for which it was opened; nil where none is known.
  func open(
    _ url: String, from sender: String, accountId: String?, done: @escaping @Sendable () -> Void)
  /// A document has come by the Open-In action, and is a file of this app's now.
  func open(_ document: OpenedDocument, from sender: String)
  /// Another app imports from this one; nil gives it nothing.
  func item(forRequester requester: String, answer: @escaping @Sendable (Item?) -> Void)
  /// This process is an extension, and `context` has its request.
  ///
  /// - Parameter context: for the connection's thread alone.
  func beginRequest(with context: ExtensionContext)
  /// The user does something with what the app shows, leaves the app, or comes back to it.
  ///
  /// - Parameter done: takes the reason why the app shows nothing of the kind; nil once it has taken it.
  func user(_ act: UserAct, done: @escaping @Sendable (_ failure: String?) -> Void)
  /// The device ends the app, which has until `done` is called.
  func willTerminate(done: @escaping @Sendable () -> Void)
}
