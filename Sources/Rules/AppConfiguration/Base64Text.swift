/// Base64 of RFC 4648, section 4, as Graph writes binary properties; line ends between are ignored.
enum Base64Text {
  /// nil where `text` is none.
  static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.filter { !" \t\r\n".utf8.contains($0) }
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

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
