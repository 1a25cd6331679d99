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
  fileprivate func node(of name: String) -> TypeNode? {
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

// MARK: - Types of a library

/// A type identifier prepared for many queries: a library finds a system type without a search.
package struct TypeReference: Sendable, Hashable {
  /// The identifier as written.
  package let identifier: String
  /// The identifier in lower case.
  package let folded: String
  /// The type's node in every library; nil where the system does not declare the type.
  package let systemNode: TypeNode?

  /// A reference to the type `identifier`.
  package init(_ identifier: String) {
    self.identifier = identifier
    folded = folding(identifier)
    systemNode = TypeLibrary.system.node(of: folded)
  }

  package static func == (left: TypeReference, right: TypeReference) -> Bool {
    left.identifier == right.identifier
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A type in the graph of a library. System types have the same node in every library.
package struct TypeNode: Sendable, Hashable {
  fileprivate var index: Int
  /// Whether the node stands for the twin of the type at `index`.
  fileprivate var isTwin: Bool
}

/// `text` in lower case; a text in lower case, the usual case, is not copied.
private func folding(_ text: String) -> String {
  text.utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? text.lowercased() : text
}

/// A type that an attachment is registered under, looked up in one library.
package struct RegisteredType: Sendable {
  /// The identifier as it was registered.
  package let identifier: String
  /// The type's place in the library; nil where it is not declared.
  package let node: TypeNode?

  /// The identifier in lower case.
  fileprivate var folded: String { folding(identifier) }
}

// MARK: - Declarations

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
    fileprivate var rank: Int {
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

/// The names under which the Intune App SDK registers the types that a managed account shares while its policy
/// restricts sending: `com.microsoft.intune.mam.public.image` for `public.image`.
public enum IntuneTypeAlias {
  package static let prefix = "com.microsoft.intune.mam."

  /// The twin of `type`, or `type` where it is a twin.
  package static func of(_ type: String) -> String { isTwin(type) ? type : prefix + type }

  /// Whether `type` has the prefix, in any case, and something after it.
  package static func isTwin(_ type: String) -> Bool { original(of: type) != nil }

  /// The type that `type` is the twin of; nil where it is none.
  public static func original(of type: String) -> String? {
    var rest = type.utf8[...]
    for byte in prefix.utf8 {
      guard let next = rest.popFirst(), lowercase(next) == byte else { return nil }
    }
    return rest.isEmpty ? nil : String(Substring(rest))
  }
}

// MARK: - Index

extension TypeLibrary {
  /// The indexed content of a library. Never changes.
  fileprivate final class Storage: Sendable {
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

/// The conformance of types to each other, closed over all steps.
struct TypeGraph: Sendable {
  /// For each type the indices of the types that it states itself.
  private(set) var parents: [[Int]] = []
  /// For each type a row of bits, one for each type that it conforms to, including itself.
  private var bits: [UInt64] = []
  private var rowWidth = 0
  /// The number of statements that were followed to close the graph.
  private(set) var steps = 0

  /// - Parameter parents: for each type the indices of the types that it states; cycles are harmless.
  init(parents: [[Int]]) {
    self.parents = parents
    rowWidth = (parents.count + 63) / 64
    bits = Array(repeating: 0, count: rowWidth * parents.count)
    var isClosed = Array(repeating: false, count: parents.count)
    for type in Self.order(parents) {
      close(type, isClosed)
      isClosed[type] = true
    }
  }

  /// All types, each after those that it conforms to but for cycles.
  private static func order(_ parents: [[Int]]) -> [Int] {
    var order: [Int] = []
    var isFound = Array(repeating: false, count: parents.count)
    for root in parents.indices where !isFound[root] {
      isFound[root] = true
      var path = [(type: root, next: 0)]
      while let (type, next) = path.last {
        guard next < parents[type].count else {
          order.append(type)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let parent = parents[type][next]
        if !isFound[parent] {
          isFound[parent] = true
          path.append((parent, 0))
        }
      }
    }
    return order
  }

  /// Fills the row of a type: the rows of closed types are taken over whole.
  private mutating func close(_ type: Int, _ isClosed: [Bool]) {
    insert(type, into: type)
    var open = [type]
    while let next = open.popLast() {
      for parent in parents[next] {
        steps += 1
        guard !conforms(type, to: parent) else { continue }
        guard isClosed[parent] else {
          insert(parent, into: type)
          open.append(parent)
          continue
        }
        for word in 0..<rowWidth {
          bits[type * rowWidth + word] |= bits[parent * rowWidth + word]
        }
      }
    }
  }

  private mutating func insert(_ ancestor: Int, into type: Int) {
    bits[type * rowWidth + ancestor >> 6] |= 1 << UInt64(ancestor & 63)
  }

  func conforms(_ type: Int, to other: Int) -> Bool {
    bits[type * rowWidth + other >> 6] & (1 << UInt64(other & 63)) != 0
  }

  /// `type` and all types that it conforms to, nearest first.
  func ancestors(of type: Int) -> [Int] {
    var found = [type]
    var seen: Set = [type]
    var next = 0
    while next < found.count {
      for parent in parents[found[next]] where seen.insert(parent).inserted {
        found.append(parent)
      }
      next += 1
    }
    return found
  }
}

/// Finds types by name without regard to case, and without a copy of the name where it is ASCII.
private struct NameTable: Sendable {
  /// Indices of types, at the places given by their names' hashes or the next free ones after; -1 where free.
  private var places: [Int32]
  /// The names in lower case, one after the other.
  private var bytes: [UInt8] = []
  /// The end in `bytes` of each name.
  private var ends: [Int32] = []

  /// - Parameter names: in lower case, each once; a name's index is its place.
  init(_ names: [String]) {
    var size = 64
    while size < names.count * 2 { size *= 2 }
    places = Array(repeating: -1, count: size)
    for (index, name) in names.enumerated() {
      bytes += name.utf8
      ends.append(Int32(bytes.count))
      var place = Self.hash(Array(name.utf8).span).hash & (size - 1)
      while places[place] >= 0 { place = (place + 1) & (size - 1) }
      places[place] = Int32(index)
    }
  }

  /// The index of the type; nil where no type has the name.
  func index(of name: String) -> Int? {
    // Strings are stored as contiguous UTF-8 unless they come from elsewhere.
    let found: Int?? =
      name.utf8.withContiguousStorageIfAvailable { buffer in
        let (hash, isASCII) = Self.hash(buffer.span)
        return isASCII ? .some(index(of: buffer.span, hash: hash)) : nil
      } ?? nil
    if let found { return found }
    let folded = Array(name.lowercased().utf8)
    return index(of: folded.span, hash: Self.hash(folded.span).hash)
  }

  private func index(of name: Span<UInt8>, hash: Int) -> Int? {
    var place = hash & (places.count - 1)
    while places[place] >= 0 {
      let index = Int(places[place])
      if isName(index, name) { return index }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  private func isName(_ index: Int, _ name: Span<UInt8>) -> Bool {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    guard Int(ends[index]) - start == name.count else { return false }
    for offset in name.indices where bytes[start + offset] != lowercase(name[offset]) {
      return false
    }
    return true
  }

  /// FNV-1a of the bytes, with upper case letters as lower case ones.
  private static func hash(_ bytes: Span<UInt8>) -> (hash: Int, isASCII: Bool) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var all: UInt8 = 0
    for place in bytes.indices {
      all |= bytes[place]
      hash = (hash ^ UInt64(lowercase(bytes[place]))) &* 0x100_0000_01B3
    }
    return (Int(truncatingIfNeeded: hash ^ hash >> 32), all < 0x80)
  }
}

/// An ASCII letter in lower case; any other byte as it is.
private func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
