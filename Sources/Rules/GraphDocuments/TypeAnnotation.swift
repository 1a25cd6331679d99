package import JSON

/// What an object says of itself by `@odata.type`.
package struct TypeAnnotation: Sendable {
  /// The type's name alone: `iosManagedAppProtection`. Empty where the annotation has none.
  package let name: String
  /// All of the annotation; nil where it is no string.
  package let text: String?
  private let value: JSONValue

  /// nil where the object has none.
  package init?(of object: JSONValue) {
    guard let value = object["@odata.type"] else { return nil }
    self.value = value
    text = value.string
    name = text?.split(separator: ".").last.map(String.init) ?? ""
  }

  /// Where its value stands.
  package var position: Position { value.position }

  /// What the object is: `` an app configuration (`#microsoft.graph.iosMobileAppConfiguration`) ``.
  ///
  /// - Parameter noun: says what it is; nil where only the annotation does.
  package func words(_ noun: String?) -> String {
    guard let text else { return value.kindName }
    return noun.map { "\($0) (`\(text)`)" } ?? "`\(text)`"
  }
}
