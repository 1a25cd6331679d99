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

/// The owner of data that an app moves, and the common part of the tags of such items. It never changes.
final class Ownership {
  let owner: Owner
  /// Bundle id of the app that the items come from.
  let originApp: String
  let stamp: Sealer.Stamp

  init(owner: Owner, originApp: String, sealer: Sealer) {
    self.owner = owner
    self.originApp = originApp
    stamp = sealer.stamp(owner: owner.account, isManaged: owner.isManaged, originApp: originApp)
  }
}

/// What an item that is handed over consists of.
enum ItemForm {
  case plain
  /// Ciphertext of another device, which nobody here can read.
  case ciphertext
}

// MARK: - Seals

/// The maker of ownership tags, which tells genuine tags from others.
final class Sealer {
  /// The common part of the tags of one owner's items from one app, hashed already.
  struct Stamp {
    var template: TagTemplate
    fileprivate var state: HMACSHA256
  }

  private let device: String
  private let key: HMACSHA256
  private let hash: Poly1305Hash
  /// The latest seal, 32 bytes, until the next one is made.
  let seal = UnsafeMutableRawBufferPointer.allocate(
    byteCount: HMACSHA256.byteCount, alignment: 16)

  init(device: String, key: [UInt8]) {
    self.device = device
    self.key = HMACSHA256(key: key)
    hash = Poly1305Hash(key: Self.hashKey(self.key))
  }

  deinit { seal.deallocate() }

  /// Length of the shortest payload of which the seal covers a hash instead of the bytes.
  private static let leastHashedCount = 64 * 1024
  /// Bytes that are copied and then hashed while they are in the processor's cache.
  private static let pieceCount = 64 * 1024
  /// The first byte of what stands in a seal for a payload that is hashed.
  private static let hashedPayload = [UInt8(1)]

  /// The key of the hash function, derived from that of the seals: nothing that is sealed begins as this does, with a
  /// length of 2^64 - 1.
  private static func hashKey(_ key: HMACSHA256) -> [UInt8] {
    var state = key
    state.update(UInt64.max)
    Array("payloads".utf8).withUnsafeBytes { state.update($0) }
    var hashKey = [UInt8](repeating: 0, count: Poly1305Hash.keyByteCount)
    hashKey.withUnsafeMutableBytes { state.finalize(into: $0) }
    return hashKey
  }

  func stamp(owner: Account?, isManaged: Bool, originApp: String) -> Stamp {
    stamp(
      OwnershipTag(
        ownerUPN: owner?.upn ?? "", ownerObjectID: owner?.objectID ?? "",
        ownerTenantID: owner?.tenantID ?? "", isManaged: isManaged, originApp: originApp,
        device: device, sequence: 0, seal: []))
  }

  private func stamp(_ tag: OwnershipTag) -> Stamp {
    let template = TagTemplate(tag)
    var state = key
    template.bytes.withUnsafeBytes { state.update(field: $0) }
    // Hashed up to the end of a block, so that the common part is hashed here once, and not with each tag.
    state.update(zeros: (64 - (8 + template.bytes.count) % 64) % 64)
    return Stamp(template: template, state: state)
  }

  /// Seals an item, and leaves the seal in ``seal``.
  ///
  /// - Parameter number: the number of the item, which its tag states.
  func seal(
    _ stamp: Stamp, number: UInt64, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) {
    write(stamp, sequence: number, type: type, payload: payload, to: seal)
  }

  /// Seals an item while its payload is copied, of which each byte is read once: the seal is that of the copy,
  /// whoever alters the payload meanwhile. The seal is left in ``seal``.
  ///
  /// - Parameter number: the number of the item, which its tag states.
  func seal(
    _ stamp: Stamp, number: UInt64, type: UnsafeRawBufferPointer,
    copying payload: UnsafeRawBufferPointer, to copy: UnsafeMutableRawBufferPointer
  ) {
    guard payload.count >= Self.leastHashedCount else {
      copy.copyMemory(from: payload)
      return seal(stamp, number: number, type: type, payload: UnsafeRawBufferPointer(copy))
    }
    hash.begin()
    var start = 0
    while start < payload.count {
      let piece = start..<min(start + Self.pieceCount, payload.count)
      let copied = UnsafeMutableRawBufferPointer(rebasing: copy[piece])
      copied.copyMemory(from: UnsafeRawBufferPointer(rebasing: payload[piece]))
      hash.update(UnsafeRawBufferPointer(copied))
      start = piece.upperBound
    }
    var state = head(stamp, sequence: number, type: type, byteCount: payload.count)
    updateWithHash(&state)
    state.finalize(into: seal)
  }

  /// Whether this device made `tag` for exactly this content.
  func isGenuine(
    _ tag: OwnershipTag, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: HMACSHA256.byteCount, alignment: 16) { expected in
      write(stamp(tag), sequence: tag.sequence, type: type, payload: payload, to: expected)
      return tag.seal.withUnsafeBytes {
        HMACSHA256.areEqual($0, UnsafeRawBufferPointer(expected))
      }
    }
  }

  private func write(
    _ stamp: Stamp, sequence: UInt64, type: UnsafeRawBufferPointer,
    payload: UnsafeRawBufferPointer, to seal: UnsafeMutableRawBufferPointer
  ) {
    var state = head(stamp, sequence: sequence, type: type, byteCount: payload.count)
    if payload.count < Self.leastHashedCount {
      state.update(payload)
    } else {
      hash.begin()
      hash.update(payload)
      updateWithHash(&state)
    }
    state.finalize(into: seal)
  }

  private func head(
    _ stamp: Stamp, sequence: UInt64, type: UnsafeRawBufferPointer, byteCount: Int
  ) -> HMACSHA256 {
    var state = stamp.state
    state.update(sequence)
    state.update(UInt64(type.count) << 32 | UInt64(byteCount))
    state.update(type)
    return state
  }

  private func updateWithHash(_ state: inout HMACSHA256) {
    Self.hashedPayload.withUnsafeBytes { state.update($0) }
    hash.end { state.update($0) }
  }
}

// MARK: - Content

/// The content that apps were handed, by fingerprints under a key that nobody else has and that lasts as long as the
/// device is up: an app that hands it on without its tag, whole or in part, is found out.
///
/// Of each text the fingerprints of some pieces of ``pieceCount`` bytes are kept: of ``window`` neighbouring ones the
/// least (winnowing). So a part of `pieceCount + window - 1` bytes is found wherever it stands. Shorter content is found
/// as a whole, from ``leastCount`` bytes on.
final class ContentTraces {
  static let leastCount = 8
  static let pieceCount = 32
  static let window = 16
  /// Bytes of an item that are looked at.
  private static let mostBytes = 1 << 20
  /// Fingerprints that are kept; what apps are handed then leaves none.
  private static let limit = 1 << 20
  /// Items that are named as sources of one.
  private static let mostSources = 8

  /// The prime 2^61 - 1, by which fingerprints are taken.
  private static let prime: UInt64 = (1 << 61) - 1
  private let base: UInt64
  /// The power of the base that belongs to the first byte of a piece.
  private let first: UInt64
  /// The items of each fingerprint, the first and the last ones, by the app that has them.
  private var items: [String: [UInt64: [Int]]] = [:]
  /// Items that are kept of a fingerprint: one that came first is not forgotten for those that come later.
  private static let mostItems = 4
  private var count = 0

  init() {
    let random = randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    base = 257 + random % (Self.prime - 1024)
    var power: UInt64 = 1
    for _ in 1..<Self.pieceCount { power = Self.product(power, base) }
    first = power
  }

  /// Notes what an app was handed by the request `number`.
  func handed(_ content: UnsafeRawBufferPointer, _ number: Int, to app: String) {
    guard count < Self.limit else { return }
    var known = items.removeValue(forKey: app) ?? [:]
    let before = known.count
    for fingerprint in fingerprints(content) {
      var numbers = known[fingerprint] ?? []
      if numbers.count == Self.mostItems { numbers.removeLast() }
      numbers.append(number)
      known[fingerprint] = numbers
    }
    count += known.count - before
    items[app] = known
  }

  /// The items that an app was handed and that have content in common with this, those with most of it first.
  func sources(of content: UnsafeRawBufferPointer, from app: String) -> [Int] {
    guard let known = items[app] else { return [] }
    var shared: [Int: Int] = [:]
    for fingerprint in fingerprints(content) {
      for item in known[fingerprint] ?? [] { shared[item, default: 0] += 1 }
    }
    let found = shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return found.prefix(Self.mostSources).map(\.key)
  }

  // MARK: fingerprints

  private func fingerprints(_ content: UnsafeRawBufferPointer) -> Set<UInt64> {
    let bytes = UnsafeRawBufferPointer(rebasing: content.prefix(Self.mostBytes))
    guard bytes.count >= Self.leastCount else { return [] }
    guard bytes.count > Self.pieceCount else { return [hash(bytes)] }
    var hashes: [UInt64] = [hash(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.pieceCount)))]
    hashes.reserveCapacity(bytes.count - Self.pieceCount + 1)
    for end in Self.pieceCount..<bytes.count {
      let out = Self.product(UInt64(bytes[end - Self.pieceCount]) + 1, first)
      let rest = (hashes[hashes.count - 1] + Self.prime - out) % Self.prime
      hashes.append((Self.product(rest, base) + UInt64(bytes[end]) + 1) % Self.prime)
    }
    return Self.winnowed(hashes)
  }

  /// The least of each run of ``window`` neighbours.
  private static func winnowed(_ hashes: [UInt64]) -> Set<UInt64> {
    var chosen: Set<UInt64> = []
    // The places of what may still be a least one, in rising order of both.
    var rising: [Int] = []
    var start = 0
    for place in hashes.indices {
      while rising.count > start, hashes[rising[rising.count - 1]] >= hashes[place] {
        rising.removeLast()
      }
      rising.append(place)
      if rising[start] + window <= place { start += 1 }
      if place >= window - 1 || place == hashes.count - 1 { chosen.insert(hashes[rising[start]]) }
    }
    return chosen
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0
    for byte in bytes { hash = (Self.product(hash, base) + UInt64(byte) + 1) % Self.prime }
    return hash
  }

  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    let sum = (low & prime) + (low >> 61 | high << 3)
    return sum >= prime ? sum - prime : sum
  }
}
