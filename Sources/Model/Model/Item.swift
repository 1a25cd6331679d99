/// Something that moves between apps: content of one uniform type.
public struct Item: Sendable, Equatable {
  /// A uniform type identifier, such as `public.plain-text`.
  public var type: String
  /// The suggested file name; nil where the item is no file.
  public var name: String?
  public var payload: Payload
  /// The tag under which the device delivered this item; nil for content that the app made itself.
  public var tag: OwnershipTag?

  /// An item of `type` with `payload`.
  public init(type: String, name: String? = nil, payload: Payload, tag: OwnershipTag? = nil) {
    self.type = type
    self.name = name
    self.payload = payload
    self.tag = tag
  }

  /// An item of plain text, of type `public.utf8-plain-text`.
  public init(text: String) {
    self.init(type: Item.plainText, payload: .inline(Array(text.utf8)))
  }

  /// The type of plain text, `public.utf8-plain-text`.
  public static let plainText = "public.utf8-plain-text"

  /// The bytes of the payload.
  package var bytes: [UInt8] {
    switch payload {
    case .inline(let bytes): bytes
    }
  }

  /// The payload as text; nil where it is not valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The number of characters of the text as policies count them, its Unicode scalars; nil where it is not valid UTF-8.
  ///
  /// This reads the whole payload.
  public var characterCount: Int? { bytes.withUnsafeBytes(scalarCount) }
}

/// The number of Unicode scalars in UTF-8; nil where it is not well-formed (The Unicode Standard, table 3-7).
///
/// A string counts its scalars some twenty times slower, and an item may have 16 MiB of them.
private func scalarCount(of bytes: UnsafeRawBufferPointer) -> Int? {
  var (position, count) = (0, 0)
  while position < bytes.count {
    if bytes.count - position >= 8,
      bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
      count += 8
      continue
    }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[position] {
    case 0...0x7F: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil  // open: bytes; no other byte begins a character
    }
    guard bytes.count - position >= length else { return nil }
    if length > 1 {
      guard second.contains(bytes[position + 1]) else { return nil }
      for next in (position + 2)..<(position + max(length, 2)) where bytes[next] & 0xC0 != 0x80 {
        return nil
      }
    }
    position += length
    count += 1
  }
  return count
}
