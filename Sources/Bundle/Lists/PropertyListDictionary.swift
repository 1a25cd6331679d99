/// A dictionary of a property list, in the file's order.
package struct PropertyListDictionary: Sendable {
  package struct Entry: Sendable {
    package var key: String
    /// The bytes of the `<key>`; empty in a binary list.
    package var keyRange: Range<Int>
    package var value: PropertyListValue
  }

  package var entries: [Entry] { didSet { places = Self.places(of: entries) } }
  /// Where each key is, of a dictionary that has many.
  private var places: [String: Int]

  init(_ entries: [Entry] = []) {
    self.entries = entries
    places = Self.places(of: entries)
  }

  private static let few = 16

  private static func places(of entries: [Entry]) -> [String: Int] {
    guard entries.count > few else { return [:] }
    return Dictionary(
      entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// nil where the dictionary lacks `key`.
  package subscript(key: String) -> PropertyListValue? { entry(key)?.value }

  package func entry(_ key: String) -> Entry? {
    if entries.count > Self.few { return places[key].map { entries[$0] } }
    return entries.first { $0.key == key }
  }
}

extension PropertyListDictionary: Equatable {
  package static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    guard left.entries.count == right.entries.count else { return false }
    let others = Dictionary(
      right.entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return left.entries.allSatisfy { others[$0.key] == $0.value }
  }
}
