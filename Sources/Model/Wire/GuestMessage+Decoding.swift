internal import CMessages
internal import CProtobufC
internal import Model

extension GuestMessage {
  init(_ raw: Sluice__GuestMessage) throws(WireError) {
    guard raw.n_from <= RequestLimits.sources else { throw .tooManySources(count: raw.n_from) }
    self.init(
      request: raw.request, try Body(raw), task: raw.task.map { TaskContext($0.pointee) },
      from: Array(UnsafeBufferPointer(start: raw.from, count: raw.n_from)))
  }
}

extension GuestMessage.Body {
  init(_ raw: Sluice__GuestMessage) throws(WireError) {
    if let transfer = try Self.transfer(raw) {
      self = transfer
    } else if let account = try Self.account(raw) {
      self = account
    } else if let use = try Self.use(raw) {
      self = use
    } else if let body = try Self.aboutExtensions(raw) {
      self = body
    } else if let request = try Self.managedApp(raw) {
      self = request
    } else if let file = try Self.file(raw) {
      self = file
    } else if let enrollment = Self.aboutEnrollment(raw) {
      self = enrollment
    } else if let answer = try Self.answer(raw) {
      self = answer
    } else {
      throw .emptyMessage
    }
  }

  private static func transfer(_ raw: Sluice__GuestMessage) throws(WireError) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_SHARE:
      return .share(try Share(raw.share.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_IMPORT:
      let body = raw.import.pointee
      return .import(source: cString(body.source), via: SharingPath(body.path))
    case SLUICE__GUEST_MESSAGE__BODY_COPY:
      guard let item = raw.copy.pointee.item else { throw .emptyMessage }
      return .copy(try Item(item.pointee), raw.copy.pointee.local_only != 0 ? .local : .everywhere)
    case SLUICE__GUEST_MESSAGE__BODY_PASTE:
      return .paste
    case SLUICE__GUEST_MESSAGE__BODY_OPEN_URL:
      let body = raw.open_url.pointee
      return .openURL(
        OpenURL(
          cString(body.url), isKnownManagedScheme: body.known_managed_scheme != 0,
          isQuestion: body.asks_only != 0))
    default: return nil
    }
  }

  private static func use(_ raw: Sluice__GuestMessage) throws(WireError) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_USE:
      let body = raw.use.pointee
      return .use(
        SystemHandOff(
          channel: cString(body.channel), location: cString(body.location),
          account: body.no_account != 0 ? nil : cString(body.account),
          item: try body.item.map { item throws(WireError) in try Item(item.pointee) },
          isExternalPage: body.external_page != 0, source: cString(body.source),
          extensionID: cString(body.extension), device: cString(body.device),
          via: SharingPath(body.path)))
    case SLUICE__GUEST_MESSAGE__BODY_CAN_RECEIVE:
      guard let item = raw.can_receive.pointee.item else { throw .emptyMessage }
      return .canReceive(try Item(item.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_UNLOCK:
      let body = raw.unlock.pointee
      return .unlock(
        Unlock(
          pin: cString(body.pin), hasBiometrics: body.biometrics != 0,
          hasCredentials: body.credentials != 0, setsPIN: body.sets_pin != 0,
          isCancelled: body.cancels != 0))
    default: return nil
    }
  }

  private static func account(_ raw: Sluice__GuestMessage) throws(WireError) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_ADD:
      guard let item = raw.keychain_add.pointee.item?.pointee else { throw .emptyMessage }
      return .keychainAdd(
        KeychainKey(
          group: cString(item.group), service: cString(item.service), account: cString(item.account)
        ),
        value: byteArray(item.value))
    case SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_QUERY:
      let body = raw.keychain_query.pointee
      return .keychainQuery(
        KeychainKey(
          group: cString(body.group), service: cString(body.service), account: cString(body.account)
        ))
    case SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_DELETE:
      let body = raw.keychain_delete.pointee
      return .keychainDelete(
        KeychainKey(
          group: cString(body.group), service: cString(body.service), account: cString(body.account)
        ))
    case SLUICE__GUEST_MESSAGE__BODY_SIGN_IN:
      return .signIn(account: cString(raw.sign_in.pointee.account))
    case SLUICE__GUEST_MESSAGE__BODY_SIGN_OUT:
      return .signOut(account: cString(raw.sign_out.pointee.account))
    case SLUICE__GUEST_MESSAGE__BODY_SWITCH_IDENTITY:
      return .switchIdentity(SwitchIdentity(raw.switch_identity.pointee))
    default: return nil
    }
  }

  private static func answer(_ raw: Sluice__GuestMessage) throws(WireError) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_HELLO:
      let body = raw.hello.pointee
      return .hello(
        Hello(
          transport: body.transport, application: body.application,
          claimedApp: cString(body.claimed_app), takesMemory: body.takes_memory != 0))
    case SLUICE__GUEST_MESSAGE__BODY_ACKNOWLEDGE:
      return .acknowledge(through: raw.acknowledge.pointee.through)
    case SLUICE__GUEST_MESSAGE__BODY_PROVIDED:
      let body = raw.provided.pointee
      guard let item = body.item else { return .provided(ask: body.ask, nil) }
      return .provided(ask: body.ask, try Item(item.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_IDENTITY_SWITCH_ANSWER:
      let body = raw.identity_switch_answer.pointee
      return .identitySwitchAnswer(ask: body.ask, isSuccess: body.success != 0)
    case SLUICE__GUEST_MESSAGE__BODY_PERFORMED:
      let body = raw.performed.pointee
      let failure = cString(body.failure)
      return .performed(
        ask: body.ask, failure: failure.isEmpty ? nil : failure, found: byteArray(body.found))
    case SLUICE__GUEST_MESSAGE__BODY_DELEGATE_ANSWER:
      let body = raw.delegate_answer.pointee
      return .delegateAnswer(ask: body.ask, isSuccess: body.success != 0)
    case SLUICE__GUEST_MESSAGE__BODY_LOG:
      return .log(cString(raw.log.pointee.text))
    case SLUICE__GUEST_MESSAGE__BODY_FAILED:
      return .failed(why: cString(raw.failed.pointee.why))
    case SLUICE__GUEST_MESSAGE__BODY_RELEASE:
      return .release(offset: Int(clamping: raw.release.pointee.offset))
    default: return nil
    }
  }
}

extension Share {
  init(_ raw: Sluice__Share) throws(WireError) {
    guard let item = raw.item, let way = Way(rawValue: UInt64(raw.way.rawValue)) else {
      throw .emptyMessage
    }
    self.init(
      destination: cString(raw.destination), item: try Item(item.pointee),
      via: SharingPath(raw.path), way: way,
      claimedSource: cString(raw.claimed_source),
      isPosted: raw.posted != 0)
  }
}
