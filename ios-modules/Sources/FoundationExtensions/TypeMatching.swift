internal import UniformTypes

/// Questions about type identifiers, for which a type with the prefix of the Intune App SDK and the type without it
/// are one.
package enum TypeMatching {
  /// The identifier without the prefix.
  package static func plain(_ type: String) -> String { IntuneTypeAlias.original(of: type) ?? type }

  /// Whether `type` is `other`, or conforms to it.
  package static func conforms(_ type: String, to other: String) -> Bool {
    let (type, other) = (plain(type), plain(other))
    return type.lowercased() == other.lowercased()
      || TypeLibrary.system.conforms(type, to: other)
  }

  /// The type among `types` by which `wanted` is loaded: the same, or else the first that conforms to it.
  package static func first(of types: [String], conformingTo wanted: String) -> String? {
    types.first { $0.lowercased() == wanted.lowercased() }
      ?? types.first { plain($0).lowercased() == plain(wanted).lowercased() }
      ?? types.first { conforms($0, to: wanted) }
  }

  /// A name for a file of that type.
  package static func fileName(_ name: String?, type: String) -> String {
    let last = (name ?? "").split(separator: "/").last.map(String.init) ?? ""
    let stem = last.isEmpty || last == "." || last == ".." ? "item" : last
    guard !stem.contains("."), let suffix = filenameExtension(plain(type)) else { return stem }
    return "\(stem).\(suffix)"
  }

  /// The extension of a type, or of the nearest that it conforms to.
  private static func filenameExtension(_ type: String) -> String? {
    let library = TypeLibrary.system
    return ([type] + library.supertypes(of: type)).lazy
      .compactMap { library.filenameExtension(of: $0) }.first
  }
}
