/// Reads protobuf fields in place: for the two messages that every transfer needs, which protobuf-c
/// would copy.
///
/// A field that the reader gives up on, protobuf-c does not understand either.
struct ProtobufReader {
  /// One field: its number and its value.
  struct Field {
    let number: UInt64
    let value: Value
  }

  enum Value {
    case varint(UInt64)
    case bytes(UnsafeRawBufferPointer)
    /// A number of 4 or 8 bytes.
    case fixed
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Whether the reader met something that it does not read.
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

  private mutating func varint() -> UInt64? {
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
