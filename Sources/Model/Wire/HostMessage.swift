internal import CMessages
internal import CProtobufC
public import Model

/// A message from the host to a guest.
public struct HostMessage: Sendable, Equatable {
  /// The number of the answered request; 0 if the message answers none.
  public var request: UInt64
  public var body: Body

  /// Creates a message of `body`.
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
    /// `account` is the UPN of the account that opened the URL; `""` if unknown.
    case openedURL(sequence: UInt64, url: String, sender: String, account: String)
    case extensionRequest(ExtensionRequest)
    /// The progress, 0 to 1, of the load with the message's request number.
    case loadProgress(Double)
    /// `share` is the number of the request in which the guest promised the representation.
    case provideRepresentation(ask: UInt64, share: UInt64, RepresentationReference)
    case cancelProvide(ask: UInt64)
    case provideItem(ask: UInt64, requester: String)
    case identitySwitchRequired(ask: UInt64, account: String, reason: String)
    case identityChanged(IdentityChange)
    case delegateCall(ask: UInt64, DelegateCall, account: String)
    /// A notification of the SDK. `account` is `""` if it is not about a single account.
    case notice(String, account: String)
    case enrollmentNotice(EnrollmentNotice)
    case complianceNotice(ComplianceNotice)
    case enrolledAccounts(EnrolledAccounts)
    case appConfiguration(ConfigurationNews)
    case perform(ask: UInt64, Instruction, Behaviour)
    /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
    case clockAdvanced(time: Int)
    /// An aspect of the administrator's configuration for this app changed.
    case managedAppChanged(ManagedAspect)
    /// Shared memory of `count` bytes. Its descriptor arrives with the message.
    case sharedMemory(SharedMemoryUse, count: Int)
    /// The payload at this offset of the guest's outbox was read and may be overwritten.
    case release(offset: Int)
    case stop
  }
}

/// The use of memory that the host shares with a guest. Raw values match `SharedMemory.Use`.
public enum SharedMemoryUse: UInt32, Sendable, CaseIterable {
  /// The guest writes payloads.
  case outbox = 0
  /// The guest reads payloads.
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
  /// The maximum frame size for both sides in bytes, without the length.
  public var frameLimit: Int
  /// The seed of the guest's random numbers, the same in every run.
  public var seed: UInt64
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// The app's configuration for each enrolled account.
  public var configurations: [ConfigurationNews]
  /// Whether the app was launched to open content. The content follows, and then the user action `launch`.
  public var opensContent: Bool
  /// MDM's configuration of the app as a property list, `com.apple.configuration.managed` in the user
  /// defaults; `[]` if there is none or it exceeds 1 MiB.
  public var managedConfiguration: [UInt8]

  /// Creates a welcome for `guest`, a process of `app`.
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

/// The response to one request.
public struct RequestOutcome: Sendable, Equatable {
  public var verdict: Outcome
  public var end: RequestEnd
  /// The reasons in order of evaluation.
  public var reasons: [OutcomeReason]
  /// A status of the SDK or the system, such as -25300; 0 if there is none.
  public var status: Int
  public var items: [Item]
  /// The grant for a request about a file or protected data; nil for other requests.
  public var file: FileGrant?
  /// If a token is refused until its account is protected, that account as `<OID>.<tenant>`; otherwise nil.
  public var homeAccount: String?

  /// Creates an outcome of `verdict` that ended as `end`.
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

/// A reason in the form for guests: codes without text.
public struct OutcomeReason: Sendable, Hashable {
  public var rule: String
  public var side: String
  /// The setting's name; `""` for rules without a setting.
  public var setting: String

  /// Creates a reason from its codes.
  public init(rule: String, side: String, setting: String) {
    self.rule = rule
    self.side = side
    self.setting = setting
  }

  /// Creates the codes of `reason`.
  public init(_ reason: Reason) {
    self.init(
      rule: reason.rule.rawValue, side: reason.side.rawValue,
      setting: reason.setting?.rawValue ?? "")
  }
}

/// A delivered item.
public struct Delivery: Sendable, Equatable {
  /// The number of the delivery on the connection, from 1.
  public var sequence: UInt64
  public var item: Item
  /// The bundle id of the sender.
  public var sender: String
  public var isEncrypted: Bool
  public var isForUnmanaged: Bool

  /// Creates a delivery of `item` from `sender`.
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

/// A call of the SDK to an app (`IntuneMAMPolicyDelegate`). Raw values match the wire protocol.
public enum DelegateCall: UInt32, Sendable, CaseIterable {
  /// `wipeDataForAccountId`.
  case wipe = 0
  /// `addAccountId`.
  case add = 1
  /// `blockAccountId`.
  case block = 2
  /// `restartApplication`, which asks whether the guest restarts itself.
  case restart = 3
}

// MARK: - Encoding

extension FrameBuffer {
  /// Adds `message` as a frame.
  public mutating func append(_ message: HostMessage, using arena: Arena) {
    let raw = arena.hostMessage(message)
    let size = sluice__host_message__get_packed_size(raw)
    appendFrame(size) { memory in
      _ = sluice__host_message__pack(raw, memory.assumingMemoryBound(to: UInt8.self))
    }
    arena.reset()
  }
}

extension Arena {
  fileprivate func hostMessage(_ message: HostMessage) -> UnsafeMutablePointer<Sluice__HostMessage>
  {
    self.message(sluice__host_message__init) { raw in
      raw.request = message.request
      fill(&raw, message.body)
    }
  }

  private func fill(_ raw: inout Sluice__HostMessage, _ body: HostMessage.Body) {
    switch body {
    case .welcome(let welcome):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_WELCOME
      raw.welcome = self.welcome(welcome)
    case .rejected(let reason):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_REJECTED
      raw.rejected = message(sluice__rejected__init) { $0.reason = string(reason) }
    case .outcome(let outcome):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_OUTCOME
      raw.outcome = self.outcome(outcome)
    case .delivery(let delivery):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_DELIVERY
      raw.delivery = self.delivery(delivery)
    case .openedURL(let sequence, let url, let sender, let account):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_OPENED_URL
      raw.opened_url = message(sluice__opened_url__init) {
        $0.sequence = sequence
        $0.url = string(url)
        $0.sender = string(sender)
        $0.account = string(account)
      }
    case .extensionRequest(let request):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_EXTENSION_REQUEST
      raw.extension_request = message(sluice__extension_request__init) {
        $0.items = offeredItems(request.items)
        $0.n_items = request.items.count
        $0.sender = string(request.sender)
        $0.open_in = request.openIn.map { place in
          message(sluice__open_in_place__init) {
            $0.group = string(place.group)
            $0.scheme = string(place.scheme)
            $0.mark = string(place.mark)
          }
        }
      }
    case .loadProgress(let fraction):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_LOAD_PROGRESS
      raw.load_progress = message(sluice__load_progress__init) { $0.fraction = fraction }
    case .provideRepresentation(let ask, let share, let reference):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PROVIDE_REPRESENTATION
      raw.provide_representation = message(sluice__provide_representation__init) {
        $0.ask = ask
        $0.share = share
        $0.item = UInt32(clamping: reference.item)
        $0.attachment = UInt32(clamping: reference.attachment)
        $0.type = string(reference.type)
      }
    case .cancelProvide(let ask):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_CANCEL_PROVIDE
      raw.cancel_provide = message(sluice__cancel_provide__init) { $0.ask = ask }
    case .provideItem(let ask, let requester):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PROVIDE_ITEM
      raw.provide_item = message(sluice__provide_item__init) {
        $0.ask = ask
        $0.requester = string(requester)
      }
    case .identitySwitchRequired(let ask, let account, let reason):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_IDENTITY_SWITCH_REQUIRED
      raw.identity_switch_required = message(sluice__identity_switch_required__init) {
        $0.ask = ask
        $0.account = string(account)
        $0.reason = string(reason)
      }
    case .delegateCall(let ask, let call, let account):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_DELEGATE_CALL
      raw.delegate_call = message(sluice__delegate_call__init) {
        $0.ask = ask
        $0.call = Sluice__DelegateCall__Call(rawValue: call.rawValue)
        $0.account = string(account)
      }
    case .enrollmentNotice(let notice):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_ENROLLMENT_NOTICE
      raw.enrollment_notice = message(sluice__enrollment_notice__init) {
        $0.request = string(notice.request)
        $0.account = string(notice.account)
        $0.object_id = string(notice.objectID)
        $0.status = Int32(clamping: notice.status)
      }
    case .complianceNotice(let notice):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_COMPLIANCE_NOTICE
      raw.compliance_notice = message(sluice__compliance_notice__init) {
        $0.account = string(notice.account)
        $0.status = Int32(clamping: notice.status)
        $0.title = string(notice.title)
        $0.message = string(notice.message)
      }
    case .enrolledAccounts(let accounts):
      let names = accounts.names.map { name in
        message(sluice__account_names__init) {
          $0.upn = string(name.upn)
          $0.object_id = string(name.objectID)
        }
      }
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_ENROLLED_ACCOUNTS
      raw.enrolled_accounts = message(sluice__enrolled_accounts__init) {
        $0.registered = strings(accounts.registered)
        $0.n_registered = accounts.registered.count
        $0.enrolled = strings(accounts.enrolled)
        $0.n_enrolled = accounts.enrolled.count
        $0.remediating = strings(accounts.remediating)
        $0.n_remediating = accounts.remediating.count
        $0.managed = strings(accounts.managed)
        $0.n_managed = accounts.managed.count
        $0.pin_required = strings(accounts.pinRequired)
        $0.n_pin_required = accounts.pinRequired.count
        $0.allowed_upn = string(accounts.allowedUPN)
        $0.allowed_object_id = string(accounts.allowedObjectID)
        $0.mdm_enrolled = string(accounts.mdmEnrolled)
        $0.names = pointers(names)
        $0.n_names = names.count
      }
    case .identityChanged(let change):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_IDENTITY_CHANGED
      raw.identity_changed = identityChanged(change)
    case .notice(let name, let account):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_NOTICE
      raw.notice = message(sluice__notice__init) {
        $0.name = string(name)
        $0.account = string(account)
      }
    case .appConfiguration(let news):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_APP_CONFIGURATION
      raw.app_configuration = configuration(news)
    case .perform(let ask, let instruction, let behaviour):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PERFORM
      raw.perform = perform(ask, instruction, behaviour)
    case .clockAdvanced(let time):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_CLOCK_ADVANCED
      raw.clock_advanced = message(sluice__clock_advanced__init) { $0.time = Int64(time) }
    case .managedAppChanged(let aspect):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_MANAGED_APP_CHANGED
      raw.managed_app_changed = message(sluice__managed_app_changed__init) {
        $0.aspect = Sluice__ManagedAppChanged__Aspect(rawValue: aspect.rawValue)
      }
    case .sharedMemory(let use, let count):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_SHARED_MEMORY
      raw.shared_memory = message(sluice__shared_memory__init) {
        $0.use = Sluice__SharedMemory__Use(rawValue: use.rawValue)
        $0.size = UInt64(count)
      }
    case .release(let offset):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_RELEASE
      raw.release = message(sluice__release__init) { $0.offset = UInt64(offset) }
    case .stop:
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_STOP
      raw.stop = message(sluice__stop__init)
    }
  }

  private func welcome(_ welcome: Welcome) -> UnsafeMutablePointer<Sluice__Welcome> {
    let configurations = welcome.configurations.map(configuration)
    return message(sluice__welcome__init) {
      $0.configurations = pointers(configurations)
      $0.n_configurations = configurations.count
      $0.transport = welcome.transport
      $0.application = welcome.application
      $0.guest = string(welcome.guest)
      $0.app = string(welcome.app)
      $0.device = string(welcome.device)
      $0.frame_limit = UInt32(clamping: welcome.frameLimit)
      $0.seed = welcome.seed
      $0.time = Int64(welcome.time)
      $0.opens_content = welcome.opensContent ? 1 : 0
      $0.managed_configuration = bytes(welcome.managedConfiguration)
    }
  }

  func outcome(_ outcome: RequestOutcome) -> UnsafeMutablePointer<Sluice__Outcome> {
    let reasons = outcome.reasons.map { reason in
      message(sluice__reason__init) { (raw: inout Sluice__Reason) in
        raw.rule = string(reason.rule)
        raw.side = string(reason.side)
        raw.setting = string(reason.setting)
      }
    }
    return message(sluice__outcome__init) {
      $0.verdict = outcome.verdict.raw
      $0.end = outcome.end.raw
      $0.reasons = pointers(reasons)
      $0.n_reasons = reasons.count
      $0.status = Int32(clamping: outcome.status)
      $0.items = items(outcome.items)
      $0.n_items = outcome.items.count
      $0.file = outcome.file.map(grant)
      $0.home_account = string(outcome.homeAccount ?? "")
    }
  }

  private func delivery(_ delivery: Delivery) -> UnsafeMutablePointer<Sluice__Delivery> {
    message(sluice__delivery__init) {
      $0.sequence = delivery.sequence
      $0.item = item(delivery.item)
      $0.sender = string(delivery.sender)
      $0.encrypted = delivery.isEncrypted ? 1 : 0
      $0.as_unmanaged = delivery.isForUnmanaged ? 1 : 0
    }
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

  /// Reads a verdict. Unknown verdicts are blocked.
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

// MARK: - Decoding

extension HostMessage {
  /// Decodes one frame from the host.
  ///
  /// - Throws: ``WireError`` if the frame contains no message that this version knows.
  public init(_ frame: UnsafeRawBufferPointer, arena: Arena) throws(WireError) {
    try self.init(frame, arena: arena, inbox: nil)
  }

  /// Decodes one frame from the host, and copies payloads in `inbox`. A nil inbox permits no shared payloads.
  ///
  /// - Throws: ``WireError`` if the frame contains no message that this version knows, or names a payload
  ///   outside of the inbox.
  public init(
    _ frame: UnsafeRawBufferPointer, arena: Arena, inbox: SharedWindow?
  ) throws(WireError) {
    let data = frame.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: frame.count)
    guard let raw = sluice__host_message__unpack(allocator, frame.count, data) else {
      throw .malformedMessage(length: frame.count)
    }
    defer { arena.reset() }
    inbox?.begin()
    try inbox?.resolve(raw)
    self.init(request: raw.pointee.request, try Body(raw.pointee))
  }
}

extension HostMessage.Body {
  /// - Throws: ``WireError`` if the message has no known body, or a part of the body is missing or unknown.
  fileprivate init(_ raw: Sluice__HostMessage) throws(WireError) {
    switch raw.body_case {
    case SLUICE__HOST_MESSAGE__BODY_WELCOME: self = .welcome(Welcome(raw.welcome.pointee))
    case SLUICE__HOST_MESSAGE__BODY_REJECTED:
      self = .rejected(reason: cString(raw.rejected.pointee.reason))
    case SLUICE__HOST_MESSAGE__BODY_OUTCOME:
      self = .outcome(try RequestOutcome(raw.outcome.pointee))
    case SLUICE__HOST_MESSAGE__BODY_DELIVERY:
      self = .delivery(try Delivery(raw.delivery.pointee))
    case SLUICE__HOST_MESSAGE__BODY_OPENED_URL:
      let body = raw.opened_url.pointee
      self = .openedURL(
        sequence: body.sequence, url: cString(body.url), sender: cString(body.sender),
        account: cString(body.account))
    case SLUICE__HOST_MESSAGE__BODY_EXTENSION_REQUEST:
      let body = raw.extension_request.pointee
      self = .extensionRequest(
        ExtensionRequest(
          items: OfferedItem.list(body.items, body.n_items), sender: cString(body.sender),
          openIn: body.open_in.map { OpenInPlace($0.pointee) }))
    case SLUICE__HOST_MESSAGE__BODY_LOAD_PROGRESS:
      self = .loadProgress(raw.load_progress.pointee.fraction)
    case SLUICE__HOST_MESSAGE__BODY_PROVIDE_REPRESENTATION:
      let body = raw.provide_representation.pointee
      self = .provideRepresentation(
        ask: body.ask, share: body.share,
        RepresentationReference(
          item: Int(body.item), attachment: Int(body.attachment), type: cString(body.type)))
    case SLUICE__HOST_MESSAGE__BODY_CANCEL_PROVIDE:
      self = .cancelProvide(ask: raw.cancel_provide.pointee.ask)
    case SLUICE__HOST_MESSAGE__BODY_PROVIDE_ITEM:
      let body = raw.provide_item.pointee
      self = .provideItem(ask: body.ask, requester: cString(body.requester))
    case SLUICE__HOST_MESSAGE__BODY_IDENTITY_SWITCH_REQUIRED:
      let body = raw.identity_switch_required.pointee
      self = .identitySwitchRequired(
        ask: body.ask, account: cString(body.account), reason: cString(body.reason))
    case SLUICE__HOST_MESSAGE__BODY_IDENTITY_CHANGED:
      self = .identityChanged(IdentityChange(raw.identity_changed.pointee))
    case SLUICE__HOST_MESSAGE__BODY_DELEGATE_CALL:
      let body = raw.delegate_call.pointee
      guard let call = DelegateCall(rawValue: UInt32(body.call.rawValue)) else {
        throw .emptyMessage
      }
      self = .delegateCall(ask: body.ask, call, account: cString(body.account))
    case SLUICE__HOST_MESSAGE__BODY_NOTICE:
      let body = raw.notice.pointee
      self = .notice(cString(body.name), account: cString(body.account))
    case SLUICE__HOST_MESSAGE__BODY_ENROLLMENT_NOTICE:
      let body = raw.enrollment_notice.pointee
      self = .enrollmentNotice(
        EnrollmentNotice(
          request: cString(body.request), account: cString(body.account),
          objectID: cString(body.object_id), status: Int(body.status)))
    case SLUICE__HOST_MESSAGE__BODY_COMPLIANCE_NOTICE:
      let body = raw.compliance_notice.pointee
      self = .complianceNotice(
        ComplianceNotice(
          account: cString(body.account), status: Int(body.status), title: cString(body.title),
          message: cString(body.message)))
    case SLUICE__HOST_MESSAGE__BODY_ENROLLED_ACCOUNTS:
      let body = raw.enrolled_accounts.pointee
      self = .enrolledAccounts(
        EnrolledAccounts(
          registered: (0..<body.n_registered).map { cString(body.registered[$0]) },
          enrolled: (0..<body.n_enrolled).map { cString(body.enrolled[$0]) },
          remediating: (0..<body.n_remediating).map { cString(body.remediating[$0]) },
          managed: (0..<body.n_managed).map { cString(body.managed[$0]) },
          pinRequired: (0..<body.n_pin_required).map { cString(body.pin_required[$0]) },
          allowedUPN: cString(body.allowed_upn), allowedObjectID: cString(body.allowed_object_id),
          mdmEnrolled: cString(body.mdm_enrolled),
          names: (0..<body.n_names).compactMap { body.names[$0] }.map {
            AccountNames(upn: cString($0.pointee.upn), objectID: cString($0.pointee.object_id))
          }))
    case SLUICE__HOST_MESSAGE__BODY_APP_CONFIGURATION:
      self = .appConfiguration(ConfigurationNews(raw.app_configuration.pointee))
    case SLUICE__HOST_MESSAGE__BODY_PERFORM: self = try Self.perform(raw.perform.pointee)
    case SLUICE__HOST_MESSAGE__BODY_CLOCK_ADVANCED:
      self = .clockAdvanced(time: Int(raw.clock_advanced.pointee.time))
    case SLUICE__HOST_MESSAGE__BODY_MANAGED_APP_CHANGED:
      let body = raw.managed_app_changed.pointee
      guard let aspect = ManagedAspect(rawValue: UInt32(body.aspect.rawValue)) else {
        throw .emptyMessage
      }
      self = .managedAppChanged(aspect)
    case SLUICE__HOST_MESSAGE__BODY_SHARED_MEMORY:
      let body = raw.shared_memory.pointee
      guard let use = SharedMemoryUse(rawValue: UInt32(body.use.rawValue)) else {
        throw .emptyMessage
      }
      self = .sharedMemory(use, count: Int(clamping: body.size))
    case SLUICE__HOST_MESSAGE__BODY_RELEASE:
      self = .release(offset: Int(clamping: raw.release.pointee.offset))
    case SLUICE__HOST_MESSAGE__BODY_STOP: self = .stop
    default: throw .emptyMessage  // open: a C enumeration; no body, or one of a newer version
    }
  }

}

extension Welcome {
  fileprivate init(_ raw: Sluice__Welcome) {
    self.init(
      transport: raw.transport, application: raw.application, guest: cString(raw.guest),
      app: cString(raw.app), device: cString(raw.device), frameLimit: Int(raw.frame_limit),
      seed: raw.seed, time: Int(raw.time),
      configurations: (0..<raw.n_configurations).compactMap { index in
        raw.configurations[index].map { ConfigurationNews($0.pointee) }
      }, opensContent: raw.opens_content != 0,
      managedConfiguration: byteArray(raw.managed_configuration))
  }
}

extension RequestOutcome {
  fileprivate init(_ raw: Sluice__Outcome) throws(WireError) {
    let reasons = (0..<raw.n_reasons).compactMap { index in
      raw.reasons[index].map { reason in
        OutcomeReason(
          rule: cString(reason.pointee.rule), side: cString(reason.pointee.side),
          setting: cString(reason.pointee.setting))
      }
    }
    let home = cString(raw.home_account)
    self.init(
      verdict: Outcome(raw.verdict), end: RequestEnd(raw.end), reasons: reasons,
      status: Int(raw.status), items: try Item.list(raw.items, raw.n_items),
      file: raw.file.map { FileGrant($0.pointee) }, homeAccount: home.isEmpty ? nil : home)
  }
}

extension Delivery {
  fileprivate init(_ raw: Sluice__Delivery) throws(WireError) {
    guard let item = raw.item else { throw .emptyMessage }
    self.init(
      sequence: raw.sequence, item: try Item(item.pointee), sender: cString(raw.sender),
      isEncrypted: raw.encrypted != 0, isForUnmanaged: raw.as_unmanaged != 0)
  }
}
