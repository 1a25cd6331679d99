/// Finds what somebody probably meant to write, among few words; see ``Vocabulary`` for many questions.
package enum NearestWord {
  package static func to(
    _ word: String, among known: some Sequence<String>, within limit: Int = 2
  ) -> String? {
    var steps = 0
    return Vocabulary(known).nearest(to: word, within: limit, &steps)
  }
}
