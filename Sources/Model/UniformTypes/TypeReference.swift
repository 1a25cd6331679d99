/// A type identifier prepared for many queries: a library finds a system type without a search.
package struct TypeReference: Sendable, Hashable {
  /// The identifier as written.
  package let identifier: String
  /// The identifier in lower case.
  package let folded: String
  /// The type's node in every library; nil where the system does not declare the type.
  package let systemNode: TypeNode?

  /// A reference to the type `identifier`.
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
  /// Whether the node stands for the twin of the type at `index`.
  var isTwin: Bool
}

/// `text` in lower case; a text in lower case, the usual case, is not copied.
func folding(_ text: String) -> String {
  text.utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? text.lowercased() : text
}
