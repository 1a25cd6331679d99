/// The scheme of a URL (RFC 3986, section 3.1).
package enum URLScheme {
  /// Returns the scheme of `url`, in lower case, without the colon; nil if there is none.
  package static func of(_ url: String) -> String? {
    guard let end = url.utf8.firstIndex(of: UInt8(ascii: ":")), end > url.startIndex else {
      return nil
    }
    let scheme = url[..<end].lowercased()
    return isValid(scheme) ? scheme : nil
  }

  private static let twinSuffix = "-intunemam"

  /// Returns the twin of `scheme`, `<scheme>-intunemam`, with which the SDK opens URLs in managed apps.
  package static func twin(of scheme: String) -> String { scheme + twinSuffix }

  package static func isTwin(_ scheme: String) -> Bool { scheme.hasSuffix(twinSuffix) }

  static func valid(_ text: String) -> String? { isValid(text) ? text : nil }

  /// Returns whether `text` is a letter followed by letters, digits, `+`, `-` and `.`.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
