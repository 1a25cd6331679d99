internal import Glibc
internal import Model
internal import SluiceKit
internal import Wire

/// The delegate of the ready-made guest. It performs the host's instructions and stores received items.
///
/// The guest is a separate process, so every request crosses a process boundary.
final class DrivenApp: DrivenDelegate {
  private let inbox = Inbox()
  let wiping = DrivenWipe()
  private var provides: Item?
  /// The content that the app received last; nil if it has received none.
  private var holding: Holding?
  private var acceptsIdentitySwitch = true
  private var addsAccounts = true
  private var blocksAccounts = true
  private var handsBack = InstructedContent.stated
  private var failures = GuestFailures()

  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (String?, [UInt8]) -> Void
  ) {
    adopt(behaviour)
    switch instruction {
    case .nothing, .look: done(nil, [])
    case .act: done("this app has no user interface", [])
    case .ask(let message, let content):
      perform(message.body, with: content, as: message.task, in: application, done: done)
    case .work(let work, let task, let content):
      perform(work, with: content, as: task, in: application, done: done)
    }
  }

  private func adopt(_ behaviour: Behaviour) {
    if let item = behaviour.provides { provides = item }
    if let accepts = behaviour.acceptsIdentitySwitch { acceptsIdentitySwitch = accepts }
    if let adds = behaviour.addsAccounts { addsAccounts = adds }
    if let blocks = behaviour.blocksAccounts { blocksAccounts = blocks }
    if let wipe = behaviour.wipe { wiping.behave(wipe) }
    if let chances = behaviour.chances { failures.chances = chances }
    handsBack = behaviour.handsBack
  }

  private func perform(
    _ request: GuestMessage.Body, with content: InstructedContent, as task: TaskContext?,
    in application: Application, done: @escaping (String?, [UInt8]) -> Void
  ) {
    var (request, sources) = (request, [UInt64]())
    if content != .stated {
      guard let moving = holding?.moved(by: request, content) else {
        return done(Self.holdsNothing, [])
      }
      (request, sources) = (moving.body, moving.sources)
    }
    application.request(request, as: task, madeOf: sources) { [unowned self] outcome in
      switch request.row.items {
      case .kept: store(outcome.items, in: application) { done(nil, []) }
      case .reported: done(nil, outcome.items.first?.bytes ?? [])
      case .listed:
        done(nil, Array(outcome.items.map(\.bytes).joined(separator: [0x0A])))
      }
    }
  }

  private static let holdsNothing = "the app has received no item to pass on"

  private func perform(
    _ work: FileWork, with content: InstructedContent, as task: TaskContext?,
    in application: Application, done: @escaping (String?, [UInt8]) -> Void
  ) {
    var (work, sources) = (work, [UInt64]())
    if content != .stated {
      guard let holding else { return done(Self.holdsNothing, []) }
      (work, sources) = holding.written(by: work, content)
    }
    let isReading = work.kind == .read
    DrivenWork(work, task, application, madeOf: sources).perform { [unowned self] found in
      if isReading, found.failure == nil, found.item != 0 {
        holding = Holding(found.content, readAs: found.item)
      }
      done(found.failure, found.content)
    }
  }

  func finishStoring(then done: @escaping () -> Void) { inbox.whenStored(done) }

  private func store(
    _ items: [Item], in application: Application, done: @escaping () -> Void
  ) {
    guard let item = items.first else { return done() }
    holding = Holding(item)
    inbox.store(item, in: application) { [unowned self] in
      store(Array(items.dropFirst()), in: application, done: done)
    }
  }

  func application(_ application: Application, didReceive item: ReceivedItem) {
    _ = failures.meet(item.item)
    holding = Holding(item.item)
    guard !item.isEncrypted else { return inbox.store(raw: item.item, in: application) }
    let receipt = application.postponeAcknowledgement()
    inbox.store(item.item, in: application) { receipt() }
  }

  func application(_ application: Application, open url: String, from sender: String) {
    inbox.store(Item(type: "public.url", payload: .inline(Array(url.utf8))), in: application)
  }

  func application(_ application: Application, itemForRequester requester: String) -> Item? {
    guard let item = provides, !failures.refusesToProvide(item) else { return nil }
    return item
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason
  ) -> IntuneMAMAddIdentityResult {
    acceptsIdentitySwitch ? .success : .failed
  }

  func addAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult {
    addsAccounts ? .success : .failed
  }

  func blockAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult {
    blocksAccounts ? .success : .failed
  }

  func beginRequest(with context: ExtensionContext) {
    load(context.attachments[...], of: context) { [unowned self] in
      context.completeRequest(returningItems: result.map { [$0] } ?? [])
    }
  }

  /// The item that an extension returns to its caller; nil if it returns none.
  private var result: Item? {
    handsBack == .stated ? provides : holding?.handedOn(handsBack)
  }

  /// Loads and stores the first representation of each attachment, one after the other. Then calls `done`.
  private func load(
    _ attachments: ArraySlice<ItemProvider>, of context: ExtensionContext,
    done: @escaping () -> Void
  ) {
    guard let attachment = attachments.first,
      let type = attachment.registeredTypeIdentifiers.first
    else { return done() }
    let loadNext = { [unowned self] in load(attachments.dropFirst(), of: context, done: done) }
    attachment.loadItem(forTypeIdentifier: type) { [unowned self] result in
      if case .success(let item) = result {
        guard !failures.meet(item.item) else {
          return context.cancelRequest(withError: "the extension refuses the item")
        }
        holding = Holding(item.item)
      }
      switch result {
      case .success(let item) where item.isEncrypted:
        inbox.store(raw: item.item, in: context.application)
        loadNext()
      case .success(let item): inbox.store(item.item, in: context.application, done: loadNext)
      case .failure: loadNext()
      }
    }
  }
}

/// The content that the app received last and can pass on. It is from a delivery, an outcome or a file.
private struct Holding {
  private let item: Item
  /// The item numbers of the content's sources, as far as they are known.
  private let sources: [UInt64]

  init(_ item: Item) {
    self.item = item
    sources = item.tag.map { [$0.sequence] } ?? []
  }

  /// Creates the content of a file that the app read. `number` is the device's item number for it; 0 if it has none.
  init(_ content: [UInt8], readAs number: UInt64) {
    item = Item(type: Item.plainText, payload: .inline(content))
    sources = number == 0 ? [] : [number]
  }

  /// A request that moves the content, with the item numbers of the content's sources.
  struct Moving {
    var body: GuestMessage.Body
    var sources: [UInt64]
  }

  /// Returns the content as an item, with the tag with which it was received. For `retyped`, the item has no tag, as if
  /// the user had typed it.
  func handedOn(_ content: InstructedContent) -> Item {
    var item = item
    if content == .retyped { item.tag = nil }
    return item
  }

  /// Returns the request with its item replaced by this content, and the item numbers of the content's sources. Returns
  /// nil if the request moves no item.
  func moved(by body: GuestMessage.Body, _ content: InstructedContent) -> Moving? {
    let item = handedOn(content)
    guard let moving = body.moving(item) else { return nil }
    // A tag already identifies the source, and the source of retyped content is unknown.
    let isKnown = item.tag != nil || content == .retyped
    return Moving(body: moving, sources: isKnown ? [] : sources)
  }

  /// Returns the file operation with its content replaced by this content, and the item numbers of this content's
  /// sources.
  func written(by work: FileWork, _ content: InstructedContent) -> (FileWork, [UInt64]) {
    var work = work
    work.content = item.bytes
    return (work, content == .retyped ? [] : sources)
  }
}

/// Stores received items, each in an ``InboxFile``. The data of a managed account is stored as the account's policy
/// requires.
private final class Inbox {
  private var count = 0
  /// The number of items whose storing has not finished.
  private var open = 0
  /// Closures to call once all items are stored.
  private var waiting: [() -> Void] = []

  /// Stores an item, and protects it if its owner is managed. Calls `done` at the end, even after a failure.
  func store(_ item: Item, in application: Application, done: @escaping () -> Void = {}) {
    let path = freePath(of: application.guestName)
    guard let tag = item.tag, tag.isManaged else {
      store(item.bytes, at: path)
      return done()
    }
    open += 1
    let end = { [unowned self] in
      done()
      didStore()
    }
    store(item, at: path, for: tag.ownerUPN, in: application) { isStored in
      if isStored { return end() }
      // If the owner is not signed in here, the item belongs to the account that
      // received it, or has no owner.
      guard let present = application.policyManager.getUIPolicyAccountId(), !present.isEmpty else {
        self.store(item.bytes, at: path)
        return end()
      }
      self.store(item, at: path, for: present, in: application) { _ in end() }
    }
  }

  func whenStored(_ body: @escaping () -> Void) {
    guard open > 0 else { return body() }
    waiting.append(body)
  }

  private func didStore() {
    open -= 1
    guard open == 0 else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  /// Stores an encrypted item without protection, because this guest cannot read its content anyway.
  func store(raw item: Item, in application: Application) {
    store(item.bytes, at: freePath(of: application.guestName))
  }

  /// Returns the first path at which no file exists. Earlier runs of this guest may have stored items too.
  private func freePath(of guest: String) -> String {
    mkdir(InboxFile.folder, 0o700)
    while true {
      count += 1
      let path = InboxFile(of: guest, count).description
      if access(path, F_OK) != 0 { return path }
    }
  }

  private func store(
    _ item: Item, at path: String, for owner: String, in application: Application,
    done: @escaping (Bool) -> Void
  ) {
    let request = OpenFile(FileReference(path), mode: .truncating, owner: owner)
    let sources = item.tag.map { [$0.sequence] } ?? []
    application.files.open(request, as: nil, madeOf: sources) { file in
      guard case .success(let file) = file else { return done(false) }
      defer { file.close() }
      done((try? file.write(item.bytes)) != nil)
    }
  }

  private func store(_ bytes: [UInt8], at path: String) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      guard written > 0 else { return }
      offset += written
    }
  }
}
