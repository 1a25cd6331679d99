internal import DequeModule
internal import EventLoop
internal import Policy
internal import Transfer
internal import Wire

/// One installed app, or one run of an extension, and its process where it has one.
final class Guest {
  let name: String
  let app: AppDescription
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
  var lastProgress: UInt64 = 0
  /// Whether it has shaken hands.
  var isWelcome = false

  /// In the order of signing in.
  var accounts: [SignedIn] = []
  var identity = Identity.unset
  /// What rules see of this guest; follows ``identity``.
  var party: Party
  var ownership: Ownership
  var participant: Participant
  /// nil: nothing stands in the guest's way.
  var lock: Lock?
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
  var onExit: [() -> Void] = []
  var batch: LifecycleBatch?

  init(
    name: String, app: AppDescription, container: String, device: Device, ownership: Ownership
  ) {
    self.name = name
    self.app = app
    self.container = container
    self.device = device
    self.ownership = ownership
    bundleBytes = Array(app.bundleID.utf8)
    party = Party(app: AppState(bundleID: app.bundleID), identity: .unset)
    participant = Participant(guest: name, app: app.bundleID, identity: nil, isManaged: false)
  }

  /// The policy of the app's managed account, whoever it acts for; nil where it has none.
  var appPolicy: EffectivePolicy? { accounts.lazy.compactMap(\.policy).first }

  /// An identity that may not be acted for until its policy has what it asks for.
  struct Lock {
    /// The guest's own, or the one that it wanted to switch to.
    var identity: Identity
    /// What was asked, for whoever wants it explained.
    var request: LaunchRequest
    var verdict: Verdict

    var explained: ExplainedVerdict { Explainer.explain(request, verdict) }
  }

  struct SignedIn {
    var account: Account
    /// nil: no policy applies to the account in this app.
    var policy: EffectivePolicy?
  }

  /// A question to the guest's process that it has not answered.
  enum Ask {
    case item((Item?) -> Void)
    case identitySwitch((Bool) -> Void)
    /// nil: done; else why not.
    case perform((String?) -> Void)

    /// Whether the guest has to answer by itself, within a deadline.
    var isDebt: Bool {
      if case .perform = self { false } else { true }
    }

    /// The guest is gone.
    func fail() {
      switch self {
      case .item(let answer): answer(nil)
      case .identitySwitch(let answer): answer(false)
      case .perform(let answer): answer("the guest ended before it was done")
      }
    }
  }

  /// Whether the account that it acts for may not be used now.
  var isLocked: Bool { lock?.identity.isSame(as: identity) ?? false }

  /// What an extension was started for.
  struct ExtensionWork {
    var origin: Origin
    var ruling: Ruling
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
