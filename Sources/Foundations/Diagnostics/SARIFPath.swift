/// Paths as URI references (RFC 3986).
enum SARIFPath {
  /// An absolute path as a `file` URL, another as a relative reference, which begins with no `./`: viewers compare texts.
  static func uri(of path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : ""
    for byte in path.trimmingPrefix("./").utf8 {
      if isAllowed(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%" + hexDigit(byte >> 4) + hexDigit(byte & 15)
      }
    }
    return uri
  }

  /// Whether the byte stands for itself: unreserved characters and slashes. A colon does not: it would end a scheme.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": true
    default:  // open: any other byte
      false
    }
  }

  private static func hexDigit(_ digit: UInt8) -> String {
    String(digit, radix: 16, uppercase: true)
  }
}
