internal import EventLoop
public import Transfer
public import Wire

/// This process as an app on the simulated device: its connection to the host, and everything that it can
/// ask for.
///
/// All calls and all callbacks happen on the thread that connected. Answers come while ``run()`` runs.
///
/// ```swift
/// let app = try Application.connect(delegate: Notes())
/// app.share(Item(text: "Lunch at noon"), with: "com.example.mail") { outcome in … }
/// app.run()
/// ```
public final class Application {
  public let delegate: any ApplicationDelegate
  /// The app's bundle id, as the host has established it.
  public var bundleIdentifier: String { connection.welcome.app }
  /// The name of this process on the device; apps that run several times have several.
  public var guestName: String { connection.welcome.guest }
  public var deviceIdentifier: String { connection.welcome.device }

  /// Identities and policy.
  public private(set) lazy var policyManager = IntuneMAMPolicyManager(self)
  /// Accounts.
  public private(set) lazy var enrollmentManager = IntuneMAMEnrollmentManager(self)
  /// What the policy of the account that the app acts for allows.
  public private(set) lazy var policy = IntuneMAMPolicy(self)
  /// The device's pasteboard.
  public private(set) lazy var pasteboard = Pasteboard(self)
  public private(set) lazy var keychain = Keychain(self)

  private let connection: HostConnection

  /// Connects to the host on the inherited descriptor 3, and waits for its welcome.
  ///
  /// - Throws: ``ConnectionError``, where there is no host, or it refuses this process.
  public static func connect(
    delegate: any ApplicationDelegate, claiming bundleIdentifier: String = ""
  ) throws(ConnectionError) -> Application {
    let connection = try HostConnection(hello: Hello(claimedApp: bundleIdentifier))
    return Application(delegate: delegate, connection: connection)
  }

  private init(delegate: any ApplicationDelegate, connection: HostConnection) {
    self.delegate = delegate
    self.connection = connection
  }

  /// Serves the host until it says stop or goes away.
  public func run() {
    connection.run { [unowned self] body in handle(body) }
    delegate.applicationWillTerminate(self)
  }

  /// Offers an item to an app or an extension, named by its bundle id.
  ///
  /// - Parameters:
  ///   - path: whether the app's own sharing UI carries the item, or the system's.
  ///   - completion: gets the verdict with its reasons, and how the transfer ended.
  public func share(
    _ item: Item, with destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.share(Share(destination: destination, item: item, via: path)), completion)
  }

  /// Opens a document in another app.
  public func open(
    _ item: Item, in destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .share(Share(destination: destination, item: item, via: path, way: .openIn)), completion)
  }

  /// Offers an item without waiting for an answer, which comes only if the item does not arrive.
  public func post(
    _ item: Item, to destination: String, failure: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.share(Share(destination: destination, item: item, isPosted: true)), failure)
  }

  /// Asks another app for an item; the outcome holds it.
  public func importItem(
    from source: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void
  ) {
    request(.import(source: source, via: path), completion)
  }

  /// Opens a URL in the app that registered its scheme.
  public func open(
    url: String, isKnownManagedAppScheme: Bool = false,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .openURL(OpenURL(url, isKnownManagedScheme: isKnownManagedAppScheme)), completion)
  }

  /// Drops in another app what was dragged in this one.
  public func drop(
    _ item: Item, in destination: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .share(Share(destination: destination, item: item, way: .dragAndDrop)), completion)
  }

  /// Hands an item to the system: prints it, indexes it, shows it in a notification.
  ///
  /// - Parameter channel: one whose counterpart is the system.
  public func hand(
    _ item: Item, to channel: Channel, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.use(Use(channel: channel.rawValue, item: item)), completion)
  }

  /// Saves a copy to a storage location of `accountId`, nil where it belongs to none.
  public func save(
    _ item: Item, to location: StorageLocation, accountId: String?,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .use(
        Use(
          channel: Channel.saveTo.rawValue, location: location.rawValue, account: accountId,
          item: item)), completion)
  }

  /// Writes a line to the device's trace.
  public func log(_ text: String) {
    connection.send(.log(text))
  }

  package func request(
    _ body: GuestMessage.Body, _ completion: @escaping (RequestOutcome) -> Void
  ) {
    connection.request(body, completion)
  }

  private func handle(_ body: HostMessage.Body) {
    switch body {
    case .delivery(let delivery) where delivery.isExtensionRequest:
      delegate.beginRequest(with: ExtensionContext(ReceivedItem(delivery), self))
    case .delivery(let delivery):
      delegate.application(self, didReceive: ReceivedItem(delivery))
    case .openedURL(_, let url, let sender):
      delegate.application(self, open: url, from: sender)
    case .provideItem(let ask, let requester):
      connection.send(
        .provided(ask: ask, delegate.application(self, itemForRequester: requester)))
    case .identitySwitchRequired(let ask, let account, let reason):
      let result = delegate.identitySwitchRequired(
        forAccountId: account, reason: IntuneMAMIdentitySwitchReason(rawValue: reason) ?? .unknown)
      connection.send(.identitySwitchAnswer(ask: ask, isSuccess: result == .success))
    case .identityChanged(let account, let isManaged):
      policyManager.didChange(account: account, isManaged: isManaged)
    case .perform(let ask, let message, let behaviour):
      perform(ask: ask, message, behaviour)
    case .outcome, .welcome, .rejected, .stop: break
    }
  }

  private func perform(ask: UInt64, _ message: GuestMessage?, _ behaviour: Behaviour) {
    guard let driven = delegate as? any DrivenDelegate else {
      connection.send(.performed(ask: ask, failure: "this app takes no instructions"))
      return
    }
    driven.adopt(behaviour)
    guard let message else {
      connection.send(.performed(ask: ask, failure: nil))
      return
    }
    driven.perform(message.body, in: self) { [connection] in
      connection.send(.performed(ask: ask, failure: nil))
    }
  }
}

/// A delegate that does what the host tells it.
package protocol DrivenDelegate: ApplicationDelegate {
  /// Takes over how to answer from now on.
  func adopt(_ behaviour: Behaviour)
  /// Makes the request of its own, and calls `done` when it has its outcome.
  func perform(
    _ request: GuestMessage.Body, in application: Application, done: @escaping () -> Void)
}
