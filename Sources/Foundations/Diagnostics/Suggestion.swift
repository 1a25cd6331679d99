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
