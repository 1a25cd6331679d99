public import Model
public import Wire

/// Receives the device's calls to an app. Every method has a default implementation. Unless the method's documentation
/// states otherwise, the default does nothing or declines.
public protocol ApplicationDelegate: AnyObject {
  /// Called when an item has arrived for this app.
  func application(_ application: Application, didReceive item: ReceivedItem)

  /// Called when another app opens a URL whose scheme this app has registered.
  ///
  /// - Parameter sender: The bundle id of the other app.
  func application(_ application: Application, open url: String, from sender: String)

  /// Called when this app's Open-In action has received a document, which is now a file in this app's container.
  ///
  /// - Parameter sender: The bundle id of the app from which the document was opened.
  func application(
    _ application: Application, open document: OpenedDocument, from sender: String)

  /// Returns an item for another app that imports from this app; nil to provide none.
  ///
  /// - Parameter requester: The bundle id of the other app.
  func application(_ application: Application, itemForRequester requester: String) -> Item?

  /// Called when the SDK needs the app to switch to another account (`IntuneMAMPolicyDelegate`).
  ///
  /// - Parameter accountId: The account; `""` for any unmanaged account.
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason
  ) -> IntuneMAMAddIdentityResult

  /// Called when the SDK needs the account to be signed in to the app (`addAccountId`).
  func addAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult

  /// Called when the app must no longer use the account (`blockAccountId`).
  ///
  /// By default, the SDK asks the app to switch to an unmanaged account.
  ///
  /// - Returns: Success if the app stopped using the account. Otherwise the app is forced to exit.
  func blockAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult

  /// Called when the app must restart, because its policy fully applies only after a restart.
  ///
  /// - Returns: true if the app restarts itself; false if the device should terminate and relaunch it.
  func restartApplication(_ application: Application) -> Bool

  /// Called when the SDK posts a notification.
  ///
  /// - Parameter accountId: The account; nil if the notification does not concern a single account.
  func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?)

  /// Called when the administrator changes the app's configuration, passwords, certificates or identities.
  ///
  /// After a call, further changes of the same aspect cause no call until the app has requested the new value.
  func application(_ application: Application, managedAppDidChange aspect: ManagedAspect)

  /// Called in an extension process when its request begins (`NSExtensionRequestHandling`).
  func beginRequest(with context: ExtensionContext)

  /// Called when the process is about to end.
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
  public func blockAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult {
    identitySwitchRequired(forAccountId: "", reason: .cancelConditionalLaunch)
  }
  public func restartApplication(_ application: Application) -> Bool { false }
  public func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {}
  public func application(
    _ application: Application, managedAppDidChange aspect: ManagedAspect
  ) {}
  public func beginRequest(with context: ExtensionContext) {
    context.cancelRequest(withError: "this app is not an extension")
  }
  public func applicationWillTerminate(_ application: Application) {}
}

/// The reason why the SDK requires an identity switch.
public enum IntuneMAMIdentitySwitchReason: String, Sendable {
  case unknown
  case openURL
  case cancelConditionalLaunch
  case documentImport
}

/// The app's answer to a request from the SDK to add or block an account.
public enum IntuneMAMAddIdentityResult: Sendable {
  case success
  case failed
}

/// A delegate whose methods may answer later. The methods of ``ApplicationDelegate`` must answer immediately.
public protocol AsyncDelegate: AnyObject {
  /// Called when another app imports an item from this app. The answer is the item; nil to provide none.
  func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void)
  /// Called when the SDK needs the app to switch to another account. If `accountId` is `""`, any unmanaged account is
  /// suitable.
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  /// Called when the SDK needs the account to be signed in to the app.
  func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  /// Called when the app must no longer use the account.
  func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void)
  /// Called when the app must restart. The answer is true if the app restarts itself.
  func restartApplication(_ application: Application, answer: @escaping (Bool) -> Void)
  /// Removes an account and its data. Pass true to `answer` if the files have also been removed.
  ///
  /// - Returns: Whether `answer` will be called. If false, the policy manager's delegate performs the wipe.
  func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool
  /// Called when the device's virtual clock has moved.
  func clockDidAdvance(in application: Application)
}

extension ApplicationDelegate {
  var asynchronous: any AsyncDelegate { (self as? any AsyncDelegate) ?? DelegateAdapter(self) }
}

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

/// A delegate that performs instructions from the device's driver, such as the steps of a scenario.
public protocol InstructedDelegate: ApplicationDelegate {
  /// Performs an instruction of the host.
  ///
  /// - Parameters:
  ///   - behaviour: The app's reactions to later calls. Parts that are nil leave the earlier values in effect.
  ///   - done: Called when the outcome is known. `failure` is the reason why the instruction could not be attempted, or
  ///     nil. `found` is the content that the app read.
  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void)
}

/// The delegate of the ready-made guest.
package protocol DrivenDelegate: InstructedDelegate {
  /// Calls `done` after all received items have been stored. The wipe of an account waits for this.
  func finishStoring(then done: @escaping () -> Void)
}

/// Receives the one call that the SDK makes to an app on a separate thread (`IntuneMAMPolicyDelegate`).
///
/// The other methods of the SDK's protocol are in ``ApplicationDelegate``.
public protocol IntuneMAMPolicyDelegate: Sendable {
  /// Removes an account and its data in a selective wipe.
  ///
  /// The SDK calls this method on a thread other than the app's. Return after all data is removed;
  /// the files may be left to the SDK.
  ///
  /// - Returns: true if the files have also been removed. If false, the SDK deletes them.
  func wipeData(forAccountId accountId: String) -> Bool
}

/// A delegate of an app with a simulated user. The user's actions are steps of a scenario.
///
/// The system's gestures and sheets (copy, paste, share, save, open a URL) work without the app's code.
/// Actions on the app's own screens are passed to the app.
public protocol InteractiveDelegate: InstructedDelegate {
  /// Called when the user signs in with an account.
  ///
  /// - Returns: true if the app shows its own sign-in, which handles the account. If false,
  ///   the SDK signs the account in.
  func userDidSignIn(withAccountId accountId: String) -> Bool
  /// Called when the user acts on the app's content, leaves the app or returns to it.
  ///
  /// - Parameter done: Call it with nil after the app has handled the action. If the app shows
  ///   nothing to which the action applies, call it with the reason.
  func user(_ act: UserAct, done: @escaping (_ failure: String?) -> Void)
}

extension InteractiveDelegate {
  public func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void
  ) {
    switch instruction {
    case .nothing, .look: done(nil, [])
    case .act(let bytes): perform(bytes) { done($0, []) }
    case .work:
      done("the app's own code manages its files; file steps need the ready-made guest", [])
    case .ask(_, .received), .ask(_, .retyped): done("this app does not report its items", [])
    case .ask(let message, .stated):
      if case .signIn(let account) = message.body, userDidSignIn(withAccountId: account) {
        return done(nil, [])
      }
      application.request(message.body, as: message.task) { outcome in
        done(nil, outcome.items.first?.bytes ?? [])
      }
    }
  }

  private func perform(_ bytes: [UInt8], _ done: @escaping (_ failure: String?) -> Void) {
    do throws(WireError) {
      user(try UserAct(encoded: bytes), done: done)
    } catch {
      done("this app is older than the device and does not support this user action: \(error)")
    }
  }
}
