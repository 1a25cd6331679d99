internal import CMessages
internal import CProtobufC

/// The messages that every transfer needs, written field by field. The bytes are those that protobuf-c would write for
/// the same message (tested), at a fraction of its instructions.
extension FrameBuffer {
  /// The tag of a delivery: its constant part, and the parts of this item.
  public struct SealedTag {
    var template: UnsafeRawBufferPointer
    var sequence: UInt64
    var seal: UnsafeRawBufferPointer

    /// A tag of `template`, which is ``TagTemplate/bytes``. All three must outlive the call that takes them.
    public init(template: UnsafeRawBufferPointer, sequence: UInt64, seal: UnsafeRawBufferPointer) {
      self.template = template
      self.sequence = sequence
      self.seal = seal
    }

    var size: Int { template.count + 9 + ProtobufWriter.fieldSize(seal.count) }

    func write(to writer: inout ProtobufWriter) {
      writer.bytes(template)
      writer.fixed64(field: 7, sequence)
      writer.head(field: 8, seal.count)
      writer.bytes(seal)
    }
  }

  /// The facts that a delivery states beside its item.
  public struct DeliveryMarks: OptionSet, Sendable {
    public let rawValue: UInt8
    /// Marks with the given bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let encrypted = DeliveryMarks(rawValue: 1)
    public static let forUnmanaged = DeliveryMarks(rawValue: 2)

    private static let fields: [(DeliveryMarks, UInt8)] = [
      (.encrypted, 4), (.forUnmanaged, 6),
    ]

    var size: Int { rawValue.nonzeroBitCount * 2 }

    func write(to writer: inout ProtobufWriter) {
      guard !isEmpty else { return }
      for (mark, field) in Self.fields where contains(mark) { writer.varint(field: field, 1) }
    }
  }

  /// The parts of an item, wherever they lie. An empty type or name is left out, as in proto3.
  public struct ItemParts {
    public var type: UnsafeRawBufferPointer
    public var name: UnsafeRawBufferPointer
    public var payload: UnsafeRawBufferPointer
    /// The process that can alter the payload.
    public var origin: PayloadOrigin

    /// An item of the given parts.
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
    func size(_ place: SharedBytes?) -> Int {
      ProtobufWriter.optionalSize(type.count) + ProtobufWriter.optionalSize(name.count)
        + ProtobufWriter.fieldSize(place?.encodedCount ?? payload.count)
    }

    @inline(__always)
    func write(_ place: SharedBytes?, to writer: inout ProtobufWriter) {
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
  /// - Parameter place: the place of the payload in the receiver's inbox; nil: within the frame.
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

  /// Adds the frame of an outcome that was packed before.
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
  /// Size of the message in bytes.
  fileprivate var encodedCount: Int {
    (offset == 0 ? 0 : 1 + ProtobufWriter.varintSize(UInt64(offset)))
      + 1 + ProtobufWriter.varintSize(UInt64(count))
  }

  /// Writes the payload of an item.
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.head(field: 4, encodedCount)
    if offset != 0 { writer.varint(field: 1, UInt64(offset)) }
    writer.varint(field: 2, UInt64(count))
  }
}

/// An outcome in the form of the wire: the same answer is given many times.
public struct PackedOutcome: Sendable {
  let bytes: [UInt8]

  /// Packs `outcome`, with `arena` for the time of the call.
  public init(_ outcome: RequestOutcome, using arena: Arena) {
    let raw = arena.outcome(outcome)
    bytes = [UInt8](unsafeUninitializedCapacity: sluice__outcome__get_packed_size(raw)) {
      $1 = sluice__outcome__pack(raw, $0.baseAddress)
    }
    arena.reset()
  }
}
