/// A string as it is compared as a whole.
package struct FoldedText: Sendable, Hashable {
  private let scalars: [Unicode.Scalar]

  package init(_ text: String, _ options: TextOptions) {
    scalars = TextFolding(options).scalars(of: text)
  }

  /// What it costs to look at all of it.
  var count: Int { scalars.count }
}

extension FoldedText: Comparable {
  /// By the values of decomposed characters, as NSString orders them: `é` stands before `f`.
  package static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.scalars.lexicographicallyPrecedes(right.scalars)
  }
}
