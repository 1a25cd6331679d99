/// Link patterns by the ends of their hosts, so that those that describe a link are found without trying each.
package struct LinkPatternIndex {
  private let patterns: [LinkPattern]
  /// The places of patterns whose host has no star.
  private var byHost: [[UInt8]: [Int]] = [:]
  /// The places of the other patterns, by the text after the last star of the host.
  private var byEnd: [[UInt8]: [Int]] = [:]

  /// Creates an index of `patterns`.
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

  /// The places of the patterns that describe a link.
  package func places(for link: WebLink) -> [Int] {
    var places = byHost[link.hostBytes] ?? []
    for start in 0...link.hostBytes.count {
      places += byEnd[Array(link.hostBytes[start...])] ?? []
    }
    return places.filter { patterns[$0].matches(link) }
  }
}
