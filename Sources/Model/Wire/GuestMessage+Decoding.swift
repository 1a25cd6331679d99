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
  /// - Throws: ``WireError`` where the message has no body that this version knows, or a part of the body is
  ///   missing or unknown.
  init(_ raw: Sluice__GuestMessage) throws(WireError) {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_SHARE:
      self = .share(try Share(raw.share.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_IMPORT:
      let body = raw.import.pointee
      self = .import(source: cString(body.source), via: SharingPath(body.path))
    case SLUICE__GUEST_MESSAGE__BODY_COPY:
      guard let item = raw.copy.pointee.item else { throw .emptyMessage }
      self = .copy(try Item(item.pointee), raw.copy.pointee.local_only != 0 ? .local : .everywhere)
    case SLUICE__GUEST_MESSAGE__BODY_PASTE:
      self = .paste
    case SLUICE__GUEST_MESSAGE__BODY_OPEN_URL:
      let body = raw.open_url.pointee
      self = .openURL(
        OpenURL(
          cString(body.url), isKnownManagedScheme: body.known_managed_scheme != 0,
          isQuestion: body.asks_only != 0))
    case SLUICE__GUEST_MESSAGE__BODY_USE:
      let body = raw.use.pointee
      self = .use(
        SystemHandOff(
          channel: cString(body.channel), location: cString(body.location),
          account: body.no_account != 0 ? nil : cString(body.account),
          item: try body.item.map { item throws(WireError) in try Item(item.pointee) },
          isExternalPage: body.external_page != 0, source: cString(body.source),
          extensionID: cString(body.extension), device: cString(body.device),
          via: SharingPath(body.path)))
    case SLUICE__GUEST_MESSAGE__BODY_CAN_RECEIVE:
      guard let item = raw.can_receive.pointee.item else { throw .emptyMessage }
      self = .canReceive(try Item(item.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_UNLOCK:
      let body = raw.unlock.pointee
      self = .unlock(
        Unlock(
          pin: cString(body.pin), hasBiometrics: body.biometrics != 0,
          hasCredentials: body.credentials != 0, setsPIN: body.sets_pin != 0,
          isCancelled: body.cancels != 0))
    case SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_ADD:
      guard let item = raw.keychain_add.pointee.item?.pointee else { throw .emptyMessage }
      self = .keychainAdd(
        KeychainKey(
          group: cString(item.group), service: cString(item.service), account: cString(item.account)
        ),
        value: byteArray(item.value))
    case SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_QUERY:
      let body = raw.keychain_query.pointee
      self = .keychainQuery(
        KeychainKey(
          group: cString(body.group), service: cString(body.service), account: cString(body.account)
        ))
    case SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_DELETE:
      let body = raw.keychain_delete.pointee
      self = .keychainDelete(
        KeychainKey(
          group: cString(body.group), service: cString(body.service), account: cString(body.account)
        ))
    case SLUICE__GUEST_MESSAGE__BODY_SIGN_IN:
      self = .signIn(account: cString(raw.sign_in.pointee.account))
    case SLUICE__GUEST_MESSAGE__BODY_SIGN_OUT:
      self = .signOut(account: cString(raw.sign_out.pointee.account))
    case SLUICE__GUEST_MESSAGE__BODY_SWITCH_IDENTITY:
      self = .switchIdentity(SwitchIdentity(raw.switch_identity.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_ENROLL:
      let body = raw.enroll.pointee
      self = .enroll(
        Enroll(
          account: body.no_account != 0 ? nil : cString(body.account), isLogin: body.login != 0))
    case SLUICE__GUEST_MESSAGE__BODY_UNENROLL:
      let body = raw.unenroll.pointee
      self = .unenroll(account: cString(body.account), wipes: body.wipe != 0)
    case SLUICE__GUEST_MESSAGE__BODY_ACQUIRE_TOKEN:
      let body = raw.acquire_token.pointee
      self = .acquireToken(
        AcquireToken(
          account: cString(body.account), resource: cString(body.resource),
          capabilities: (0..<body.n_capabilities).map { cString(body.capabilities[$0]) }))
    case SLUICE__GUEST_MESSAGE__BODY_REMEDIATE:
      let body = raw.remediate.pointee
      self = .remediate(account: cString(body.account), isSilent: body.silent != 0)
    case SLUICE__GUEST_MESSAGE__BODY_OPEN_FILE:
      let body = raw.open_file.pointee
      guard let mode = FileMode(rawValue: UInt32(body.mode.rawValue)) else { throw .emptyMessage }
      self = .openFile(
        OpenFile(
          FileReference(body.group, body.path), mode: mode,
          owner: body.names_owner != 0 ? cString(body.owner) : nil,
          isQuestion: body.asks_only != 0))
    case SLUICE__GUEST_MESSAGE__BODY_MOVE_FILE:
      let body = raw.move_file.pointee
      self = .moveFile(
        FileReference(body.group, body.path), to: FileReference(body.to_group, body.to))
    case SLUICE__GUEST_MESSAGE__BODY_REMOVE_FILE:
      let body = raw.remove_file.pointee
      self = .removeFile(FileReference(body.group, body.path))
    case SLUICE__GUEST_MESSAGE__BODY_PROTECT_DATA:
      self = .protectData(account: cString(raw.protect_data.pointee.account))
    case SLUICE__GUEST_MESSAGE__BODY_UNPROTECT_DATA:
      self = .unprotectData(header: byteArray(raw.unprotect_data.pointee.header))
    case SLUICE__GUEST_MESSAGE__BODY_SHARE_ITEMS:
      let body = raw.share_items.pointee
      self = .shareItems(
        ShareItems(
          destination: cString(body.destination), items: OfferedItem.list(body.items, body.n_items),
          via: SharingPath(body.path)))
    case SLUICE__GUEST_MESSAGE__BODY_LOAD_ITEM:
      let body = raw.load_item.pointee
      self = .loadItem(
        RepresentationReference(
          item: Int(body.item), attachment: Int(body.attachment), type: cString(body.type)))
    case SLUICE__GUEST_MESSAGE__BODY_CANCEL_LOAD:
      self = .cancelLoad(raw.cancel_load.pointee.load)
    case SLUICE__GUEST_MESSAGE__BODY_PROVIDE_PROGRESS:
      let body = raw.provide_progress.pointee
      self = .provideProgress(ask: body.ask, fraction: body.fraction)
    case SLUICE__GUEST_MESSAGE__BODY_COMPLETE_EXTENSION:
      let body = raw.complete_extension.pointee
      self = .completeExtension(try Item.list(body.items, body.n_items))
    case SLUICE__GUEST_MESSAGE__BODY_CANCEL_EXTENSION:
      self = .cancelExtension(why: cString(raw.cancel_extension.pointee.why))
    case SLUICE__GUEST_MESSAGE__BODY_MANAGED_APP:
      self = .managedApp(try ManagedAppRequest(raw.managed_app.pointee))
    case SLUICE__GUEST_MESSAGE__BODY_HELLO:
      let body = raw.hello.pointee
      self = .hello(
        Hello(
          transport: body.transport, application: body.application,
          claimedApp: cString(body.claimed_app), takesMemory: body.takes_memory != 0))
    case SLUICE__GUEST_MESSAGE__BODY_ACKNOWLEDGE:
      self = .acknowledge(through: raw.acknowledge.pointee.through)
    case SLUICE__GUEST_MESSAGE__BODY_PROVIDED:
      let body = raw.provided.pointee
      let item = try body.item.map { item throws(WireError) in try Item(item.pointee) }
      self = .provided(ask: body.ask, item)
    case SLUICE__GUEST_MESSAGE__BODY_IDENTITY_SWITCH_ANSWER:
      let body = raw.identity_switch_answer.pointee
      self = .identitySwitchAnswer(ask: body.ask, isSuccess: body.success != 0)
    case SLUICE__GUEST_MESSAGE__BODY_PERFORMED:
      let body = raw.performed.pointee
      let failure = cString(body.failure)
      self = .performed(
        ask: body.ask, failure: failure.isEmpty ? nil : failure, found: byteArray(body.found))
    case SLUICE__GUEST_MESSAGE__BODY_DELEGATE_ANSWER:
      let body = raw.delegate_answer.pointee
      self = .delegateAnswer(ask: body.ask, isSuccess: body.success != 0)
    case SLUICE__GUEST_MESSAGE__BODY_LOG:
      self = .log(cString(raw.log.pointee.text))
    case SLUICE__GUEST_MESSAGE__BODY_FAILED:
      self = .failed(why: cString(raw.failed.pointee.why))
    case SLUICE__GUEST_MESSAGE__BODY_RELEASE:
      self = .release(offset: Int(clamping: raw.release.pointee.offset))
    default: throw .emptyMessage  // open: a C enumeration; no body, or one of a newer version
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
