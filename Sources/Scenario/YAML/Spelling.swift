/// Which known word somebody probably meant.
enum Spelling {
  /// `` ; did you mean `apps`? ``, or nothing where no word is near.
  static func hint(for word: String, among known: some Sequence<String>) -> String {
    nearest(to: word, among: known).map { "; did you mean `\($0)`?" } ?? ""
  }

  /// The word at the least distance, the first of several; nil where all are too far away: more than one
  /// edit in three characters.
  static func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased())
    let limit = max(1, letters.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in known {
      let other = Array(candidate.lowercased())
      guard abs(other.count - letters.count) <= limit else { continue }
      let distance = distance(letters, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String {
    let quoted = words.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other
  /// (optimal string alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
