/// The letters of a word, without case and white space.
struct Letters: Sendable {
  let scalars: [Unicode.Scalar]
  /// A bit for each letter modulo 64: words whose bits differ much differ themselves.
  private let marks: UInt64

  init(_ word: String) {
    scalars =
      word.utf8.allSatisfy { $0 < 0x80 }
      ? word.utf8.lazy.filter { !(0x09...0x0D).contains($0) && $0 != 0x20 }
        .map { Unicode.Scalar((0x41...0x5A).contains($0) ? $0 | 0x20 : $0) }
      : word.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
    marks = scalars.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours that lead from one to the other
  /// (optimal string alignment); nil for more than `limit`.
  func distance(to other: Letters, atMost limit: Int, _ steps: inout Int) -> Int? {
    let (left, right) = (scalars, other.scalars)
    // Each changes two bits at most.
    guard abs(left.count - right.count) <= limit,
      (marks ^ other.marks).nonzeroBitCount <= 2 * limit
    else { return nil }
    let tooMuch = limit + 1
    var previous = Array(repeating: tooMuch, count: right.count + 1)
    var current = (0...right.count).map { min($0, tooMuch) }
    var next = previous
    for row in left.indices {
      // Further from the diagonal the distance is more than the limit.
      let columns = max(0, row - limit)..<min(right.count, row + limit + 1)
      steps += columns.count
      next[columns.lowerBound] = columns.lowerBound == 0 ? min(row + 1, tooMuch) : tooMuch
      var least = next[columns.lowerBound]
      for column in columns {
        var cost = min(
          current[column] + (left[row] == right[column] ? 0 : 1), current[column + 1] + 1,
          next[column] + 1, tooMuch)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, previous[column - 1] + 1)
        }
        next[column + 1] = cost
        least = min(least, cost)
      }
      if columns.upperBound < right.count { next[columns.upperBound + 1] = tooMuch }
      guard least <= limit else { return nil }
      (previous, current, next) = (current, next, previous)
    }
    return current[right.count] <= limit ? current[right.count] : nil
  }
}
