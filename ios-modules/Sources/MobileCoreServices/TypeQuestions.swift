internal import UniformTypeIdentifiers

/// Returns whether `type` equals `other` or conforms to it.
public func UTTypeConformsTo(_ type: CFString, _ other: CFString) -> Bool {
  UTTypeEqual(type, other) || UTType(importedAs: type).conforms(to: UTType(importedAs: other))
}

/// Returns whether two identifiers name the same type.
public func UTTypeEqual(_ type: CFString, _ other: CFString) -> Bool {
  UTType(importedAs: type) == UTType(importedAs: other)
}
