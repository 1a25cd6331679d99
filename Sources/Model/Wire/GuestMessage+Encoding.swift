internal import CMessages
internal import CProtobufC
internal import Model

extension FrameBuffer {
  /// Adds `message` as a frame.
  public mutating func append(_ message: GuestMessage, using arena: Arena) {
    let raw = arena.guestMessage(message)
    let size = sluice__guest_message__get_packed_size(raw)
    appendFrame(size) { memory in
      _ = sluice__guest_message__pack(raw, memory.assumingMemoryBound(to: UInt8.self))
    }
    arena.reset()
  }
}

extension Arena {
  func guestMessage(_ message: GuestMessage) -> UnsafeMutablePointer<Sluice__GuestMessage> {
    self.message(sluice__guest_message__init) { raw in
      raw.request = message.request
      raw.task = message.task.map(task)
      raw.from = numbers(message.sources)
      raw.n_from = message.sources.count
      fill(&raw, message.body)
    }
  }

  private func fill(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .hello, .acknowledge, .provided, .identitySwitchAnswer, .delegateAnswer, .performed, .log,
      .failed, .release:
      fillAnswer(&raw, body)
    case .openFile, .moveFile, .removeFile, .protectData, .unprotectData: fillFile(&raw, body)
    case .share, .import, .copy, .paste, .openURL: fillTransfer(&raw, body)
    case .shareItems, .loadItem, .cancelLoad, .provideProgress, .completeExtension,
      .cancelExtension:
      fillExtension(&raw, body)
    case .use, .canReceive, .unlock: fillUse(&raw, body)
    case .managedApp(let request): fillManagedApp(&raw, request)
    case .keychainAdd, .keychainQuery, .keychainDelete, .signIn, .signOut, .switchIdentity:
      fillAccount(&raw, body)
    case .enroll, .unenroll, .acquireToken, .remediate: fillEnrollment(&raw, body)
    }
  }

  private func fillTransfer(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .share(let share):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_SHARE
      raw.share = self.share(share)
    case .import(let source, let via):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_IMPORT
      raw.import = message(sluice__import__init) {
        $0.source = string(source)
        $0.path = via.raw
      }
    case .copy(let item, let scope):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_COPY
      raw.copy = message(sluice__copy__init) {
        $0.item = self.item(item)
        $0.local_only = scope == .local ? 1 : 0
      }
    case .paste:
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PASTE
      raw.paste = message(sluice__paste__init)
    case .openURL(let open):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_OPEN_URL
      raw.open_url = message(sluice__open_url__init) {
        $0.url = string(open.url)
        $0.known_managed_scheme = open.isKnownManagedScheme ? 1 : 0
        $0.asks_only = open.isQuestion ? 1 : 0
      }
    default: preconditionFailure("not a transfer")
    }
  }

  private func share(_ share: Share) -> UnsafeMutablePointer<Sluice__Share> {
    message(sluice__share__init) {
      $0.destination = string(share.destination)
      $0.item = item(share.item)
      $0.path = share.via.raw
      $0.way = Sluice__Way(rawValue: UInt32(share.way.rawValue))
      $0.claimed_source = string(share.claimedSource)
      $0.posted = share.isPosted ? 1 : 0
    }
  }

  private func fillUse(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .use(let use):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_USE
      raw.use = message(sluice__use__init) {
        $0.channel = string(use.channel)
        $0.location = string(use.location)
        $0.account = string(use.account ?? "")
        $0.no_account = use.account == nil ? 1 : 0
        $0.item = use.item.map { item($0) }
        $0.external_page = use.isExternalPage ? 1 : 0
        $0.source = string(use.source)
        $0.extension = string(use.extensionID)
        $0.device = string(use.device)
        $0.path = use.via.raw
      }
    case .canReceive(let item):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_CAN_RECEIVE
      raw.can_receive = message(sluice__can_receive__init) { $0.item = self.item(item) }
    case .unlock(let unlock):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_UNLOCK
      raw.unlock = message(sluice__unlock__init) {
        $0.pin = string(unlock.pin)
        $0.biometrics = unlock.hasBiometrics ? 1 : 0
        $0.credentials = unlock.hasCredentials ? 1 : 0
        $0.sets_pin = unlock.setsPIN ? 1 : 0
        $0.cancels = unlock.isCancelled ? 1 : 0
      }
    default: preconditionFailure("not a use")
    }
  }

  private func fillAccount(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .keychainAdd(let key, let value):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_ADD
      let item = message(sluice__keychain_item__init) { (item: inout Sluice__KeychainItem) in
        item.group = string(key.group)
        item.service = string(key.service)
        item.account = string(key.account)
        item.value = bytes(value)
      }
      raw.keychain_add = message(sluice__keychain_add__init) { $0.item = item }
    case .keychainQuery(let key):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_QUERY
      raw.keychain_query = message(sluice__keychain_query__init) {
        $0.group = string(key.group)
        $0.service = string(key.service)
        $0.account = string(key.account)
      }
    case .keychainDelete(let key):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_KEYCHAIN_DELETE
      raw.keychain_delete = message(sluice__keychain_delete__init) {
        $0.group = string(key.group)
        $0.service = string(key.service)
        $0.account = string(key.account)
      }
    case .signIn(let account):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_SIGN_IN
      raw.sign_in = message(sluice__sign_in__init) { $0.account = string(account) }
    case .signOut(let account):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_SIGN_OUT
      raw.sign_out = message(sluice__sign_out__init) { $0.account = string(account) }
    case .switchIdentity(let change):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_SWITCH_IDENTITY
      raw.switch_identity = switchIdentity(change)
    default: preconditionFailure("not about accounts")
    }
  }

  private func fillAnswer(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .hello(let hello):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_HELLO
      raw.hello = message(sluice__hello__init) {
        $0.transport = hello.transport
        $0.application = hello.application
        $0.claimed_app = string(hello.claimedApp)
        $0.takes_memory = hello.takesMemory ? 1 : 0
      }
    case .acknowledge(let through):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_ACKNOWLEDGE
      raw.acknowledge = message(sluice__acknowledge__init) { $0.through = through }
    case .provided(let ask, let item):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PROVIDED
      raw.provided = message(sluice__provided__init) {
        $0.ask = ask
        $0.item = item.map(self.item)
      }
    case .identitySwitchAnswer(let ask, let isSuccess):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_IDENTITY_SWITCH_ANSWER
      raw.identity_switch_answer = message(sluice__identity_switch_answer__init) {
        $0.ask = ask
        $0.success = isSuccess ? 1 : 0
      }
    case .delegateAnswer(let ask, let isSuccess):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_DELEGATE_ANSWER
      raw.delegate_answer = message(sluice__delegate_answer__init) {
        $0.ask = ask
        $0.success = isSuccess ? 1 : 0
      }
    case .performed(let ask, let failure, let found):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PERFORMED
      raw.performed = message(sluice__performed__init) {
        $0.ask = ask
        $0.failure = string(failure ?? "")
        $0.found = bytes(found)
      }
    case .log(let text):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_LOG
      raw.log = message(sluice__log__init) { $0.text = string(text) }
    case .failed(let why):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_FAILED
      raw.failed = message(sluice__failed__init) { $0.why = string(why) }
    case .release(let offset):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_RELEASE
      raw.release = release(offset)
    default: preconditionFailure("not an answer")
    }
  }
}

extension SharingPath {
  var raw: Sluice__Path { self == .sdk ? SLUICE__PATH__PATH_SDK : SLUICE__PATH__PATH_OS }

  /// Reads a path; an unknown one is the system's: the SDK would not send one.
  init(_ raw: Sluice__Path) { self = raw == SLUICE__PATH__PATH_SDK ? .sdk : .os }
}
