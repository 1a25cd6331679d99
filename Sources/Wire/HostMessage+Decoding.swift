internal import CMessages
internal import CProtobufC
internal import Transfer

extension HostMessage {
  /// Decodes one frame from the host.
  ///
  /// - Throws: ``WireError``.
  public init(_ frame: UnsafeRawBufferPointer, arena: Arena) throws(WireError) {
    let data = frame.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: frame.count)
    guard let raw = sluice__host_message__unpack(allocator, frame.count, data) else {
      throw .malformedMessage(length: frame.count)
    }
    defer { arena.reset() }
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
        sequence: body.sequence, url: cString(body.url), sender: cString(body.sender))
    case SLUICE__HOST_MESSAGE__BODY_PROVIDE_ITEM:
      let body = raw.provide_item.pointee
      self = .provideItem(ask: body.ask, requester: cString(body.requester))
    case SLUICE__HOST_MESSAGE__BODY_IDENTITY_SWITCH_REQUIRED:
      let body = raw.identity_switch_required.pointee
      self = .identitySwitchRequired(
        ask: body.ask, account: cString(body.account), reason: cString(body.reason))
    case SLUICE__HOST_MESSAGE__BODY_IDENTITY_CHANGED:
      let body = raw.identity_changed.pointee
      self = .identityChanged(
        account: body.unset != 0 ? nil : cString(body.account), isManaged: body.managed != 0)
    case SLUICE__HOST_MESSAGE__BODY_PERFORM: self = try Self.perform(raw.perform.pointee)
    case SLUICE__HOST_MESSAGE__BODY_STOP: self = .stop
    default: throw .emptyMessage
    }
  }

  private static func perform(_ raw: Sluice__Perform) throws(WireError) -> Self {
    let behaviour = try raw.behaviour.map { raw throws(WireError) in try Behaviour(raw.pointee) }
    guard let message = raw.message else {
      return .perform(ask: raw.ask, nil, behaviour ?? Behaviour())
    }
    let request = GuestMessage(
      request: message.pointee.request, try GuestMessage.Body(message.pointee))
    return .perform(ask: raw.ask, request, behaviour ?? Behaviour())
  }
}

extension Welcome {
  init(_ raw: Sluice__Welcome) {
    self.init(
      transport: raw.transport, application: raw.application, guest: cString(raw.guest),
      app: cString(raw.app), device: cString(raw.device), frameLimit: Int(raw.frame_limit))
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
    self.init(
      verdict: Outcome(raw.verdict), end: RequestEnd(raw.end), reasons: reasons,
      status: Int(raw.status), items: try Item.list(raw.items, raw.n_items))
  }
}

extension Delivery {
  init(_ raw: Sluice__Delivery) throws(WireError) {
    guard let item = raw.item else { throw .emptyMessage }
    self.init(
      sequence: raw.sequence, item: try Item(item.pointee), sender: cString(raw.sender),
      isEncrypted: raw.encrypted != 0, isExtensionRequest: raw.extension_request != 0,
      isForUnmanaged: raw.as_unmanaged != 0)
  }
}

extension Behaviour {
  init(_ raw: Sluice__Behaviour) throws(WireError) {
    let item = try raw.provides.map { item throws(WireError) in try Item(item.pointee) }
    let accepts: Bool? =
      switch raw.identity_switch {
      case SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS: true
      case SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED: false
      default: nil
      }
    self.init(provides: item, acceptsIdentitySwitch: accepts)
  }
}
