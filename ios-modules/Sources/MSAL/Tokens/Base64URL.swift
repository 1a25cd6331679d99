internal import Foundation

/// Base64 for URLs without padding (RFC 4648, section 5), which JSON Web Tokens use.
enum Base64URL {
  /// Decodes Base64 for URLs. Returns nil if `text` is not valid.
  static func data(_ text: some StringProtocol) -> Data? {
    guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
    let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: String(standard) + padding)
  }

  static func text(_ data: Data) -> String {
    String(
      data.base64EncodedString().compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default:  // open: any other character
          character
        }
      })
  }
}
