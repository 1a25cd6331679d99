public import SluiceKit
public import Wire

/// Receives the device's messages to the Intune App SDK in this process.
///
/// Methods are called on the connection's thread and must not block. Implementations run app code
/// on another thread, and later call `answer` on any thread.
public protocol SDKReceiver: AnyObject, Sendable {
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)
  func policyRequest(with status: IntuneMAMEnrollmentStatus)
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage message: String, andErrorTitle title: String)
  /// Receives a notification of the SDK.
  ///
  /// - Parameter accountId: The account; nil if the notification does not concern a single account.
  func didPost(_ notification: IntuneMAMNotification, forAccountId accountId: String?)
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
  func addAccountId(
    _ accountId: String, answer: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
  func blockAccountId(
    _ accountId: String, answer: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
  /// Asks the app to restart itself.
  ///
  /// - Parameter answer: Receives whether the app restarts itself.
  func restartApplication(answer: @escaping @Sendable (Bool) -> Void)
  /// Asks the app to wipe an account's data.
  ///
  /// - Parameter answer: Receives whether the app has deleted the account's files itself.
  func wipeData(forAccountId accountId: String, answer: @escaping @Sendable (Bool) -> Void)
}

/// Receives the device's messages to the app or extension.
///
/// Methods are called on the connection's thread and must not block. Implementations run app code
/// on another thread. After that code has returned, they call `done` or `answer` on any thread.
public protocol SystemReceiver: AnyObject, Sendable {
  /// Receives an item. The sender waits until `done` is called.
  func receive(_ item: ReceivedItem, done: @escaping @Sendable () -> Void)
  /// Opens a URL with a scheme that the app has registered.
  ///
  /// - Parameter accountId: The account for which the URL was opened; nil if unknown.
  func open(
    _ url: String, from sender: String, accountId: String?, done: @escaping @Sendable () -> Void)
  /// Receives a document that was opened with Open-In. The document is already a file in this app's container.
  func open(_ document: OpenedDocument, from sender: String)
  /// Asks the app for the item that another app wants to import.
  ///
  /// - Parameter answer: Receives the item; nil if the app provides none.
  func item(forRequester requester: String, answer: @escaping @Sendable (Item?) -> Void)
  /// Starts the request for which this extension process was launched.
  ///
  /// - Parameter context: The request's context. Use it only on the connection's thread.
  func beginRequest(with context: ExtensionContext)
  /// Handles an action of the user: an answer to a prompt, leaving the app, or returning to it. Also handles `launch`,
  /// which follows the content that the app was launched to open.
  ///
  /// - Parameter done: Receives nil on success. If no matching prompt is shown, it receives the reason.
  func user(_ act: UserAct, done: @escaping @Sendable (_ failure: String?) -> Void)
  /// Prepares for termination. The process ends when `done` is called, or the device ends it after a timeout.
  func willTerminate(done: @escaping @Sendable () -> Void)
}
