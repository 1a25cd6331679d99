/// A uniform type as the system or an app declares it.
package struct TypeDeclaration: Sendable, Equatable {
  /// As written; types compare without regard to case.
  package var identifier: String
  /// The types that it states itself, in its order.
  package var conformsTo: [String]
  /// Without the dot, the preferred one first.
  package var filenameExtensions: [String]
  /// The preferred one first.
  package var mimeTypes: [String]
  /// For people; nil where the declaration has none, as here with all of the system's.
  package var description: String?
  package var origin: Origin

  /// Whether it is a bundle's own type.
  package var isExported: Bool { if case .exported = origin { true } else { false } }

  /// Who declares a type.
  package enum Origin: Sendable, Equatable {
    case system
    /// `UTExportedTypeDeclarations` of the bundle with this identifier.
    case exported(by: String)
    /// `UTImportedTypeDeclarations` of the bundle with this identifier.
    case imported(by: String)

    /// What wins where several declare one type: the lower.
    var rank: Int {
      switch self {
      case .system: 0
      case .exported: 1
      case .imported: 2
      }
    }
  }

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
