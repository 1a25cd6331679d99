package import JSON

extension JSONValue {
  /// The objects that Graph answers or a tool exports: the elements of an array, or of the `value` of
  /// `{"value": […]}`, or the object in `{"value": {…}}`; otherwise the value alone.
  ///
  /// Source: Microsoft Graph, "Get iosManagedAppProtection", whose answer is `{"value": {…}}`.
  package var elementsOrSelf: [JSONValue] {
    if let array { return array }
    guard let value = self["value"] else { return [self] }
    return value.array ?? (value.members == nil ? [self] : [value])
  }

  /// The last property of that name; nil where there is none, and where it is null, by which Graph means the same.
  package func property(_ name: String) -> Member? {
    members?.last { $0.name == name }.flatMap { $0.value.isNull ? nil : $0 }
  }
}

extension JSONValue.Member {
  /// Whether the member is Graph's own: `@odata.…`, also of single properties, and actions such as
  /// `#microsoft.graph.assign`.
  package var isAnnotation: Bool { name.contains("@odata.") || name.hasPrefix("#") }

  /// Whether the member is an exporter's own: a name that begins with `$` or `_`, a tag in capitals such as `SVC` or `ENV`,
  /// or `supportsScopeTags`, which tools copy from device configurations. Properties of Graph are named in camel case.
  package var isToolKey: Bool {
    name.hasPrefix("$") || name.hasPrefix("_") || name == "supportsScopeTags"
      || !name.isEmpty
        && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
  }

  /// Whether the value states anything: null, false, zero and empty values are what exporters write for "not set".
  package var statesAnything: Bool {
    switch value.kind {
    case .null: false
    case .bool(let flag): flag
    case .number: value.int != 0
    case .string(let text): !text.isEmpty && text != "notConfigured"
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    }
  }
}
