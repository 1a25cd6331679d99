internal import DequeModule
internal import EventLoop
internal import Policy
internal import Transfer
internal import Wire

/// One installed app, or one run of an extension, and its process where it has one.
final class Guest {
  let name: String
  var app: AppDescription
  let container: String
  unowned let device: Device

  /// How often it was started.
  var incarnation = 0
  /// nil: never started since it was installed.
  var supervision: Supervision?
  var process: ChildProcess?
  var connection: GuestConnection?
  var output: Pipe?
  /// For handshake, stopping, and extension requests.
  var lifeTimer: Timer?
  /// For confirmations and answers that the guest owes.
  var debtTimer: Timer?
  /// For what an extension has in memory.
  var memoryTimer: Timer?
  var lastProgress: UInt64 = 0
  /// Whether it has shaken hands.
  var isWelcome = false
  /// Why it is about to exit, as it says itself.
  var failure: String?

  /// In the order of signing in.
  var accounts: [SignedIn] = []
  /// Those of which the service was asked.
  var registrations: [Registration] = []
  /// Accounts that the SDK has told the app not to act for, until they sign in anew.
  var blockedAccounts: [Account] = []
  /// Accounts whose configuration has changed while the guest could not take it.
  var outdatedConfigurations: [Account] = []
  /// Selective wipes that have not come to their end.
  var wipes: [Wipe] = []
  /// Whom the process acts for: files, and all that no window says otherwise of.
  var processPersona: Persona { didSet { bringForward(keyWindow) } }
  /// The UI identities of windows that have one, by name; `""` is the main one.
  private(set) var windows: [String: Persona] = [:]
  /// The window in front.
  private(set) var keyWindow = ""
  /// Whom the guest acts for where a request does not say otherwise: that of the window in front.
  private(set) var persona: Persona
  /// Identities that the guest may not act for now; the latest last.
  var locks: [Lock] = []
  /// The last verdict on whether it may act for its account; nil: nobody has asked.
  var admission: Verdict?
  /// Bundle id as the wire has it.
  let bundleBytes: [UInt8]

  var deliveries: UInt64 = 0
  var inFlight: Deque<InFlight> = []
  /// Deliveries that wait for the process to be ready.
  var held = FrameBuffer(capacity: 0)
  var asks: [UInt64: Ask] = [:]
  /// Frames that wait until the device has answers for this guest's earlier request.
  var deferred: Deque<[UInt8]> = []
  var deferredBytes = 0
  var unsettled = 0
  /// Guests that wait for this one to take what it was sent.
  var waiting: [Guest] = []
  /// The guest that this one waits for in that way.
  weak var waitsFor: Guest?

  var lastRequest: UInt64 = 0
  /// The way that the last item took; nil where none has taken one that others may take.
  var route: Route?
  /// The request that an extension works on.
  var work: ExtensionWork?
  /// What an extension waits for.
  var load: Load?
  var onExit: [() -> Void] = []
  /// Whether everything is being stopped, so that it does not start anew by itself.
  var isStayingDown = false
  var batch: LifecycleBatch?

  init(
    name: String, app: AppDescription, container: String, device: Device, persona: Persona
  ) {
    self.name = name
    self.app = app
    self.container = container
    self.device = device
    self.persona = persona
    processPersona = persona
    bundleBytes = Array(app.bundleID.utf8)
  }

  var identity: Identity { persona.identity }
  var party: Party { persona.party }
  var ownership: Ownership { persona.ownership }
  var participant: Participant { persona.participant }

  /// Whether an identity may be set there, where no more than `limit` windows may have one.
  func canName(_ level: IdentityLevel, _ limit: Int) -> Bool {
    guard case .window(let name) = level else { return true }
    return windows[name] != nil || windows.count < limit
  }

  /// Gives a window its identity, and brings it to the front; nil takes the identity away.
  func setPersona(_ persona: Persona?, ofWindow window: String) {
    windows[window] = persona
    bringForward(window)
  }

  /// The same where the window in front stays in front.
  func replacePersona(_ persona: Persona?, ofWindow window: String) {
    windows[window] = persona
    bringForward(keyWindow)
  }

  func forgetWindows() {
    windows = [:]
    bringForward("")
  }

  private func bringForward(_ window: String) {
    keyWindow = window
    persona = windows[window] ?? processPersona
  }

  /// Whether the SDK has told the app not to act for the account.
  func isBlocked(_ identity: Identity) -> Bool {
    guard let account = identity.account else { return false }
    return blockedAccounts.contains { $0.isSame(as: account) }
  }

  /// Every persona that the process or a window acts as, the one in front first.
  var personas: [Persona] {
    let others = windows.sorted { $0.key < $1.key }.map(\.value).filter { $0 !== persona }
    return [persona] + others + (persona === processPersona ? [] : [processPersona])
  }

  /// The policy of the app's managed account, whoever it acts for; nil where it has none.
  var appPolicy: EffectivePolicy? { accounts.lazy.compactMap(\.policy).first }

  /// An identity that may not be acted for until its policy has what it asks for.
  struct Lock {
    /// The guest's own, or one that it wanted to switch to.
    var identity: Identity
    /// What was wanted that needs it; nil: nothing is any longer.
    var wish: Wish?
    /// What was asked, for whoever wants it explained; nil: no policy was.
    var request: LaunchRequest?
    var verdict: Verdict

    var explained: ExplainedVerdict {
      request.map { Explainer.explain($0, verdict) } ?? Explainer.explain(verdict)
    }
  }

  /// A view that waits for its accounts to open.
  struct Wish {
    var level: IdentityLevel
    /// Everybody whose data it shows.
    var identities: [Identity]
  }

  struct SignedIn {
    var account: Account
    /// nil: no policy applies to the account in this app.
    var policy: EffectivePolicy? = nil
    /// What the app has been told, or will be when it runs, that it is configured with for the account.
    var configuration = DeliveredConfiguration()
  }

  /// A question to the guest's process that it has not answered.
  enum Ask {
    case item((Item?) -> Void)
    case representation(Provision)
    case identitySwitch((Bool) -> Void)
    case delegate((Bool) -> Void)
    /// To wipe an account: nil, where the guest ended before it had answered.
    case wipe((Bool?) -> Void)
    case perform((Performance) -> Void)

    /// Whether the guest has to answer by itself, within a deadline.
    var isDebt: Bool {
      switch self {
      case .item, .representation, .identitySwitch, .delegate: true
      // Wiping may take its time, and has a deadline of its own.
      case .perform, .wipe: false
      }
    }

    /// What it will be answered counts for nothing.
    func abandon() {
      if case .representation(let provision) = self { provision.abandon() }
    }

    /// The guest is gone.
    func fail() {
      switch self {
      case .item(let answer): answer(nil)
      case .representation(let provision): provision.answer(nil)
      case .identitySwitch(let answer), .delegate(let answer): answer(false)
      case .wipe(let answer): answer(nil)
      case .perform(let answer):
        answer(Performance(failure: "the guest ended before it was done"))
      }
    }
  }

  /// Whether the account that it acts for may not be used now.
  var isLocked: Bool { lock(of: persona) != nil }

  /// What keeps the guest from acting as `persona`; nil where nothing does.
  func lock(of persona: Persona) -> Lock? {
    guard !locks.isEmpty else { return nil }
    return persona.everybody.lazy.compactMap { self.lock(of: $0) }.first
  }

  /// What keeps the guest from acting for `identity`; nil where nothing does.
  func lock(of identity: Identity) -> Lock? {
    guard !locks.isEmpty, let account = identity.account else { return nil }
    return locks.last { $0.identity.account?.isSame(as: account) ?? false }
  }

  func unlock(_ identity: Identity) {
    guard !locks.isEmpty else { return }
    locks.removeAll { $0.identity.isSame(as: identity) }
  }

  /// What an extension was started for.
  struct ExtensionWork {
    var origin: Origin
    var ruling: Ruling
    /// What it may load.
    let items: [OfferedItem]
    /// How much of it the device holds.
    let bytes: Int

    init(origin: Origin, ruling: Ruling, items: [OfferedItem]) {
      self.origin = origin
      self.ruling = ruling
      self.items = items
      bytes = items.flatMap(\.attachments).flatMap(\.representations).reduce(0) { $0 + $1.count }
    }
  }

  /// A representation that the app has to make first, and an extension waits for.
  struct Load {
    var origin: Origin
    var provider: Guest
    /// The number of the question to the provider.
    var ask: UInt64
    var reference: RepresentationReference
  }

  /// What becomes of a representation that an app has promised.
  final class Provision {
    private(set) var progress: (Double) -> Void
    private(set) var answer: (Item?) -> Void

    init(progress: @escaping (Double) -> Void, answer: @escaping (Item?) -> Void) {
      self.progress = progress
      self.answer = answer
    }

    /// Nobody wants it any longer.
    func abandon() {
      progress = { _ in }
      answer = { _ in }
    }
  }

  /// How it ended, and what it said of it itself.
  func text(of cause: ExitCause) -> String {
    failure.map { "\(cause.text): \($0)" } ?? cause.text
  }

  var state: Supervision.State? { supervision?.state }
  var isReady: Bool { state == .ready }

  /// Whether there is a process, or one whose last words have not been heard.
  var isRunning: Bool { connection != nil }

  var isOverloaded: Bool {
    let limits = device.configuration.limits
    return inFlight.count > limits.inFlight || held.count > limits.backlog
      || (connection?.backlog ?? 0) > limits.backlog
  }

  /// Whether the device leaves unread what the guest says, because others have more than they take: its
  /// confirmations may be among it. Who has only itself to wait for is not kept waiting.
  var isKeptWaiting: Bool {
    connection?.isPaused == true && !waiting.contains { $0 === self }
  }

  /// Whether it owes confirmations or answers.
  var isInDebt: Bool { !inFlight.isEmpty || asks.values.contains { $0.isDebt } }
}
