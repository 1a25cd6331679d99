/// Escapes in URLs: `%` and the two digits of a byte (RFC 3986, section 2.1).
package enum PercentEncoding {
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
