/// A guest did what the protocol does not allow: it is ended for it.
struct Violation: Error, CustomStringConvertible {
  /// What it did, lower case.
  var text: String

  var description: String { text }
}
