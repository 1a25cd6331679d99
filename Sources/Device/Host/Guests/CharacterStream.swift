/// Bytes of a stream as text, whose characters may be cut between two reads.
struct CharacterStream {
  /// The beginning of a character, at most three bytes.
  private var rest: [UInt8] = []

  /// The text that is complete with more bytes. What is no UTF-8 becomes U+FFFD.
  mutating func append(_ bytes: some Collection<UInt8>) -> String {
    rest += bytes
    let complete = rest.dropLast(Self.cut(rest))
    defer { rest = Array(rest[complete.endIndex...]) }
    return String(decoding: complete, as: UTF8.self)
  }

  /// What is left of a stream that has ended.
  mutating func end() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The number of bytes at the end of `bytes` that begin a character, and do not complete it.
  private static func cut(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      guard byte & 0xC0 != 0x80 else { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }
}
