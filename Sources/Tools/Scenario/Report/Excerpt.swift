/// A text as journals and reports quote it: the whole text, or its beginning and its length.
struct Excerpt {
  /// The length of the quotation of a longer text, in Unicode scalars: one character may consist of any number of them.
  static let limit = 200

  /// The quotation in backticks.
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
