/// Finds the word that was probably meant, among few words; see ``Vocabulary`` for many questions.
public enum NearestWord {
  /// The known word that `word` nearly is; nil where none is near enough.
  public static func to(
    _ word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String? {
    var steps = 0
    return Vocabulary(known).nearest(to: word, within: limit, &steps)
  }
}

/// Known words, prepared for comparison with many others.
public struct Vocabulary: Sendable {
  private struct Entry: Sendable {
    let word: String
    let letters: Letters
  }

  /// The words by their length.
  private let entries: [Int: [Entry]]

  /// The limit on comparisons, beyond which nothing is found: a text with so many mistakes needs no suggestions.
  public static let maximumSteps = 20_000_000

  /// A vocabulary of `words`.
  public init(_ words: some Sequence<String>) {
    entries = Dictionary(
      grouping: words.map { Entry(word: $0, letters: Letters($0)) }, by: \.letters.scalars.count)
  }

  /// The known word that `word` nearly is, without regard to case and white space; nil where all are
  /// too far away, or where most of a short word would have to change. Of several at the same
  /// distance it is the first in alphabetical order.
  ///
  /// - Parameters:
  ///   - limit: the number of letters that may be missing, added, exchanged, or swapped with their neighbour.
  ///   - steps: the number of letters and words compared so far, in all questions about one file.
  public func nearest(
    to word: String, within limit: Int = 2, _ steps: inout Int
  ) -> String? {
    let letters = Letters(word)
    let count = letters.scalars.count
    var best: (distance: Int, word: String)?
    for length in max(0, count - limit)...(count + limit) {
      for entry in entries[length] ?? [] {
        steps += 1
        guard steps <= Self.maximumSteps else { return nil }
        let most = min(limit, best?.distance ?? limit)
        guard let distance = letters.distance(to: entry.letters, atMost: most, &steps),
          // One wrong letter is little in any word of several.
          distance < max(count, length), distance <= 1 || 2 * distance < length
        else { continue }
        if best.map({ (distance, entry.word) < $0 }) ?? true { best = (distance, entry.word) }
      }
    }
    return best?.word
  }
}

/// The letters of a word, without case and white space.
private struct Letters: Sendable {
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

/// The end of a message about an unknown word: the question whether another word was meant.
public enum Suggestion {
  /// `` ; did you mean `apps`? ``; empty for nil.
  public static func text(_ word: String?) -> String {
    word.map { "; did you mean `\($0)`?" } ?? ""
  }

  /// The question about the nearest of the known words; see ``NearestWord``.
  public static func nearest(
    to word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String {
    text(NearestWord.to(word, among: known, within: limit))
  }
}
