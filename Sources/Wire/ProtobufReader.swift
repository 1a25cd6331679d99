/// Reads protobuf fields where they lie: for the two messages that every transfer needs, which protobuf-c
/// would copy.
///
/// It knows varints and length-delimited fields, and gives up on everything else: what it does not
/// understand is protobuf-c's to judge.
struct ProtobufReader {
  /// One field: its number, and what it holds.
  struct Field {
    let number: UInt64
    let value: Value
  }

  enum Value {
    case varint(UInt64)
    case bytes(UnsafeRawBufferPointer)
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Whether something was met that is not for this reader.
  private(set) var hasGivenUp = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next field; nil at the end, and where the reader gives up.
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
    default: return giveUp()
    }
  }

  private mutating func giveUp() -> Field? {
    hasGivenUp = true
    return nil
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 63 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
      shift += 7
    }
    return nil
  }
}
