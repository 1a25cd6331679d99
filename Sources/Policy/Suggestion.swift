/// Finds what somebody probably meant to write.
package enum Suggestion {
  /// How many letters may be wrong.
  static let maximumDistance = 2

  /// The known word that `word` nearly is: the same but for case and white space, or at most
  /// ``maximumDistance`` edits away; nil where none is, or where most of a short word would have to change.
  package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let folded = fold(word)
    var best: (distance: Int, word: String)?
    for candidate in known {
      let distance = distance(folded, fold(candidate), limit: maximumDistance)
      guard let distance, 2 * distance < max(candidate.count, 1) else { continue }
      if best.map({ (distance, candidate) < ($0.distance, $0.word) }) ?? true {
        best = (distance, candidate)
      }
    }
    return best?.word
  }

  private static func fold(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
  }

  /// The Levenshtein distance; nil where it exceeds `limit`.
  private static func distance(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int
  ) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
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
    return row[right.count] <= limit ? row[right.count] : nil
  }
}
