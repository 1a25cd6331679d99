public import Transfer

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
    case openedURL(sequence: UInt64, url: String, sender: String)
    case provideItem(ask: UInt64, requester: String)
    case identitySwitchRequired(ask: UInt64, account: String, reason: String)
    /// nil: unset; `""`: the unknown account.
    case identityChanged(account: String?, isManaged: Bool)
    case perform(ask: UInt64, GuestMessage?, Behaviour)
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

  public init(
    transport: UInt32 = ProtocolVersion.transport,
    application: UInt32 = ProtocolVersion.application, guest: String, app: String, device: String,
    frameLimit: Int = ProtocolVersion.defaultFrameLimit
  ) {
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

  public init(
    verdict: Outcome, end: RequestEnd, reasons: [OutcomeReason] = [], status: Int = 0,
    items: [Item] = []
  ) {
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
  public var isExtensionRequest: Bool
  public var isForUnmanaged: Bool

  public init(
    sequence: UInt64, item: Item, sender: String, isEncrypted: Bool = false,
    isExtensionRequest: Bool = false, isForUnmanaged: Bool = false
  ) {
    self.sequence = sequence
    self.item = item
    self.sender = sender
    self.isEncrypted = isEncrypted
    self.isExtensionRequest = isExtensionRequest
    self.isForUnmanaged = isForUnmanaged
  }
}

/// How a guest that is driven from outside answers what it will be asked.
public struct Behaviour: Sendable, Equatable {
  /// The item to give to importers; nil leaves it as it is.
  public var provides: Item?
  /// Whether to carry out required identity switches; nil leaves it as it is.
  public var acceptsIdentitySwitch: Bool?

  public init(provides: Item? = nil, acceptsIdentitySwitch: Bool? = nil) {
    self.provides = provides
    self.acceptsIdentitySwitch = acceptsIdentitySwitch
  }
}
