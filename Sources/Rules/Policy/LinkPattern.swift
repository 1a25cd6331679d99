/// A universal link with wildcards, as `exemptedUniversalLinks` and `managedUniversalLinks` list them:
/// `https://*.contoso.com/*`.
///
/// `*` stands for any run of characters, also none; before the path it stays within the host. Case does not
/// matter. A host alone, as in `https://maps.apple.com`, stands for all its paths, unless it has a `*`: an author
/// who writes stars says with them which parts may vary.
public struct LinkPattern: Sendable, Hashable {
  /// The pattern as written.
  public let text: String
  private let scheme: [UInt8]
  let host: [UInt8]
  private let port: [UInt8]
  private let path: [UInt8]

  /// Creates a pattern. A text that is no URL describes no link.
  public init(_ text: String) {
    self.text = text
    let parts = text.lowercased().split(separator: "://", maxSplits: 1)
    let rest = parts.count == 2 ? parts[1] : ""
    let authority = rest.prefix { $0 != "/" }
    let host = authority.prefix { $0 != ":" }
    // A text that is no URL describes no link.
    scheme = parts.count == 2 ? Array(parts[0].utf8) : []
    self.host = Array(host.utf8)
    port = WebLink.port(
      authority[host.endIndex...].dropFirst(), of: parts.first.map(String.init) ?? "")
    let everyPath = text.contains("*") ? "/" : "/*"
    path = Array(
      (authority.endIndex == rest.endIndex ? everyPath[...] : rest[authority.endIndex...]).utf8)
  }

  /// Whether the pattern describes `link`.
  public func matches(_ link: WebLink) -> Bool {
    port == link.port && Self.matches(scheme, link.scheme)
      && Self.matches(host, link.hostBytes) && Self.matches(path, link.path)
  }

  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    let star = UInt8(ascii: "*")
    var (at, next) = (0, 0)
    // Where to go on from when what follows the last star does not fit.
    var (retryAt, retryNext) = (-1, 0)
    while at < text.count {
      if next < pattern.count, pattern[next] == star {
        (retryAt, retryNext) = (at, next)
        next += 1
      } else if next < pattern.count, pattern[next] == text[at] {
        at += 1
        next += 1
      } else if retryAt >= 0 {
        retryAt += 1
        (at, next) = (retryAt, retryNext + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == star }
  }
}
