public import Model

/// A message from a guest to its host.
public struct GuestMessage: Sendable, Equatable, DeclaredMessage {
  /// The request number, greater than all earlier request numbers on the connection; 0 if no response is needed.
  public var request: UInt64
  public var body: Body
  /// The thread and window that the request comes from; they determine the identity. If nil, the identity of the
  /// guest's process applies to requests about files, and the guest's acting identity to other requests.
  public var task: TaskContext?
  /// The item numbers of the known sources from which the guest made the moved content; at most 64.
  public var sources: [UInt64]

  public init(
    request: UInt64 = 0, _ body: Body, task: TaskContext? = nil, from sources: [UInt64] = []
  ) {
    self.request = request
    self.body = body
    self.task = task
    self.sources = sources
  }

  /// The content of a message: one alternative of the `oneof` in `proto/sluice.proto`.
  public enum Body: Sendable, Equatable {
    case hello(Hello)
    /// The guest has received all deliveries up to this number.
    case acknowledge(through: UInt64)
    case share(Share)
    case `import`(source: String, via: SharingPath)
    case copy(Item, CopyScope = .everywhere)
    case use(Use)
    case airDrop(AirDrop)
    /// Opens the document that last arrived from another device. `carrier` is the name of a ``Transport``.
    case openReceived(carrier: String)
    case callExtension(ExtensionCall)
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
    /// Requests a key to encrypt data for `account`, a UPN or an object id; `""` is the unknown account.
    case protectData(account: String)
    case unprotectData(header: [UInt8])
    case shareItems(ShareItems)
    case loadItem(RepresentationReference)
    /// Cancels the load that the guest requested with this number.
    case cancelLoad(UInt64)
    /// Reports the progress, from 0 to 1, of the answer to the host's request with the number `ask`.
    case provideProgress(ask: UInt64, fraction: Double)
    case completeExtension([Item])
    case cancelExtension(why: String)
    case provided(ask: UInt64, Item?)
    case identitySwitchAnswer(ask: UInt64, isSuccess: Bool)
    case delegateAnswer(ask: UInt64, isSuccess: Bool)
    /// Answers the instruction with the number `ask`. `failure` is nil if the guest could perform the instruction.
    /// `found` is the content that it read.
    case performed(ask: UInt64, failure: String?, found: [UInt8] = [])
    case managedApp(ManagedAppRequest)
    case log(String)
    /// The guest has read the payload at this offset of its inbox, so the host may overwrite it.
    case release(offset: Int)
    /// Reports that the guest cannot continue. In place of ``hello(_:)``, it means that the guest cannot start.
    case failed(why: String)
  }

  static var blank: GuestMessage { GuestMessage(.paste) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &request)
    try form.field(64, &task)
    try form.field(65, &sources, atMost: RequestLimits.sources)
    try form.body(&body)
  }
}

/// The first message of a guest, which begins the handshake.
public struct Hello: Sendable, Equatable, DeclaredMessage {
  public var transport: UInt32
  public var application: UInt32
  /// The bundle id of the app that the guest claims to be; `""` for no claim. The device never trusts it.
  public var claimedApp: String
  /// Whether the guest accepts shared memory. The host then sends file descriptors together with messages.
  public var takesMemory: Bool

  /// Creates the message with the protocol versions that this library supports.
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

  static var blank: Hello { Hello() }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &transport)
    form.field(2, &application)
    form.field(3, &claimedApp)
    form.field(4, &takesMemory)
  }
}

// MARK: - Declarations

extension GuestMessage.Body: DeclaredBody {
  static func blank(_ number: UInt32) -> Self? {
    switch number {
    case 2: .hello(.blank)
    case 3: .acknowledge(through: 0)
    case 4: .share(.blank)
    case 5: .import(source: "", via: .sdk)
    case 6: .copy(.blank)
    case 7: .paste
    case 8: .openURL(.blank)
    case 9: .keychainAdd(.blank, value: [])
    case 10: .keychainQuery(.blank)
    case 11: .keychainDelete(.blank)
    case 12: .signIn(account: "")
    case 13: .signOut(account: "")
    case 14: .switchIdentity(.blank)
    case 15: .completeExtension([])
    case 16: .cancelExtension(why: "")
    case 17: .provided(ask: 0, nil)
    case 18: .identitySwitchAnswer(ask: 0, isSuccess: false)
    case 19: .performed(ask: 0, failure: nil)
    case 20: .log("")
    case 21: .use(.blank)
    case 22: .canReceive(.blank)
    case 23: .unlock(.blank)
    case 24: .openFile(.blank)
    case 25: .moveFile(FileReference(""), to: FileReference(""))
    case 26: .removeFile(FileReference(""))
    case 27: .protectData(account: "")
    case 28: .unprotectData(header: [])
    case 29: .delegateAnswer(ask: 0, isSuccess: false)
    case 30: .shareItems(.blank)
    case 31: .loadItem(.blank)
    case 32: .cancelLoad(0)
    case 33: .provideProgress(ask: 0, fraction: 0)
    case 34: .failed(why: "")
    case 35: .airDrop(.blank)
    case 36: .openReceived(carrier: "")
    case 37: .callExtension(.blank)
    case 40: .enroll(.blank)
    case 41: .unenroll(account: "", wipes: false)
    case 42: .acquireToken(.blank)
    case 43: .remediate(account: "", isSilent: false)
    case 48: .managedApp(.blank)
    case 56: .release(offset: 0)
    default: nil  // open: a field number; none, or one of a newer version
    }
  }

  func declared(in form: inout MessageForm) throws(WireError) -> Self {
    switch self {
    case .hello(let hello): return .hello(try form.body(2, hello))
    case .acknowledge(var through):
      try form.enter(3)
      form.field(1, &through)
      return .acknowledge(through: through)
    case .share(let share): return .share(try form.body(4, share))
    case .import(var source, var via):
      try form.enter(5)
      form.field(1, &source)
      form.field(2, &via)
      return .import(source: source, via: via)
    case .copy(var item, let scope):
      var isLocal = scope == .local
      try form.enter(6)
      try form.field(1, &item)
      form.field(2, &isLocal)
      return .copy(item, isLocal ? .local : .everywhere)
    case .paste:
      try form.enter(7)
      return .paste
    case .openURL(let open): return .openURL(try form.body(8, open))
    case .keychainAdd(var key, var value):
      try form.enter(9)
      try form.enter(1)
      key.declare(in: &form)
      form.field(4, &value)
      return .keychainAdd(key, value: value)
    case .keychainQuery(let key): return .keychainQuery(try form.body(10, key))
    case .keychainDelete(let key): return .keychainDelete(try form.body(11, key))
    case .signIn(let account): return .signIn(account: try form.body(12, account))
    case .signOut(let account): return .signOut(account: try form.body(13, account))
    case .switchIdentity(let change): return .switchIdentity(try form.body(14, change))
    case .completeExtension(var items):
      try form.enter(15)
      try form.field(1, &items)
      return .completeExtension(items)
    case .cancelExtension(let why): return .cancelExtension(why: try form.body(16, why))
    case .provided(var ask, var item):
      try form.enter(17)
      form.field(1, &ask)
      try form.field(2, &item)
      return .provided(ask: ask, item)
    case .identitySwitchAnswer(var ask, var isSuccess):
      try form.enter(18)
      form.field(1, &ask)
      form.field(2, &isSuccess)
      return .identitySwitchAnswer(ask: ask, isSuccess: isSuccess)
    case .performed(var ask, var failure, var found):
      try form.enter(19)
      form.field(1, &ask)
      form.field(2, &failure)
      form.field(3, &found)
      return .performed(ask: ask, failure: failure, found: found)
    case .log(let text): return .log(try form.body(20, text))
    case .use(let use): return .use(try form.body(21, use))
    case .canReceive(var item):
      try form.enter(22)
      try form.field(1, &item)
      return .canReceive(item)
    case .unlock(let unlock): return .unlock(try form.body(23, unlock))
    case .openFile(let open): return .openFile(try form.body(24, open))
    case .moveFile(var file, var target):
      try form.enter(25)
      form.field(group: 1, path: 2, &file)
      form.field(group: 3, path: 4, &target)
      return .moveFile(file, to: target)
    case .removeFile(var file):
      try form.enter(26)
      form.field(group: 1, path: 2, &file)
      return .removeFile(file)
    case .protectData(let account): return .protectData(account: try form.body(27, account))
    case .unprotectData(var header):
      try form.enter(28)
      form.field(1, &header)
      return .unprotectData(header: header)
    case .delegateAnswer(var ask, var isSuccess):
      try form.enter(29)
      form.field(1, &ask)
      form.field(2, &isSuccess)
      return .delegateAnswer(ask: ask, isSuccess: isSuccess)
    case .shareItems(let share): return .shareItems(try form.body(30, share))
    case .loadItem(let load): return .loadItem(try form.body(31, load))
    case .cancelLoad(var load):
      try form.enter(32)
      form.field(1, &load)
      return .cancelLoad(load)
    case .provideProgress(var ask, var fraction):
      try form.enter(33)
      form.field(1, &ask)
      form.field(2, &fraction)
      return .provideProgress(ask: ask, fraction: fraction)
    case .failed(let why): return .failed(why: try form.body(34, why))
    case .airDrop(let drop): return .airDrop(try form.body(35, drop))
    case .openReceived(let carrier):
      return .openReceived(carrier: try form.body(36, carrier))
    case .callExtension(let call): return .callExtension(try form.body(37, call))
    case .enroll(let enroll): return .enroll(try form.body(40, enroll))
    case .unenroll(var account, var wipes):
      try form.enter(41)
      form.field(1, &account)
      form.field(2, &wipes)
      return .unenroll(account: account, wipes: wipes)
    case .acquireToken(let request): return .acquireToken(try form.body(42, request))
    case .remediate(var account, var isSilent):
      try form.enter(43)
      form.field(1, &account)
      form.field(2, &isSilent)
      return .remediate(account: account, isSilent: isSilent)
    case .managedApp(let request): return .managedApp(try form.body(48, request))
    case .release(var offset):
      try form.enter(56)
      form.field(1, &offset)
      return .release(offset: offset)
    }
  }
}

// MARK: - Rows

/// The properties of a guest's message that the device, driven guests and the documents use.
package struct MessageRow: Sendable {
  /// Whether the message is a request. Requests have a number; the handshake, answers and reports do not.
  package let isRequest: Bool
  /// Whether the device responds with an outcome.
  package let isAnswered: Bool
  package let isServedWhileLocked: Bool
  /// The operation of a request that is refused while the guest is locked; nil for other messages or an unknown
  /// channel.
  package let lockedOperation: Operation?
  /// The operation of a request that affects more than the guest's own data; nil for other messages.
  package let reachingOperation: Operation?
  package let taskKind: TaskKind
  package let items: ItemTreatment
  package let cost: MessageCost

  /// Returns the row of a request that is refused while the guest is locked.
  ///
  /// - Parameters:
  ///   - operation: The requested operation; nil if the message names an unknown channel.
  ///   - reachesOthers: Whether the operation affects more than the guest's own data.
  fileprivate static func lockable(
    _ operation: Operation?, reachesOthers: Bool = false, _ kind: TaskKind = .interface,
    items: ItemTreatment = .kept, cost: MessageCost
  ) -> MessageRow {
    MessageRow(
      isRequest: true, isAnswered: true, isServedWhileLocked: false, lockedOperation: operation,
      reachingOperation: reachesOthers ? operation : nil, taskKind: kind, items: items, cost: cost)
  }

  /// Returns the row of a request that is served even while the guest is locked.
  ///
  /// - Parameter operation: The requested operation; nil if it affects only the guest's own data.
  fileprivate static func free(
    reaching operation: Operation? = nil, _ kind: TaskKind = .interface,
    isAnswered: Bool = true, items: ItemTreatment = .kept, cost: MessageCost
  ) -> MessageRow {
    MessageRow(
      isRequest: true, isAnswered: isAnswered, isServedWhileLocked: true, lockedOperation: nil,
      reachingOperation: operation, taskKind: kind, items: items, cost: cost)
  }

  /// Returns the row of a message that is not a request.
  fileprivate static func report(cost: MessageCost) -> MessageRow {
    MessageRow(
      isRequest: false, isAnswered: false, isServedWhileLocked: true, lockedOperation: nil,
      reachingOperation: nil, taskKind: .interface, items: .kept, cost: cost)
  }
}

/// The kind of a task. It determines which of the guest's identities applies.
package enum TaskKind: Sendable {
  /// A user-visible task, such as sharing, cut, copy or paste.
  case interface
  /// A file operation. The identities of windows do not apply to it.
  case file
}

/// How a guest that a scenario controls treats the items in a response.
package enum ItemTreatment: Sendable {
  /// The app stores the items in its container and may pass them on.
  case kept
  /// The app reports the first item and stores none, because secrets must not remain in files. The first item of an
  /// identity is its leaf certificate.
  case reported
  /// The app reports all items, one per line.
  case listed
}

/// The most work that one message can cause on the device's thread, as text. Reading the frame and writing one journal
/// line are not included.
///
/// The README of `Host` lists the costs. Messages with the same cost share a row there.
package struct MessageCost: Sendable, Hashable {
  package let work: String
  /// The limits that bound the work, such as `8 KiB of path`.
  package let bound: String

  fileprivate init(_ work: String, _ bound: String) {
    self.work = work
    self.bound = bound
  }
}

extension MessageCost {
  fileprivate static let sealed = MessageCost(
    "copies and seals the payload; `OpenReceived` first reads it from the database", "a frame")
  fileprivate static let checked = MessageCost(
    "checks the payload; `Copy` then keeps it, and `AirDrop` copies it",
    "a frame; one copied item")
  fileprivate static let keychainRow = MessageCost(
    "reads a value, or overwrites one row per group", "the app's groups; 64 KiB each")
  fileprivate static let signIn = MessageCost(
    "finds rows by their keys, writes three rows, checks conditional launch, and sends an answer",
    "64 accounts, 64 registrations")
  fileprivate static let signOut = MessageCost(
    "deletes rows of files and keychain items, and copies rows that changed during the copy [2]",
    "[1]; one copy at a time")
  fileprivate static let protection = MessageCost(
    "reads the header, and wraps or unwraps keys", "8 KiB of header; accounts")
  fileprivate static let returnedItems = MessageCost(
    "decides on the items, and copies and seals them", "a frame; 64 items")
  fileprivate static let sentence = MessageCost(
    "writes a sentence to the journal", "2,000 bytes")
}

extension GuestMessage.Body {
  package var row: MessageRow {
    switch self {
    case .hello:
      .report(
        cost: MessageCost(
          "sends the welcome with configurations, and checks conditional launch",
          "once per start; administrators' configuration"))
    case .acknowledge:
      .report(
        cost: MessageCost(
          "completes deliveries, each with a journal line, and checks the clock after every 64",
          "[1], 65,536 deliveries"))
    case .share(let share):
      .lockable(
        Operation(share.way.channel), reachesOthers: true,
        cost: MessageCost(
          "copies and seals the payload once", "a frame; the policies are already in memory"))
    case .shareItems:
      .lockable(
        .share, reachesOthers: true,
        cost: MessageCost(
          "copies and seals the payloads", "a frame; 64 items, 256 attachments, 64 types each"))
    case .loadItem: .lockable(.loadItem, cost: .sealed)
    case .paste: .lockable(.paste, reachesOthers: true, cost: .sealed)
    case .openReceived: .lockable(.openReceived, reachesOthers: true, cost: .sealed)
    case .import:
      .lockable(
        .import, reachesOthers: true,
        cost: MessageCost("sends a request to the other app", "one open request per guest"))
    case .copy: .lockable(.copy, reachesOthers: true, cost: .checked)
    case .canReceive: .lockable(.canReceive, cost: .checked)
    case .airDrop: .lockable(.airDrop, reachesOthers: true, cost: .checked)
    case .callExtension:
      .lockable(
        .extensionCall, reachesOthers: true,
        cost: MessageCost(
          "checks and keeps the payload, and starts an instance",
          "a frame; 64 MiB for all extensions together"))
    case .openURL:
      .lockable(
        .openURL, reachesOthers: true,
        cost: MessageCost(
          "checks installed apps for the scheme or host", "8 KiB of names; the scenario's apps"))
    case .use(let use):
      .lockable(
        Channel(rawValue: use.channel).map { Operation($0) }, reachesOthers: true,
        cost: MessageCost(
          "counts the payload and writes it, or reads a document, copies it and seals it",
          "a frame; 4,096 stored items with 256 MiB"))
    case .unlock:
      .free(
        cost: MessageCost(
          "compares the PIN with earlier ones, and saves it",
          "256 bytes; the policy's number of PINs"))
    case .keychainAdd:
      .lockable(
        .keychainAdd, reachesOthers: true,
        cost: MessageCost(
          "reads the sizes of the app's items, and writes a row",
          "1,024 items per group, without values; 64 KiB"))
    case .keychainQuery:
      .lockable(.keychainQuery, reachesOthers: true, items: .reported, cost: .keychainRow)
    case .keychainDelete: .lockable(.keychainDelete, reachesOthers: true, cost: .keychainRow)
    case .signIn: .free(reaching: .signIn, cost: .signIn)
    case .enroll: .free(reaching: .enroll, cost: .signIn)
    case .signOut: .free(reaching: .signOut, cost: .signOut)
    case .unenroll: .free(reaching: .unenroll, cost: .signOut)
    case .delegateAnswer:
      .report(
        cost: MessageCost(
          "takes the next step of the request; does the same work as `SignOut` if the request is a wipe",
          "the same"))
    case .remediate:
      .free(
        reaching: .remediate, cost: MessageCost("takes a slot in the queue", "32 waiting accounts"))
    case .acquireToken:
      .free(
        reaching: .acquireToken, items: .reported,
        cost: MessageCost(
          "evaluates conditional access policies, and signs a token",
          "administrators' configuration"))
    case .switchIdentity:
      .free(
        cost: MessageCost(
          "checks conditional launch for each account of the view", "64 windows, 64 accounts"))
    case .openFile:
      .lockable(
        .openFile, .file,
        cost: MessageCost(
          "creates folders, reads and writes a page, writes a row, and checks owners [3]",
          "8 KiB of path"))
    case .moveFile:
      .lockable(
        .moveFile, .file,
        cost: MessageCost(
          "resolves two paths, renames the file, writes three rows, and checks owners [3]",
          "8 KiB of paths"))
    // Apps remove files in order to wipe a locked account.
    case .removeFile:
      .free(.file, cost: MessageCost("unlinks the file", "a 1 GiB file, freed by the kernel"))
    case .protectData: .lockable(.protectData, cost: .protection)
    case .unprotectData: .lockable(.unprotectData, cost: .protection)
    case .managedApp(let request):
      .free(
        reaching: request.operation, items: request.items,
        cost: MessageCost(
          "sends the app's values, or signs data", "values that administrators provide; a frame"))
    case .completeExtension: .free(isAnswered: false, cost: .returnedItems)
    case .provided: .report(cost: .returnedItems)
    case .identitySwitchAnswer:
      .report(cost: MessageCost("decides and delivers the waiting share", "a frame"))
    case .cancelExtension: .free(isAnswered: false, cost: .sentence)
    case .performed, .failed: .report(cost: .sentence)
    case .log: .report(cost: MessageCost("writes the text to the trace", "64 KiB"))
    case .cancelLoad: .report(cost: MessageCost("ends the load", "open requests"))
    case .provideProgress:
      .report(cost: MessageCost("sends a message to the extension", "a hundred per load"))
    case .release:
      .report(cost: MessageCost("frees the block", "512 blocks of 64 KiB per outbox or inbox"))
    }
  }

  /// Returns this request with its item replaced by `item`; nil unless the message moves exactly one of the guest's
  /// items.
  package func moving(_ item: Item) -> GuestMessage.Body? {
    switch self {
    case .share(var share):
      share.item = item
      return .share(share)
    case .copy(_, let scope): return .copy(item, scope)
    case .use(var use):
      use.item = item
      return .use(use)
    case .airDrop(var drop):
      drop.item = item
      return .airDrop(drop)
    case .callExtension(var call):
      call.item = item
      return .callExtension(call)
    case .hello, .acknowledge, .import, .openReceived, .canReceive, .unlock, .paste, .openURL,
      .keychainAdd, .keychainQuery, .keychainDelete, .signIn, .signOut, .enroll, .unenroll,
      .acquireToken, .remediate, .switchIdentity, .openFile, .moveFile, .removeFile, .protectData,
      .unprotectData, .shareItems, .loadItem, .cancelLoad, .provideProgress, .completeExtension,
      .cancelExtension, .provided, .identitySwitchAnswer, .delegateAnswer, .performed,
      .managedApp, .log, .release, .failed:
      return nil
    }
  }
}
