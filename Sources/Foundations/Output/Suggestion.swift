/// Suggests a similar known word for an unknown word. For many queries about one list, use
/// ``Vocabulary``.
public enum Suggestion {
  /// Returns the most similar known word; nil if none is similar enough.
  ///
  /// - Parameter limit: The maximum edit distance.
  public static func word(
    for word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String? {
    var steps = 0
    return Vocabulary(known).nearest(to: word, within: limit, &steps)
  }

  /// Returns a suggestion to append to a message, such as `` ; did you mean `apps`? ``; empty for nil.
  public static func text(_ word: String?) -> String {
    word.map { "; did you mean `\($0)`?" } ?? ""
  }

  /// Returns a suggestion of the most similar known word, to append to a message; empty if none is similar enough.
  public static func nearest(
    to word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String {
    text(self.word(for: word, among: known, within: limit))
  }

  /// Returns a suggestion to append to a message about an unknown name: the most similar one of `names`, otherwise
  /// those that contain `name` (ignoring case), otherwise the first ones. Lists at most five names.
  public static func names(like name: String, among names: some Collection<String>) -> String {
    if let near = word(for: name, among: names, within: max(2, name.count / 4)) {
      return text(near)
    }
    let part = name.lowercased()
    let longer = part.isEmpty ? [] : names.filter { $0.lowercased().contains(part) }
    if longer.count == 1 { return text(longer[0]) }
    let listed = longer.isEmpty ? Array(names) : longer
    guard !listed.isEmpty else { return "" }
    return (longer.isEmpty ? "; it contains " : "; did you mean one of ")
      + ListFormat.first(5, of: listed.map { "`\($0)`" }) + (longer.isEmpty ? "" : "?")
  }
}

/// A list of known words, prepared for many queries.
public struct Vocabulary: Sendable {
  private struct Entry: Sendable {
    let word: String
    let letters: NormalizedWord
  }

  /// The words, keyed by their number of scalars.
  private let entries: [Int: [Entry]]

  /// The maximum number of words and characters that are compared for one file. Once it is exceeded, no word is
  /// suggested: a text with so many errors needs no suggestions.
  public static let maximumSteps = 20_000_000

  /// Creates a vocabulary of `words`.
  public init(_ words: some Sequence<String>) {
    entries = Dictionary(
      grouping: words.map { Entry(word: $0, letters: NormalizedWord($0)) },
      by: \.letters.scalars.count)
  }

  /// Returns the known word most similar to `word`, ignoring case and white space. If several words have the same
  /// distance, returns the first in alphabetical order.
  ///
  /// Returns nil if no word is within the limit, or if `steps` exceeds ``maximumSteps``. A known word is skipped if a
  /// single edit would replace it completely, or if several edits would replace at least half of it.
  ///
  /// - Parameters:
  ///   - limit: The maximum edit distance: insertions, deletions, replacements and swaps of neighbours.
  ///   - steps: The number of words and characters compared so far for a file. This query adds to it.
  public func nearest(
    to word: String, within limit: Int = 2, _ steps: inout Int
  ) -> String? {
    let letters = NormalizedWord(word)
    let count = letters.scalars.count
    var best: (distance: Int, word: String)?
    for length in max(0, count - limit)...(count + limit) {
      for entry in entries[length] ?? [] {
        steps += 1
        guard steps <= Self.maximumSteps else { return nil }
        let most = min(limit, best?.distance ?? limit)
        guard let distance = letters.distance(to: entry.letters, atMost: most, &steps),
          // A single wrong letter is acceptable unless it is the whole word.
          distance < max(count, length), distance <= 1 || 2 * distance < length
        else { continue }
        if best.map({ (distance, entry.word) < $0 }) ?? true { best = (distance, entry.word) }
      }
    }
    return best?.word
  }
}

/// A word in lower case and without white space.
private struct NormalizedWord: Sendable {
  let scalars: [Unicode.Scalar]
  /// The letters of the word. Each letter sets the bit whose number is its scalar value modulo 64. Words with many
  /// different bits are not similar.
  private let marks: UInt64

  init(_ word: String) {
    scalars =
      word.utf8.allSatisfy { $0 < 0x80 }
      ? word.utf8.lazy.filter { !(0x09...0x0D).contains($0) && $0 != 0x20 }
        .map { Unicode.Scalar((0x41...0x5A).contains($0) ? $0 | 0x20 : $0) }
      : word.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
    marks = scalars.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
  }

  /// Returns the optimal string alignment distance: the number of insertions, deletions, replacements and
  /// swaps of neighbours. Nil if it exceeds `limit`.
  func distance(to other: NormalizedWord, atMost limit: Int, _ steps: inout Int) -> Int? {
    let (left, right) = (scalars, other.scalars)
    // Each edit changes at most two bits.
    guard abs(left.count - right.count) <= limit,
      (marks ^ other.marks).nonzeroBitCount <= 2 * limit
    else { return nil }
    let tooMuch = limit + 1
    var previous = Array(repeating: tooMuch, count: right.count + 1)
    var current = (0...right.count).map { min($0, tooMuch) }
    var next = previous
    for row in left.indices {
      // Outside of this band around the diagonal, the distance exceeds the limit.
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
