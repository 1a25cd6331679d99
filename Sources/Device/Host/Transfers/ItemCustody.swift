internal import Cryptography
internal import Model
internal import Policy
internal import Wire

/// The ownership of items: a tag is sealed whenever an item is handed over, and checked whenever the item comes back.
final class ItemCustody {
  /// The device's name, which tags state.
  private let device: String
  private let sealer: Sealer
  private let contentKey: AES256GCM
  private let owners: OwnerResolver
  private let audit: AuditLog
  private let replies: Replies

  private let enforcement: DeviceConfiguration.Enforcement
  /// The content that apps were handed; nil: it leaves no trace.
  private let traces: ContentTraces?

  init(
    _ configuration: DeviceConfiguration, sealer: Sealer, contentKey: AES256GCM,
    owners: OwnerResolver,
    audit: AuditLog, replies: Replies
  ) {
    device = configuration.name
    enforcement = configuration.enforcement
    traces = configuration.lineage == .content ? ContentTraces() : nil
    self.sealer = sealer
    self.contentKey = contentKey
    self.owners = owners
    self.audit = audit
    self.replies = replies
  }

  // MARK: checking

  /// The fault of a tag that comes back; nil where the tag is genuine.
  func fault(
    of tag: OwnershipTag, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> Rule? {
    if tag.device != device { return .tagOfAnotherDevice }
    return sealer.isGenuine(tag, type: type, payload: payload) ? nil : .tagSealBroken
  }

  /// The fault that keeps an item from being handed on; nil where there is none.
  func fault(of item: Item, from guest: Guest) -> Rule? {
    guard let tag = item.tag else { return nil }
    var rule: Rule?
    item.withParts { rule = fault(of: tag, type: $0.type, payload: $0.payload) }
    return rule ?? (isOrphaned(tag, in: guest) ? .ownerNotSignedIn : nil)
  }

  /// Whether an item belongs to a managed account that has been signed out of the app that hands the item on: no policy
  /// is about the item there any more, and with the account the app has lost what the account owned.
  func isOrphaned(_ tag: OwnershipTag?, in guest: Guest) -> Bool {
    guard let tag, tag.isManaged, let owner = tag.owner else { return false }
    return owners.resolve(owner, in: guest).isMissed
  }

  /// The same for what a guest offered before: without a tag it belongs to whom the guest acted for then.
  func isOrphaned(
    _ tag: OwnershipTag?, offeredAs actingIdentity: ActingIdentity, in guest: Guest
  ) -> Bool {
    tag == nil ? isOrphaned(actingIdentity.ownership, in: guest) : isOrphaned(tag, in: guest)
  }

  private func isOrphaned(_ ownership: Ownership, in guest: Guest) -> Bool {
    guard ownership.owner.isManaged, let owner = ownership.owner.account else { return false }
    return owners.resolve(owner, in: guest).isMissed
  }

  /// The ownership of an item that `guest` got under `tag` and hands on.
  func ownership(of tag: OwnershipTag, in guest: Guest) -> Ownership {
    let owner = tag.owner.map { owners.resolve($0, in: guest) }
    return ownership(of: owner?.account, policy: owner?.policy, from: guest.app.bundleID)
  }

  /// What was copied, under the present names of its owner and of the account that copied it.
  func renewed(_ content: Pasteboard.Content) -> Pasteboard.Content {
    var content = content
    if let account = content.source.identity.account {
      content.source.identity = .account(owners.current(account))
    }
    let (former, origin) = (content.ownership.owner, content.ownership.originApp)
    if let account = former.account {
      content.ownership = ownership(
        of: owners.current(account), policy: former.policy, from: origin)
    }
    return content
  }

  /// The ownership of what a guest hands over under a tag that is genuine, or without one.
  func ownership(
    of tag: OwnershipTag?, in guest: Guest, as actingIdentity: ActingIdentity
  ) -> Ownership {
    tag.map { ownership(of: $0, in: guest) } ?? actingIdentity.ownership
  }

  /// The ownership of an item that a guest hands over: by the item's tag where it has one, else that of the guest's
  /// acting identity; nil where the tag is forged.
  func ownership(of item: Item, from guest: Guest, as actingIdentity: ActingIdentity? = nil)
    -> Ownership?
  {
    guard let tag = item.tag else {
      return (actingIdentity ?? guest.acting.actingIdentity).ownership
    }
    var isGenuine = false
    item.withParts { isGenuine = fault(of: tag, type: $0.type, payload: $0.payload) == nil }
    return isGenuine ? ownership(of: tag, in: guest) : nil
  }

  // MARK: content

  /// Whether content leaves traces.
  var tracesContent: Bool { traces != nil }

  /// The items whose content an app hands on without their tags.
  ///
  /// - Parameter known: what the item came from, as far as that is known; what is, is not searched.
  func likely(
    _ content: UnsafeRawBufferPointer, from app: String, knowing known: [Int]
  ) -> [Int] {
    guard let traces, known.isEmpty else { return [] }
    return traces.sources(of: content, from: app)
  }

  /// The same for an item at hand.
  func likely(_ item: Item?, from app: String, knowing known: [Int]) -> [Int] {
    guard traces != nil, let item, item.tag == nil else { return [] }
    return item.bytes.withUnsafeBytes { likely($0, from: app, knowing: known) }
  }

  /// The same for an item at hand.
  func handed(_ item: Item, _ number: Int, to app: String) {
    guard traces != nil else { return }
    item.bytes.withUnsafeBytes { handed($0, number, to: app) }
  }

  /// Notes what an app was handed, in a form that it can read.
  func handed(_ content: UnsafeRawBufferPointer, _ number: Int, to app: String) {
    traces?.handed(content, number, to: app)
  }

  // MARK: handing over

  /// The ownership that tags state of items of the account from the app `app`.
  func ownership(
    of account: Account?, policy: EffectivePolicy?, from app: String
  ) -> Ownership {
    Ownership(owner: Owner(account: account, policy: policy), originApp: app, sealer: sealer)
  }

  /// Calls `body` with an item as it is handed over, and the tag for it.
  ///
  /// Of a payload that its sender can still alter, each byte is read once, and copied: into the receiver's inbox, else into
  /// memory that lasts as long as the call. The tag is made of the copy, and so is what `body` gets.
  ///
  /// - Parameters:
  ///   - number: the number of the request that hands the item over.
  ///   - room: room in the receiver's inbox; nil: none.
  func withTag(
    of ownership: Ownership, on item: FrameBuffer.ItemParts, _ number: Int,
    copiedTo room: InboxRoom?,
    _ body: (FrameBuffer.ItemParts, FrameBuffer.SealedTag) -> Void
  ) {
    if item.origin == .guest, room == nil {
      return item.copied { withTag(of: ownership, on: $0, number, copiedTo: nil, body) }
    }
    var item = item
    let number = UInt64(number)
    if let room {
      seal(item, ownership.stamp, number, copiedTo: room.bytes)
      item.payload = UnsafeRawBufferPointer(room.bytes)
      item.origin = .host
    } else if enforcement == .full {
      sealer.seal(ownership.stamp, number: number, type: item.type, payload: item.payload)
    }
    ownership.stamp.template.bytes.withUnsafeBytes { template in
      body(
        item,
        FrameBuffer.SealedTag(
          template: template, sequence: number, seal: UnsafeRawBufferPointer(sealer.seal)))
    }
  }

  /// Copies the item's payload and seals the copy.
  private func seal(
    _ item: FrameBuffer.ItemParts, _ stamp: Sealer.Stamp, _ number: UInt64,
    copiedTo copy: UnsafeMutableRawBufferPointer
  ) {
    if enforcement == .full {
      sealer.seal(stamp, number: number, type: item.type, copying: item.payload, to: copy)
    } else {
      copy.copyMemory(from: item.payload)
    }
  }

  /// The item under a tag of its own, handed over by the request `number`.
  func tagged(_ item: Item, _ ownership: Ownership, _ number: Int) -> Item {
    var item = item
    let owner = ownership.owner
    item.withParts {
      sealer.seal(ownership.stamp, number: UInt64(number), type: $0.type, payload: $0.payload)
    }
    item.tag = OwnershipTag(
      ownerUPN: owner.account?.upn ?? "", ownerObjectID: owner.account?.objectID ?? "",
      ownerTenantID: owner.account?.tenantID ?? "", isManaged: owner.isManaged,
      originApp: ownership.originApp, device: device, sequence: UInt64(number),
      seal: Array(sealer.seal))
    return item
  }

  /// The ciphertext for a receiver that may have an item but not read it.
  func ciphertext(of payload: UnsafeRawBufferPointer) -> [UInt8] {
    contentKey.seal(Array(payload), nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  private func encrypted(_ item: Item) -> Item {
    var item = item
    item.withParts { item.payload = .inline(ciphertext(of: $0.payload)) }
    return item
  }

  /// Records the decision on an item that was asked for, and puts the item into the outcome where it may go.
  ///
  /// - Parameter form: whether the item is ciphertext already.
  func answer(
    _ pending: PendingRequest, _ operation: Operation, with item: Item, _ ruling: Ruling,
    sender: Participant?, subject: String? = nil, as form: ItemForm = .plain
  ) {
    let ownership = ruling.ownership(at: pending.actingIdentity)
    let likely = sender.map { self.likely(item, from: $0.app, knowing: ruling.from) } ?? []
    if ruling.verdict.outcome == .allowed {
      handed(item, pending.number, to: pending.guest.app.bundleID)
    }
    audit.decided(
      pending, by: ruling,
      RequestDecision(
        request: pending.number, operation: operation, via: ruling.request.via, sender: sender,
        receiver: pending.actingIdentity.participant, owner: ownership.owner.account?.upn ?? "",
        type: item.type, bytes: item.payload.count, from: ruling.from, likely: likely,
        subject: subject, verdict: ruling.explained))
    if ruling.verdict.outcome != .blocked { audit.handedOver(pending.number, item) }
    switch ruling.verdict.outcome {
    case .blocked: replies.finish(pending, ruling.outcome(.refused))
    case .encrypted:
      replies.finish(
        pending,
        ruling.outcome(
          .deliveredEncrypted, items: [tagged(encrypted(item), ownership, pending.number)]))
    case .allowed:
      replies.finish(
        pending,
        ruling.outcome(
          form == .plain ? .delivered : .deliveredEncrypted,
          items: [tagged(item, ownership, pending.number)]))
    }
  }
}

extension OwnershipTag {
  /// The item that the tag's item came from, as a list.
  var items: [Int] { sequence == 0 ? [] : Int(exactly: sequence).map { [$0] } ?? [] }
}
