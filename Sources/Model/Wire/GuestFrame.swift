internal import CMessages
internal import CProtobufC
public import Model

#if canImport(Glibc)
  internal import Glibc
#endif

/// A message from a guest, decoded in place: strings remain bytes in the frame until they are read.
///
/// Almost all messages are shares and acknowledgements. They are read without protobuf-c and without a copy; protobuf-c
/// decodes other messages and unusual shares. The value is valid only as long as the frame's bytes.
public struct GuestFrame: ~Copyable {
  /// The request number; 0 if the message needs no response.
  public let request: UInt64
  /// The share; nil if the message is not a share, or is an unusual share that protobuf-c must decode.
  public let share: ShareFrame?
  /// The highest delivery number that the message acknowledges; nil if it is not an acknowledgement.
  public let acknowledgedThrough: UInt64?
  /// The size of the frame in bytes.
  public var count: Int { frame.count }
  /// The locations, in the guest's outbox, of the payloads that the message refers to.
  public var sharedPayloads: [SharedBytes] { outbox?.named ?? [] }
  /// Whether the message refers to payloads in the guest's outbox.
  public var namesMemory: Bool { outbox.map { !$0.named.isEmpty } ?? false }
  private let frame: UnsafeRawBufferPointer
  private let outbox: SharedWindow?

  /// Decodes a frame.
  ///
  /// - Parameter outbox: The guest's shared memory for payloads. If nil, messages that refer to shared payloads are
  ///   errors.
  /// - Throws: ``WireError`` if the frame is not a message or has too many fields, a name is invalid or too long, or a
  ///   payload is not entirely inside the outbox.
  public init(
    _ frame: UnsafeRawBufferPointer, arena: borrowing Arena, outbox: SharedWindow? = nil
  ) throws(WireError) {
    self.frame = frame
    self.outbox = outbox
    outbox?.begin()
    var request: UInt64 = 0
    var body: ProtobufReader.Field?
    var reader = ProtobufReader(frame)
    while let field = reader.next() {
      if field.number == 1, case .varint(let number) = field.value, body == nil {
        request = number
      } else if body == nil {
        body = field
      } else {
        body = nil
        break
      }
    }
    let isPlain = !reader.hasGivenUp
    if isPlain, let body, body.number == 4, case .bytes(let bytes) = body.value,
      let share = ShareFrame(bytes, arena: arena, outbox)
    {
      (self.request, self.share, acknowledgedThrough) = (request, share, nil)
    } else if isPlain, let body, body.number == 3, case .bytes(let bytes) = body.value,
      let through = Self.acknowledgement(bytes)
    {
      (self.request, share, acknowledgedThrough) = (request, nil, through)
    } else {
      try MessageText.check(frame)
      let raw = try Self.unpack(frame, arena, outbox)
      self.request = raw.pointee.request
      (share, acknowledgedThrough) = (nil, Self.acknowledgement(raw.pointee))
    }
  }

  /// Decodes the whole message into values that do not depend on the frame. Uses the memory of `arena`.
  ///
  /// - Throws: ``WireError`` if a value is unknown, there are too many sources, or a required part is missing, such as
  ///   the body or a payload.
  public func message(using arena: Arena) throws(WireError) -> GuestMessage {
    let raw = try Self.unpack(frame, arena, outbox)
    return try GuestMessage(unpacked: raw)
  }

  private static func unpack(
    _ frame: UnsafeRawBufferPointer, _ arena: Arena, _ outbox: SharedWindow?
  ) throws(WireError) -> UnsafeMutablePointer<Sluice__GuestMessage> {
    let data = frame.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: frame.count)
    guard let raw = sluice__guest_message__unpack(allocator, frame.count, data) else {
      throw .malformedMessage(length: frame.count)
    }
    outbox?.begin()
    try (outbox ?? .none).resolve(raw)
    return raw
  }

  private static func acknowledgement(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    var reader = ProtobufReader(bytes)
    guard let field = reader.next(), field.number == 1, case .varint(let through) = field.value,
      reader.next() == nil, !reader.hasGivenUp
    else { return nil }
    return through
  }

  private static func acknowledgement(_ raw: Sluice__GuestMessage) -> UInt64? {
    guard raw.body_case == SLUICE__GUEST_MESSAGE__BODY_ACKNOWLEDGE else { return nil }
    return raw.acknowledge?.pointee.through
  }
}

// MARK: - Shares and items

/// A share, decoded in place: its parts point into the frame.
public struct ShareFrame {
  public private(set) var destination = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var item: ItemFrame
  public private(set) var via = SharingPath.sdk
  public private(set) var way = Way.share
  /// The app that the sender claims to share from; empty for no claim. The device records the claim and never trusts
  /// it.
  public private(set) var claimedSource = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether the sender needs a response only if the share fails.
  public private(set) var isPosted = false

  /// Decodes a share that needs no protobuf-c. Returns nil if a field is repeated or unknown, the item is missing or
  /// not decodable, or a name is invalid or too long.
  fileprivate init?(
    _ bytes: UnsafeRawBufferPointer, arena: borrowing Arena, _ outbox: borrowing SharedWindow?
  ) {
    var reader = ProtobufReader(bytes)
    var seen: UInt64 = 0
    var item: ItemFrame?
    while let field = reader.next() {
      guard field.number < 64, seen & 1 << field.number == 0 else { return nil }
      seen |= 1 << field.number
      switch (field.number, field.value) {
      case (1, .bytes(let name)): destination = name
      case (2, .bytes(let bytes)): item = ItemFrame(bytes, arena: arena, outbox)
      case (3, .varint(let path)): via = path == 0 ? .sdk : .os
      case (4, .varint(let number)):
        guard let known = Way(rawValue: number) else { return nil }
        way = known
      case (5, .bytes(let claim)): claimedSource = claim
      case (6, .varint(let flag)): isPosted = flag != 0
      default: return nil  // open: any other field number, or another wire type
      }
    }
    guard let item, !reader.hasGivenUp else { return nil }
    self.item = item
    guard hasFineNames else { return nil }
  }

  private var hasFineNames: Bool {
    let length = destination.count + claimedSource.count + item.type.count + item.name.count
    return length <= RequestLimits.names && MessageText.isText(destination)
      && MessageText.isText(claimedSource) && MessageText.isText(item.type)
      && MessageText.isText(item.name)
  }

  /// Creates a share from its parts in separate buffers.
  public init(
    destination: UnsafeRawBufferPointer, item: ItemFrame, via: SharingPath, way: Way,
    claimedSource: UnsafeRawBufferPointer, isPosted: Bool
  ) {
    self.destination = destination
    self.item = item
    self.via = via
    self.way = way
    self.claimedSource = claimedSource
    self.isPosted = isPosted
  }
}

/// An item, decoded in place: its parts point into the frame or the outbox.
public struct ItemFrame {
  public private(set) var type = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var payload = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var origin = PayloadOrigin.host
  /// The ownership tag that the guest sent with the item, not yet verified; nil if it sent none.
  public var tag: OwnershipTag? { boxed?.tag }
  /// Whether the guest sent an ownership tag with the item.
  public var isTagged: Bool { boxed != nil }
  /// The tag. It is in an object because few items have a tag, and values of this type are copied often.
  private var boxed: Box?

  private final class Box {
    let tag: OwnershipTag

    init(_ tag: OwnershipTag) { self.tag = tag }
  }

  /// Decodes an item that needs no protobuf-c. Returns nil if a field is repeated, unknown or invalid, or if there is
  /// no payload.
  fileprivate init?(
    _ bytes: UnsafeRawBufferPointer, arena: borrowing Arena, _ outbox: borrowing SharedWindow?
  ) {
    var reader = ProtobufReader(bytes)
    var seen: UInt64 = 0
    while let field = reader.next() {
      guard field.number < 64, seen & 1 << field.number == 0, case .bytes(let value) = field.value
      else { return nil }
      seen |= 1 << field.number
      switch field.number {
      case 1: type = value
      case 2: name = value
      case 3: payload = value
      case 4:
        guard seen & 1 << 3 == 0, let bytes = outbox?.bytes(named: value) else { return nil }
        payload = bytes
        origin = .guest
        seen |= 1 << 3
      case 5:
        guard MessageText.isFine(tag: value),
          let tag = OwnershipTag(packed: value, arena: copy arena)
        else { return nil }
        boxed = Box(tag)
      default: return nil  // open: any other field number
      }
    }
    guard seen & 1 << 3 != 0, !reader.hasGivenUp else { return nil }
  }

  /// Creates an item from its parts in separate buffers.
  public init(
    type: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer,
    tag: OwnershipTag?
  ) {
    self.type = type
    self.name = name
    self.payload = payload
    boxed = tag.map(Box.init)
  }
}

extension OwnershipTag {
  fileprivate init?(packed bytes: UnsafeRawBufferPointer, arena: Arena) {
    let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: bytes.count)
    guard let raw = sluice__ownership_tag__unpack(allocator, bytes.count, data),
      let tag = try? OwnershipTag(unpacked: raw)
    else { return nil }
    self = tag
  }
}

/// The process that can modify a payload's memory.
public enum PayloadOrigin: Sendable {
  /// Only the device, so the bytes do not change between reads.
  case host
  /// The device and the sending guest, so each read may return different bytes.
  case guest
}

// MARK: - Fields

/// A reader of protobuf fields, for shares and acknowledgements. Unlike protobuf-c, it does not copy fields. If it
/// rejects a field, the field is malformed for protobuf-c too.
struct ProtobufReader {
  struct Field {
    let number: UInt64
    let value: Value
  }

  enum Value {
    case varint(UInt64)
    case bytes(UnsafeRawBufferPointer)
    /// A number of 4 or 8 bytes, which is skipped.
    case fixed
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Whether a field was rejected. The reader then returns no more fields.
  private(set) var hasGivenUp = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the next field; nil at the end, or if a field was rejected.
  @inline(__always)
  mutating func next() -> Field? {
    guard offset < bytes.count, !hasGivenUp else { return nil }
    guard let key = varint() else { return giveUp() }
    switch key & 7 {
    case 0:
      guard let value = varint() else { return giveUp() }
      return Field(number: key >> 3, value: .varint(value))
    case 2:
      guard let count = varint(), count <= UInt64(bytes.count - offset) else { return giveUp() }
      let start = offset
      offset += Int(count)
      return Field(
        number: key >> 3, value: .bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<offset])))
    case 1: return fixed(8, key)
    case 5: return fixed(4, key)
    default: return giveUp()  // open: the wire type's three bits; groups, or none
    }
  }

  private mutating func fixed(_ count: Int, _ key: UInt64) -> Field? {
    guard count <= bytes.count - offset else { return giveUp() }
    offset += count
    return Field(number: key >> 3, value: .fixed)
  }

  private mutating func giveUp() -> Field? {
    hasGivenUp = true
    return nil
  }

  @inline(__always)
  private mutating func varint() -> UInt64? {
    guard offset < bytes.count, bytes[offset] < 128 else { return longVarint() }
    offset += 1
    return UInt64(bytes[offset - 1])
  }

  /// Reads a number of any length. ``varint()`` reads numbers of one byte, which are the most frequent.
  private mutating func longVarint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 70 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
      shift += 7
    }
    return nil
  }
}

// MARK: - Text

/// Checks the strings of a guest's message without decoding it. The check is needed because protobuf-c truncates
/// strings at U+0000 and accepts invalid UTF-8.
private struct MessageText {
  private typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>

  /// The number of fields read so far; at most ``RequestLimits/fields``.
  private var count = 0

  /// Checks a whole message.
  ///
  /// - Throws: ``WireError`` if a string is not UTF-8 or contains U+0000, the names are too long, or there are too many
  ///   fields.
  static func check(_ frame: UnsafeRawBufferPointer) throws(WireError) {
    var text = MessageText()
    do throws(WireError) {
      try text.checkNames(frame, guestMessage)
    } catch .malformedMessage {
      throw .malformedMessage(length: frame.count)
    } catch {
      throw error
    }
  }

  static func isFine(tag: UnsafeRawBufferPointer) -> Bool {
    var text = MessageText()
    return (try? text.checkNames(tag, ownershipTag)) != nil
  }

  /// Returns whether bytes are UTF-8 without U+0000.
  static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, !bytes.isEmpty, !isASCII(bytes) else { return true }
    return memchr(start, 0, bytes.count) == nil && String(validating: bytes, as: UTF8.self) != nil
  }

  /// Returns whether all bytes are between 1 and 127. Examines eight bytes at a time.
  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // The subtraction sets the high bit of a byte that is 0.
      guard (word | (word &- ones)) & (ones << 7) == 0 else { return false }
      offset += 8
    }
    while offset < bytes.count {
      guard 1...127 ~= bytes[offset] else { return false }
      offset += 1
    }
    return true
  }

  // MARK: The content of a message

  /// A copy of the descriptor of `GuestMessage`, because Swift cannot take the address of a C global.
  nonisolated(unsafe) private static let guestMessage = address(sluice__guest_message__descriptor)
  nonisolated(unsafe) private static let ownershipTag = address(sluice__ownership_tag__descriptor)

  private static func address(_ descriptor: ProtobufCMessageDescriptor) -> Descriptor {
    let copy = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
    copy.initialize(to: descriptor)
    return Descriptor(copy)
  }

  private mutating func checkNames(
    _ message: UnsafeRawBufferPointer, _ descriptor: Descriptor
  ) throws(WireError) {
    let length = try nameLength(message, descriptor)
    guard length <= RequestLimits.names else { throw .longNames(length: length) }
  }

  /// Returns the total size in bytes of the fields to which the limit for names applies: strings outside ``payloads``,
  /// and byte fields in ``names``. Tags do not count, because they are checked separately.
  private mutating func nameLength(
    _ message: UnsafeRawBufferPointer, _ descriptor: Descriptor
  ) throws(WireError) -> Int {
    var length = 0
    var reader = ProtobufReader(message)
    while let next = reader.next() {
      count += 1
      guard count <= RequestLimits.fields else { throw .malformedMessage(length: message.count) }
      guard case .bytes(let bytes) = next.value, let number = UInt32(exactly: next.number),
        let field = protobuf_c_message_descriptor_get_field(descriptor, number)?.pointee
      else { continue }
      length += try nameLength(bytes, field, of: descriptor)
    }
    guard !reader.hasGivenUp else { throw .malformedMessage(length: message.count) }
    return length
  }

  private mutating func nameLength(
    _ bytes: UnsafeRawBufferPointer, _ field: ProtobufCFieldDescriptor, of message: Descriptor
  ) throws(WireError) -> Int {
    let name = String(cString: field.name)
    switch field.type {
    case PROTOBUF_C_TYPE_STRING:
      guard Self.isText(bytes) else { throw .malformedText(field: name) }
      let place = "\(String(cString: message.pointee.short_name)).\(name)"
      return Self.payloads.contains(place) ? 0 : bytes.count
    case PROTOBUF_C_TYPE_BYTES: return Self.names.contains(name) ? bytes.count : 0
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let inner = field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
      else { return 0 }
      guard name != "tag" else {
        // Each tag has its own limit, because an app may return dozens of items with tags.
        try checkNames(bytes, inner)
        return 0
      }
      return try nameLength(bytes, inner)
    default: return 0  // open: a C enumeration; any type of number
    }
  }

  /// The strings that count as content, so the limit for names does not apply.
  private static let payloads: Set<String> = [
    "Log.text", "OfferedItem.content_text", "Performed.failure", "Failed.why",
  ]
  /// The byte fields to which the limit for names applies.
  private static let names: Set<String> = ["path", "to", "header"]
}
