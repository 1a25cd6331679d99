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
