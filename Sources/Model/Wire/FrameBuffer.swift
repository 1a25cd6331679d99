internal import CMessages
internal import CProtobufC
public import Model

/// A queue of encoded frames in contiguous memory.
public struct FrameBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var end = 0

  /// Creates an empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 4096) {
    memory = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { memory.deallocate() }

  /// The size of all frames in bytes.
  public var count: Int { end }
  public var isEmpty: Bool { end == 0 }

  /// The bytes of all frames. They are not copied, so they are valid only until the buffer changes.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: end) }

  /// Removes all frames. A buffer of more than 1 MiB shrinks to 1 MiB.
  public mutating func removeAll() {
    end = 0
    guard capacity > Self.keptCapacity else { return }
    memory.deallocate()
    capacity = Self.keptCapacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  private static let keptCapacity = 1024 * 1024

  public mutating func append(contentsOf other: borrowing FrameBuffer) {
    reserve(other.count)
    memory.advanced(by: end).copyMemory(from: other.memory, byteCount: other.count)
    end += other.count
  }

  /// Encodes `message` and adds it as a frame. Resets `arena`.
  public mutating func append(_ message: GuestMessage, using arena: Arena) {
    append(packing: arena.encode(message, sluice__guest_message__init))
    arena.reset()
  }

  /// Encodes `message` and adds it as a frame. Resets `arena`.
  public mutating func append(_ message: HostMessage, using arena: Arena) {
    append(packing: arena.encode(message, sluice__host_message__init))
    arena.reset()
  }

  private mutating func append(packing message: UnsafeMutablePointer<ProtobufCMessage>) {
    appendFrame(protobuf_c_message_get_packed_size(message)) { memory in
      _ = protobuf_c_message_pack(message, memory.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// Adds a frame of `count` bytes. `fill` gets the memory and must write every byte.
  mutating func appendFrame(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
    reserve(4 + count)
    memory.storeBytes(of: UInt32(count).littleEndian, toByteOffset: end, as: UInt32.self)
    fill(memory + end + 4)
    end += 4 + count
  }

  private mutating func reserve(_ count: Int) {
    guard end + count > capacity else { return }
    capacity = max(capacity * 2, end + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: end)
    memory.deallocate()
    memory = larger
  }
}

// MARK: - Transfers

/// Encoders for deliveries and outcomes, which every transfer needs. They write the fields directly, with a fraction of
/// the instructions that protobuf-c needs. A test compares the bytes with protobuf-c's output.
extension FrameBuffer {
  /// The ownership tag of a delivered item: encoded fields that are the same for all items of the owner, and fields of
  /// this item.
  public struct SealedTag {
    fileprivate var template: UnsafeRawBufferPointer
    fileprivate var sequence: UInt64
    fileprivate var seal: UnsafeRawBufferPointer

    /// Creates a tag from ``TagTemplate/bytes``, the item's sequence and its seal. The buffers must stay valid until
    /// the delivery is encoded.
    public init(template: UnsafeRawBufferPointer, sequence: UInt64, seal: UnsafeRawBufferPointer) {
      self.template = template
      self.sequence = sequence
      self.seal = seal
    }

    fileprivate var size: Int { template.count + 9 + ProtobufWriter.fieldSize(seal.count) }

    fileprivate func write(to writer: inout ProtobufWriter) {
      writer.bytes(template)
      writer.fixed64(field: 7, sequence)
      writer.head(field: 8, seal.count)
      writer.bytes(seal)
    }
  }

  /// The flags of a delivery that are not part of its item.
  public struct DeliveryMarks: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let encrypted = DeliveryMarks(rawValue: 1)
    public static let forUnmanaged = DeliveryMarks(rawValue: 2)

    private static let fields: [(DeliveryMarks, UInt8)] = [
      (.encrypted, 4), (.forUnmanaged, 6),
    ]

    fileprivate var size: Int { rawValue.nonzeroBitCount * 2 }

    fileprivate func write(to writer: inout ProtobufWriter) {
      guard !isEmpty else { return }
      for (mark, field) in Self.fields where contains(mark) { writer.varint(field: field, 1) }
    }
  }

  /// An item whose parts are in separate buffers. An empty type or name is not encoded, as in proto3.
  public struct ItemParts {
    public var type: UnsafeRawBufferPointer
    public var name: UnsafeRawBufferPointer
    public var payload: UnsafeRawBufferPointer
    /// The process that can modify the payload's memory.
    public var origin: PayloadOrigin

    public init(
      type: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer,
      origin: PayloadOrigin = .host
    ) {
      self.type = type
      self.name = name
      self.payload = payload
      self.origin = origin
    }

    @inline(__always)
    fileprivate func size(_ place: SharedBytes?) -> Int {
      ProtobufWriter.optionalSize(type.count) + ProtobufWriter.optionalSize(name.count)
        + ProtobufWriter.fieldSize(place?.encodedCount ?? payload.count)
    }

    @inline(__always)
    fileprivate func write(_ place: SharedBytes?, to writer: inout ProtobufWriter) {
      writer.optional(field: 1, type)
      writer.optional(field: 2, name)
      if let place {
        place.write(to: &writer)
      } else {
        writer.head(field: 3, payload.count)
        writer.bytes(payload)
      }
    }
  }

  /// Adds the frame of a delivery.
  ///
  /// - Parameter place: The payload's location in the receiver's inbox; nil to include it in the frame.
  public mutating func appendDelivery(
    sequence: UInt64, item: ItemParts, at place: SharedBytes? = nil, tag: SealedTag,
    sender: UnsafeRawBufferPointer, marks: DeliveryMarks
  ) {
    let tagSize = tag.size
    let itemSize = item.size(place) + ProtobufWriter.fieldSize(tagSize)
    let size =
      1 + ProtobufWriter.varintSize(sequence) + ProtobufWriter.fieldSize(itemSize)
      + ProtobufWriter.optionalSize(sender.count) + marks.size
    appendFrame(ProtobufWriter.fieldSize(size)) { memory in
      var writer = ProtobufWriter(at: memory)
      writer.head(field: 5, size)
      writer.varint(field: 1, sequence)
      writer.head(field: 2, itemSize)
      item.write(place, to: &writer)
      writer.head(field: 5, tagSize)
      tag.write(to: &writer)
      writer.optional(field: 3, sender)
      marks.write(to: &writer)
    }
  }

  /// Adds the frame of an outcome that is already encoded.
  public mutating func appendOutcome(request: UInt64, _ outcome: PackedOutcome) {
    let size =
      (request == 0 ? 0 : 1 + ProtobufWriter.varintSize(request))
      + ProtobufWriter.fieldSize(outcome.bytes.count)
    appendFrame(size) { memory in
      var writer = ProtobufWriter(at: memory)
      if request != 0 { writer.varint(field: 1, request) }
      writer.head(field: 4, outcome.bytes.count)
      outcome.bytes.withUnsafeBytes { writer.bytes($0) }
    }
  }
}

extension SharedBytes {
  fileprivate var encodedCount: Int {
    (offset == 0 ? 0 : 1 + ProtobufWriter.varintSize(UInt64(offset)))
      + 1 + ProtobufWriter.varintSize(UInt64(count))
  }

  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.head(field: 4, encodedCount)
    if offset != 0 { writer.varint(field: 1, UInt64(offset)) }
    writer.varint(field: 2, UInt64(count))
  }
}

/// An encoded outcome. Requests with equal outcomes can share it, because it does not contain the request number.
public struct PackedOutcome: Sendable {
  fileprivate let bytes: [UInt8]

  /// Encodes `outcome`. Resets `arena`.
  public init(_ outcome: RequestOutcome, using arena: Arena) {
    bytes = [UInt8](packing: arena.encode(outcome, sluice__outcome__init))
    arena.reset()
  }
}

/// The encoded fields of an ownership tag that do not depend on the item: fields 1 to 6 of `OwnershipTag`. In one app,
/// all items of an owner have the same template.
///
/// The seal is computed over these bytes exactly as they are sent.
public struct TagTemplate: Sendable, Equatable {
  public let bytes: [UInt8]

  /// Encodes `tag`, except its sequence and seal.
  public init(_ tag: OwnershipTag) {
    var bytes: [UInt8] = []
    let fields: [(UInt8, String)] = [
      (1, tag.ownerUPN), (2, tag.ownerObjectID), (3, tag.ownerTenantID),
    ]
    for (field, text) in fields { Self.append(field, text, to: &bytes) }
    if tag.isManaged { bytes += [4 << 3, 1] }
    Self.append(5, tag.originApp, to: &bytes)
    Self.append(6, tag.device, to: &bytes)
    self.bytes = bytes
  }

  private static func append(_ field: UInt8, _ text: String, to bytes: inout [UInt8]) {
    guard !text.isEmpty else { return }
    bytes.append(field << 3 | 2)
    var rest = text.utf8.count
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
    bytes += text.utf8
  }
}

// MARK: - Fields

/// A writer of protobuf fields, for deliveries and outcomes. The caller provides enough memory. It replaces protobuf-c,
/// which would traverse the fields three times.
private struct ProtobufWriter {
  private(set) var cursor: UnsafeMutableRawPointer

  init(at cursor: UnsafeMutableRawPointer) { self.cursor = cursor }

  static func varintSize(_ value: UInt64) -> Int {
    value < 128 ? 1 : (63 - value.leadingZeroBitCount) / 7 + 1
  }

  /// Returns the encoded size of a length-delimited field with `count` bytes of content. The field number must be below
  /// 16.
  static func fieldSize(_ count: Int) -> Int { 1 + varintSize(UInt64(count)) + count }

  /// Returns the encoded size of a length-delimited field with `count` bytes of content; 0 if it is empty, because
  /// proto3 omits empty fields.
  static func optionalSize(_ count: Int) -> Int { count == 0 ? 0 : fieldSize(count) }

  mutating func byte(_ byte: UInt8) {
    cursor.storeBytes(of: byte, as: UInt8.self)
    cursor += 1
  }

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 128 {
      byte(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    byte(UInt8(rest))
  }

  mutating func varint(field: UInt8, _ value: UInt64) {
    byte(field << 3)
    varint(value)
  }

  mutating func fixed64(field: UInt8, _ value: UInt64) {
    byte(field << 3 | 1)
    cursor.storeBytes(of: value.littleEndian, as: UInt64.self)
    cursor += 8
  }

  /// Writes the beginning of a length-delimited field: its key and the length of its content.
  mutating func head(field: UInt8, _ count: Int) {
    byte(field << 3 | 2)
    varint(UInt64(count))
  }

  mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    cursor.copyMemory(from: base, byteCount: bytes.count)
    cursor += bytes.count
  }

  mutating func optional(field: UInt8, _ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    head(field: field, bytes.count)
    self.bytes(bytes)
  }
}
