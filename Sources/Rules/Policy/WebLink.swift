internal import Encodings

/// An `http` or `https` URL reduced to scheme, host, port and path, in lower case.
package struct WebLink: Sendable, Hashable {
  let scheme: [UInt8]
  let hostBytes: [UInt8]
  /// The port; empty for the scheme's default port.
  let port: [UInt8]
  /// The path; at least `/`.
  let path: [UInt8]

  /// The host, without user and port.
  package var host: String { String(decoding: hostBytes, as: UTF8.self) }

  /// The link's URL text. Used as a pattern, it matches only this link, unless it contains `*`.
  package var text: String {
    String(decoding: scheme, as: UTF8.self) + "://" + host
      + (port.isEmpty ? "" : ":" + String(decoding: port, as: UTF8.self))
      + String(decoding: path, as: UTF8.self)
  }

  /// Parses a web link. Returns nil if `url` is not a web link, or if it contains something that URL parsers interpret
  /// differently: white space, characters outside printable ASCII, a user, a backslash, unusual characters in the host
  /// or port, or a `.` or `..` path segment.
  package init?(_ url: String) {
    let bytes = Array(url.utf8)
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    let lower = url.lowercased()
    guard let scheme = ["http", "https"].first(where: { lower.hasPrefix($0 + "://") }) else {
      return nil
    }
    let rest = lower.dropFirst(scheme.count + 3).prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.prefix { $0 != ":" }
    let port = authority[host.endIndex...].dropFirst()
    guard !host.isEmpty, host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }),
      port.allSatisfy(\.isNumber)
    else { return nil }
    let path = rest[authority.endIndex...]
    let steps = path.split(separator: "/").map { $0.replacing("%2e", with: ".") }
    guard !steps.contains("."), !steps.contains("..") else { return nil }
    self.scheme = Array(scheme.utf8)
    hostBytes = Array(host.utf8)
    self.port = Self.port(port, of: scheme)
    self.path = path.isEmpty ? [UInt8(ascii: "/")] : Array(path.utf8)
  }

  /// Returns the port without leading zeros; empty for the default port of `scheme` (RFC 3986, section 6.2.3).
  static func port(_ text: Substring, of scheme: String) -> [UInt8] {
    let digits = text.dropLast().drop { $0 == "0" } + text.suffix(1)
    return digits == defaultPorts[scheme] ? [] : Array(digits.utf8)
  }

  private static let defaultPorts: [String: Substring] = ["http": "80", "https": "443"]
}

/// The scheme of a URL (RFC 3986, section 3.1).
package enum URLScheme {
  /// Returns the scheme of `url`, in lower case, without the colon; nil if there is none.
  package static func of(_ url: String) -> String? {
    guard let end = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = url[..<end].lowercased()
    return scheme.isURLScheme ? scheme : nil
  }

  private static let twinSuffix = "-intunemam"

  /// Returns `scheme` with the suffix `-intunemam`. With this twin, the SDK opens the scheme's URLs in managed apps.
  package static func twin(of scheme: String) -> String { scheme + twinSuffix }

  package static func isTwin(_ scheme: String) -> Bool { scheme.hasSuffix(twinSuffix) }

  static func valid(_ text: String) -> String? { text.isURLScheme ? text : nil }
}
