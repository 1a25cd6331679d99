extension TypeLibrary {
  /// The indexed content of a library. Never changes.
  final class Storage: Sendable {
    /// The declarations as given, including those that lost to another.
    let declarations: [TypeDeclaration]
    /// Identifiers of declared types and of types that are only named as supertypes.
    let table: NameTable
    /// Identifiers as written, by index.
    let names: [String]
    /// The declarations by index; nil for a type that is only named as a supertype.
    let declared: [TypeDeclaration?]
    let graph: TypeGraph
    let byExtension: [String: [Int]]
    let byMIMEType: [String: [Int]]

    /// - Parameter declarations: the declarations, the system's first, so that they have the same indices in every
    ///   library.
    init(_ declarations: [TypeDeclaration]) {
      self.declarations = declarations
      var table = Table()
      for declaration in declarations { table.declare(declaration) }
      var parents: [[Int]] = table.declared.map { _ in [] }
      for (index, declaration) in table.declared.enumerated() {
        for name in declaration?.conformsTo ?? [] where !IntuneTypeAlias.isTwin(name) {
          let parent = table.intern(name)
          if parent == parents.count { parents.append([]) }
          parents[index].append(parent)
        }
      }
      self.table = NameTable(table.names.map(folding))
      names = table.names
      declared = table.declared
      graph = TypeGraph(parents: parents)
      byExtension = table.index { $0.filenameExtensions }
      byMIMEType = table.index { $0.mimeTypes }
    }
  }

  /// Numbers types in the order of their appearance.
  private struct Table {
    var indices: [String: Int] = [:]
    var names: [String] = []
    var declared: [TypeDeclaration?] = []

    /// The index of `name`, a new one where it has none yet.
    mutating func intern(_ name: String) -> Int {
      let folded = folding(name)
      if let index = indices[folded] { return index }
      indices[folded] = names.count
      names.append(name)
      declared.append(nil)
      return names.count - 1
    }

    mutating func declare(_ declaration: TypeDeclaration) {
      let index = intern(declaration.identifier)
      if let other = declared[index], other.origin.rank <= declaration.origin.rank { return }
      names[index] = declaration.identifier
      declared[index] = declaration
    }

    /// The types of each tag, in the order of declaration.
    func index(_ tags: (TypeDeclaration) -> [String]) -> [String: [Int]] {
      var types: [String: [Int]] = [:]
      for (index, declaration) in declared.enumerated() {
        for tag in declaration.map(tags) ?? [] { types[folding(tag), default: []].append(index) }
      }
      return types
    }
  }
}
