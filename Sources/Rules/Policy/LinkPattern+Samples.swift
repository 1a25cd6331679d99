extension LinkPattern {
  /// Web links that the pattern describes and a browser could open: a few, chosen so that other patterns rarely
  /// describe them all; empty where it describes no such link.
  public var samples: [String] {
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
    // Behind a host alone a path may follow.
    let below = text + "/any"
    if let link = WebLink(below), link.hasHostName, matches(link), !samples.contains(below) {
      samples.append(below)
    }
    return samples
  }

  /// The pattern with each star replaced.
  ///
  /// - Parameters:
  ///   - first: The text for a star at the beginning.
  ///   - host: The text for the stars before the path.
  ///   - path: The text for the stars in the path.
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
  /// Whether the host is a name or address that resolvers accept (RFC 1123, section 2.1): labels of letters, digits
  /// and hyphens with dots between.
  fileprivate var hasHostName: Bool {
    host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      guard let first = label.first, let last = label.last else { return false }
      return label.count <= 63 && first != "-" && last != "-"
    }
  }
}
