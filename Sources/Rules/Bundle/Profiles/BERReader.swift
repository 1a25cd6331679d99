/// Walks through elements of ASN.1's Basic Encoding Rules, forwards and downwards only. Tags have
/// one byte. An element that reaches beyond the bytes, or beyond the element around it, is refused.
///
/// Source: ITU-T X.690.
struct BERReader {
  private var rest: ArraySlice<UInt8>

  private enum Length {
    case definite(Int)
    /// The content ends at two zero bytes.
    case indefinite
  }

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Enters the next element; the elements that follow it are out of reach then.
  mutating func enter(_ tag: UInt8) -> Bool {
    guard let length = header(tag) else { return false }
    if case .definite(let count) = length { rest = rest.prefix(count) }
    return true
  }

  /// The bytes of the next element; nil where it has another tag, or an indefinite length.
  mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
    guard case .definite(let count) = header(tag) else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The content of the next octet string, whole or in pieces.
  mutating func octets() -> [UInt8]? {
    if let whole = element(0x04) { return Array(whole) }
    guard let length = header(0x24) else { return nil }
    if case .definite(let count) = length { rest = rest.prefix(count) }
    var octets: [UInt8] = []
    while let piece = element(0x04) { octets += piece }
    switch length {
    case .definite: return rest.isEmpty ? octets : nil
    case .indefinite: return rest.starts(with: [0, 0]) ? octets : nil
    }
  }

  /// Moves past tag and length, or stays where it is and returns nil.
  private mutating func header(_ tag: UInt8) -> Length? {
    var ahead = rest
    guard ahead.popFirst() == tag, let first = ahead.popFirst() else { return nil }
    var count = Int(first)
    if first == 0x80 {
      rest = ahead
      return .indefinite
    } else if first > 0x80 {
      let size = Int(first & 0x7f)
      guard size <= 4, size <= ahead.count else { return nil }
      count = ahead.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      ahead = ahead.dropFirst(size)
    }
    guard count <= ahead.count else { return nil }
    rest = ahead
    return .definite(count)
  }
}
