/// A pattern in `exemptedUniversalLinks` or `managedUniversalLinks`, such as `https://*.contoso.com/*`.
///
/// `*` matches any number of characters, including none. Before the path, it matches only within the scheme or the
/// host. Case is ignored.
///
/// If a pattern has no path, the result depends on `*`. Without `*`, such as in `https://maps.apple.com`, it matches
/// every path of its host. With `*`, such as in `https://*.contoso.com`, it matches only the path `/`.
package struct LinkPattern: Sendable, Hashable {
  /// The pattern as written.
  package let text: String
  private let scheme: [UInt8]
  let host: [UInt8]
  private let port: [UInt8]
  private let path: [UInt8]

  /// Creates a pattern. If the text is not a URL, the pattern matches no link.
  package init(_ text: String) {
    self.text = text
    let parts = text.lowercased().split(separator: "://", maxSplits: 1)
    let rest = parts.count == 2 ? parts[1] : ""
    let authority = rest.prefix { $0 != "/" }
    let host = authority.prefix { $0 != ":" }
    scheme = parts.count == 2 ? Array(parts[0].utf8) : []
    self.host = Array(host.utf8)
    port = WebLink.port(
      authority[host.endIndex...].dropFirst(), of: parts.first.map(String.init) ?? "")
    let everyPath = text.contains("*") ? "/" : "/*"
    path = Array(
      (authority.endIndex == rest.endIndex ? everyPath[...] : rest[authority.endIndex...]).utf8)
  }

  package func matches(_ link: WebLink) -> Bool {
    port == link.port && Self.matches(scheme, link.scheme)
      && Self.matches(host, link.hostBytes) && Self.matches(path, link.path)
  }

  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    let star = UInt8(ascii: "*")
    var (at, next) = (0, 0)
    // The state to resume from if the text after the last star does not match.
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

  /// A few web links that the pattern matches and a browser could open; empty if there are none. Another pattern rarely
  /// matches all of these links.
  package var samples: [String] {
    var samples: [String] = []
    for filling in ["any", "0", ""] {
      var starts = [filling]
      if text.hasPrefix("*") {
        starts += ["https://", "http://"].map { $0 + filling } + ["https", "http"]
      }
      for start in starts {
        for host in [filling, "any"] {
          let sample = filled(first: start, host: host, path: filling)
          guard let link = WebLink(sample), link.hasHostName, matches(link) else { continue }
          if !samples.contains(sample) { samples.append(sample) }
          break
        }
      }
    }
    // A pattern that is only a host also matches its paths.
    let below = text + "/any"
    if let link = WebLink(below), link.hasHostName, matches(link), !samples.contains(below) {
      samples.append(below)
    }
    return samples
  }

  /// Returns the pattern's text with each `*` replaced: by `first` at the beginning, by `host` elsewhere before the
  /// path, and by `path` in the path.
  private func filled(first: String, host: String, path: String) -> String {
    var filled = ""
    var slashes = 0
    for character in text {
      if character == "/" { slashes += 1 }
      if character == "*" {
        filled += filled.isEmpty && text.hasPrefix("*") ? first : slashes < 3 ? host : path
      } else {
        filled.append(character)
      }
    }
    return filled
  }
}

extension WebLink {
  /// Whether resolvers accept the host's name. Each label must have 1 to 63 characters, and no hyphen at its start or
  /// end (RFC 1123, section 2.1).
  fileprivate var hasHostName: Bool {
    host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      guard let first = label.first, let last = label.last else { return false }
      return label.count <= 63 && first != "-" && last != "-"
    }
  }
}

/// An index of link patterns by their host or the last part of their host, so a lookup need not try every pattern.
package struct LinkPatternIndex {
  private let patterns: [LinkPattern]
  /// The indices of the patterns whose host contains no `*`, by host.
  private var byHost: [[UInt8]: [Int]] = [:]
  /// The indices of the patterns whose host contains a `*`, by the host's text after the last `*`.
  private var byEnd: [[UInt8]: [Int]] = [:]

  package init(_ patterns: [LinkPattern]) {
    self.patterns = patterns
    for (place, pattern) in patterns.enumerated() {
      if let star = pattern.host.lastIndex(of: UInt8(ascii: "*")) {
        byEnd[Array(pattern.host[(star + 1)...]), default: []].append(place)
      } else {
        byHost[pattern.host, default: []].append(place)
      }
    }
  }

  /// Returns the indices of the patterns that match a link.
  package func places(for link: WebLink) -> [Int] {
    var places = byHost[link.hostBytes] ?? []
    for start in 0...link.hostBytes.count {
      places += byEnd[Array(link.hostBytes[start...])] ?? []
    }
    return places.filter { patterns[$0].matches(link) }
  }
}
