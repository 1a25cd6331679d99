internal import UniformTypes

/// Compares type identifiers, ignoring the prefix that the Intune App SDK adds to them.
package enum TypeMatching {
  /// Returns the identifier without the prefix.
  package static func plain(_ type: String) -> String { IntuneTypeAlias.original(of: type) ?? type }

  /// Returns whether `type` equals `other` or conforms to it.
  package static func conforms(_ type: String, to other: String) -> Bool {
    let (type, other) = (plain(type), plain(other))
    return type.lowercased() == other.lowercased()
      || TypeLibrary.system.conforms(type, to: other)
  }

  /// Returns the type in `types` whose representation is loaded for `wanted`: the equal type or, if there is none, the
  /// first type that conforms to `wanted`. Returns nil if no type fits.
  package static func first(of types: [String], conformingTo wanted: String) -> String? {
    types.first { $0.lowercased() == wanted.lowercased() }
      ?? types.first { plain($0).lowercased() == plain(wanted).lowercased() }
      ?? types.first { conforms($0, to: wanted) }
  }

  /// Returns a file name: the last component of `name`, or `item` if there is none. A file name without an extension
  /// gets the extension of the type.
  package static func fileName(_ name: String?, type: String) -> String {
    let last = (name ?? "").split(separator: "/").last.map(String.init) ?? ""
    let stem = last.isEmpty || last == "." || last == ".." ? "item" : last
    guard !stem.contains("."), let suffix = filenameExtension(plain(type)) else { return stem }
    return "\(stem).\(suffix)"
  }

  /// Returns the filename extension of a type, or of its closest supertype with an extension.
  private static func filenameExtension(_ type: String) -> String? {
    let library = TypeLibrary.system
    return ([type] + library.supertypes(of: type)).lazy
      .compactMap { library.filenameExtension(of: $0) }.first
  }
}
