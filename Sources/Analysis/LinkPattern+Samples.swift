internal import Policy

extension LinkPattern {
  /// Web links that the pattern describes: a few, so chosen that other patterns rarely describe them all.
  /// None where it describes no web link.
  var samples: [String] {
    var samples: [String] = []
    for filling in ["any", "0", ""] {
      var starts = [filling]
      if text.hasPrefix("*") {
        starts += ["https://", "http://"].map { $0 + filling } + ["https", "http"]
      }
      for start in starts {
        let sample = filled(with: filling, first: start)
        guard let link = WebLink(sample), matches(link) else { continue }
        if !samples.contains(sample) { samples.append(sample) }
      }
    }
    return samples
  }

  /// The pattern with each star filled in.
  private func filled(with filling: String, first: String) -> String {
    let parts = text.split(separator: "*", omittingEmptySubsequences: false)
    guard let head = parts.first, parts.count > 1 else { return text }
    return head + first + parts.dropFirst().joined(separator: filling)
  }
}
