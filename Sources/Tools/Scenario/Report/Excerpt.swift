/// A text as journals and reports quote it: all of it, or where it begins and how long it is.
struct Excerpt {
  /// How much is quoted of a longer text, in Unicode scalars: one character may consist of any number of them.
  static let limit = 200

  /// In backticks.
  let words: String

  init(_ text: String) {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(
        scalars.startIndex, offsetBy: Self.limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else {
      words = "`\(text)`"
      return
    }
    words = "`\(String(scalars[..<end]))…` of \(scalars.count) characters"
  }
}
