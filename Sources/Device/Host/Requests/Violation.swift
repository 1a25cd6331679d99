/// A breach of the protocol by a guest, which is ended for it.
struct Violation: Error, CustomStringConvertible {
  /// The guest's breach, in lower case.
  var text: String

  var description: String { text }
}
