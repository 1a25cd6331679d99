/// The uniform types that a device knows: the system's and those that apps declare.
///
/// A value that is cheap to copy. Identifiers, file name extensions and MIME types compare without
/// regard to case.
///
/// The twins of the Intune App SDK (``IntuneTypeAlias``) are not declared anywhere. A twin conforms to the
/// twins of the types that its original conforms to, and to no other type: an extension that names the twin of
/// `public.image` is offered a protected `public.jpeg`, and one that names `public.image` is not.
/// Declarations of twins by apps do not change this and are left out.
public struct TypeLibrary: Sendable {
  private let storage: Storage

  /// The types that iOS and macOS declare.
  public static let system = TypeLibrary(SystemTypes.declarations, known: [])

  private init(_ declarations: [TypeDeclaration], known: [TypeDeclaration]) {
    storage = Storage(known + declarations)
  }

  /// This library with more types. A type that the system declares stays as it is; an exported
  /// declaration wins over an imported one, and the first one over others of the same rank.
  package func adding(_ declarations: [TypeDeclaration]) -> TypeLibrary {
    let more = declarations.filter {
      $0.origin != .system && !IntuneTypeAlias.isTwin($0.identifier) && !$0.identifier.isEmpty
    }
    return more.isEmpty ? self : TypeLibrary(more, known: storage.declarations)
  }

  /// All declared types, those of the system first.
  package var declarations: [TypeDeclaration] {
    storage.graph.parents.indices.compactMap { storage.declared[$0] }
  }

  /// Whether `type` is `other` or conforms to it. A type that is not declared conforms to itself only.
  public func conforms(_ type: String, to other: String) -> Bool {
    conforms(registered(type), to: TypeReference(other))
  }

  /// Whether `type`, looked up before, is `other` or conforms to it.
  ///
  /// - Parameter type: a type of this library's ``registered(_:)``.
  package func conforms(_ type: RegisteredType, to other: TypeReference) -> Bool {
    guard let node = type.node, let wanted = other.systemNode ?? self.node(of: other.folded)
    else { return type.folded == other.folded }
    return conforms(node, to: wanted)
  }

  /// Whether `node` is `wanted` or conforms to it; `wanted` is a node of this library or of the system's.
  package func conforms(_ node: TypeNode, to wanted: TypeNode) -> Bool {
    node.isTwin == wanted.isTwin && storage.graph.conforms(node.index, to: wanted.index)
  }

  /// Whether both are one type.
  package func equals(_ type: RegisteredType, _ other: TypeReference) -> Bool {
    guard let node = type.node, let wanted = other.systemNode else {
      return type.folded == other.folded
    }
    return node == wanted
  }

  /// Looks `identifier` up once, for many questions to this library.
  package func registered(_ identifier: String) -> RegisteredType {
    RegisteredType(identifier: identifier, node: node(of: identifier))
  }

  /// Whether `text` can name a type: letters, digits, `-`, `.` and `_`, and any characters beyond ASCII.
  ///
  /// Source: Apple, Uniform Type Identifiers Overview, without `_`, which real apps use.
  public static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || ["-", ".", "_"].contains(scalar)
      }
  }

  /// The types that `type` conforms to, nearest first, without `type` itself.
  public func supertypes(of type: String) -> [String] {
    guard let node = node(of: type) else { return [] }
    return storage.graph.ancestors(of: node.index).dropFirst().map {
      node.isTwin ? IntuneTypeAlias.of(storage.names[$0]) : storage.names[$0]
    }
  }

  /// Whether `type` is declared.
  public func isDeclared(_ type: String) -> Bool { declaration(of: type) != nil }

  /// The declaration of `type`; nil where it is not declared, and for twins.
  package func declaration(of type: String) -> TypeDeclaration? {
    guard let node = node(of: type), !node.isTwin else { return nil }
    return storage.declared[node.index]
  }

  /// The type of files with this extension.
  ///
  /// - Parameters:
  ///   - filenameExtension: the extension without the dot.
  ///   - supertype: the type that the result must conform to; nil for any, and then one of files is preferred to one
  ///     of packages.
  /// - Returns: nil where no such type is declared.
  public func type(
    forFilenameExtension filenameExtension: String, conformingTo supertype: String? = nil
  ) -> String? {
    first(of: storage.byExtension[folding(filenameExtension)] ?? [], conformingTo: supertype)
  }

  /// The type of data with this MIME type. Where one with its parameters is not declared, the type without
  /// them counts.
  ///
  /// - Returns: nil where no such type is declared.
  public func type(forMIMEType mimeType: String, conformingTo supertype: String? = nil) -> String? {
    let folded = folding(mimeType).filter { $0 != " " && $0 != "\"" }
    let candidates =
      storage.byMIMEType[folded] ?? storage.byMIMEType[String(folded.prefix { $0 != ";" })] ?? []
    return first(of: candidates, conformingTo: supertype)
  }

  /// The preferred extension of `type`, without the dot; nil where its declaration states none.
  public func filenameExtension(of type: String) -> String? {
    declaration(of: type)?.filenameExtensions.first
  }

  /// The preferred MIME type of `type`; nil where its declaration states none.
  public func mimeType(of type: String) -> String? { declaration(of: type)?.mimeTypes.first }

  /// The node of `name`, in any case; nil where the type is neither declared nor named as a supertype.
  func node(of name: String) -> TypeNode? {
    if let index = storage.table.index(of: name) { return TypeNode(index: index, isTwin: false) }
    guard let original = IntuneTypeAlias.original(of: name),
      let index = storage.table.index(of: original)
    else { return nil }
    return TypeNode(index: index, isTwin: true)
  }

  private func first(of candidates: [Int], conformingTo supertype: String?) -> String? {
    let wanted = node(of: supertype ?? "public.data")
    let fitting = candidates.first { candidate in
      wanted.map { !$0.isTwin && storage.graph.conforms(candidate, to: $0.index) } ?? false
    }
    let chosen = supertype == nil ? fitting ?? candidates.first : fitting
    return chosen.map { storage.names[$0] }
  }
}
