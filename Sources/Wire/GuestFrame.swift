internal import CMessages
internal import CProtobufC
public import Transfer

#if canImport(Glibc)
  internal import Glibc
#endif

/// A message from a guest, decoded where it lies: strings stay bytes until somebody reads them.
///
/// Valid until its arena is reset.
public struct GuestFrame {
  let raw: UnsafeMutablePointer<Sluice__GuestMessage>

  /// - Throws: ``WireError/malformedMessage(length:)``.
  public init(_ frame: UnsafeRawBufferPointer, arena: Arena) throws(WireError) {
    let data = frame.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let raw = sluice__guest_message__unpack(arena.allocator, frame.count, data) else {
      throw .malformedMessage(length: frame.count)
    }
    self.raw = raw
  }

  public var request: UInt64 { raw.pointee.request }

  /// Set where the message is a share with an item.
  public var share: ShareFrame? {
    guard raw.pointee.body_case == SLUICE__GUEST_MESSAGE__BODY_SHARE,
      let share = raw.pointee.share, let item = share.pointee.item,
      item.pointee.payload_case == SLUICE__ITEM__PAYLOAD_INLINE
    else { return nil }
    return ShareFrame(raw: share, item: ItemFrame(raw: item))
  }

  /// Set where the message acknowledges deliveries.
  public var acknowledgedThrough: UInt64? {
    guard raw.pointee.body_case == SLUICE__GUEST_MESSAGE__BODY_ACKNOWLEDGE else { return nil }
    return raw.pointee.acknowledge?.pointee.through
  }
}

/// A share, decoded where it lies.
public struct ShareFrame {
  let raw: UnsafeMutablePointer<Sluice__Share>
  public let item: ItemFrame

  public var destination: UnsafeRawBufferPointer { cBytes(raw.pointee.destination) }
  public var claimedSource: UnsafeRawBufferPointer { cBytes(raw.pointee.claimed_source) }
  public var via: SharingPath { SharingPath(raw.pointee.path) }
  public var opensIn: Bool { raw.pointee.open_in != 0 }
  public var isPosted: Bool { raw.pointee.posted != 0 }
}

/// An item, decoded where it lies.
public struct ItemFrame {
  let raw: UnsafeMutablePointer<Sluice__Item>

  public var type: UnsafeRawBufferPointer { cBytes(raw.pointee.type) }
  public var name: UnsafeRawBufferPointer { cBytes(raw.pointee.name) }
  public var payload: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: raw.pointee.inline_.data, count: raw.pointee.inline_.len)
  }
  /// The tag that the guest says the item came under.
  public var tag: OwnershipTag? { raw.pointee.tag.map { OwnershipTag($0.pointee) } }
  public var hasTag: Bool { raw.pointee.tag != nil }
}

private func cBytes(_ string: UnsafeMutablePointer<CChar>?) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: string, count: string.map { strlen($0) } ?? 0)
}
