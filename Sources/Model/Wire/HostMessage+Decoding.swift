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
  /// - Throws: ``WireError`` where the message has no body that this version knows, or a part of the body is
  ///   missing or unknown.
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
    default: nil  // open: a C enumeration; unchanged, or an unknown number
    }
  }
}
