internal import Cryptography
internal import Model
internal import Policy
internal import Wire

/// Determines the ownership of items. Each item that an app receives has a sealed tag. If an app passes the item on
/// with its tag, the device checks the seal. Benchmarks without enforcement do not seal shares.
final class TagAuthority {
  /// The device's name, which is part of each tag.
  private let device: String
  private let signer: TagSigner
  private let contentKey: AES256GCM
  private let owners: OwnerResolver
  private let enforcement: DeviceConfiguration.Enforcement
  /// Fingerprints of content that apps received; nil if content is not traced.
  private let traces: ContentTraces?

  init(
    _ configuration: DeviceConfiguration, signer: TagSigner, contentKey: AES256GCM,
    owners: OwnerResolver
  ) {
    device = configuration.name
    enforcement = configuration.enforcement
    traces = configuration.lineage == .content ? ContentTraces() : nil
    self.signer = signer
    self.contentKey = contentKey
    self.owners = owners
  }

  // MARK: Checking tags

  /// Returns the rule that rejects this tag on an item from an app; nil if the tag is genuine. It is genuine if this
  /// device sealed it for the same type and payload.
  func rejection(
    of tag: OwnershipTag, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> Rule? {
    if tag.device != device { return .tagOfAnotherDevice }
    return signer.isGenuine(tag, type: type, payload: payload) ? nil : .tagSealBroken
  }

  /// If the item's tag prevents `guest` from passing the item on, returns the rule that applies; otherwise nil.
  func rejection(of item: Item, from guest: Guest) -> Rule? {
    guard let tag = item.tag else { return nil }
    var rule: Rule?
    item.withParts { rule = rejection(of: tag, type: $0.type, payload: $0.payload) }
    return rule ?? (isOrphaned(tag, in: guest) ? .ownerNotSignedIn : nil)
  }

  /// Returns whether the item's owner is a managed account that is not signed in to the sending app, although a policy
  /// would protect it there. Such an app should no longer have the account's data.
  func isOrphaned(_ tag: OwnershipTag?, in guest: Guest) -> Bool {
    guard let tag, tag.isManaged, let owner = tag.owner else { return false }
    return owners.resolve(owner, in: guest).isMissed
  }

  /// Returns whether an item that was offered earlier is orphaned. An untagged item belongs to the
  /// acting identity at the time of the offer.
  func isOrphaned(
    _ tag: OwnershipTag?, offeredAs actingIdentity: ActingIdentity, in guest: Guest
  ) -> Bool {
    tag == nil ? isOrphaned(actingIdentity.ownership, in: guest) : isOrphaned(tag, in: guest)
  }

  private func isOrphaned(_ ownership: Ownership, in guest: Guest) -> Bool {
    guard ownership.owner.isManaged, let owner = ownership.owner.account else { return false }
    return owners.resolve(owner, in: guest).isMissed
  }

  /// Returns the ownership of an item that `guest` received with `tag` and now passes on.
  func ownership(of tag: OwnershipTag, in guest: Guest) -> Ownership {
    let owner = tag.owner.map { owners.resolve($0, in: guest) }
    return ownership(of: owner?.account, policy: owner?.policy, from: guest.app.bundleID)
  }

  /// Returns the pasteboard content with the current names of its accounts: the owner, and the account that copied it.
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

  /// Returns the ownership of an item that a guest sends. Without a tag, the ownership comes from the acting identity.
  ///
  /// - Parameter tag: A verified tag; nil if the item has none.
  func ownership(
    of tag: OwnershipTag?, in guest: Guest, as actingIdentity: ActingIdentity
  ) -> Ownership {
    tag.map { ownership(of: $0, in: guest) } ?? actingIdentity.ownership
  }

  /// Returns the ownership of an item that a guest sends; nil if the item's tag is forged. The ownership comes from the
  /// tag. Without a tag, it comes from `actingIdentity` or, if that is nil, from the identity of the key window.
  func ownership(of item: Item, from guest: Guest, as actingIdentity: ActingIdentity? = nil)
    -> Ownership?
  {
    guard let tag = item.tag else {
      return (actingIdentity ?? guest.acting.actingIdentity).ownership
    }
    var isGenuine = false
    item.withParts { isGenuine = rejection(of: tag, type: $0.type, payload: $0.payload) == nil }
    return isGenuine ? ownership(of: tag, in: guest) : nil
  }

  // MARK: Content tracing

  var tracesContent: Bool { traces != nil }

  /// Returns the numbers of the received items from which an app probably took untagged content that it passes on.
  /// Returns an empty list if content is not traced, or if source items are already known.
  ///
  /// - Parameter known: The numbers of the source items that are already known.
  func likely(
    _ content: UnsafeRawBufferPointer, from app: String, knowing known: [Int]
  ) -> [Int] {
    guard let traces, known.isEmpty else { return [] }
    return traces.sources(of: content, from: app)
  }

  /// Returns the numbers of the received items from which an app probably took the content of `item`; empty if `item`
  /// has a tag.
  func likely(_ item: Item?, from app: String, knowing known: [Int]) -> [Int] {
    guard traces != nil, let item, item.tag == nil else { return [] }
    return item.bytes.withUnsafeBytes { likely($0, from: app, knowing: known) }
  }

  func handed(_ item: Item, _ number: Int, to app: String) {
    guard traces != nil else { return }
    item.bytes.withUnsafeBytes { handed($0, number, to: app) }
  }

  func handed(_ content: UnsafeRawBufferPointer, _ number: Int, to app: String) {
    traces?.handed(content, number, to: app)
  }

  // MARK: Handing over

  /// Returns the ownership for the tags of items that belong to `account` and come from `app`.
  func ownership(
    of account: Account?, policy: EffectivePolicy?, from app: String
  ) -> Ownership {
    Ownership(owner: Owner(account: account, policy: policy), originApp: app, signer: signer)
  }

  /// Calls `body` with the item to send and its tag.
  ///
  /// If the payload goes to the receiver's inbox, each byte is read once and copied there. `body` receives the copy, and
  /// the tag is sealed over the copy. Otherwise, the sender must not be able to alter the payload.
  ///
  /// - Parameters:
  ///   - number: The number of the request that sends the item.
  ///   - room: Memory in the receiver's inbox; nil if there is none.
  @inline(__always)
  func withTag(
    of ownership: Ownership, on item: FrameBuffer.ItemParts, _ number: Int,
    copiedTo room: InboxRoom?,
    _ body: (FrameBuffer.ItemParts, FrameBuffer.SealedTag) -> Void
  ) {
    var item = item
    let number = UInt64(number)
    if let room {
      seal(item, ownership.prefix, number, copiedTo: room.bytes)
      item.payload = UnsafeRawBufferPointer(room.bytes)
      item.origin = .host
    } else if enforcement == .full {
      signer.seal(ownership.prefix, number: number, type: item.type, payload: item.payload)
    }
    ownership.prefix.template.bytes.withUnsafeBytes { template in
      body(
        item,
        FrameBuffer.SealedTag(
          template: template, sequence: number, seal: UnsafeRawBufferPointer(signer.seal)))
    }
  }

  private func seal(
    _ item: FrameBuffer.ItemParts, _ prefix: TagSigner.Prefix, _ number: UInt64,
    copiedTo copy: UnsafeMutableRawBufferPointer
  ) {
    if enforcement == .full {
      signer.seal(prefix, number: number, type: item.type, copying: item.payload, to: copy)
    } else {
      copy.copyMemory(from: item.payload)
    }
  }

  /// Returns the item with a new tag for its transfer under the request number `number`.
  func tagged(_ item: Item, _ ownership: Ownership, _ number: Int) -> Item {
    var item = item
    let owner = ownership.owner
    item.withParts {
      signer.seal(ownership.prefix, number: UInt64(number), type: $0.type, payload: $0.payload)
    }
    item.tag = OwnershipTag(
      ownerUPN: owner.account?.upn ?? "", ownerObjectID: owner.account?.objectID ?? "",
      ownerTenantID: owner.account?.tenantID ?? "", isManaged: owner.isManaged,
      originApp: ownership.originApp, device: device, sequence: UInt64(number),
      seal: Array(signer.seal))
    return item
  }

  /// Encrypts a payload for a receiver that may have the item but may not read it.
  func ciphertext(of payload: UnsafeRawBufferPointer) -> [UInt8] {
    contentKey.seal(Array(payload), nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  func encrypted(_ item: Item) -> Item {
    var item = item
    item.withParts { item.payload = .inline(ciphertext(of: $0.payload)) }
    return item
  }
}

extension OwnershipTag {
  /// An array with the number of the item that the tag was made for; empty if the tag has none.
  var items: [Int] { sequence == 0 ? [] : Int(exactly: sequence).map { [$0] } ?? [] }
}

/// The ownership of data that an app transfers. It is immutable. `prefix` is the part that all tags of the data have in
/// common.
final class Ownership {
  let owner: Owner
  let originApp: String
  let prefix: TagSigner.Prefix

  init(owner: Owner, originApp: String, signer: TagSigner) {
    self.owner = owner
    self.originApp = originApp
    prefix = signer.prefix(owner: owner.account, isManaged: owner.isManaged, originApp: originApp)
  }
}

// MARK: - Seals

/// Seals ownership tags, and verifies their seals.
final class TagSigner {
  /// The part that all tags have in common for one owner's items from one app. `state` is the hash state after this
  /// part.
  struct Prefix {
    var template: TagTemplate
    fileprivate var state: HMACSHA256
  }

  private let device: String
  private let key: HMACSHA256
  private let hash: Poly1305Hash
  /// The latest seal (32 bytes). The next seal overwrites it.
  let seal = UnsafeMutableRawBufferPointer.allocate(
    byteCount: HMACSHA256.byteCount, alignment: 16)

  init(device: String, key: [UInt8]) {
    self.device = device
    self.key = HMACSHA256(key: key)
    hash = Poly1305Hash(key: Self.hashKey(self.key))
  }

  deinit { seal.deallocate() }

  /// The payload size, in bytes, from which a seal covers the payload's hash instead of the payload itself.
  private static let leastHashedCount = 64 * 1024
  /// The number of bytes that are copied and then hashed at a time. They are hashed while they are in the processor's
  /// cache.
  private static let pieceCount = 64 * 1024
  /// The byte before a payload's hash in the input of a seal. It shows that a hash follows instead of the payload.
  private static let hashedPayload = [UInt8(1)]

  /// Derives the key for the payload hash from the sealing key. The input of the derivation begins with a length of
  /// 2^64 - 1. No tag has this length, so the derived key never equals a seal.
  private static func hashKey(_ key: HMACSHA256) -> [UInt8] {
    var state = key
    state.update(UInt64.max)
    Array("payloads".utf8).withUnsafeBytes { state.update($0) }
    var hashKey = [UInt8](repeating: 0, count: Poly1305Hash.keyByteCount)
    hashKey.withUnsafeMutableBytes { state.finalize(into: $0) }
    return hashKey
  }

  func prefix(owner: Account?, isManaged: Bool, originApp: String) -> Prefix {
    prefix(
      OwnershipTag(
        ownerUPN: owner?.upn ?? "", ownerObjectID: owner?.objectID ?? "",
        ownerTenantID: owner?.tenantID ?? "", isManaged: isManaged, originApp: originApp,
        device: device, sequence: 0, seal: []))
  }

  private func prefix(_ tag: OwnershipTag) -> Prefix {
    let template = TagTemplate(tag)
    var state = key
    template.bytes.withUnsafeBytes { state.update(field: $0) }
    // The constant part is padded to the end of a hash block, so it is hashed once here instead of
    // for every tag.
    state.update(zeros: (64 - (8 + template.bytes.count) % 64) % 64)
    return Prefix(template: template, state: state)
  }

  /// Seals an item into ``seal``.
  ///
  /// - Parameter number: The item's number, which the tag contains.
  func seal(
    _ prefix: Prefix, number: UInt64, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) {
    write(prefix, sequence: number, type: type, payload: payload, to: seal)
  }

  /// Copies the payload and seals the copy into ``seal``. Each byte is read once, so the seal matches the
  /// copy even if the sender alters the payload meanwhile.
  ///
  /// - Parameter number: The item's number, which the tag contains.
  func seal(
    _ prefix: Prefix, number: UInt64, type: UnsafeRawBufferPointer,
    copying payload: UnsafeRawBufferPointer, to copy: UnsafeMutableRawBufferPointer
  ) {
    guard payload.count >= Self.leastHashedCount else {
      copy.copyMemory(from: payload)
      return seal(prefix, number: number, type: type, payload: UnsafeRawBufferPointer(copy))
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
    var state = head(prefix, sequence: number, type: type, byteCount: payload.count)
    updateWithHash(&state)
    state.finalize(into: seal)
  }

  /// Returns whether this device made `tag` for exactly this content.
  func isGenuine(
    _ tag: OwnershipTag, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: HMACSHA256.byteCount, alignment: 16) { expected in
      write(prefix(tag), sequence: tag.sequence, type: type, payload: payload, to: expected)
      return tag.seal.withUnsafeBytes {
        HMACSHA256.areEqual($0, UnsafeRawBufferPointer(expected))
      }
    }
  }

  private func write(
    _ prefix: Prefix, sequence: UInt64, type: UnsafeRawBufferPointer,
    payload: UnsafeRawBufferPointer, to seal: UnsafeMutableRawBufferPointer
  ) {
    var state = head(prefix, sequence: sequence, type: type, byteCount: payload.count)
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
    _ prefix: Prefix, sequence: UInt64, type: UnsafeRawBufferPointer, byteCount: Int
  ) -> HMACSHA256 {
    var state = prefix.state
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

// MARK: - Content traces

/// Fingerprints of the content that each app received. They reveal apps that pass on content without its tag,
/// completely or in part. The fingerprints use a random key, which exists only while the device is running.
///
/// A fingerprint covers ``pieceCount`` bytes. Of every ``window`` neighbouring fingerprints, the smallest is kept
/// (winnowing). A part of `pieceCount + window - 1` bytes is therefore found at any position. Shorter content, of at
/// least ``leastCount`` bytes, is found only as a whole.
final class ContentTraces {
  static let leastCount = 8
  static let pieceCount = 32
  static let window = 16
  /// The maximum number of bytes that are inspected in an item.
  private static let mostBytes = 1 << 20
  /// The maximum number of fingerprints. Once it is reached, no more content is recorded.
  private static let limit = 1 << 20
  /// The maximum number of source items in a result.
  private static let mostSources = 8

  /// The modulus of the fingerprints, the prime 2^61 - 1.
  private static let prime: UInt64 = (1 << 61) - 1
  private let base: UInt64
  /// ``base`` to the power of `pieceCount - 1`: the factor of the first byte in a fingerprint.
  private let first: UInt64
  /// For each app and fingerprint, the numbers of at most ``mostItems`` items with the fingerprint: the first ones and
  /// the last one.
  private var items: [String: [UInt64: [Int]]] = [:]
  /// The maximum number of items for each fingerprint. At the maximum, a new item replaces the last one, so the first
  /// items stay.
  private static let mostItems = 4
  private var count = 0

  init() {
    let random = randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    base = 257 + random % (Self.prime - 1024)
    var power: UInt64 = 1
    for _ in 1..<Self.pieceCount { power = Self.product(power, base) }
    first = power
  }

  /// Records content that an app received through the request `number`.
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

  /// Returns the received items that share content with `content`, at most eight, the best match first.
  func sources(of content: UnsafeRawBufferPointer, from app: String) -> [Int] {
    guard let known = items[app] else { return [] }
    var shared: [Int: Int] = [:]
    for fingerprint in fingerprints(content) {
      for item in known[fingerprint] ?? [] { shared[item, default: 0] += 1 }
    }
    let found = shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return found.prefix(Self.mostSources).map(\.key)
  }

  // MARK: Fingerprints

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

  /// Returns the smallest of every ``window`` neighbouring hashes.
  private static func winnowed(_ hashes: [UInt64]) -> Set<UInt64> {
    var chosen: Set<UInt64> = []
    // The positions of candidate minimums. Positions and hashes both increase.
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
