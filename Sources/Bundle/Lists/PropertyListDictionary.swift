/// A dictionary of a property list, in the file's order.
package struct PropertyListDictionary: Sendable {
  package struct Entry: Sendable {
    package var key: String
    /// The bytes of the `<key>`; empty in a binary list.
    package var keyRange: Range<Int>
    package var value: PropertyListValue
  }

  package var entries: [Entry]

  init(_ entries: [Entry] = []) { self.entries = entries }

  /// nil where the dictionary lacks `key`.
  package subscript(key: String) -> PropertyListValue? { entry(key)?.value }

  package func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }
}

extension PropertyListDictionary: Equatable {
  package static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    guard left.entries.count == right.entries.count else { return false }
    let others = Dictionary(
      right.entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return left.entries.allSatisfy { others[$0.key] == $0.value }
  }
}
