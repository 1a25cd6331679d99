/// The end of a message about a word that is not known: the question whether another was meant.
package enum Suggestion {
  /// `` ; did you mean `apps`? ``, and nothing for nil.
  package static func text(_ word: String?) -> String {
    word.map { "; did you mean `\($0)`?" } ?? ""
  }

  /// The same of the nearest of the words that are known; see ``NearestWord``.
  package static func nearest(
    to word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String {
    text(NearestWord.to(word, among: known, within: limit))
  }
}
