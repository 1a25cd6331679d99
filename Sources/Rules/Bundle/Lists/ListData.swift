/// The bytes that the text of a `<data>` encodes, and the characters of the text that encode none.
///
/// Source: `parseDataTag` in CFPropertyList.c of CoreFoundation.
struct ListData {
  private(set) var bytes: [UInt8] = []
  /// The first character that is neither Base64 nor white space; nil where there is none.
  private(set) var skipped: Character?
  /// The characters at the end that make no group of four, and encode nothing.
  private(set) var rest = ""

  private static let digits: [UInt8: UInt32] = {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var digits = Dictionary(
      uniqueKeysWithValues: letters.utf8.enumerated().map { ($0.element, UInt32($0.offset)) })
    digits[UInt8(ascii: "=")] = 0
    return digits
  }()

  /// Decodes the text; nil where a byte is not ASCII, or begins a tag.
  init?(_ text: some Sequence<UInt8>) {
    var group: UInt32 = 0
    var padding = 0
    for byte in text {
      guard byte < 0x80, byte != UInt8(ascii: "<") else { return nil }
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      if byte == UInt8(ascii: "=") { padding += 1 } else if !isSpace { padding = 0 }
      guard let digit = Self.digits[byte] else {
        if !isSpace, skipped == nil { skipped = Character(Unicode.Scalar(byte)) }
        continue
      }
      group = group << 6 | digit
      rest.unicodeScalars.append(Unicode.Scalar(byte))
      guard rest.utf8.count == 4 else { continue }
      rest = ""
      let made = [group >> 16, group >> 8, group].map { UInt8(truncatingIfNeeded: $0) }
      bytes += made.prefix(max(1, 3 - padding))
      group = 0
    }
  }
}
