/// The end of a message about an unknown word: the question whether another word was meant.
package enum Suggestion {
  /// `` ; did you mean `apps`? ``; empty for nil.
  package static func text(_ word: String?) -> String {
    word.map { "; did you mean `\($0)`?" } ?? ""
  }

  /// The question about the nearest of the known words; see ``NearestWord``.
  package static func nearest(
    to word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String {
    text(NearestWord.to(word, among: known, within: limit))
  }
}
