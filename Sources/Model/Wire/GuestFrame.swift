internal import CMessages
internal import CProtobufC
public import Model

/// A message from a guest, decoded in place: strings stay bytes until they are read.
///
/// Shares and acknowledgements, which are almost all messages, are read without protobuf-c and without a
/// copy; unusual ones and all other messages are left to protobuf-c. Valid as long as the frame and the arena.
public struct GuestFrame {
  /// The number of the request; 0 where the message asks for nothing.
  public let request: UInt64
  /// The share; nil where the message is no share with an item, or is left to protobuf-c.
  public let share: ShareFrame?
  /// The number up to which deliveries are acknowledged; nil where the message acknowledges none.
  public let acknowledgedThrough: UInt64?
  /// Length of the frame in bytes.
  public var count: Int { frame.count }
  /// The payloads of the message that lie in the guest's outbox.
  public var sharedPayloads: [SharedBytes] { outbox?.named ?? [] }
  /// Whether there are any.
  public var namesMemory: Bool { outbox.map { !$0.named.isEmpty } ?? false }
  private let frame: UnsafeRawBufferPointer
  private let arena: Arena
  private let outbox: SharedWindow?

  /// Decodes a frame.
  ///
  /// - Parameter outbox: the memory in which payloads of the message may lie; nil: none, and a message that has such
  ///   payloads is refused.
  /// - Throws: ``WireError`` where it is no message, a name in it is no text or too long, or a payload is not in the
  ///   outbox.
  public init(
    _ frame: UnsafeRawBufferPointer, arena: Arena, outbox: SharedWindow? = nil
  ) throws(WireError) {
    self.frame = frame
    self.arena = arena
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

  /// The whole message as values.
  ///
  /// - Throws: ``WireError`` where the message has no body, or an item without payload.
  public func message() throws(WireError) -> GuestMessage {
    let raw = try Self.unpack(frame, arena, outbox)
    return try GuestMessage(raw.pointee)
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

/// A share, decoded in place.
public struct ShareFrame {
  public private(set) var destination = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var item: ItemFrame
  public private(set) var via = SharingPath.sdk
  public private(set) var way = Way.share
  /// The app that the sender claims as the source; empty for no claim.
  public private(set) var claimedSource = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether the sender wants an answer only in case of failure.
  public private(set) var isPosted = false

  /// Reads a share; nil where a field is there twice or unknown, the item is missing, or a name is no text or too long.
  init?(_ bytes: UnsafeRawBufferPointer, arena: Arena, _ outbox: SharedWindow?) {
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

  /// A share whose parts lie elsewhere in memory.
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

/// An item, decoded in place.
public struct ItemFrame {
  public private(set) var type = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var payload = UnsafeRawBufferPointer(start: nil, count: 0)
  public private(set) var origin = PayloadOrigin.host
  /// The tag under which the guest claims that the item came; nil where it claims none.
  public var tag: OwnershipTag? { boxed?.tag }
  /// Whether the item has a tag.
  public var isTagged: Bool { boxed != nil }
  /// The tag in a box, because few items have one, and frames are copied about.
  private var boxed: Box?

  private final class Box {
    let tag: OwnershipTag

    init(_ tag: OwnershipTag) { self.tag = tag }
  }

  /// Reads an item; nil where a field is there twice or unknown, or there is no payload.
  init?(_ bytes: UnsafeRawBufferPointer, arena: Arena, _ outbox: SharedWindow?) {
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
        guard MessageText.isFine(tag: value), let tag = OwnershipTag(packed: value, arena: arena)
        else { return nil }
        boxed = Box(tag)
      default: return nil  // open: any other field number
      }
    }
    guard seen & 1 << 3 != 0, !reader.hasGivenUp else { return nil }
  }

  /// An item whose parts lie elsewhere in memory.
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
    guard let raw = sluice__ownership_tag__unpack(allocator, bytes.count, data) else {
      return nil
    }
    self.init(raw.pointee)
  }
}
