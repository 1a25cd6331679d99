internal import CMessages
internal import CProtobufC

/// The memory that the payloads of frames may lie in: a guest's outbox for the host, its inbox for a guest.
///
/// One frame is read at a time, from ``begin()`` on.
public final class SharedWindow {
  private let memory: UnsafeRawBufferPointer
  private let limit: Int
  /// The number of bytes that all payloads of the frame may still have: a frame may name no more than it could hold.
  private var allowance = 0
  /// The payloads that the frame has named so far.
  public private(set) var named: [SharedBytes] = []
  /// Payloads of earlier frames that no frame may name again yet.
  private var taken: [SharedBytes] = []

  /// A window on no memory: every payload that a frame names is refused.
  static var none: SharedWindow {
    SharedWindow(UnsafeRawBufferPointer(start: nil, count: 0), limit: 0)
  }

  /// A window on `memory`, which must outlive it, for payloads of `limit` bytes in each frame.
  public init(_ memory: UnsafeRawBufferPointer, limit: Int) {
    self.memory = memory
    self.limit = limit
  }

  /// Begins a frame.
  func begin() {
    allowance = limit
    if !named.isEmpty { named.removeAll(keepingCapacity: true) }
  }

  /// Notes that the payloads of the frame have been read: until ``giveBack()`` no frame may name their memory.
  public func take() { taken += named }

  /// Notes that the other side was told of all payloads that were read.
  public func giveBack() {
    if !taken.isEmpty { taken.removeAll(keepingCapacity: true) }
  }

  /// The bytes of a payload, which the other side may alter while they are read.
  ///
  /// - Throws: ``WireError/outsideOfMemory(offset:length:)`` where the payload is not within the memory, aligned, and of
  ///   an allowed length, and where it overlaps an earlier one.
  func bytes(
    offset: UInt64, length: UInt64
  ) throws(WireError) -> UnsafeRawBufferPointer {
    let end = offset.addingReportingOverflow(length)
    guard offset % UInt64(SharedBytes.alignment) == 0, !end.overflow,
      end.partialValue <= UInt64(memory.count), length >= UInt64(SharedBytes.leastCount),
      length <= UInt64(max(allowance, 0))
    else { throw .outsideOfMemory(offset: offset, length: length) }
    let shared = SharedBytes(offset: Int(offset), count: Int(length))
    guard !(taken + named).contains(where: { $0.range.overlaps(shared.range) }) else {
      throw .outsideOfMemory(offset: offset, length: length)
    }
    named.append(shared)
    allowance -= shared.count
    return UnsafeRawBufferPointer(rebasing: memory[shared.range])
  }
}

extension SharedWindow {
  /// The bytes of the payload that a `SharedBytes` names; nil where a field of it is there twice or unknown, or the payload
  /// is not where one may be.
  func bytes(named message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var reader = ProtobufReader(message)
    var (offset, length): (UInt64?, UInt64?)
    while let field = reader.next() {
      switch (field.number, field.value) {
      case (1, .varint(let number)) where offset == nil: offset = number
      case (2, .varint(let number)) where length == nil: length = number
      default: return nil  // open: any other field number, or one that is there twice
      }
    }
    guard !reader.hasGivenUp else { return nil }
    return try? bytes(offset: offset ?? 0, length: length ?? 0)
  }

  /// Puts the bytes of shared payloads in the place of their names, so that what reads the message finds them all inline.
  private func resolve(_ item: UnsafeMutablePointer<Sluice__Item>?) throws(WireError) {
    guard let item, item.pointee.payload_case == SLUICE__ITEM__PAYLOAD_SHARED,
      let shared = item.pointee.shared?.pointee
    else { return }
    item.pointee.inline_ = try inline(shared)
    item.pointee.payload_case = SLUICE__ITEM__PAYLOAD_INLINE
  }

  private func resolve(
    _ items: UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Item>?>?, _ count: Int
  ) throws(WireError) {
    for index in 0..<count { try resolve(items?[index]) }
  }

  func resolve(_ message: UnsafeMutablePointer<Sluice__GuestMessage>) throws(WireError) {
    let raw = message.pointee
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_SHARE: try resolve(raw.share.pointee.item)
    case SLUICE__GUEST_MESSAGE__BODY_COPY: try resolve(raw.copy.pointee.item)
    case SLUICE__GUEST_MESSAGE__BODY_USE: try resolve(raw.use.pointee.item)
    case SLUICE__GUEST_MESSAGE__BODY_CAN_RECEIVE: try resolve(raw.can_receive.pointee.item)
    case SLUICE__GUEST_MESSAGE__BODY_PROVIDED: try resolve(raw.provided.pointee.item)
    case SLUICE__GUEST_MESSAGE__BODY_COMPLETE_EXTENSION:
      let body = raw.complete_extension.pointee
      try resolve(body.items, body.n_items)
    case SLUICE__GUEST_MESSAGE__BODY_SHARE_ITEMS:
      let body = raw.share_items.pointee
      for index in 0..<body.n_items { try resolve(body.items?[index]) }
    default: break  // open: a C enumeration; any message without items
    }
  }

  func resolve(_ message: UnsafeMutablePointer<Sluice__HostMessage>) throws(WireError) {
    let raw = message.pointee
    switch raw.body_case {
    case SLUICE__HOST_MESSAGE__BODY_DELIVERY: try resolve(raw.delivery.pointee.item)
    case SLUICE__HOST_MESSAGE__BODY_OUTCOME:
      let body = raw.outcome.pointee
      try resolve(body.items, body.n_items)
    default: break  // open: a C enumeration; any message whose items are inline
    }
  }

  private func resolve(
    _ item: UnsafeMutablePointer<Sluice__OfferedItem>?
  ) throws(WireError) {
    guard let item = item?.pointee else { return }
    for attachment in 0..<item.n_attachments {
      guard let attachment = item.attachments?[attachment]?.pointee else { continue }
      for index in 0..<attachment.n_representations {
        guard let representation = attachment.representations?[index],
          let shared = representation.pointee.shared?.pointee
        else { continue }
        representation.pointee.inline_ = try inline(shared)
      }
    }
  }

  private func inline(
    _ shared: Sluice__SharedBytes
  ) throws(WireError) -> ProtobufCBinaryData {
    let bytes = try self.bytes(offset: shared.offset, length: shared.length)
    return ProtobufCBinaryData(
      len: bytes.count,
      data: UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)))
  }
}

/// A payload in memory that the host has lent to a guest.
public struct SharedBytes: Sendable, Hashable {
  /// The offset in the memory; a multiple of ``alignment``.
  public var offset: Int
  /// Length in bytes.
  public var count: Int

  /// The payload of `count` bytes at `offset`.
  public init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// The number of bytes that every payload begins at a multiple of.
  public static let alignment = 4096
  /// The length of the shortest payload in shared memory; shorter ones are faster within their message.
  public static let leastCount = 64 * 1024

  fileprivate var range: Range<Int> { offset..<(offset + count) }
}
