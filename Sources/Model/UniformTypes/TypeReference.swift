/// A type identifier made ready for being asked about often: a library finds a system type in it
/// without a search.
package struct TypeReference: Sendable, Hashable {
  /// As written.
  package let identifier: String
  /// In lower case.
  package let folded: String
  /// Its node in every library; nil where the system does not declare it.
  package let systemNode: TypeNode?

  package init(_ identifier: String) {
    self.identifier = identifier
    folded = folding(identifier)
    systemNode = TypeLibrary.system.node(of: folded)
  }

  package static func == (left: TypeReference, right: TypeReference) -> Bool {
    left.identifier == right.identifier
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A type in the graph of a library. System types have the same node in every library.
package struct TypeNode: Sendable, Hashable {
  var index: Int
  /// The node stands for the twin of the type at `index`.
  var isTwin: Bool
}

/// `text` in lower case; mostly it is already, and nothing is copied.
func folding(_ text: String) -> String {
  text.utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? text.lowercased() : text
}
