internal import CMessages
internal import CProtobufC
public import Model

/// A message from a guest to its host.
public struct GuestMessage: Sendable, Equatable {
  /// The request number, greater than all earlier ones on the connection; 0 if no response is needed.
  public var request: UInt64
  public var body: Body
  /// The identity of the task; nil for the guest's acting identity.
  public var task: TaskContext?
  /// The item numbers of the sources of what the request moves, as far as the guest knows; at most 64.
  public var sources: [UInt64]

  /// Creates a message of `body`.
  public init(
    request: UInt64 = 0, _ body: Body, task: TaskContext? = nil, from sources: [UInt64] = []
  ) {
    self.request = request
    self.body = body
    self.task = task
    self.sources = sources
  }

  /// The content of a message.
  public enum Body: Sendable, Equatable {
    case hello(Hello)
    /// All deliveries up to this number have arrived.
    case acknowledge(through: UInt64)
    case share(Share)
    case `import`(source: String, via: SharingPath)
    case copy(Item, CopyScope = .everywhere)
    case use(SystemHandOff)
    case canReceive(Item)
    case unlock(Unlock)
    case paste
    case openURL(OpenURL)
    case keychainAdd(KeychainKey, value: [UInt8])
    case keychainQuery(KeychainKey)
    case keychainDelete(KeychainKey)
    case signIn(account: String)
    case signOut(account: String)
    case enroll(Enroll)
    case unenroll(account: String, wipes: Bool)
    case acquireToken(AcquireToken)
    case remediate(account: String, isSilent: Bool)
    case switchIdentity(SwitchIdentity)
    case openFile(OpenFile)
    case moveFile(FileReference, to: FileReference)
    case removeFile(FileReference)
    /// `account` is a UPN or an object id; `""` is the unknown account.
    case protectData(account: String)
    case unprotectData(header: [UInt8])
    case shareItems(ShareItems)
    case loadItem(RepresentationReference)
    /// The load of this number is no longer needed.
    case cancelLoad(UInt64)
    /// `fraction` is 0 to 1.
    case provideProgress(ask: UInt64, fraction: Double)
    case completeExtension([Item])
    case cancelExtension(why: String)
    case provided(ask: UInt64, Item?)
    case identitySwitchAnswer(ask: UInt64, isSuccess: Bool)
    case delegateAnswer(ask: UInt64, isSuccess: Bool)
    /// `failure` is nil if the guest could perform the step. `found` is the content that it read.
    case performed(ask: UInt64, failure: String?, found: [UInt8] = [])
    /// A request about the administrator's configuration for this app.
    case managedApp(ManagedAppRequest)
    case log(String)
    /// The payload at this offset of the guest's inbox was read and may be overwritten.
    case release(offset: Int)
    /// The guest cannot continue. In place of ``hello(_:)``, it cannot start.
    case failed(why: String)
  }
}

/// The guest's part of the handshake.
public struct Hello: Sendable, Equatable {
  public var transport: UInt32
  public var application: UInt32
  /// The bundle id that the guest claims; `""` for no claim.
  public var claimedApp: String
  /// Whether the guest accepts shared memory, whose descriptors arrive with messages.
  public var takesMemory: Bool

  /// Creates a greeting with the versions that the guest supports.
  public init(
    transport: UInt32 = ProtocolVersion.transport,
    application: UInt32 = ProtocolVersion.application, claimedApp: String = "",
    takesMemory: Bool = false
  ) {
    self.takesMemory = takesMemory
    self.transport = transport
    self.application = application
    self.claimedApp = claimedApp
  }
}

/// An item offered to another guest.
public struct Share: Sendable, Equatable {
  /// The destination's guest name or bundle id.
  public var destination: String
  public var item: Item
  public var via: SharingPath
  public var way: Way
  /// The app that the sender claims as the source; `""` for no claim.
  public var claimedSource: String
  /// Whether the sender needs a response only on failure.
  public var isPosted: Bool

  /// Creates an offer of `item` to `destination`.
  public init(
    destination: String, item: Item, via: SharingPath = .sdk, way: Way = .share,
    claimedSource: String = "", isPosted: Bool = false
  ) {
    self.destination = destination
    self.item = item
    self.via = via
    self.way = way
    self.claimedSource = claimedSource
    self.isPosted = isPosted
  }
}

/// A URL for the app that handles it.
public struct OpenURL: Sendable, Equatable {
  public var url: String
  /// Whether the app knows that the scheme belongs to a managed app.
  public var isKnownManagedScheme: Bool
  /// Whether the request only asks if the URL may be opened.
  public var isQuestion: Bool

  /// Creates a request to open `url`.
  public init(_ url: String, isKnownManagedScheme: Bool = false, isQuestion: Bool = false) {
    self.url = url
    self.isKnownManagedScheme = isKnownManagedScheme
    self.isQuestion = isQuestion
  }
}

/// The operation by which an item moves to another guest. Raw values match the wire protocol.
public enum Way: UInt64, Sendable, CaseIterable {
  /// A copy is sent.
  case share = 0
  /// A document is opened in the other app.
  case openIn = 1
  /// Dragged content is dropped.
  case dragAndDrop = 2

  /// The channel of the operation.
  public var channel: Channel {
    switch self {
    case .share: .share
    case .openIn: .openIn
    case .dragAndDrop: .dragAndDrop
    }
  }
}

/// The devices on which copied content can be pasted.
public enum CopyScope: Sendable {
  /// All devices of the user's Apple Account.
  case everywhere
  /// This device (`UIPasteboard.OptionsKey.localOnly`).
  case local
}

/// Data for, or from, the system or a storage location.
public struct SystemHandOff: Sendable, Equatable {
  /// The name of a ``Channel`` to the system or a location, `contactRead`, or the operation's name for
  /// ``extensionCall``, ``airDrop`` and ``openReceived``.
  public var channel: String
  /// The name of a ``StorageLocation``; `""` on other channels.
  public var location: String
  /// The location's account, a UPN or an object id; `""` for an unknown one, nil for none.
  public var account: String?
  /// The item; nil to ask whether the operation is allowed.
  public var item: Item?
  /// Whether a web view's page is not one of the account's own.
  public var isExternalPage: Bool
  /// The app whose contacts are read, or the ``Carrier`` of the opened item; `""` on other channels.
  public var source: String
  /// The guest name or bundle id of the receiving extension; `""` for none.
  public var extensionID: String
  /// The name of the destination device; `""` for none.
  public var device: String
  /// The share sheet in which AirDrop is chosen: the SDK's or the system's.
  public var via: SharingPath

  /// Creates a use of `channel`.
  public init(
    channel: String, location: String = "", account: String? = nil, item: Item? = nil,
    isExternalPage: Bool = false, source: String = "", extensionID: String = "",
    device: String = "", via: SharingPath = .sdk
  ) {
    self.extensionID = extensionID
    self.device = device
    self.via = via
    self.channel = channel
    self.location = location
    self.account = account
    self.item = item
    self.isExternalPage = isExternalPage
    self.source = source
  }
}

/// The user's input when an account's policy has requirements for opening the account.
public struct Unlock: Sendable, Equatable {
  /// The PIN; `""` for none.
  public var pin: String
  public var hasBiometrics: Bool
  /// Whether the user entered the credentials of a work or school account.
  public var hasCredentials: Bool
  /// Whether `pin` is a new PIN.
  public var setsPIN: Bool
  /// Whether the user cancelled.
  public var isCancelled: Bool

  /// Creates an input. Without arguments, it is empty.
  public init(
    pin: String = "", hasBiometrics: Bool = false, hasCredentials: Bool = false,
    setsPIN: Bool = false, isCancelled: Bool = false
  ) {
    self.isCancelled = isCancelled
    self.pin = pin
    self.hasBiometrics = hasBiometrics
    self.hasCredentials = hasCredentials
    self.setsPIN = setsPIN
  }
}

/// The identifiers of a generic-password item: access group, `kSecAttrService` and `kSecAttrAccount`.
public struct KeychainKey: Sendable, Hashable {
  /// The access group; `""` for the default group when adding, and for every group when searching.
  public var group: String
  public var service: String
  public var account: String

  /// Creates a key from its identifiers.
  public init(group: String = "", service: String, account: String) {
    self.group = group
    self.service = service
    self.account = account
  }
}

extension SystemHandOff {
  /// The ``channel`` for a call of an extension without shared data: a VPN that connects, an identity
  /// provider that signs in a user.
  package static let extensionCall = Operation.extensionCall.rawValue
  /// The ``channel`` for an item sent to another device by AirDrop.
  package static let airDrop = Operation.airDrop.rawValue
  /// The ``channel`` for opening an item from another device.
  package static let openReceived = Operation.openReceived.rawValue
}

// MARK: - Encoding

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
  fileprivate var raw: Sluice__Path {
    self == .sdk ? SLUICE__PATH__PATH_SDK : SLUICE__PATH__PATH_OS
  }

  /// Reads a path. Unknown paths are the system's, since the SDK does not send any.
  fileprivate init(_ raw: Sluice__Path) { self = raw == SLUICE__PATH__PATH_SDK ? .sdk : .os }
}

// MARK: - Decoding

extension GuestMessage {
  init(_ raw: Sluice__GuestMessage) throws(WireError) {
    guard raw.n_from <= RequestLimits.sources else { throw .tooManySources(count: raw.n_from) }
    self.init(
      request: raw.request, try Body(raw), task: raw.task.map { TaskContext($0.pointee) },
      from: Array(UnsafeBufferPointer(start: raw.from, count: raw.n_from)))
  }
}

extension GuestMessage.Body {
  /// - Throws: ``WireError`` if the message has no known body, or a part of the body is missing or unknown.
  fileprivate init(_ raw: Sluice__GuestMessage) throws(WireError) {
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
  fileprivate init(_ raw: Sluice__Share) throws(WireError) {
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
