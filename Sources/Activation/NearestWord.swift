/// Finds what somebody probably meant to write.
enum NearestWord {
  /// How many letters may be wrong.
  private static let maximumDistance = 3

  /// The known word that `word` nearly is, without regard to case; nil where too much would have to change.
  static func to(_ word: String, among known: some Sequence<String>) -> String? {
    let folded = Array(word.lowercased().unicodeScalars)
    var best: (distance: Int, word: String)?
    for candidate in known {
      let distance = distance(folded, Array(candidate.lowercased().unicodeScalars))
      guard distance <= maximumDistance, 2 * distance < max(candidate.count, 1) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
    }
    return best?.word
  }

  /// The Levenshtein distance, or one beyond the limit where the lengths alone tell so.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard abs(left.count - right.count) <= maximumDistance else { return maximumDistance + 1 }
    var row = Array(0...right.count)
    for (line, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in right.enumerated() {
        let substituted = diagonal + (scalar == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
