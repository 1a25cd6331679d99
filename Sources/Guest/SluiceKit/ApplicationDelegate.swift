public import Model
public import Wire

/// The calls of the device to an app. Every call has a default that does nothing, or declines.
public protocol ApplicationDelegate: AnyObject {
  /// An item has arrived for this app.
  func application(_ application: Application, didReceive item: ReceivedItem)

  /// Another app opened a URL whose scheme this app has registered.
  func application(_ application: Application, open url: String, from sender: String)

  /// A document has come by the app's Open-In action, and is a file of this app's now.
  func application(
    _ application: Application, open document: OpenedDocument, from sender: String)

  /// Another app imports from this one; nil gives it nothing.
  func application(_ application: Application, itemForRequester requester: String) -> Item?

  /// The SDK needs the app to act for another account; `""` asks for an unmanaged one
  /// (`IntuneMAMPolicyDelegate`).
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason
  ) -> IntuneMAMAddIdentityResult

  /// The SDK needs the account to be signed in to the app (`addAccountId`).
  func addAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult

  /// The account must not be used any longer (`blockAccountId`); the result states whether the app stopped using it.
  func blockAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult

  /// The app must restart, for policy to apply to all of it.
  ///
  /// - Returns: true where the app restarts itself. False: the device ends it now, and starts it again.
  func restartApplication(_ application: Application) -> Bool

  /// Something has changed that apps observe (the SDK's notifications); `accountId` is nil where the notification
  /// is not about a single account.
  func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?)

  /// The administrator provides something else for the app. The call comes again only once the app has asked for it.
  func application(_ application: Application, managedAppDidChange aspect: ManagedAspect)

  /// This process is an extension, and the context has its request (`NSExtensionRequestHandling`).
  func beginRequest(with context: ExtensionContext)

  /// The process is about to end.
  func applicationWillTerminate(_ application: Application)
}

extension ApplicationDelegate {
  public func application(_ application: Application, didReceive item: ReceivedItem) {}
  public func application(_ application: Application, open url: String, from sender: String) {}
  public func application(
    _ application: Application, open document: OpenedDocument, from sender: String
  ) {}
  public func application(
    _ application: Application, itemForRequester requester: String
  ) -> Item? { nil }
  public func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason
  ) -> IntuneMAMAddIdentityResult { .failed }
  public func addAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult { .failed }
  public func blockAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult { .failed }
  public func restartApplication(_ application: Application) -> Bool { false }
  public func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {}
  public func application(
    _ application: Application, managedAppDidChange aspect: ManagedAspect
  ) {}
  public func beginRequest(with context: ExtensionContext) {
    context.cancelRequest(withError: "this app is no extension")
  }
  public func applicationWillTerminate(_ application: Application) {}
}

/// The reason why the SDK asks for another identity.
public enum IntuneMAMIdentitySwitchReason: String, Sendable {
  case unknown
  case openURL
  case cancelConditionalLaunch
  case documentImport
}

/// The result of the app's attempt to carry out a request of the SDK.
public enum IntuneMAMAddIdentityResult: Sendable {
  case success
  case failed
}

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
private final class DelegateAdapter: AsyncDelegate {
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

/// A delegate that carries out the instructions of whoever drives the device, such as a scenario's steps.
public protocol InstructedDelegate: ApplicationDelegate {
  /// Carries out an instruction.
  ///
  /// - Parameters:
  ///   - behaviour: how the app answers later questions, as far as it is stated.
  ///   - done: takes the reason why it could not be tried, or nil, and the content that was found, when its outcome has
  ///     come.
  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void)
}

/// The delegate of the ready-made guest.
package protocol DrivenDelegate: InstructedDelegate {
  /// Calls `done` once the app stores none of the items that it has received, before which no account is wiped.
  func finishStoring(then done: @escaping () -> Void)
}

/// The call of the SDK to an app from a thread of its own (`IntuneMAMPolicyDelegate`). The other calls of that protocol
/// are in ``ApplicationDelegate``.
public protocol IntuneMAMPolicyDelegate: Sendable {
  /// Removes an account with all of its data, in a selective wipe.
  ///
  /// Called on another thread than the app's. Return when all data are gone; the files may be left to the SDK.
  ///
  /// - Returns: whether the files are gone, too; where false, the SDK deletes them.
  func wipeData(forAccountId accountId: String) -> Bool
}
