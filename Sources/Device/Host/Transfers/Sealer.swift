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
  private var lastSequence: UInt64 = 0
  /// The latest seal, 32 bytes, until the next one is made.
  let seal = UnsafeMutableRawBufferPointer.allocate(
    byteCount: HMACSHA256.byteCount, alignment: 16)

  init(device: String, key: [UInt8]) {
    self.device = device
    self.key = HMACSHA256(key: key)
  }

  deinit { seal.deallocate() }

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

  /// Seals the next item, and leaves the seal in ``seal``.
  ///
  /// - Returns: the tag's sequence number.
  func seal(
    _ stamp: Stamp, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> UInt64 {
    lastSequence += 1
    write(stamp, sequence: lastSequence, type: type, payload: payload, to: seal)
    return lastSequence
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
    var state = stamp.state
    state.update(sequence)
    state.update(UInt64(type.count) << 32 | UInt64(payload.count))
    state.update(type)
    state.update(payload)
    state.finalize(into: seal)
  }
}
