internal import CMessages
internal import CProtobufC

/// The shared memory from which payloads of frames are read. On the host, it is a guest's outbox; in a guest, it is the
/// guest's inbox.
///
/// Frames are read one at a time. ``begin()`` starts each frame.
public final class SharedWindow {
  private let memory: UnsafeRawBufferPointer
  private let limit: Int
  /// The number of bytes that remain for further payloads of the current frame.
  private var allowance = 0
  /// The locations of the payloads to which the current frame has referred so far.
  public private(set) var named: [SharedBytes] = []
  /// The locations of payloads that this side has read and not yet released to the other side. A frame that refers to
  /// them is invalid.
  private var taken: [SharedBytes] = []

  /// A window without memory. Every reference to a payload is an error.
  static var none: SharedWindow {
    SharedWindow(UnsafeRawBufferPointer(start: nil, count: 0), limit: 0)
  }

  /// Creates a window for `memory`, which must exist longer than the window. The payloads of one frame may have `limit`
  /// bytes in total.
  public init(_ memory: UnsafeRawBufferPointer, limit: Int) {
    self.memory = memory
    self.limit = limit
  }

  /// Starts a frame: empties ``named`` and renews the allowance.
  func begin() {
    allowance = limit
    if !named.isEmpty { named.removeAll(keepingCapacity: true) }
  }

  /// Records that the current frame's payloads were read. Until ``giveBack()``, frames must not refer to their memory.
  public func take() { taken += named }

  /// Marks all read payloads as released. The other side has been notified, so it may reuse their memory.
  public func giveBack() {
    if !taken.isEmpty { taken.removeAll(keepingCapacity: true) }
  }

  /// Returns the bytes of a payload. The other side can modify them at any time.
  ///
  /// - Throws: ``WireError/outsideOfMemory(offset:length:)`` if the payload is outside of the memory, is misaligned,
  ///   has an invalid length, or overlaps an earlier payload.
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

  /// Returns the bytes of the payload at the location in `message`, an encoded `SharedBytes`. Nil if a field is
  /// repeated or unknown, or the location is invalid.
  func bytes(named message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var reader = ProtobufReader(message)
    var (offset, length): (UInt64?, UInt64?)
    while let field = reader.next() {
      switch (field.number, field.value) {
      case (1, .varint(let number)) where offset == nil: offset = number
      case (2, .varint(let number)) where length == nil: length = number
      default: return nil  // open: any other field number, or one that appears twice
      }
    }
    guard !reader.hasGivenUp else { return nil }
    return try? bytes(offset: offset ?? 0, length: length ?? 0)
  }

  /// Replaces the locations of shared payloads by their bytes, so later code finds only inline payloads. Applies to
  /// every item that is a field of the message's body.
  func resolve(_ message: UnsafeMutablePointer<Sluice__GuestMessage>) throws(WireError) {
    try resolveItems(inBody: message.pointee.body_case.rawValue, of: message)
    guard message.pointee.body_case == SLUICE__GUEST_MESSAGE__BODY_SHARE_ITEMS else { return }
    let body = message.pointee.share_items.pointee
    for index in 0..<body.n_items { try resolve(body.items?[index]) }
  }

  func resolve(_ message: UnsafeMutablePointer<Sluice__HostMessage>) throws(WireError) {
    try resolveItems(inBody: message.pointee.body_case.rawValue, of: message)
  }

  /// Makes the shared payloads of all items that are fields of the body inline. `number` is the body's field number.
  private func resolveItems(
    inBody number: UInt32, of message: UnsafeMutableRawPointer
  ) throws(WireError) {
    let descriptor = message.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
    guard let place = protobuf_c_message_descriptor_get_field(descriptor, number),
      let fields = place.part?.pointee,
      let body = message.load(
        fromByteOffset: Int(place.pointee.offset), as: UnsafeMutableRawPointer?.self)
    else { return }
    for index in 0..<Int(fields.n_fields) {
      let field = fields.fields[index]
      guard field.descriptor == Self.item else { continue }
      let value = body + Int(field.offset)
      if field.label == PROTOBUF_C_LABEL_REPEATED {
        let items = value.load(as: UnsafePointer<UnsafeMutablePointer<Sluice__Item>?>?.self)
        let count = body.load(fromByteOffset: Int(field.quantifier_offset), as: Int.self)
        for index in 0..<count { try resolve(items?[index]) }
      } else {
        try resolve(value.load(as: UnsafeMutablePointer<Sluice__Item>?.self))
      }
    }
  }

  /// The address of the descriptor of `Item`. A field is an item if its descriptor has this address.
  nonisolated(unsafe) private static let item: UnsafeRawPointer? = {
    var item = Sluice__Item()
    sluice__item__init(&item)
    return UnsafeRawPointer(item.base.descriptor)
  }()

  private func resolve(_ item: UnsafeMutablePointer<Sluice__Item>?) throws(WireError) {
    guard let item, item.pointee.payload_case == SLUICE__ITEM__PAYLOAD_SHARED,
      let shared = item.pointee.shared?.pointee
    else { return }
    item.pointee.inline_ = try inline(shared)
    item.pointee.payload_case = SLUICE__ITEM__PAYLOAD_INLINE
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

/// The location of a payload in a guest's shared memory.
public struct SharedBytes: Sendable, Hashable, DeclaredMessage {
  /// The offset in the memory, a multiple of ``alignment``.
  public var offset: Int
  /// The length in bytes.
  public var count: Int

  public init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// The alignment of payloads in bytes.
  public static let alignment = 4096
  /// The minimum size of a payload in shared memory, in bytes. For smaller payloads, it is faster to include them in
  /// the message.
  public static let leastCount = 64 * 1024

  fileprivate var range: Range<Int> { offset..<(offset + count) }

  static var blank: SharedBytes { SharedBytes(offset: 0, count: 0) }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &offset)
    form.field(2, &count)
  }
}
