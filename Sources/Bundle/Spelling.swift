/// Finds what somebody probably meant to write.
package enum Spelling {
  /// How many letters may be wrong.
  private static let maximumDistance = 2

  /// The known word that `word` nearly is: the same but for case and white space, or at most
  /// ``maximumDistance`` letters missing, added or exchanged; nil where none is.
  package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let folded = fold(word)
    var best: (distance: Int, word: String)?
    for candidate in known {
      let distance = distance(folded, fold(candidate))
      guard distance <= maximumDistance, 2 * distance < candidate.count else { continue }
      if distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }

  private static func fold(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
  }

  /// Levenshtein's.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard abs(left.count - right.count) <= maximumDistance else { return .max }
    var row = Array(0...right.count)
    for (line, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in right.enumerated() {
        let exchanged = diagonal + (scalar == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(exchanged, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
