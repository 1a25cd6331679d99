internal import CMessages
internal import CProtobufC
public import Model

/// A message from the host to a guest.
public struct HostMessage: Sendable, Equatable, DeclaredMessage {
  /// The number of the request that this message answers; 0 if it answers none.
  public var request: UInt64
  public var body: Body

  public init(request: UInt64 = 0, _ body: Body) {
    self.request = request
    self.body = body
  }

  /// The content of a message: one alternative of the `oneof` in `proto/sluice.proto`.
  public enum Body: Sendable, Equatable {
    case welcome(Welcome)
    case rejected(reason: String)
    case outcome(RequestOutcome)
    case delivery(Delivery)
    /// `account` is the UPN of the account that opened the URL; `""` if unknown.
    case openedURL(sequence: UInt64, url: String, sender: String, account: String)
    case extensionRequest(ExtensionRequest)
    /// The progress, from 0 to 1, of the load that the guest requested with the number in ``request``.
    case loadProgress(Double)
    /// Asks the guest for a representation that it promised in the request with the number `share`.
    case provideRepresentation(ask: UInt64, share: UInt64, RepresentationReference)
    case cancelProvide(ask: UInt64)
    case provideItem(ask: UInt64, requester: String)
    case identitySwitchRequired(ask: UInt64, account: String, reason: String)
    case identityChanged(IdentityChange)
    case delegateCall(ask: UInt64, DelegateCall, account: String)
    /// A notification of the SDK, by its name. `account` is `""` if it does not concern a single account.
    case notice(String, account: String)
    case enrollmentNotice(EnrollmentNotice)
    case complianceNotice(ComplianceNotice)
    case enrolledAccounts(EnrolledAccounts)
    case appConfiguration(ConfigurationNews)
    case perform(ask: UInt64, Instruction, Behaviour)
    /// The new time of the device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
    case clockAdvanced(time: Int)
    case managedAppChanged(ManagedAspect)
    /// Gives the guest shared memory of `count` bytes. The memory's file descriptor arrives with the message.
    case sharedMemory(SharedMemoryUse, count: Int)
    /// The host has read the payload at this offset of the guest's outbox, so the guest may overwrite it.
    case release(offset: Int)
    case stop
  }

  static var blank: HostMessage { HostMessage(.stop) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &request)
    try form.body(&body)
  }
}

/// The use of memory that the host shares with a guest. Raw values match `SharedMemory.Use`.
public enum SharedMemoryUse: UInt32, Sendable, CaseIterable {
  /// Memory in which the guest writes payloads for the host.
  case outbox = 0
  /// Memory in which the guest reads payloads from the host.
  case inbox = 1
}

/// The host's answer to ``Hello``, which completes the handshake.
public struct Welcome: Sendable, Equatable, DeclaredMessage {
  public var transport: UInt32
  public var application: UInt32
  /// The guest's name on the device.
  public var guest: String
  /// The bundle id of the guest's app.
  public var app: String
  public var device: String
  /// The maximum size in bytes of a frame in either direction. The 4 bytes of the frame's length do not count.
  public var frameLimit: Int
  /// The seed of the guest's random numbers. It is derived from the device's seed and is the same in every run.
  public var seed: UInt64
  /// The time of the device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// The configurations of the app, one for each enrolled account.
  public var configurations: [ConfigurationNews]
  /// Whether the app was launched to open content. The host then sends the content, followed by the user action
  /// `launch`.
  public var opensContent: Bool
  /// The app's configuration from MDM as a property list. iOS stores it in the user defaults under
  /// `com.apple.configuration.managed`. Empty if there is none or it exceeds 1 MiB.
  public var managedConfiguration: [UInt8]

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

  static var blank: Welcome { Welcome(guest: "", app: "", device: "") }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &transport)
    form.field(2, &application)
    form.field(3, &guest)
    form.field(4, &app)
    form.field(5, &device)
    form.field(6, &frameLimit)
    form.field(7, &seed)
    form.field(8, &time)
    try form.field(9, &configurations)
    form.field(10, &opensContent)
    form.field(11, &managedConfiguration)
  }
}

/// The response to one request.
public struct RequestOutcome: Sendable, Equatable, DeclaredMessage {
  public var verdict: Outcome
  public var end: RequestEnd
  /// The reasons in order of evaluation.
  public var reasons: [OutcomeReason]
  /// A status code of the SDK or the system, such as -25300; 0 if the operation has none.
  public var status: Int
  public var items: [Item]
  /// The owner and key that the guest asked for; nil unless the request is about a file or protected data.
  public var file: FileGrant?
  /// The account that a policy must protect before the device issues the requested token, as `<OID>.<tenant>`; nil if
  /// the token was not refused for this reason.
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

  static var blank: RequestOutcome { RequestOutcome(verdict: .blocked, end: .failed) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    verdict = Outcome(Sluice__Verdict(rawValue: form.word(1, verdict.raw.rawValue)))
    end = RequestEnd(Sluice__End(rawValue: form.word(2, end.raw.rawValue)))
    try form.field(3, &reasons)
    form.field(4, &status)
    try form.field(5, &items)
    try form.field(6, &file)
    form.field(7, &homeAccount)
  }
}

extension Outcome {
  fileprivate var raw: Sluice__Verdict {
    switch self {
    case .blocked: SLUICE__VERDICT__VERDICT_BLOCKED
    case .encrypted: SLUICE__VERDICT__VERDICT_ENCRYPTED
    case .allowed: SLUICE__VERDICT__VERDICT_ALLOWED
    }
  }

  /// Decodes a verdict. An unknown number counts as `blocked`.
  fileprivate init(_ raw: Sluice__Verdict) {
    switch raw {
    case SLUICE__VERDICT__VERDICT_ALLOWED: self = .allowed
    case SLUICE__VERDICT__VERDICT_ENCRYPTED: self = .encrypted
    default: self = .blocked  // open: a C enumeration; blocked, or an unknown number
    }
  }
}

extension RequestEnd {
  fileprivate var raw: Sluice__End {
    switch self {
    case .delivered: SLUICE__END__END_DELIVERED
    case .deliveredEncrypted: SLUICE__END__END_DELIVERED_ENCRYPTED
    case .refused: SLUICE__END__END_REFUSED
    case .undeliverable: SLUICE__END__END_UNDELIVERABLE
    case .failed: SLUICE__END__END_FAILED
    }
  }

  fileprivate init(_ raw: Sluice__End) {
    switch raw {
    case SLUICE__END__END_DELIVERED: self = .delivered
    case SLUICE__END__END_DELIVERED_ENCRYPTED: self = .deliveredEncrypted
    case SLUICE__END__END_REFUSED: self = .refused
    case SLUICE__END__END_UNDELIVERABLE: self = .undeliverable
    default: self = .failed  // open: a C enumeration; failed, or an unknown number
    }
  }
}

/// A reason of a verdict as guests get it: names of the rule, the side and the setting, without a text.
public struct OutcomeReason: Sendable, Hashable, DeclaredMessage {
  public var rule: String
  public var side: String
  /// The setting's name; `""` for rules without a setting.
  public var setting: String

  public init(rule: String, side: String, setting: String) {
    self.rule = rule
    self.side = side
    self.setting = setting
  }

  /// Creates the form of `reason` that guests get.
  public init(_ reason: Reason) {
    self.init(
      rule: reason.rule.rawValue, side: reason.side.rawValue,
      setting: reason.setting?.rawValue ?? "")
  }

  static var blank: OutcomeReason { OutcomeReason(rule: "", side: "", setting: "") }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &rule)
    form.field(2, &side)
    form.field(3, &setting)
  }
}

/// An item that was sent to the guest. The guest must acknowledge it.
public struct Delivery: Sendable, Equatable, DeclaredMessage {
  /// The number of the delivery, counted on each connection from 1. The guest acknowledges this number.
  public var sequence: UInt64
  public var item: Item
  /// The bundle id of the sender.
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

  static var blank: Delivery { Delivery(sequence: 0, item: .blank, sender: "") }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &sequence)
    try form.field(2, &item)
    form.field(3, &sender)
    form.field(4, &isEncrypted)
    form.field(6, &isForUnmanaged)
  }
}

/// A call from the SDK to an app's `IntuneMAMPolicyDelegate`. Raw values match the wire protocol.
public enum DelegateCall: UInt32, Sendable, CaseIterable {
  /// `wipeDataForAccountId`: the app is to remove the account's data.
  case wipe = 0
  /// `addAccountId`: the app is to sign the account in.
  case add = 1
  /// `blockAccountId`: the app is to stop using the account.
  case block = 2
  /// `restartApplication`: the app is to restart. If it answers success, it restarts itself; otherwise, the device
  /// restarts it.
  case restart = 3
}

// MARK: - Decoding

extension HostMessage {
  /// Decodes a frame from the host. Copies payloads out of `inbox`.
  ///
  /// - Throws: ``WireError`` if the frame contains no message that this version knows, or refers to a payload that is
  ///   not entirely inside `inbox`. If `inbox` is nil, every reference to shared memory is an error.
  public init(
    _ frame: UnsafeRawBufferPointer, arena: Arena, inbox: SharedWindow? = nil
  ) throws(WireError) {
    let data = frame.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: frame.count)
    guard let raw = sluice__host_message__unpack(allocator, frame.count, data) else {
      throw .malformedMessage(length: frame.count)
    }
    defer { arena.reset() }
    inbox?.begin()
    try inbox?.resolve(raw)
    try self.init(unpacked: raw)
  }
}

// MARK: - Declarations

extension HostMessage.Body: DeclaredBody {
  static func blank(_ number: UInt32) -> Self? {
    switch number {
    case 2: .welcome(.blank)
    case 3: .rejected(reason: "")
    case 4: .outcome(.blank)
    case 5: .delivery(.blank)
    case 6: .openedURL(sequence: 0, url: "", sender: "", account: "")
    case 7: .provideItem(ask: 0, requester: "")
    case 8: .identitySwitchRequired(ask: 0, account: "", reason: "")
    case 9: .identityChanged(.blank)
    case 10: .perform(ask: 0, .nothing, .blank)
    case 11: .stop
    case 12: .delegateCall(ask: 0, .wipe, account: "")
    case 13: .notice("", account: "")
    case 14: .extensionRequest(.blank)
    case 15: .loadProgress(0)
    case 16: .provideRepresentation(ask: 0, share: 0, .blank)
    case 17: .cancelProvide(ask: 0)
    case 18: .clockAdvanced(time: 0)
    case 30: .enrollmentNotice(.blank)
    case 31: .complianceNotice(.blank)
    case 32: .enrolledAccounts(.blank)
    case 33: .appConfiguration(.blank)
    case 34: .managedAppChanged(.configuration)
    case 56: .sharedMemory(.outbox, count: 0)
    case 57: .release(offset: 0)
    default: nil  // open: a field number; none, or one of a newer version
    }
  }

  func declared(in form: inout MessageForm) throws(WireError) -> Self {
    switch self {
    case .welcome(let welcome): return .welcome(try form.body(2, welcome))
    case .rejected(let reason): return .rejected(reason: try form.body(3, reason))
    case .outcome(let outcome): return .outcome(try form.body(4, outcome))
    case .delivery(let delivery): return .delivery(try form.body(5, delivery))
    case .openedURL(var sequence, var url, var sender, var account):
      try form.enter(6)
      form.field(1, &sequence)
      form.field(2, &url)
      form.field(3, &sender)
      form.field(4, &account)
      return .openedURL(sequence: sequence, url: url, sender: sender, account: account)
    case .provideItem(var ask, var requester):
      try form.enter(7)
      form.field(1, &ask)
      form.field(2, &requester)
      return .provideItem(ask: ask, requester: requester)
    case .identitySwitchRequired(var ask, var account, var reason):
      try form.enter(8)
      form.field(1, &ask)
      form.field(2, &account)
      form.field(3, &reason)
      return .identitySwitchRequired(ask: ask, account: account, reason: reason)
    case .identityChanged(let change): return .identityChanged(try form.body(9, change))
    case .perform(var ask, var instruction, let behaviour):
      var stated: Behaviour? = behaviour
      try form.enter(10)
      form.field(1, &ask)
      try form.field(3, &stated)
      try instruction.declare(in: &form)
      return .perform(ask: ask, instruction, stated ?? .blank)
    case .stop:
      try form.enter(11)
      return .stop
    case .delegateCall(var ask, var call, var account):
      try form.enter(12)
      form.field(1, &ask)
      try form.field(2, &call)
      form.field(3, &account)
      return .delegateCall(ask: ask, call, account: account)
    case .notice(var name, var account):
      try form.enter(13)
      form.field(1, &name)
      form.field(2, &account)
      return .notice(name, account: account)
    case .extensionRequest(let request): return .extensionRequest(try form.body(14, request))
    case .loadProgress(var fraction):
      try form.enter(15)
      form.field(1, &fraction)
      return .loadProgress(fraction)
    case .provideRepresentation(var ask, var share, var reference):
      try form.enter(16)
      form.field(1, &ask)
      form.field(2, &share)
      form.field(item: 3, attachment: 4, type: 5, &reference)
      return .provideRepresentation(ask: ask, share: share, reference)
    case .cancelProvide(var ask):
      try form.enter(17)
      form.field(1, &ask)
      return .cancelProvide(ask: ask)
    case .clockAdvanced(var time):
      try form.enter(18)
      form.field(1, &time)
      return .clockAdvanced(time: time)
    case .enrollmentNotice(let notice): return .enrollmentNotice(try form.body(30, notice))
    case .complianceNotice(let notice): return .complianceNotice(try form.body(31, notice))
    case .enrolledAccounts(let accounts): return .enrolledAccounts(try form.body(32, accounts))
    case .appConfiguration(let news): return .appConfiguration(try form.body(33, news))
    case .managedAppChanged(var aspect):
      try form.enter(34)
      try form.field(1, &aspect)
      return .managedAppChanged(aspect)
    case .sharedMemory(var use, var count):
      try form.enter(56)
      try form.field(1, &use)
      form.field(2, &count)
      return .sharedMemory(use, count: count)
    case .release(var offset):
      try form.enter(57)
      form.field(1, &offset)
      return .release(offset: offset)
    }
  }
}
