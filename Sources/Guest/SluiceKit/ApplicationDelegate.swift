public import Model

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
