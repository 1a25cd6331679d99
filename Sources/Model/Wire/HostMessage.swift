public import Model

/// A message from the host to a guest.
public struct HostMessage: Sendable, Equatable {
  /// The request that this answers; 0 where it answers none.
  public var request: UInt64
  public var body: Body

  /// A message of `body`.
  public init(request: UInt64 = 0, _ body: Body) {
    self.request = request
    self.body = body
  }

  /// The content of a message.
  public enum Body: Sendable, Equatable {
    case welcome(Welcome)
    case rejected(reason: String)
    case outcome(RequestOutcome)
    case delivery(Delivery)
    /// `account` is the UPN of the account that opened the URL, `""` where none is known.
    case openedURL(sequence: UInt64, url: String, sender: String, account: String)
    case extensionRequest(ExtensionRequest)
    /// The progress, 0 to 1, of the load that the message's request names.
    case loadProgress(Double)
    /// `share` is the number of the request by which the guest promised the representation.
    case provideRepresentation(ask: UInt64, share: UInt64, RepresentationReference)
    case cancelProvide(ask: UInt64)
    case provideItem(ask: UInt64, requester: String)
    case identitySwitchRequired(ask: UInt64, account: String, reason: String)
    case identityChanged(IdentityChange)
    case delegateCall(ask: UInt64, DelegateCall, account: String)
    /// One of the SDK's notifications; `account` is `""` where the notification is not about a single account.
    case notice(String, account: String)
    case enrollmentNotice(EnrollmentNotice)
    case complianceNotice(ComplianceNotice)
    case enrolledAccounts(EnrolledAccounts)
    case appConfiguration(ConfigurationNews)
    case perform(ask: UInt64, Instruction, Behaviour)
    /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
    case clockAdvanced(time: Int)
    /// An aspect of what the administrator provides for this app has changed.
    case managedAppChanged(ManagedAspect)
    /// Memory of `count` bytes, whose descriptor comes with the message.
    case sharedMemory(SharedMemoryUse, count: Int)
    /// The payload at that offset of the guest's outbox has been read, and may be written over.
    case release(offset: Int)
    case stop
  }
}

/// The use of memory that the host lends to a guest; a number of `SharedMemory.Use`.
public enum SharedMemoryUse: UInt32, Sendable, CaseIterable {
  /// The guest writes payloads there.
  case outbox = 0
  /// The guest reads payloads there.
  case inbox = 1
}

/// The host's part of the handshake.
public struct Welcome: Sendable, Equatable {
  public var transport: UInt32
  public var application: UInt32
  /// The guest's name on the device.
  public var guest: String
  /// The bundle id of the guest's app.
  public var app: String
  public var device: String
  /// Largest frame that either side may send, in bytes without its length.
  public var frameLimit: Int
  /// The seed of the guest's random numbers, the same in every run.
  public var seed: UInt64
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// The app's configuration for each account that is enrolled.
  public var configurations: [ConfigurationNews]
  /// Whether the app was launched to open something, which follows, and then a launch as the user's act.
  public var opensContent: Bool
  /// MDM's configuration of the app as a property list, `com.apple.configuration.managed` of the user defaults; `[]`:
  /// none, or more than 1 MiB.
  public var managedConfiguration: [UInt8]

  /// A welcome for `guest`, a process of `app`.
  public init(
    transport: UInt32 = ProtocolVersion.transport,
    application: UInt32 = ProtocolVersion.application, guest: String, app: String, device: String,
    frameLimit: Int = ProtocolVersion.defaultFrameLimit, seed: UInt64 = 0, time: Int = 0,
    configurations: [ConfigurationNews] = [], opensContent: Bool = false,
    managedConfiguration: [UInt8] = []
  ) {
    self.managedConfiguration = managedConfiguration
    self.configurations = configurations
    self.opensContent = opensContent
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
  /// The reasons in the order in which the rules spoke.
  public var reasons: [OutcomeReason]
  /// A status of the SDK or the system, such as -25300; 0 where there is none to give.
  public var status: Int
  public var items: [Item]
  /// The grant for a request about a file or protected data; nil for others.
  public var file: FileGrant?
  /// The account to be protected, as `<OID>.<tenant>`, for a token that is refused until then; otherwise nil.
  public var homeAccount: String?

  /// An outcome of `verdict` that ended as `end`.
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

/// A reason as a guest receives it: codes, no text.
public struct OutcomeReason: Sendable, Hashable {
  public var rule: String
  public var side: String
  /// The setting's name; `""` where the rule reads none.
  public var setting: String

  /// A reason with the given codes.
  public init(rule: String, side: String, setting: String) {
    self.rule = rule
    self.side = side
    self.setting = setting
  }

  /// The codes of `reason`.
  public init(_ reason: Reason) {
    self.init(
      rule: reason.rule.rawValue, side: reason.side.rawValue,
      setting: reason.setting?.rawValue ?? "")
  }
}

/// An item that arrives.
public struct Delivery: Sendable, Equatable {
  /// The number of the delivery on the connection, from 1.
  public var sequence: UInt64
  public var item: Item
  /// The bundle id of the sender.
  public var sender: String
  public var isEncrypted: Bool
  public var isForUnmanaged: Bool

  /// A delivery of `item` from `sender`.
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

/// The answers of a guest that is driven from outside to later questions.
public struct Behaviour: Sendable, Equatable {
  /// The item to give to importers; nil leaves it unchanged.
  public var provides: Item?
  /// Whether to carry out required identity switches; nil leaves this unchanged.
  public var acceptsIdentitySwitch: Bool?
  /// The action when an account's data is to be wiped; nil leaves it unchanged.
  public var wipe: WipeBehaviour?
  /// Whether to sign in accounts that the SDK needs; nil leaves this unchanged.
  public var addsAccounts: Bool?
  /// Whether to stop using accounts that the SDK blocks; nil leaves this unchanged.
  public var blocksAccounts: Bool?
  /// What a run of an extension hands back: `stated` is what it provides, else what it was handed.
  public var handsBack: InstructedContent

  /// A behaviour; without arguments, one that changes nothing.
  public init(
    provides: Item? = nil, acceptsIdentitySwitch: Bool? = nil, wipe: WipeBehaviour? = nil,
    addsAccounts: Bool? = nil, blocksAccounts: Bool? = nil, handsBack: InstructedContent = .stated
  ) {
    self.provides = provides
    self.acceptsIdentitySwitch = acceptsIdentitySwitch
    self.wipe = wipe
    self.addsAccounts = addsAccounts
    self.blocksAccounts = blocksAccounts
    self.handsBack = handsBack
  }
}

/// The content of an item that a driven guest moves, or of a file that it writes. Raw values are the wire's.
public enum InstructedContent: UInt32, Sendable, CaseIterable {
  /// The content that the instruction states.
  case stated = 0
  /// The content that the guest got last, under the tag that it came with.
  case received = 1
  /// The same content as if the user had typed it in: without tag.
  case retyped = 2
}

/// An instruction to a guest that is driven from outside.
public enum Instruction: Sendable, Equatable {
  /// No action, only the behaviour sent along with it.
  case nothing
  /// Sends this message as a request of the guest's own.
  case ask(GuestMessage, InstructedContent = .stated)
  case work(FileWork, task: TaskContext?, InstructedContent = .stated)
  /// Looks up a key of the app's configuration.
  case look(ConfigurationQuestion)
  /// What the user does with what the app shows, an encoded `UserAct`; never empty.
  case act([UInt8])
}
