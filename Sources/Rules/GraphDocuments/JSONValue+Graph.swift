package import JSON

extension JSONValue {
  /// The objects that Graph answers or a tool exports: the elements of an array, or of the `value` of
  /// `{"value": […]}`; otherwise the value alone.
  package var elementsOrSelf: [JSONValue] { array ?? self["value"]?.array ?? [self] }

  /// The last property of that name; nil where there is none, and where it is null, by which Graph means the same.
  package func property(_ name: String) -> Member? {
    members?.last { $0.name == name }.flatMap { $0.value.isNull ? nil : $0 }
  }
}

extension JSONValue.Member {
  /// Whether the member is Graph's own: `@odata.…`, also of single properties, and actions such as
  /// `#microsoft.graph.assign`.
  package var isAnnotation: Bool { name.contains("@odata.") || name.hasPrefix("#") }
}
