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
  /// A seed for random numbers, the same in every run of a scenario.
  public var seed: UInt64 { connection.welcome.seed }
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public private(set) lazy var now = connection.welcome.time

  /// Identities and policy.
  public private(set) lazy var policyManager = IntuneMAMPolicyManager(self)
  /// Accounts.
  public private(set) lazy var enrollmentManager = IntuneMAMEnrollmentManager(self)
  /// Conditional access.
  public private(set) lazy var complianceManager = IntuneMAMComplianceManager(self)
  /// What the policy of the account that the app acts for allows.
  public private(set) lazy var policy = IntuneMAMPolicy(self)
  /// The device's pasteboard.
  public private(set) lazy var pasteboard = Pasteboard(self)
  public private(set) lazy var keychain = Keychain(self)
  /// Whose the app's files are.
  public private(set) lazy var fileProtectionManager = IntuneMAMFileProtectionManager(self)
  /// What administrators have configured the app with.
  public private(set) lazy var appConfigManager = IntuneMAMAppConfigManager(
    connection.welcome.configurations)
  /// Data that carries its owner.
  public private(set) lazy var dataProtectionManager = IntuneMAMDataProtectionManager(self)

  /// What the administrator provides for the app.
  public private(set) lazy var managedApp = ManagedAppClient(self)

  /// What other threads have this one call with. To be asked for on the app's own thread.
  public private(set) lazy var remote = makeRemote()

  let connection: HostConnection
  /// What this app has promised to extensions, by the number of the share.
  var promises: [UInt64: [ExtensionItem]] = [:]
  /// What this app is making for an extension, by the device's question.
  var provisions: [UInt64: LoadProgress] = [:]
  /// What this extension waits for, by the number of the request.
  var loads: [UInt64: LoadProgress] = [:]
  private var temporaryFiles = 0
  /// Who is asked what may take time.
  private lazy var patient = (delegate as? any AsyncDelegate) ?? DelegateAdapter(delegate)

  /// Connects to the host on the inherited descriptor 3, and waits for its welcome.
  ///
  /// - Throws: ``ConnectionError``, where there is no host, or it refuses this process.
  public static func connect(
    delegate: any ApplicationDelegate, claiming bundleIdentifier: String = ""
  ) throws(ConnectionError) -> Application {
    let connection = try HostConnection(hello: Hello(claimedApp: bundleIdentifier))
    return Application(delegate: delegate, connection: connection)
  }

  init(delegate: any ApplicationDelegate, connection: HostConnection) {
    self.delegate = delegate
    self.connection = connection
  }

  /// Serves the host until it says stop or goes away.
  public func run() {
    connection.onProgress = { [unowned self] in loads[$0]?.fractionCompleted = $1 }
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

  /// Confirms what has just arrived only once the result is called: the sender waits until then.
  package func postponeAcknowledgement() -> () -> Void { connection.postponeAcknowledgement() }

  /// A number for a file that is not to stay.
  func nextTemporaryFile() -> Int {
    temporaryFiles += 1
    return temporaryFiles
  }

  /// Writes a line to the device's trace.
  public func log(_ text: String) {
    connection.send(.log(text))
  }

  /// Tells the host that the app cannot go on, and lets ``run()`` return.
  package func fail(_ why: String) {
    connection.finish(with: .failed(why: why))
  }

  /// Calls `body` after so many milliseconds of real time.
  package func after(milliseconds: UInt64, _ body: @escaping () -> Void) {
    connection.after(milliseconds: milliseconds, body)
  }

  /// - Parameter window: the window that the task belongs to; nil: the one in front. The identity of the present
  ///   thread, where it has one, goes along.
  ///
  /// - Returns: the number of the request.
  @discardableResult
  package func request(
    _ body: GuestMessage.Body, in window: String? = nil,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    let task = TaskContext(thread: ThreadIdentity.current.accountID, window: window ?? "")
    return connection.request(body, as: task.isEmpty ? nil : task, completion)
  }

  /// The same for a task that is told from outside for whom it acts.
  package func request(
    _ body: GuestMessage.Body, as task: TaskContext?,
    _ completion: @escaping (RequestOutcome) -> Void
  ) {
    connection.request(body, as: task, completion)
  }

  private func handle(_ body: HostMessage.Body) {
    switch body {
    case .extensionRequest(let request):
      let context = ExtensionContext(request, self)
      if let place = request.openIn {
        OpenInAction(context, place).run()
      } else {
        delegate.beginRequest(with: context)
      }
    case .provideRepresentation(let ask, let share, let reference):
      provide(reference, of: share, ask: ask)
    case .cancelProvide(let ask): cancelProvision(ask)
    case .delivery(let delivery):
      delegate.application(self, didReceive: ReceivedItem(delivery))
    case .openedURL(_, let url, let sender, let account):
      policyManager.currentActivity = account.isEmpty ? nil : account
      if let handover = OpenInHandover(url) {
        take(handover, from: sender)
      } else {
        delegate.application(self, open: url, from: sender)
      }
      policyManager.currentActivity = nil
    case .provideItem(let ask, let requester):
      patient.application(self, itemForRequester: requester) { [connection] item in
        connection.send(.provided(ask: ask, item))
      }
    case .identitySwitchRequired(let ask, let account, let reason):
      let reason = IntuneMAMIdentitySwitchReason(rawValue: reason) ?? .unknown
      patient.identitySwitchRequired(forAccountId: account, reason: reason) { [connection] in
        connection.send(.identitySwitchAnswer(ask: ask, isSuccess: $0 == .success))
      }
    case .clockAdvanced(let time):
      now = time
      patient.clockDidAdvance(in: self)
    case .identityChanged(let change): policyManager.didChange(change)
    case .delegateCall(let ask, let call, let account): answer(call, account, ask: ask)
    case .notice(let name, let account):
      guard let notification = IntuneMAMNotification(rawValue: name) else { return }
      delegate.application(
        self, didPost: notification, forAccountId: account.isEmpty ? nil : account)
    case .enrolledAccounts(let accounts): enrollmentManager.didChange(accounts)
    case .enrollmentNotice(let notice): enrollmentManager.didHear(notice)
    case .complianceNotice(let notice): complianceManager.didHear(notice)
    case .appConfiguration(let news):
      appConfigManager.adopt(news)
      guard news.isChange else { return }
      delegate.application(self, didPost: .appConfigDidChange, forAccountId: news.account)
    case .managedAppChanged(let aspect):
      managedApp.didChange(aspect)
      delegate.application(self, managedAppDidChange: aspect)
    case .perform(let ask, let instruction, let behaviour):
      perform(ask: ask, instruction, behaviour)
    case .outcome, .loadProgress, .welcome, .rejected, .stop: break
    }
  }

  private func answer(_ call: DelegateCall, _ account: String, ask: UInt64) {
    let answer = { [connection] (isDone: Bool) in
      connection.send(.delegateAnswer(ask: ask, isSuccess: isDone))
    }
    switch call {
    case .add: patient.addAccountId(account) { answer($0 == .success) }
    case .block: patient.blockAccountId(account) { answer($0 == .success) }
    case .restart: patient.restartApplication(self, answer: answer)
    case .wipe:
      guard !patient.wipeData(forAccountId: account, answer: answer) else { return }
      let delegate = policyManager.delegate
      connection.work {
        delegate?.wipeData(forAccountId: account) ?? false
      } then: {
        answer($0)
      }
    }
  }

  private func perform(ask: UInt64, _ instruction: Instruction, _ behaviour: Behaviour) {
    guard let driven = delegate as? any DrivenDelegate else {
      connection.send(.performed(ask: ask, failure: "this app takes no instructions"))
      return
    }
    driven.adopt(behaviour)
    let done = { [connection] (failure: String?, found: [UInt8]) in
      connection.send(.performed(ask: ask, failure: failure, found: found))
    }
    switch instruction {
    case .nothing: done(nil, [])
    case .ask(let message):
      driven.perform(message.body, as: message.task, in: self) { done(nil, $0) }
    case .work(let work, let task): driven.perform(work, as: task, in: self, done: done)
    case .look(let question): done(nil, appConfigManager.answer(question).json)
    }
  }
}

/// A delegate that does what the host tells it.
package protocol DrivenDelegate: ApplicationDelegate {
  /// Takes over how to answer from now on.
  func adopt(_ behaviour: Behaviour)
  /// Makes the request of its own, and calls `done` when it has its outcome, with what it found.
  func perform(
    _ request: GuestMessage.Body, as task: TaskContext?, in application: Application,
    done: @escaping ([UInt8]) -> Void)
  /// Works on a file, and calls `done` with why that failed, or nil, and what it read.
  func perform(
    _ work: FileWork, as task: TaskContext?, in application: Application,
    done: @escaping (String?, [UInt8]) -> Void)
}
