/// Escapes in URLs: `%` and the two digits of a byte (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// `bytes` with an escape for each that is no unreserved character (section 2.3); digits are capitals.
  ///
  /// - Parameter kept: other bytes that stay as they are.
  package static func encoded(_ bytes: some Sequence<UInt8>, except kept: [UInt8] = []) -> String {
    bytes.reduce(into: "") { text, byte in
      if isUnreserved(byte) || kept.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + Hexadecimal.text([byte]).uppercased()
      }
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default:  // open: any other byte
      false
    }
  }

  /// The bytes that `text` stands for, with its escapes resolved.
  ///
  /// - Returns: nil where a `%` has no two digits after it. A sign is no digit, although numbers may have one.
  package static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value),
        let low = rest.popFirst().flatMap(Hexadecimal.value)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
