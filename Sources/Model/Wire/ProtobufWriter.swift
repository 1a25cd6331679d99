/// Writes protobuf fields into memory that is large enough: for the two messages that every transfer
/// needs, whose fields protobuf-c would walk three times.
struct ProtobufWriter {
  private(set) var cursor: UnsafeMutableRawPointer

  init(at cursor: UnsafeMutableRawPointer) { self.cursor = cursor }

  static func varintSize(_ value: UInt64) -> Int {
    value < 128 ? 1 : (63 - value.leadingZeroBitCount) / 7 + 1
  }

  /// Size of a length-delimited field with a number below 16.
  static func fieldSize(_ count: Int) -> Int { 1 + varintSize(UInt64(count)) + count }

  /// Size of a length-delimited field that is left out when empty, as in proto3.
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

  /// The head of a length-delimited field.
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
