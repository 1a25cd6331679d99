/// The scheme of a URL (RFC 3986, section 3.1).
package enum URLScheme {
  /// The scheme of `url`, in lower case, without colon; nil where `url` has none.
  package static func of(_ url: String) -> String? {
    guard let end = url.utf8.firstIndex(of: UInt8(ascii: ":")), end > url.startIndex else {
      return nil
    }
    let scheme = url[..<end].lowercased()
    return isValid(scheme) ? scheme : nil
  }

  private static let twinSuffix = "-intunemam"

  /// The scheme by which the SDK opens URLs of `scheme` in managed apps.
  package static func twin(of scheme: String) -> String { scheme + twinSuffix }

  /// Whether `scheme` is a twin.
  package static func isTwin(_ scheme: String) -> Bool { scheme.hasSuffix(twinSuffix) }

  /// The text, where it is a scheme; otherwise nil.
  static func valid(_ text: String) -> String? { isValid(text) ? text : nil }

  /// Whether `text` is a letter, then letters, digits, `+`, `-` and `.`.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
