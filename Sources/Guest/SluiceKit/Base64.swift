/// Base64 of RFC 4648, section 4, which Foundation would bring at the price of itself.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let value = piece.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - piece.count))
      for place in 0..<4 {
        let digit = alphabet[value >> (18 - 6 * place) & 63]
        text.append(place <= piece.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// nil where `text` is not base64.
  static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 4 == 0 else { return nil }
    let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    for start in stride(from: 0, to: digits.count, by: 4) {
      var value = 0
      for (place, digit) in digits[start..<start + 4].enumerated() {
        let isPadding = start + place >= digits.count - padding
        guard let bits = isPadding ? 0 : alphabet.firstIndex(of: digit) else { return nil }
        value = value << 6 | bits
      }
      bytes += [UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
    bytes.removeLast(min(padding, bytes.count))
    return bytes
  }
}
