// The types in the interface of this module: `import SluiceKit` is all that an app needs.
@_exported public import Model
@_exported public import struct Wire.KeychainKey
@_exported public import struct Wire.OutcomeReason
@_exported public import struct Wire.RequestOutcome
internal import EventLoop
internal import Synchronization
public import Wire

#if canImport(Glibc)
  internal import Glibc
#endif

/// This process as an app on the simulated device: its connection to the host, and all its requests.
///
/// All calls and all callbacks happen on the thread that connected. Answers come while ``run()`` runs.
///
/// ```swift
/// let app = try Application.connect(delegate: Notes())
/// app.share(Item(text: "Lunch at noon"), with: "com.example.mail") { outcome in … }
/// app.run()
/// ```
public final class Application {
  /// The app's delegate.
  public var delegate: any ApplicationDelegate { updates.delegate }
  /// The app's bundle id, as the host has established it.
  public var bundleIdentifier: String { connection.welcome.app }
  /// The name of this process on the device; apps that run several times have several.
  public var guestName: String { connection.welcome.guest }
  /// The identifier of the device.
  public var deviceIdentifier: String { connection.welcome.device }
  /// A seed for random numbers, the same in every run of a scenario.
  public var seed: UInt64 { connection.welcome.seed }
  /// Whether the device has started this process to open something, which comes first.
  public var opensContent: Bool { connection.welcome.opensContent }
  /// MDM's configuration of the app when this process started, as a property list; `[]`: none, or more than 1 MiB. The
  /// ``ManagedAppClient`` has the present one.
  public var managedConfiguration: [UInt8] { connection.welcome.managedConfiguration }
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var now: Int { updates.now }

  /// The handle by which other threads call this app. It must first be asked for on the app's own thread.
  public private(set) lazy var remote = makeRemote()

  let connection: HostConnection
  private let sdk: SDKServices
  let files: AppFiles
  let exchange: ItemExchange
  private let incoming: IncomingRequests
  private let questions: HostQuestions
  private let updates: DeviceUpdates

  /// Connects to the host on the inherited descriptor 3, and waits for its welcome.
  ///
  /// - Throws: ``ConnectionError`` where there is no host, or it refuses this process.
  public static func connect(
    delegate: any ApplicationDelegate, claiming bundleIdentifier: String = ""
  ) throws(ConnectionError) -> Application {
    let connection = try HostConnection(hello: Hello(claimedApp: bundleIdentifier))
    return Application(delegate: delegate, connection: connection)
  }

  init(delegate: any ApplicationDelegate, connection: HostConnection) {
    self.connection = connection
    let welcome = connection.welcome
    files = AppFiles(connection)
    exchange = ItemExchange(connection)
    sdk = SDKServices(connection, files, configurations: welcome.configurations)
    incoming = IncomingRequests(connection, delegate: delegate, sdk.policyManager, files)
    questions = HostQuestions(
      connection, delegate: delegate, sdk.policyManager, sdk.appConfigManager)
    updates = DeviceUpdates(
      delegate: delegate, sdk.appConfigManager, sdk.managedApp, now: welcome.time)
  }

  /// Serves the host until it orders a stop or goes away.
  public func run() {
    connection.run { [unowned self] message in dispatch(message) }
    delegate.applicationWillTerminate(self)
  }

  /// Offers an item to an app or an extension, named by its bundle id.
  ///
  /// - Parameters:
  ///   - path: whether the app's own sharing UI carries the item, or the system's.
  ///   - completion: gets the verdict with its reasons, and the end of the transfer.
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

  /// Asks whether the URL may be opened, and whether there is an app that opens it: then it ends as delivered.
  public func canOpen(url: String, completion: @escaping (RequestOutcome) -> Void) {
    request(.openURL(OpenURL(url, isQuestion: true)), completion)
  }

  /// Drops in another app an item that was dragged in this one.
  public func drop(
    _ item: Item, in destination: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .share(Share(destination: destination, item: item, way: .dragAndDrop)), completion)
  }

  /// Hands an item to the system: prints it, indexes it, shows it in a notification.
  ///
  /// - Parameter channel: a channel whose counterpart is the system.
  public func hand(
    _ item: Item, to channel: Channel, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(.use(SystemHandOff(channel: channel.rawValue, item: item)), completion)
  }

  /// Saves a copy to a storage location of `accountId`, nil where the location belongs to no account.
  public func save(
    _ item: Item, to location: StorageLocation, accountId: String?,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    request(
      .use(
        SystemHandOff(
          channel: Channel.saveTo.rawValue, location: location.rawValue, account: accountId,
          item: item)), completion)
  }

  /// Opens a document from a storage location of `accountId`, nil where the location belongs to no account; the outcome
  /// holds the document that was saved there for the account, where there is one.
  public func openDocument(
    from location: StorageLocation, accountId: String?,
    completion: @escaping (RequestOutcome) -> Void
  ) {
    request(
      .use(
        SystemHandOff(
          channel: Channel.openFrom.rawValue, location: location.rawValue, account: accountId)),
      completion)
  }

  /// Confirms the present delivery, or opened URL, only once the returned function is called on the app's thread: the
  /// sender waits until then. To be called within the delegate's call for it.
  public func postponeAcknowledgement() -> () -> Void { connection.postponeAcknowledgement() }

  /// Writes a line to the device's trace.
  public func log(_ text: String) {
    connection.send(.log(text))
  }

  /// Tells the host that the app cannot go on, and lets ``run()`` return.
  package func fail(_ why: String) {
    connection.finish(with: .failed(why: why))
  }

  /// Calls `body` after the given milliseconds of real time.
  package func after(milliseconds: UInt64, _ body: @escaping () -> Void) {
    connection.after(milliseconds: milliseconds, body)
  }

  /// Sends a request.
  ///
  /// - Parameter window: the window that the task belongs to; nil for the one in front. The identity of the present
  ///   thread, where it has one, goes along.
  ///
  /// - Returns: the number of the request.
  @discardableResult
  package func request(
    _ body: GuestMessage.Body, in window: String? = nil,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    connection.request(body, in: window, completion)
  }

  /// Sends a request of a task whose identity is stated from outside.
  ///
  /// - Parameter sources: numbers of the items that what the request moves was made of.
  package func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64] = [],
    _ completion: @escaping (RequestOutcome) -> Void
  ) {
    connection.request(body, as: task, madeOf: sources, completion)
  }

  /// Passes a message of the host to the object that handles it.
  private func dispatch(_ message: HostMessage) {
    switch message.body {
    case .delivery(let delivery): incoming.receive(delivery, in: self)
    case .openedURL(_, let url, let sender, let account):
      incoming.open(url, from: sender, for: account, in: self)
    case .extensionRequest(let request): incoming.begin(request, in: self)
    case .provideRepresentation(let ask, let share, let reference):
      exchange.provide(reference, of: share, ask: ask)
    case .cancelProvide(let ask): exchange.cancelProvision(ask)
    case .loadProgress(let fraction): exchange.didProgress(message.request, to: fraction)
    case .provideItem(let ask, let requester):
      questions.provideItem(to: requester, ask: ask, in: self)
    case .identitySwitchRequired(let ask, let account, let reason):
      questions.switchIdentity(to: account, reason: reason, ask: ask)
    case .delegateCall(let ask, let call, let account):
      questions.call(call, about: account, ask: ask, in: self)
    case .perform(let ask, let instruction, let behaviour):
      questions.perform(instruction, behaviour, ask: ask, in: self)
    case .identityChanged(let change): sdk.policyManager.didChange(change)
    case .enrolledAccounts(let accounts): sdk.enrollmentManager.didChange(accounts)
    case .enrollmentNotice(let notice): sdk.enrollmentManager.handle(notice)
    case .complianceNotice(let notice): sdk.complianceManager.handle(notice)
    case .clockAdvanced(let time): updates.clockDidAdvance(to: time, in: self)
    case .notice(let name, let account): updates.post(name, about: account, in: self)
    case .appConfiguration(let configuration):
      updates.configurationDidChange(configuration, in: self)
    case .managedAppChanged(let aspect): updates.managedAppDidChange(aspect, in: self)
    // The connection's own.
    case .outcome, .welcome, .rejected, .stop, .sharedMemory, .release: break
    }
  }
}

/// Items with several representations, which an extension loads as needed.
extension Application {
  /// Offers items to an extension, named by its bundle id.
  ///
  /// Promised content must stay available until `completion` is called: the extension may ask for it until then.
  public func share(
    _ items: [ExtensionItem], with destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    exchange.share(items, with: destination, via: path, completion: completion)
  }
}

/// The objects of the SDKs and the system that an app uses.
extension Application {
  /// Identities and policy.
  public var policyManager: IntuneMAMPolicyManager { sdk.policyManager }
  /// Accounts.
  public var enrollmentManager: IntuneMAMEnrollmentManager { sdk.enrollmentManager }
  /// Conditional access.
  public var complianceManager: IntuneMAMComplianceManager { sdk.complianceManager }
  /// Questions about what the policy of the account that the app acts for allows.
  public var policy: IntuneMAMPolicy { sdk.policy }
  /// The device's pasteboard.
  public var pasteboard: Pasteboard { sdk.pasteboard }
  /// The device's keychain.
  public var keychain: Keychain { sdk.keychain }
  /// The owners of the app's files.
  public var fileProtectionManager: IntuneMAMFileProtectionManager { sdk.fileProtectionManager }
  /// The configurations of the app that administrators have made.
  public var appConfigManager: IntuneMAMAppConfigManager { sdk.appConfigManager }
  /// Data that carries its owner.
  public var dataProtectionManager: IntuneMAMDataProtectionManager { sdk.dataProtectionManager }
  /// The configuration and the secrets that the administrator provides for the app.
  public var managedApp: ManagedAppClient { sdk.managedApp }
}

// MARK: - Services

/// The objects by which an app speaks to the system and to the SDK: one of each, as long as the app runs.
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

  /// - Parameter configurations: the app's configurations when it starts.
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
  /// Has `body` called soon on the app's thread, under the present thread identity
  /// (``ApplicationRemote/enqueue(_:)``). Other threads use ``remote`` instead.
  public func enqueue(_ body: @escaping @Sendable (Application) -> Void) {
    remote.enqueue(body)
  }

  private func makeRemote() -> ApplicationRemote {
    guard !connection.loop.isClosed else { return ApplicationRemote(waking: nil) }
    let signal = try? AsyncSignal(on: connection.loop) { [unowned self] in
      remote.runAll(in: self)
    }
    // It is the host that keeps a guest running.
    signal?.unref()
    connection.willEnd = { [unowned self] in remote.end(in: self) }
    return ApplicationRemote(waking: signal?.sender)
  }
}

// MARK: - Other threads

/// An app as seen by other threads: they cannot call it, but can have its thread do so.
///
/// ```swift
/// let remote = app.remote
/// IdentityDispatchQueue.global().async {
///   let digest = summarize(document)
///   remote.enqueue { app in app.log(digest) }
/// }
/// ```
public final class ApplicationRemote: Sendable {
  private let state: Mutex<State>

  private struct State {
    var calls: [Call] = []
    /// The sender of the signal; nil once no more calls will be made.
    var sender: AsyncSignal.Sender?
  }

  /// A call and the identity under which it is made.
  private struct Call {
    let identity: ThreadIdentity
    let body: @Sendable (Application) -> Void
  }

  /// - Parameter sender: wakes the app's thread, which then calls ``runAll(in:)``; nil where the app has ended.
  fileprivate init(waking sender: AsyncSignal.Sender?) {
    state = Mutex(State(sender: sender))
  }

  /// Has the app's thread call `body`, under the thread identity of the caller.
  ///
  /// Calls run in the order in which they were enqueued, while ``Application/run()`` runs, and the last of
  /// them when the app stops, before its connection closes. Safe from any thread, that of the app included;
  /// never waits.
  ///
  /// - Returns: false where the app has ended: `body` will not be called.
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

  /// Makes all waiting calls; calls that they enqueue come after other events.
  fileprivate func runAll(in application: Application) {
    for call in take() { call.identity.scope { call.body(application) } }
  }

  /// Makes the waiting calls, and takes no others.
  fileprivate func end(in application: Application) {
    state.withLock { $0.sender = nil }
    runAll(in: application)
  }

  private func take() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }
}

extension Application {
  /// Goes through a connection with a host that is none, from its beginning over a few requests to its end, so that what a
  /// process sets up once is there in all that are forked from this one. It starts no thread and leaves nothing open.
  ///
  /// - Parameter delegate: the delegate of the rehearsal; nothing happens to it but the end.
  /// - Throws: ``ConnectionError`` where the system refuses a connection.
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
    let item = Item(text: "")
    let requests: [GuestMessage.Body] = [
      .paste, .share(Share(destination: "", item: item)), .copy(item),
    ]
    for (index, request) in requests.enumerated() {
      let number = UInt64(index + 1)
      let instruction = Instruction.ask(GuestMessage(request))
      frames.append(HostMessage(.perform(ask: number, instruction, Behaviour())), using: arena)
      let outcome = RequestOutcome(verdict: .blocked, end: .refused)
      frames.append(HostMessage(request: number, .outcome(outcome)), using: arena)
    }
    frames.append(HostMessage(.stop), using: arena)
    _ = write(ends[1], frames.bytes.baseAddress, frames.count)
    let connection = try HostConnection(hello: Hello(), on: ends[0])
    Application(delegate: delegate, connection: connection).run()
  }
}
