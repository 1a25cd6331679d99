package import JSON

/// The type that an object states by `@odata.type`.
package struct TypeAnnotation: Sendable {
  /// The type's name alone: `iosManagedAppProtection`; empty where the annotation has none.
  package let name: String
  /// The whole annotation; nil where it is no string.
  package let text: String?
  private let value: JSONValue

  /// Reads the annotation of an object; nil where it has none.
  package init?(of object: JSONValue) {
    guard let value = object["@odata.type"] else { return nil }
    self.value = value
    text = value.string
    name = text?.split(separator: ".").last.map(String.init) ?? ""
  }

  /// The place of the annotation's value.
  package var position: Position { value.position }

  /// The object in words: `` an app configuration (`#microsoft.graph.iosMobileAppConfiguration`) ``.
  ///
  /// - Parameter noun: The noun for the object; nil where only the annotation tells it.
  package func words(_ noun: String?) -> String {
    guard let text else { return value.kindName }
    return noun.map { "\($0) (`\(text)`)" } ?? "`\(text)`"
  }
}
