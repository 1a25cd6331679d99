package import Diagnostics

/// The properties that Graph documents for a kind of objects, inherited ones included.
package struct KnownProperties: Sendable {
  private let types: [String: PropertyType]
  /// The names of the properties, ready to be suggested.
  package let names: Vocabulary

  /// Creates a table of properties.
  ///
  /// - Parameter table: The names by type; no name occurs twice.
  package init(_ table: KeyValuePairs<PropertyType, [String]>) {
    types = Dictionary(
      uniqueKeysWithValues: table.flatMap { type, names in names.map { ($0, type) } })
    names = Vocabulary(types.keys)
  }

  /// The type of the property; nil where no property has the name.
  package func type(of name: String) -> PropertyType? { types[name] }
}
