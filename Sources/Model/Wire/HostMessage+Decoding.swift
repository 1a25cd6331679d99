internal import CMessages
internal import CProtobufC
internal import Model

extension HostMessage {
  /// Decodes one frame from the host.
  ///
  /// - Throws: ``WireError`` where the frame holds no message that this version knows.
  public init(_ frame: UnsafeRawBufferPointer, arena: Arena) throws(WireError) {
    try self.init(frame, arena: arena, inbox: nil)
  }

  /// Decodes one frame from the host, whose payloads may lie in `inbox`, nil: none. They are copied.
  ///
  /// - Throws: ``WireError`` where the frame holds no message that this version knows, or names a payload that is not
  ///   in the inbox.
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
  init(_ raw: Sluice__HostMessage) throws(WireError) {
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
    case SLUICE__HOST_MESSAGE__BODY_APP_CONFIGURATION:
      self = .appConfiguration(ConfigurationNews(raw.app_configuration.pointee))
    case SLUICE__HOST_MESSAGE__BODY_PERFORM: self = try Self.perform(raw.perform.pointee)
    case SLUICE__HOST_MESSAGE__BODY_CLOCK_ADVANCED:
      self = .clockAdvanced(time: Int(raw.clock_advanced.pointee.time))
    case SLUICE__HOST_MESSAGE__BODY_MANAGED_APP_CHANGED:
      self = try Self.managedAppChanged(raw.managed_app_changed.pointee)
    case SLUICE__HOST_MESSAGE__BODY_SHARED_MEMORY:
      self = try Self.sharedMemory(raw.shared_memory.pointee)
    case SLUICE__HOST_MESSAGE__BODY_RELEASE:
      self = .release(offset: Int(clamping: raw.release.pointee.offset))
    case SLUICE__HOST_MESSAGE__BODY_STOP: self = .stop
    default:
      guard let body = Self.aboutExtensions(raw) ?? Self.aboutEnrollment(raw) else {
        throw .emptyMessage
      }
      self = body
    }
  }

  private static func perform(_ raw: Sluice__Perform) throws(WireError) -> Self {
    let behaviour = try raw.behaviour.map { raw throws(WireError) in try Behaviour(raw.pointee) }
    guard let content = InstructedContent(rawValue: UInt32(raw.content.rawValue)) else {
      throw .emptyMessage
    }
    let instruction: Instruction
    if let message = raw.message {
      instruction = .ask(try GuestMessage(message.pointee), content)
    } else if let file = raw.file {
      instruction = .work(
        try FileWork(file.pointee), task: raw.task.map { TaskContext($0.pointee) }, content)
    } else if let question = raw.configuration {
      instruction = .look(try ConfigurationQuestion(question.pointee))
    } else if raw.act.len > 0 {
      instruction = .act(byteArray(raw.act))
    } else {
      instruction = .nothing
    }
    return .perform(ask: raw.ask, instruction, behaviour ?? Behaviour())
  }
}

extension Welcome {
  init(_ raw: Sluice__Welcome) {
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
  init(_ raw: Sluice__Outcome) throws(WireError) {
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
  init(_ raw: Sluice__Delivery) throws(WireError) {
    guard let item = raw.item else { throw .emptyMessage }
    self.init(
      sequence: raw.sequence, item: try Item(item.pointee), sender: cString(raw.sender),
      isEncrypted: raw.encrypted != 0, isForUnmanaged: raw.as_unmanaged != 0)
  }
}

extension Behaviour {
  init(_ raw: Sluice__Behaviour) throws(WireError) {
    let item = try raw.provides.map { item throws(WireError) in try Item(item.pointee) }
    guard let handsBack = InstructedContent(rawValue: UInt32(raw.hands_back.rawValue)) else {
      throw .emptyMessage
    }
    self.init(
      provides: item, acceptsIdentitySwitch: Self.answer(raw.identity_switch),
      wipe: WipeBehaviour(rawValue: UInt32(raw.wipe.rawValue)),
      addsAccounts: Self.answer(raw.add_account), blocksAccounts: Self.answer(raw.block_account),
      handsBack: handsBack)
  }

  private static func answer(_ raw: Sluice__Behaviour__Answer) -> Bool? {
    switch raw {
    case SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS: true
    case SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED: false
    default: nil
    }
  }
}
