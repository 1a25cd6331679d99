/// Base64 (RFC 4648), without Foundation.
package enum Base64 {
  /// The treatment of white space between digits.
  package enum Spaces: Sendable {
    case none
    /// Spaces, tabs and line breaks are ignored, as in certificate files.
    case ignored
  }

  /// Encodes bytes, with padding (section 4).
  package static func text(_ bytes: [UInt8]) -> String {
    var digits = digits(of: bytes, alphabet)
    while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Encodes bytes in the alphabet for URLs, without padding (section 5).
  package static func textForURL(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: digits(of: Array(bytes), alphabetForURLs), as: UTF8.self)
  }

  /// Decodes Base64 with padding; nil if the text is invalid.
  package static func bytes(_ text: some StringProtocol, spaces: Spaces = .none) -> [UInt8]? {
    let digits = text.utf8.filter { spaces == .none || !" \t\r\n".utf8.contains($0) }
    let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
    guard digits.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var bits = 0
    for (index, digit) in digits.enumerated() {
      guard let value = index < digits.count - padding ? value(of: digit) : 0 else { return nil }
      bits = bits << 6 | value
      guard index % 4 == 3 else { continue }
      bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
      bits = 0
    }
    bytes.removeLast(min(padding, bytes.count))
    return bytes
  }

  package static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  package static let alphabetForURLs = Array(alphabet.dropLast(2)) + Array("-_".utf8)

  private static func digits(of bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        digits.append(alphabet[Int(bits >> count & 63)])
      }
    }
    if count > 0 { digits.append(alphabet[Int(bits << (6 - count) & 63)]) }
    return digits
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default:  // open: any other byte
      nil
    }
  }
}

package enum Hexadecimal {
  /// Encodes bytes as hexadecimal digits in lower case.
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Decodes hexadecimal digits; nil if `text` has other characters or an odd number of digits.
  package static func bytes(_ text: Substring) -> [UInt8]? {
    let digits = text.utf8.map(value)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Returns the value of a hexadecimal digit in either case; nil if the byte is not a digit.
  static func value(_ digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
  }
}
