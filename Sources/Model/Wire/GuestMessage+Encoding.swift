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
    case .enroll(let enroll):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_ENROLL
      raw.enroll = message(sluice__enroll__init) {
        $0.account = string(enroll.account ?? "")
        $0.no_account = enroll.account == nil ? 1 : 0
        $0.login = enroll.isLogin ? 1 : 0
      }
    case .unenroll(let account, let wipes):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_UNENROLL
      raw.unenroll = message(sluice__unenroll__init) {
        $0.account = string(account)
        $0.wipe = wipes ? 1 : 0
      }
    case .acquireToken(let request):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_ACQUIRE_TOKEN
      raw.acquire_token = message(sluice__acquire_token__init) {
        $0.account = string(request.account)
        $0.resource = string(request.resource)
        $0.capabilities = strings(request.capabilities)
        $0.n_capabilities = request.capabilities.count
      }
    case .remediate(let account, let isSilent):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_REMEDIATE
      raw.remediate = message(sluice__remediate__init) {
        $0.account = string(account)
        $0.silent = isSilent ? 1 : 0
      }
    case .openFile(let open):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_OPEN_FILE
      raw.open_file = message(sluice__open_file__init) {
        $0.group = string(open.file.group)
        $0.path = bytes(open.file.path)
        $0.mode = Sluice__FileMode(rawValue: open.mode.rawValue)
        $0.owner = string(open.owner ?? "")
        $0.names_owner = open.owner == nil ? 0 : 1
        $0.asks_only = open.isQuestion ? 1 : 0
      }
    case .moveFile(let file, let target):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_MOVE_FILE
      raw.move_file = message(sluice__move_file__init) {
        $0.group = string(file.group)
        $0.path = bytes(file.path)
        $0.to_group = string(target.group)
        $0.to = bytes(target.path)
      }
    case .removeFile(let file):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_REMOVE_FILE
      raw.remove_file = message(sluice__remove_file__init) {
        $0.group = string(file.group)
        $0.path = bytes(file.path)
      }
    case .protectData(let account):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PROTECT_DATA
      raw.protect_data = message(sluice__protect_data__init) { $0.account = string(account) }
    case .unprotectData(let header):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_UNPROTECT_DATA
      raw.unprotect_data = message(sluice__unprotect_data__init) { $0.header = bytes(header) }
    case .shareItems(let share):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_SHARE_ITEMS
      raw.share_items = message(sluice__share_items__init) {
        $0.destination = string(share.destination)
        $0.items = offeredItems(share.items)
        $0.n_items = share.items.count
        $0.path = share.via.raw
      }
    case .loadItem(let load):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_LOAD_ITEM
      raw.load_item = message(sluice__load_item__init) {
        $0.item = UInt32(clamping: load.item)
        $0.attachment = UInt32(clamping: load.attachment)
        $0.type = string(load.type)
      }
    case .cancelLoad(let load):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_CANCEL_LOAD
      raw.cancel_load = message(sluice__cancel_load__init) { $0.load = load }
    case .provideProgress(let ask, let fraction):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PROVIDE_PROGRESS
      raw.provide_progress = message(sluice__provide_progress__init) {
        $0.ask = ask
        $0.fraction = fraction
      }
    case .completeExtension(let items):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_COMPLETE_EXTENSION
      raw.complete_extension = message(sluice__complete_extension__init) {
        $0.items = self.items(items)
        $0.n_items = items.count
      }
    case .cancelExtension(let why):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_CANCEL_EXTENSION
      raw.cancel_extension = message(sluice__cancel_extension__init) { $0.why = string(why) }
    case .managedApp(let request):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_MANAGED_APP
      raw.managed_app = managedApp(request)
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
      raw.release = message(sluice__release__init) { $0.offset = UInt64(offset) }
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
}

extension SharingPath {
  var raw: Sluice__Path { self == .sdk ? SLUICE__PATH__PATH_SDK : SLUICE__PATH__PATH_OS }

  /// Reads a path; an unknown one is the system's: the SDK would not send one.
  init(_ raw: Sluice__Path) { self = raw == SLUICE__PATH__PATH_SDK ? .sdk : .os }
}
