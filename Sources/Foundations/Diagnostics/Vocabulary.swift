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
