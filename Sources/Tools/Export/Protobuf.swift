/// Fields of a protobuf message, one after the other, for messages of which only few fields are written.
struct Protobuf {
  private(set) var bytes: [UInt8] = []

  mutating func number(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  mutating func fixed(_ field: UInt64, _ value: UInt64) {
    varint(field << 3 | 1)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ field: UInt64, _ text: String) { data(field, Array(text.utf8)) }

  mutating func message(_ field: UInt64, _ fill: (inout Protobuf) -> Void) {
    var message = Protobuf()
    fill(&message)
    data(field, message.bytes)
  }

  private mutating func data(_ field: UInt64, _ data: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(data.count))
    bytes += data
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
