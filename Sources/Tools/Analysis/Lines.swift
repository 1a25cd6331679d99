internal import Encodings

extension [String] {
  /// The lines as text that ends with a line break. Control characters, with which a policy's names could affect a
  /// terminal, become U+FFFD.
  package var joinedLines: String {
    map { $0.printable(replacing: "\u{FFFD}") }.joined(separator: "\n") + "\n"
  }
}
