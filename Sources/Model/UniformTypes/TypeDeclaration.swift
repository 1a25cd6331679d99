/// A uniform type as the system or an app declares it.
package struct TypeDeclaration: Sendable, Equatable {
  /// The identifier as it is written; types compare without regard to case.
  package var identifier: String
  /// The types that the declaration itself states, in its order.
  package var conformsTo: [String]
  /// The extensions without the dot, the preferred one first.
  package var filenameExtensions: [String]
  /// The MIME types, the preferred one first.
  package var mimeTypes: [String]
  /// The description for people; nil where the declaration has none, as here with all system types.
  package var description: String?
  package var origin: Origin

  /// Whether the type is a bundle's own type.
  package var isExported: Bool { if case .exported = origin { true } else { false } }

  /// The origin of a declaration.
  package enum Origin: Sendable, Equatable {
    case system
    /// `UTExportedTypeDeclarations` of the bundle with this identifier.
    case exported(by: String)
    /// `UTImportedTypeDeclarations` of the bundle with this identifier.
    case imported(by: String)

    /// The rank among several declarations of one type: the lower wins.
    var rank: Int {
      switch self {
      case .system: 0
      case .exported: 1
      case .imported: 2
      }
    }
  }

  /// A declaration of `identifier`.
  package init(
    identifier: String, conformsTo: [String] = [], filenameExtensions: [String] = [],
    mimeTypes: [String] = [], description: String? = nil, origin: Origin
  ) {
    self.identifier = identifier
    self.conformsTo = conformsTo
    self.filenameExtensions = filenameExtensions
    self.mimeTypes = mimeTypes
    self.description = description
    self.origin = origin
  }
}
