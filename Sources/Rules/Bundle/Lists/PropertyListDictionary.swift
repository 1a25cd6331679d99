/// A dictionary of a property list, in the order of the file.
package struct PropertyListDictionary: Sendable {
  /// A key and its value.
  package struct Entry: Sendable {
    package var key: String
    /// The bytes of the `<key>`; empty in a binary list.
    package var keyRange: Range<Int>
    package var value: PropertyListValue
  }

  /// The entries, each key once.
  package let entries: [Entry]
  /// The index of each key in ``entries``.
  private let places: [String: Int]

  init(_ entries: [Entry] = []) {
    self.entries = entries
    places = Dictionary(
      entries.indices.map { (entries[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of `key`; nil where the dictionary lacks it.
  package subscript(key: String) -> PropertyListValue? { entry(key)?.value }

  /// The entry of `key`; nil where the dictionary lacks it.
  package func entry(_ key: String) -> Entry? { places[key].map { entries[$0] } }
}

extension PropertyListDictionary: Equatable {
  package static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    left.entries.count == right.entries.count
      && left.entries.allSatisfy { right[$0.key] == $0.value }
  }
}
