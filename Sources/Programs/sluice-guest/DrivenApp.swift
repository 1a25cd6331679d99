internal import Model
internal import SluiceKit
internal import Wire

/// The ready-made guest: an app or extension that carries out the host's instructions, so that every request really
/// leaves a process of its own, and keeps received items in its container.
final class DrivenApp: DrivenDelegate {
  private let inbox = Inbox()
  let wiping = DrivenWipe()
  private var provides: Item?
  /// What the app got last; nil before it got anything.
  private var holding: Holding?
  private var acceptsIdentitySwitch = true
  private var addsAccounts = true
  private var blocksAccounts = true
  private var handsBack = InstructedContent.stated

  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (String?, [UInt8]) -> Void
  ) {
    adopt(behaviour)
    switch instruction {
    case .nothing, .look: done(nil, [])
    case .act: done("this app shows its user nothing", [])
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
      switch request.treatment {
      case .kept: keep(outcome.items, in: application) { done(nil, []) }
      case .reported: done(nil, outcome.items.first?.bytes ?? [])
      case .listed:
        done(nil, Array(outcome.items.map(\.bytes).joined(separator: [0x0A])))
      }
    }
  }

  private static let holdsNothing = "the app has got nothing that it could hand on"

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

  private func keep(
    _ items: [Item], in application: Application, done: @escaping () -> Void
  ) {
    guard let item = items.first else { return done() }
    holding = Holding(item)
    inbox.keep(item, in: application) { [unowned self] in
      keep(Array(items.dropFirst()), in: application, done: done)
    }
  }

  func application(_ application: Application, didReceive item: ReceivedItem) {
    holding = Holding(item.item)
    guard !item.isEncrypted else { return inbox.keep(raw: item.item, in: application) }
    let receipt = application.postponeAcknowledgement()
    inbox.keep(item.item, in: application) { receipt() }
  }

  func application(_ application: Application, open url: String, from sender: String) {
    inbox.keep(Item(type: "public.url", payload: .inline(Array(url.utf8))), in: application)
  }

  func application(_ application: Application, itemForRequester requester: String) -> Item? {
    provides
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
    take(context.attachments[...], of: context) { [unowned self] in
      context.completeRequest(returningItems: result.map { [$0] } ?? [])
    }
  }

  /// What a run of an extension hands back; nil: nothing.
  private var result: Item? {
    handsBack == .stated ? provides : holding?.handedOn(handsBack)
  }

  /// Keeps each attachment in its first representation, one after the other.
  private func take(
    _ attachments: ArraySlice<ItemProvider>, of context: ExtensionContext,
    done: @escaping () -> Void
  ) {
    guard let attachment = attachments.first,
      let type = attachment.registeredTypeIdentifiers.first
    else { return done() }
    let goOn = { [unowned self] in take(attachments.dropFirst(), of: context, done: done) }
    attachment.loadItem(forTypeIdentifier: type) { [unowned self] result in
      if case .success(let item) = result { holding = Holding(item.item) }
      switch result {
      case .success(let item) where item.isEncrypted:
        inbox.keep(raw: item.item, in: context.application)
        goOn()
      case .success(let item): inbox.keep(item.item, in: context.application, done: goOn)
      case .failure: goOn()
      }
    }
  }
}

/// What the app does with the items of an answer.
private enum ItemTreatment {
  /// The app keeps the items in its container, and may hand them on.
  case kept
  /// The app reports the first item and keeps none: a secret must not be left in a file. Of an identity, the first
  /// item is its own certificate.
  case reported
  /// The app reports the items, one per line.
  case listed
}

extension GuestMessage.Body {
  /// What the app does with the items of the answer.
  fileprivate var treatment: ItemTreatment {
    switch self {
    case .keychainQuery, .acquireToken: .reported
    case .managedApp(.identifiers): .listed
    case .managedApp(.configuration), .managedApp(.legacyConfiguration), .managedApp(.secret),
      .managedApp(.sign), .managedApp(.decoded), .managedApp(.decodingFailed):
      .reported
    case .hello, .acknowledge, .share, .import, .copy, .use, .canReceive, .unlock, .paste, .openURL,
      .keychainAdd, .keychainDelete, .signIn, .signOut, .enroll, .unenroll, .remediate,
      .switchIdentity, .openFile, .moveFile, .removeFile, .protectData, .unprotectData,
      .shareItems, .loadItem, .cancelLoad, .provideProgress, .completeExtension, .cancelExtension,
      .provided, .identitySwitchAnswer, .delegateAnswer, .performed, .log, .release, .failed:
      .kept
    }
  }
}
