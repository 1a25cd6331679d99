internal import Diagnostics

/// Phrases of messages about words.
enum Wording {
  /// The hint `` ; did you mean `apps`? ``, or nothing where no word is near: one letter in three may be wrong.
  static func hint(for word: String, among known: some Sequence<String>) -> String {
    Suggestion.nearest(to: word, among: known, within: max(1, word.count / 3))
  }

  /// The words in a list, such as `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String { Phrase.any(of: words.map { "`\($0)`" }) }
}
