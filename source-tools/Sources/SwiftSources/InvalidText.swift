/// Bytes that are no UTF-8 text.
enum InvalidText {
  /// The offset of the first byte that begins no character; nil where all is text.
  static func offset(in bytes: [UInt8]) -> Int? {
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}
