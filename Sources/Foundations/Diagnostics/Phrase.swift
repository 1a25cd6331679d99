/// Several words in one phrase.
public enum Phrase {
  /// `a, b or c`; empty for no words.
  public static func any(of words: [String]) -> String { join(words, "or") }

  /// `a, b and c`; empty for no words.
  public static func all(of words: [String]) -> String { join(words, "and") }

  /// The first words, and the number of the others: `a, b and 2 more`.
  public static func first(_ count: Int, of words: some Collection<String>) -> String {
    let shown = words.prefix(count).joined(separator: ", ")
    return words.count > count ? "\(shown) and \(words.count - count) more" : shown
  }

  private static func join(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
