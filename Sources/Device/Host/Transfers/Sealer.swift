internal import Cryptography
internal import Model
internal import Wire

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
  static let leastHashedCount = 64 * 1024
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
