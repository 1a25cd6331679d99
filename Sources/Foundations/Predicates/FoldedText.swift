/// A string in the form in which it is compared as a whole.
package struct FoldedText: Sendable, Hashable {
  private let scalars: [Unicode.Scalar]

  /// The form of `text` for comparisons with `options`.
  package init(_ text: String, _ options: TextOptions) {
    scalars = TextFolding(options).scalars(of: text)
  }

  /// The cost of a look at the whole string, in scalars.
  var count: Int { scalars.count }
}

extension FoldedText: Comparable {
  /// Orders by the values of decomposed characters, as NSString does: `é` stands before `f`.
  package static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.scalars.lexicographicallyPrecedes(right.scalars)
  }
}
