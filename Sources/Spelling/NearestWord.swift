/// Finds what somebody probably meant to write.
package enum NearestWord {
  /// The known word that `word` nearly is, without regard to case and white space; nil where all are
  /// too far away, or where most of a short word would have to change. Of several at the same
  /// distance it is the first in alphabetical order.
  ///
  /// - Parameter limit: how many letters may be missing, added, exchanged, or swapped with their
  ///   neighbour.
  package static func to(
    _ word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String? {
    let folded = fold(word)
    var best: (distance: Int, word: String)?
    for candidate in known {
      let other = fold(candidate)
      guard abs(folded.count - other.count) <= limit else { continue }
      let distance = distance(folded, other)
      // One wrong letter is little in any word of several.
      guard distance <= limit, distance < max(folded.count, other.count),
        distance <= 1 || 2 * distance < other.count
      else { continue }
      if best.map({ (distance, candidate) < $0 }) ?? true { best = (distance, candidate) }
    }
    return best?.word
  }

  private static func fold(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
  }

  /// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other
  /// (optimal string alignment).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var previous: [Int] = []
    var current = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        var cost = min(
          current[column] + (left[row] == right[column] ? 0 : 1),
          current[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, previous[column - 1] + 1)
        }
        next.append(cost)
      }
      (previous, current) = (current, next)
    }
    return current[right.count]
  }
}
