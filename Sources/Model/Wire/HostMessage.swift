public import Model

/// What the host says to a guest.
public struct HostMessage: Sendable, Equatable {
  /// The request that this answers; 0 where it answers none.
  public var request: UInt64
  public var body: Body

  public init(request: UInt64 = 0, _ body: Body) {
    self.request = request
    self.body = body
  }

  public enum Body: Sendable, Equatable {
    case welcome(Welcome)
    case rejected(reason: String)
    case outcome(RequestOutcome)
    case delivery(Delivery)
    /// `account` is the UPN of who opened it, `""` where nobody is known.
    case openedURL(sequence: UInt64, url: String, sender: String, account: String)
    case extensionRequest(ExtensionRequest)
    /// Of the load that the message's request names; 0 to 1.
    case loadProgress(Double)
    /// `share` is the number of the request by which the guest promised it.
    case provideRepresentation(ask: UInt64, share: UInt64, RepresentationReference)
    case cancelProvide(ask: UInt64)
    case provideItem(ask: UInt64, requester: String)
    case identitySwitchRequired(ask: UInt64, account: String, reason: String)
    case identityChanged(IdentityChange)
    case delegateCall(ask: UInt64, DelegateCall, account: String)
    /// One of the SDK's notifications; `account` is `""` where it is about no single one.
    case notice(String, account: String)
    case enrollmentNotice(EnrollmentNotice)
    case complianceNotice(ComplianceNotice)
    case enrolledAccounts(EnrolledAccounts)
    case appConfiguration(ConfigurationNews)
    case perform(ask: UInt64, Instruction, Behaviour)
    /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
    case clockAdvanced(time: Int)
    /// What the administrator provides for this app has changed there.
    case managedAppChanged(ManagedAspect)
    case stop
  }
}

/// The host's part of the handshake.
public struct Welcome: Sendable, Equatable {
  public var transport: UInt32
  public var application: UInt32
  /// The guest's name on the device.
  public var guest: String
  /// Its bundle id.
  public var app: String
  public var device: String
  /// Largest frame that either side may send, in bytes without its length.
  public var frameLimit: Int
  /// What the guest's random numbers begin with, to be the same in every run.
  public var seed: UInt64
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// What the app is configured with, for each account that is enrolled.
  public var configurations: [ConfigurationNews]

  public init(
    transport: UInt32 = ProtocolVersion.transport,
    application: UInt32 = ProtocolVersion.application, guest: String, app: String, device: String,
    frameLimit: Int = ProtocolVersion.defaultFrameLimit, seed: UInt64 = 0, time: Int = 0,
    configurations: [ConfigurationNews] = []
  ) {
    self.configurations = configurations
    self.seed = seed
    self.time = time
    self.transport = transport
    self.application = application
    self.guest = guest
    self.app = app
    self.device = device
    self.frameLimit = frameLimit
  }
}

/// The answer to one request.
public struct RequestOutcome: Sendable, Equatable {
  public var verdict: Outcome
  public var end: RequestEnd
  /// In the order in which the rules spoke.
  public var reasons: [OutcomeReason]
  /// A status of the SDK or the system, such as -25300; 0 where there is none to give.
  public var status: Int
  public var items: [Item]
  /// What a request about a file or protected data found; nil for others.
  public var file: FileGrant?
  /// Of a token that is refused until the app is protected: who is to be, as `<OID>.<tenant>`; else nil.
  public var homeAccount: String?

  public init(
    verdict: Outcome, end: RequestEnd, reasons: [OutcomeReason] = [], status: Int = 0,
    items: [Item] = [], file: FileGrant? = nil, homeAccount: String? = nil
  ) {
    self.homeAccount = homeAccount
    self.file = file
    self.verdict = verdict
    self.end = end
    self.reasons = reasons
    self.status = status
    self.items = items
  }
}

/// A reason as a guest hears it: codes, no text.
public struct OutcomeReason: Sendable, Hashable {
  public var rule: String
  public var side: String
  /// `""` where the rule reads no setting.
  public var setting: String

  public init(rule: String, side: String, setting: String) {
    self.rule = rule
    self.side = side
    self.setting = setting
  }

  public init(_ reason: Reason) {
    self.init(
      rule: reason.rule.rawValue, side: reason.side.rawValue,
      setting: reason.setting?.rawValue ?? "")
  }
}

/// An item that arrives.
public struct Delivery: Sendable, Equatable {
  /// Counts the connection's deliveries from 1.
  public var sequence: UInt64
  public var item: Item
  /// Bundle id of the sender.
  public var sender: String
  public var isEncrypted: Bool
  public var isForUnmanaged: Bool

  public init(
    sequence: UInt64, item: Item, sender: String, isEncrypted: Bool = false,
    isForUnmanaged: Bool = false
  ) {
    self.sequence = sequence
    self.item = item
    self.sender = sender
    self.isEncrypted = isEncrypted
    self.isForUnmanaged = isForUnmanaged
  }
}

/// How a guest that is driven from outside answers what it will be asked.
public struct Behaviour: Sendable, Equatable {
  /// The item to give to importers; nil leaves it as it is.
  public var provides: Item?
  /// Whether to carry out required identity switches; nil leaves it as it is.
  public var acceptsIdentitySwitch: Bool?
  /// What to do when an account's data is to be wiped; nil leaves it as it is.
  public var wipe: WipeBehaviour?
  /// Whether to sign accounts in that the SDK needs; nil leaves it as it is.
  public var addsAccounts: Bool?
  /// Whether to use accounts no longer that the SDK blocks; nil leaves it as it is.
  public var blocksAccounts: Bool?

  public init(
    provides: Item? = nil, acceptsIdentitySwitch: Bool? = nil, wipe: WipeBehaviour? = nil,
    addsAccounts: Bool? = nil, blocksAccounts: Bool? = nil
  ) {
    self.provides = provides
    self.acceptsIdentitySwitch = acceptsIdentitySwitch
    self.wipe = wipe
    self.addsAccounts = addsAccounts
    self.blocksAccounts = blocksAccounts
  }
}

/// What a guest is told to do that is driven from outside.
public enum Instruction: Sendable, Equatable {
  /// Nothing: only to behave as it is told along with it.
  case nothing
  /// Send this message as a request of its own.
  case ask(GuestMessage)
  case work(FileWork, task: TaskContext?)
  /// Look up a key of the app's configuration.
  case look(ConfigurationQuestion)
}
