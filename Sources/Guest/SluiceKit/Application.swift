// Re-exports the types in this module's interface, so apps need only import `SluiceKit`.
@_exported public import Model
@_exported public import enum Wire.FileMode
@_exported public import struct Wire.KeychainKey
@_exported public import struct Wire.OutcomeReason
@_exported public import struct Wire.RequestOutcome
internal import EventLoop
internal import Synchronization
public import Wire

#if canImport(Glibc)
  internal import Glibc
#endif

/// The connection of an app process to its simulated device, and the requests that the app sends.
///
/// Use it only on the thread that connected. Callbacks also run on that thread. Outcomes arrive
/// while ``run()`` is running.
///
/// ```swift
/// let app = try Application.connect(delegate: Notes())
/// app.share(Item(text: "Lunch at noon"), with: "com.example.mail") { outcome in … }
/// app.run()
/// ```
public final class Application {
  /// The delegate that was passed to ``connect(delegate:claiming:)``.
  public let delegate: any ApplicationDelegate
  /// The app's bundle id, as determined by the host.
  public var bundleIdentifier: String { connection.welcome.app }
  /// The name of this process on the device. Each instance of an app has its own name.
  public var guestName: String { connection.welcome.guest }
  public var deviceIdentifier: String { connection.welcome.device }
  /// A seed for random numbers, the same in every run of a scenario.
  public var seed: UInt64 { connection.welcome.seed }
  /// Whether the device launched this process to open content. The content then arrives before anything else.
  public var opensContent: Bool { connection.welcome.opensContent }
  /// The app's MDM configuration at process start, as a property list.
  ///
  /// Empty if there is no configuration, or if it exceeds 1 MiB. ``ManagedAppClient`` returns the
  /// current configuration.
  public var managedConfiguration: [UInt8] { connection.welcome.managedConfiguration }
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public private(set) var now: Int

  /// The handle through which other threads call this app. Access it first on the app's own thread.
  public private(set) lazy var remote = makeRemote()

  let connection: HostConnection
  private let sdk: SDKServices
  package let files: AppFiles
  let exchange: ItemExchange
  private let inbox: DocumentInbox

  /// Connects to the host on the inherited file descriptor 3 and waits for its welcome message.
  ///
  /// - Parameter bundleIdentifier: The bundle id that the app claims; `""` for none. The host
  ///   records and ignores a false claim.
  /// - Throws: ``ConnectionError`` if there is no host, or if the host rejects this process.
  public static func connect(
    delegate: any ApplicationDelegate, claiming bundleIdentifier: String = ""
  ) throws(ConnectionError) -> Application {
    let connection = try HostConnection(hello: Hello(claimedApp: bundleIdentifier))
    return Application(delegate: delegate, connection: connection)
  }

  init(delegate: any ApplicationDelegate, connection: HostConnection) {
    self.delegate = delegate
    self.connection = connection
    now = connection.welcome.time
    files = AppFiles(connection)
    exchange = ItemExchange(connection)
    inbox = DocumentInbox(connection)
    sdk = SDKServices(connection, files, configurations: connection.welcome.configurations)
  }

  /// Handles messages until the host requests a stop or disconnects, or this process reports a fatal error.
  public func run() {
    connection.run { [unowned self] message in handle(message) }
    delegate.applicationWillTerminate(self)
  }

  /// Shares an item with an app or an extension.
  ///
  /// - Parameters:
  ///   - destination: The bundle id of the receiver.
  ///   - path: The app's own sharing UI or the system's.
  ///   - completion: Receives the verdict with its reasons, and the result of the transfer.
  public func share(
    _ item: Item, with destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.share(Share(destination: destination, item: item, via: path)), completion)
  }

  /// Opens a document in the app with the bundle id `destination`.
  public func open(
    _ item: Item, in destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .share(Share(destination: destination, item: item, via: path, way: .openIn)), completion)
  }

  /// Shares an item without waiting for an answer.
  ///
  /// - Parameter failure: Called only if the item does not arrive.
  public func post(
    _ item: Item, to destination: String, failure: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.share(Share(destination: destination, item: item, isPosted: true)), failure)
  }

  /// Imports an item from another app. The outcome contains the item.
  public func importItem(
    from source: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void
  ) {
    request(.import(source: source, via: path), completion)
  }

  /// Opens a URL in the app that registered its scheme.
  ///
  /// - Parameters:
  ///   - isKnownManagedAppScheme: Whether the caller knows that an app with the SDK registered the
  ///     scheme.
  ///   - universalLinksOnly: Whether only an app that claims the link may open it.
  public func open(
    url: String, isKnownManagedAppScheme: Bool = false, universalLinksOnly: Bool = false,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .openURL(
        OpenURL(
          url, isKnownManagedScheme: isKnownManagedAppScheme,
          isUniversalLinkOnly: universalLinksOnly)), completion)
  }

  /// Checks whether the policy permits opening the URL and an app can open it, without opening it. If so, the outcome's
  /// end is `delivered`.
  public func canOpen(url: String, completion: @escaping (RequestOutcome) -> Void) {
    request(.openURL(OpenURL(url, isQuestion: true)), completion)
  }

  /// Drops an item, dragged from this app, into another app.
  public func drop(
    _ item: Item, in destination: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .share(Share(destination: destination, item: item, way: .dragAndDrop)), completion)
  }

  /// Passes an item to the system, for example to print it, index it or show it in a notification.
  ///
  /// - Parameter channel: A channel to the system.
  public func hand(
    _ item: Item, to channel: Channel, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.use(Use(channel: channel.rawValue, item: item)), completion)
  }

  /// Saves a copy of an item to a storage location.
  ///
  /// - Parameter accountId: The owner of the location; nil if it has none.
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

  /// Opens a document from a storage location.
  ///
  /// - Parameters:
  ///   - accountId: The owner of the location; nil if it has none.
  ///   - completion: Receives an outcome with the document that was saved there for the account, if
  ///     any.
  public func openDocument(
    from location: StorageLocation, accountId: String?,
    completion: @escaping (RequestOutcome) -> Void
  ) {
    request(
      .use(
        Use(
          channel: Channel.openFrom.rawValue, location: location.rawValue, account: accountId)),
      completion)
  }

  /// Postpones the acknowledgement of the current delivery or opened URL until the
  /// returned function is called.
  ///
  /// Call this method from the delegate method that handles the delivery. Call the returned
  /// function on the app's thread. The sender waits for the acknowledgement.
  public func postponeAcknowledgement() -> () -> Void {
    connection.postponeAcknowledgement()
    return { [unowned connection] in connection.finishAcknowledgement() }
  }

  /// Writes text to the device's trace.
  public func log(_ text: String) {
    connection.send(.log(text))
  }

  /// Reports a fatal error to the host, and makes ``run()`` return.
  package func fail(_ why: String) {
    connection.finish(with: .failed(why: why))
  }

  /// Calls `body` after a delay in real time.
  package func after(milliseconds: UInt64, _ body: @escaping () -> Void) {
    connection.after(milliseconds: milliseconds, body)
  }

  /// Sends a request with the current thread identity, if any, and returns the request's number.
  ///
  /// - Parameter window: The window in which the user acts; nil for the front window.
  @discardableResult
  package func request(
    _ body: GuestMessage.Body, in window: String? = nil,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    connection.request(body, in: window, completion)
  }

  /// Sends a request with the current thread identity, if any, and returns the request's number.
  ///
  /// - Parameter sources: The numbers of the items from which the request's content was made.
  package func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64] = [],
    _ completion: @escaping (RequestOutcome) -> Void
  ) {
    connection.request(body, as: task, madeOf: sources, completion)
  }
}

/// Shares items with several representations, which an extension loads on demand.
extension Application {
  /// Shares items with the extension with the bundle id `destination`.
  ///
  /// Promised content must stay available until `completion` is called, because the extension
  /// may request it until then.
  public func share(
    _ items: [ExtensionItem], with destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    exchange.share(items, with: destination, via: path, completion: completion)
  }
}

extension Application {
  /// The manager of the identities that the app acts for.
  public var policyManager: IntuneMAMPolicyManager { sdk.policyManager }
  /// The manager that enrolls the app's accounts and signs them out.
  public var enrollmentManager: IntuneMAMEnrollmentManager { sdk.enrollmentManager }
  /// The manager that brings accounts into compliance with conditional access.
  public var complianceManager: IntuneMAMComplianceManager { sdk.complianceManager }
  /// The policy of the account that the app acts for.
  public var policy: IntuneMAMPolicy { sdk.policy }
  public var pasteboard: Pasteboard { sdk.pasteboard }
  public var keychain: Keychain { sdk.keychain }
  /// The manager of the owners of the app's files.
  public var fileProtectionManager: IntuneMAMFileProtectionManager { sdk.fileProtectionManager }
  /// The source of the app configurations that administrators have targeted at the app's accounts.
  public var appConfigManager: IntuneMAMAppConfigManager { sdk.appConfigManager }
  /// The manager that protects data outside files.
  public var dataProtectionManager: IntuneMAMDataProtectionManager { sdk.dataProtectionManager }
  /// The source of the administrator's configuration and secrets for the app.
  public var managedApp: ManagedAppClient { sdk.managedApp }
}

// MARK: - Services

/// One object for each service of the SDK and the system, created at launch.
private struct SDKServices {
  let policyManager: IntuneMAMPolicyManager
  let enrollmentManager: IntuneMAMEnrollmentManager
  let complianceManager: IntuneMAMComplianceManager
  let policy: IntuneMAMPolicy
  let pasteboard: Pasteboard
  let keychain: Keychain
  let fileProtectionManager: IntuneMAMFileProtectionManager
  let appConfigManager: IntuneMAMAppConfigManager
  let dataProtectionManager: IntuneMAMDataProtectionManager
  let managedApp: ManagedAppClient

  /// Creates the services.
  ///
  /// - Parameter configurations: The app's configurations at launch.
  init(_ host: any HostPort, _ files: AppFiles, configurations: [ConfigurationNews]) {
    policyManager = IntuneMAMPolicyManager(host)
    enrollmentManager = IntuneMAMEnrollmentManager(host)
    complianceManager = IntuneMAMComplianceManager(host, enrollmentManager)
    policy = IntuneMAMPolicy(host)
    pasteboard = Pasteboard(host)
    keychain = Keychain(host)
    fileProtectionManager = IntuneMAMFileProtectionManager(host, files)
    appConfigManager = IntuneMAMAppConfigManager(configurations)
    dataProtectionManager = IntuneMAMDataProtectionManager(host)
    managedApp = ManagedAppClient(host)
  }
}

extension Application {
  /// Schedules `body` on the app's thread with the current thread identity.
  ///
  /// Call it only on the app's own thread. Other threads must use ``remote`` instead: see
  /// ``ApplicationRemote/enqueue(_:)``.
  public func enqueue(_ body: @escaping @Sendable (Application) -> Void) {
    remote.enqueue(body)
  }

  private func makeRemote() -> ApplicationRemote {
    let remote = newRemote()
    ApplicationRemote.latest.withLock { $0 = remote }
    return remote
  }

  private func newRemote() -> ApplicationRemote {
    guard !connection.loop.isClosed else { return ApplicationRemote(waking: nil) }
    let signal = try? AsyncSignal(on: connection.loop) { [unowned self] in
      remote.runAll(in: self)
    }
    // The signal must not keep the loop running; the connection to the host does.
    signal?.unref()
    connection.willEnd = { [unowned self] in remote.end(in: self) }
    return ApplicationRemote(waking: signal?.sender)
  }
}

// MARK: - Messages from the host

extension Application {
  private func handle(_ message: HostMessage) {
    switch message.body {
    case .delivery(let delivery): delegate.application(self, didReceive: ReceivedItem(delivery))
    case .openedURL(_, let url, let sender, let account):
      didOpen(url, from: sender, for: account)
    case .extensionRequest(let request): begin(request)
    case .provideRepresentation(let ask, let share, let reference):
      exchange.provide(reference, of: share, ask: ask)
    case .cancelProvide(let ask): exchange.cancelProvision(ask)
    case .loadProgress(let fraction): exchange.didProgress(message.request, to: fraction)
    case .provideItem(let ask, let requester):
      delegate.asynchronous.application(self, itemForRequester: requester) { [connection] item in
        connection.send(.provided(ask: ask, item))
      }
    case .identitySwitchRequired(let ask, let account, let reason):
      let reason = IntuneMAMIdentitySwitchReason(rawValue: reason) ?? .unknown
      delegate.asynchronous.identitySwitchRequired(forAccountId: account, reason: reason) {
        [connection] in
        connection.send(.identitySwitchAnswer(ask: ask, isSuccess: $0 == .success))
      }
    case .delegateCall(let ask, let call, let account):
      perform(call, about: account) { [connection] isDone in
        connection.send(.delegateAnswer(ask: ask, isSuccess: isDone))
      }
    case .perform(let ask, let instruction, let behaviour):
      perform(instruction, behaviour) { [connection] failure, found in
        connection.send(.performed(ask: ask, failure: failure, found: found))
      }
    case .identityChanged(let change): sdk.policyManager.didChange(change)
    case .enrolledAccounts(let accounts): sdk.enrollmentManager.didChange(accounts)
    case .enrollmentNotice(let notice): sdk.enrollmentManager.handle(notice)
    case .complianceNotice(let notice): sdk.complianceManager.handle(notice)
    case .clockAdvanced(let time):
      now = time
      delegate.asynchronous.clockDidAdvance(in: self)
    case .notice(let name, let account):
      // Unknown names are ignored. Without an account, the notification does not concern a single one.
      guard let notification = IntuneMAMNotification(rawValue: name) else { return }
      delegate.application(
        self, didPost: notification, forAccountId: account.isEmpty ? nil : account)
    case .appConfiguration(let news):
      sdk.appConfigManager.adopt(news)
      guard news.isChange else { return }
      delegate.application(self, didPost: .appConfigDidChange, forAccountId: news.account)
    case .managedAppChanged(let aspect):
      sdk.managedApp.didChange(aspect)
      delegate.application(self, managedAppDidChange: aspect)
    // The connection has already handled these messages.
    case .outcome, .welcome, .rejected, .stop, .sharedMemory, .release: break
    }
  }

  /// Starts this extension's request. For an Open-In action, the SDK itself performs the request.
  private func begin(_ request: ExtensionRequest) {
    let context = ExtensionContext(request, self)
    if let place = request.openIn {
      OpenInAction(context, place, connection, files).run()
    } else {
      delegate.beginRequest(with: context)
    }
  }

  /// Handles an opened URL. If the URL announces a document from an Open-In action, opens the document instead.
  ///
  /// - Parameter account: The UPN of the account that opened the URL; `""` if unknown.
  private func didOpen(_ url: String, from sender: String, for account: String) {
    sdk.policyManager.withCurrentActivity(of: account.isEmpty ? nil : account) {
      guard let handover = OpenInHandover(url) else {
        return delegate.application(self, open: url, from: sender)
      }
      inbox.accept(handover) { [self] result in
        switch result {
        case .success(let document): delegate.application(self, open: document, from: sender)
        case .failure(let error): log("the document cannot be opened: \(error)")
        }
      }
    }
  }

  private func perform(
    _ call: DelegateCall, about account: String, answer: @escaping (Bool) -> Void
  ) {
    let asynchronous = delegate.asynchronous
    switch call {
    case .add: asynchronous.addAccountId(account) { answer($0 == .success) }
    case .block: asynchronous.blockAccountId(account) { answer($0 == .success) }
    case .restart: asynchronous.restartApplication(self, answer: answer)
    case .wipe:
      guard !asynchronous.wipeData(forAccountId: account, answer: answer) else { return }
      guard let driven = delegate as? any DrivenDelegate else {
        return wipe(account, answer: answer)
      }
      driven.finishStoring { [unowned self] in wipe(account, answer: answer) }
    }
  }

  /// Asks the policy manager's delegate to wipe the account. Without a delegate, the SDK deletes
  /// the files.
  private func wipe(_ account: String, answer: @escaping (Bool) -> Void) {
    let delegate = sdk.policyManager.delegate
    connection.work {
      delegate?.wipeData(forAccountId: account) ?? false
    } then: {
      answer($0)
    }
  }

  private func perform(
    _ instruction: Instruction, _ behaviour: Behaviour,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void
  ) {
    if case .look(let question) = instruction {
      return done(nil, sdk.appConfigManager.answer(question).json)
    }
    guard let instructed = delegate as? any InstructedDelegate else {
      return done(
        "the app's own program carries out no such step; let the program act, or use the ready-made guest",
        [])
    }
    instructed.perform(instruction, behaviour, in: self, done: done)
  }
}

// MARK: - Other threads

/// A thread-safe handle to an app, through which other threads schedule calls on the app's thread.
///
/// ```swift
/// let remote = app.remote
/// IdentityDispatchQueue.global().async {
///   let digest = summarize(document)
///   remote.enqueue { app in app.log(digest) }
/// }
/// ```
public final class ApplicationRemote: Sendable {
  fileprivate static let latest = Mutex<ApplicationRemote?>(nil)
  /// The handle to this process's app; nil if no code has requested the handle.
  package static var current: ApplicationRemote? { latest.withLock { $0 } }

  private let state: Mutex<State>

  private struct State {
    var calls: [Call] = []
    /// Wakes the app's thread; nil once the app has stopped and accepts no more calls.
    var sender: AsyncSignal.Sender?
  }

  private struct Call {
    let identity: ThreadIdentity
    let body: @Sendable (Application) -> Void
  }

  /// Creates the handle.
  ///
  /// - Parameter sender: Wakes the app's thread, which then calls ``runAll(in:)``; nil if the app has stopped.
  fileprivate init(waking sender: AsyncSignal.Sender?) {
    state = Mutex(State(sender: sender))
  }

  /// Schedules `body` on the app's thread with the caller's thread identity.
  ///
  /// Calls run in order while ``Application/run()`` is running. If the app stops, the remaining
  /// calls run before its connection closes. This method is safe to call from any thread, including
  /// the app's own, and never blocks.
  ///
  /// - Returns: false if the app has stopped; `body` is then not called.
  @discardableResult
  public func enqueue(_ body: @escaping @Sendable (Application) -> Void) -> Bool {
    let call = Call(identity: .current, body: body)
    let sender = state.withLock { state in
      if state.sender != nil { state.calls.append(call) }
      return state.sender
    }
    sender?.send()
    return sender != nil
  }

  /// Runs all pending calls. If a call enqueues another call, that one runs later, after other events.
  fileprivate func runAll(in application: Application) {
    for call in drainCalls() { call.identity.scope { call.body(application) } }
  }

  /// Runs the pending calls, and rejects later calls.
  fileprivate func end(in application: Application) {
    state.withLock { $0.sender = nil }
    runAll(in: application)
  }

  private func drainCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }
}

extension Application {
  /// Runs a short session with a simulated host. Processes forked from this process then inherit the results of
  /// one-time setup.
  ///
  /// The session covers the handshake, a few requests and the stop. It starts no thread and leaves no descriptor open.
  ///
  /// - Parameter delegate: A delegate for the session, which receives a few instructions and its termination.
  /// - Throws: ``ConnectionError`` if the session's sockets or event loop cannot be created.
  package static func rehearse(
    delegate: any ApplicationDelegate
  ) throws(ConnectionError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw .noHost(String(cString: strerror(errno))) }
    defer { close(ends[1]) }
    var frames = FrameBuffer()
    let arena = Arena()
    frames.append(HostMessage(.welcome(Welcome(guest: "", app: "", device: ""))), using: arena)
    for level in [IdentityLevel.process, .mainWindow] {
      let change = IdentityChange(account: "", isManaged: false, level: level)
      frames.append(HostMessage(.identityChanged(change)), using: arena)
    }
    let item = Item(text: "rehearsal")
    let requests: [GuestMessage.Body] = [
      .paste, .share(Share(destination: "", item: item)), .copy(item),
    ]
    for (index, request) in requests.enumerated() {
      let number = UInt64(index + 1)
      let instruction = Instruction.ask(GuestMessage(request))
      frames.append(HostMessage(.perform(ask: number, instruction, Behaviour())), using: arena)
      let reason = OutcomeReason(rule: "", side: "", setting: "")
      let outcome = RequestOutcome(verdict: .blocked, end: .refused, reasons: [reason])
      frames.append(HostMessage(request: number, .outcome(outcome)), using: arena)
    }
    frames.append(HostMessage(.stop), using: arena)
    _ = write(ends[1], frames.bytes.baseAddress, frames.count)
    let connection = try HostConnection(hello: Hello(), on: ends[0])
    Application(delegate: delegate, connection: connection).run()
  }
}
