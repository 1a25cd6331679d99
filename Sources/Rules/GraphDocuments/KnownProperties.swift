package import Diagnostics

/// The properties that Graph documents for a kind of objects, inherited ones included.
package struct KnownProperties: Sendable {
  private let types: [String: PropertyType]
  /// Their names, ready to be suggested.
  package let names: Vocabulary

  /// - Parameter table: no name is there twice.
  package init(_ table: KeyValuePairs<PropertyType, [String]>) {
    types = Dictionary(
      uniqueKeysWithValues: table.flatMap { type, names in names.map { ($0, type) } })
    names = Vocabulary(types.keys)
  }

  /// nil where no property has the name.
  package func type(of name: String) -> PropertyType? { types[name] }
}
