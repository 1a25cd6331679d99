/// The uniform types that a device knows: the types of the system and of its apps.
///
/// The value is cheap to copy. Identifiers, file name extensions and MIME types are case-insensitive.
///
/// Each type has a twin that the Intune App SDK uses (``IntuneTypeAlias``). Twins are not declared; if an app declares
/// one, the declaration is ignored. A twin conforms only to twins: if a type conforms to a supertype, its twin conforms
/// to the supertype's twin. An extension is therefore offered a protected `public.jpeg` if it accepts the twin of
/// `public.image`, but not if it accepts only `public.image`.
public struct TypeLibrary: Sendable {
  private let storage: Storage

  /// The types that iOS and macOS declare.
  public static let system = TypeLibrary(SystemTypes.declarations, known: [])

  private init(_ declarations: [TypeDeclaration], known: [TypeDeclaration]) {
    storage = Storage(known + declarations)
  }

  /// Returns this library with more types. For a type with several declarations, the system's declaration wins over
  /// exported ones, and exported ones win over imported ones. Otherwise, the first declaration wins.
  package func adding(_ declarations: [TypeDeclaration]) -> TypeLibrary {
    let more = declarations.filter {
      $0.origin != .system && !IntuneTypeAlias.isTwin($0.identifier) && !$0.identifier.isEmpty
    }
    return more.isEmpty ? self : TypeLibrary(more, known: storage.declarations)
  }

  /// All declared types, the system's first.
  package var declarations: [TypeDeclaration] {
    storage.graph.parents.indices.compactMap { storage.declared[$0] }
  }

  /// Returns whether `type` equals or conforms to `other`. A type that is neither declared nor a twin conforms only
  /// to itself.
  public func conforms(_ type: String, to other: String) -> Bool {
    conforms(registered(type), to: TypeReference(other))
  }

  /// Returns whether `type` equals or conforms to `other`.
  ///
  /// - Parameter type: A result of this library's ``registered(_:)``.
  package func conforms(_ type: RegisteredType, to other: TypeReference) -> Bool {
    guard let node = type.node, let wanted = other.systemNode ?? self.node(of: other.folded)
    else { return type.folded == other.folded }
    return conforms(node, to: wanted)
  }

  /// Returns whether `node` equals or conforms to `wanted`. Both must be nodes of this library or of system types.
  package func conforms(_ node: TypeNode, to wanted: TypeNode) -> Bool {
    node.isTwin == wanted.isTwin && storage.graph.conforms(node.index, to: wanted.index)
  }

  package func equals(_ type: RegisteredType, _ other: TypeReference) -> Bool {
    guard let node = type.node, let wanted = other.systemNode else {
      return type.folded == other.folded
    }
    return node == wanted
  }

  /// Looks up a type once, for use in many queries of this library.
  package func registered(_ identifier: String) -> RegisteredType {
    RegisteredType(identifier: identifier, node: node(of: identifier))
  }

  /// Returns whether `text` is a valid type identifier. Valid characters are letters, digits, `-`, `.`, `_` and all
  /// non-ASCII characters.
  ///
  /// Source: Apple, Uniform Type Identifiers Overview, which does not permit `_`; real apps use it.
  public static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || ["-", ".", "_"].contains(scalar)
      }
  }

  /// Returns all direct and indirect supertypes of `type`, nearest first.
  public func supertypes(of type: String) -> [String] {
    guard let node = node(of: type) else { return [] }
    return storage.graph.ancestors(of: node.index).dropFirst().map {
      node.isTwin ? IntuneTypeAlias.of(storage.names[$0]) : storage.names[$0]
    }
  }

  public func isDeclared(_ type: String) -> Bool { declaration(of: type) != nil }

  /// Returns the declaration of `type`; nil for a twin or an undeclared type.
  package func declaration(of type: String) -> TypeDeclaration? {
    guard let node = node(of: type), !node.isTwin else { return nil }
    return storage.declared[node.index]
  }

  /// Returns the preferred type of files with a given file name extension.
  ///
  /// - Parameters:
  ///   - filenameExtension: The extension without the dot.
  ///   - supertype: The type that the result must conform to. If nil, a file type is preferred to a package type.
  /// - Returns: nil if no such type is declared.
  public func type(
    forFilenameExtension filenameExtension: String, conformingTo supertype: String? = nil
  ) -> String? {
    first(of: storage.byExtension[folding(filenameExtension)] ?? [], conformingTo: supertype)
  }

  /// Returns the preferred type of data with a MIME type, such as `text/plain;charset=utf-8`. If no type declares the
  /// MIME type with its parameters, the MIME type without parameters is looked up.
  ///
  /// - Returns: nil if no such type is declared.
  public func type(forMIMEType mimeType: String, conformingTo supertype: String? = nil) -> String? {
    let folded = folding(mimeType).filter { $0 != " " && $0 != "\"" }
    let candidates =
      storage.byMIMEType[folded] ?? storage.byMIMEType[String(folded.prefix { $0 != ";" })] ?? []
    return first(of: candidates, conformingTo: supertype)
  }

  /// Returns the preferred extension of `type`, without the dot; nil if its declaration states none.
  public func filenameExtension(of type: String) -> String? {
    declaration(of: type)?.filenameExtensions.first
  }

  /// Returns the preferred MIME type of `type`; nil if its declaration states none.
  public func mimeType(of type: String) -> String? { declaration(of: type)?.mimeTypes.first }

  /// Returns the node of the type `name`, in any casing. Nil if the library contains neither the type nor, for a twin,
  /// the original type.
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

/// A type identifier for queries in many libraries. It is looked up among the system's types only once, by the
/// initializer.
package struct TypeReference: Sendable, Hashable {
  /// The identifier in its original casing.
  package let identifier: String
  package let folded: String
  /// The type's node, which is the same in every library; nil if the system does not declare the type.
  package let systemNode: TypeNode?

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

/// A reference to a type in a library. System types have the same node in every library.
package struct TypeNode: Sendable, Hashable {
  fileprivate var index: Int
  /// Whether this is the Intune twin of the type at `index`.
  fileprivate var isTwin: Bool
}

/// Returns `text` in lower case. Lower-case ASCII text is returned without a copy.
private func folding(_ text: String) -> String {
  text.utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? text.lowercased() : text
}

/// The type of an attachment, looked up in one library.
package struct RegisteredType: Sendable {
  package let identifier: String
  /// The type's node in the library; nil if the library does not contain the type.
  package let node: TypeNode?

  fileprivate var folded: String { folding(identifier) }
}

// MARK: - Declarations

/// A uniform type as declared by the system or an app.
package struct TypeDeclaration: Sendable, Equatable {
  /// The identifier in its original casing.
  package var identifier: String
  /// The direct supertypes, in declaration order.
  package var conformsTo: [String]
  /// The file name extensions without the dot, the preferred one first.
  package var filenameExtensions: [String]
  /// The MIME types, the preferred one first.
  package var mimeTypes: [String]
  /// The description for users; nil if the declaration has none. System types have none.
  package var description: String?
  package var origin: Origin

  package var isExported: Bool { if case .exported = origin { true } else { false } }

  package enum Origin: Sendable, Equatable {
    case system
    /// Declared in `UTExportedTypeDeclarations` of the bundle with this identifier.
    case exported(by: String)
    /// Declared in `UTImportedTypeDeclarations` of the bundle with this identifier.
    case imported(by: String)

    /// The precedence among several declarations of one type. The lowest rank wins.
    fileprivate var rank: Int {
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

/// The twins of types in the Intune App SDK, such as `com.microsoft.intune.mam.public.image` for `public.image`. If a
/// policy restricts sending from a managed account, the SDK registers the account's shared content under twins.
public enum IntuneTypeAlias {
  package static let prefix = "com.microsoft.intune.mam."

  /// Returns the twin of `type`. If `type` is a twin itself, returns it unchanged.
  package static func of(_ type: String) -> String { isTwin(type) ? type : prefix + type }

  /// Returns whether `type` is a twin: the prefix in any casing, followed by at least one character.
  package static func isTwin(_ type: String) -> Bool { original(of: type) != nil }

  /// Returns the type without the prefix of a twin; nil if `type` is not a twin.
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
  /// The content of a library with its indices. It is immutable, so copies of the library share it.
  fileprivate final class Storage: Sendable {
    /// All declarations in the given order, including those that a declaration of higher precedence replaces.
    let declarations: [TypeDeclaration]
    /// The index of each type by its identifier. Includes undeclared types that are supertypes of others.
    let table: NameTable
    /// The identifiers in their original casing, by index.
    let names: [String]
    /// The declarations in effect, by index; nil for types that occur only as supertypes.
    let declared: [TypeDeclaration?]
    let graph: TypeGraph
    let byExtension: [String: [Int]]
    let byMIMEType: [String: [Int]]

    /// Indexes the declarations and computes the conformance of their types.
    ///
    /// - Parameter declarations: The system's declarations must come first, so system types have the same indices in
    ///   every library.
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

  /// The types of a library while it is built. Indices follow the order of first occurrence.
  private struct Table {
    var indices: [String: Int] = [:]
    var names: [String] = []
    var declared: [TypeDeclaration?] = []

    /// Returns the index of the type `name`. A new type gets the next index.
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

    /// Returns, for each tag in lower case, the indices of the types that have the tag, in index order.
    ///
    /// - Parameter tags: Returns a declaration's tags of one kind, such as its MIME types.
    func index(_ tags: (TypeDeclaration) -> [String]) -> [String: [Int]] {
      var types: [String: [Int]] = [:]
      for (index, declaration) in declared.enumerated() {
        for tag in declaration.map(tags) ?? [] { types[folding(tag), default: []].append(index) }
      }
      return types
    }
  }
}

/// The supertypes of each type, direct and indirect. Types are represented by their indices.
struct TypeGraph: Sendable {
  /// The direct supertypes of each type, by index.
  private(set) var parents: [[Int]] = []
  /// A bit matrix with a row for each type. The bit of `other` in the row of `type` is set if `type` conforms to
  /// `other` or equals it.
  private var bits: [UInt64] = []
  private var rowWidth = 0
  /// The number of supertype links that `init` followed, for tests of its cost.
  private(set) var steps = 0

  /// Computes the conformance of all types.
  ///
  /// - Parameter parents: The direct supertypes of each type. They may contain cycles.
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

  /// Returns all types, each after its supertypes. In a cycle, the order is arbitrary.
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

  /// Completes the row of `type`: sets the bits of `type` and of all its supertypes. For a supertype whose row is
  /// already complete (`isClosed`), copies that row.
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

  /// Returns `type`, followed by its direct and indirect supertypes, nearest first.
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

/// A map from type identifiers to indices. Lookups ignore case and do not copy ASCII identifiers.
private struct NameTable: Sendable {
  /// A hash table with open addressing and linear probing. A slot contains a type's index, or -1 if it is free.
  private var places: [Int32]
  /// The concatenation of all names in lower case.
  private var bytes: [UInt8] = []
  private var ends: [Int32] = []

  /// Creates the map.
  ///
  /// - Parameter names: Distinct names in lower case. A name's position in the array is its index.
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

  func index(of name: String) -> Int? {
    // Native strings are contiguous UTF-8.
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

  /// Returns the FNV-1a hash of the bytes with ASCII letters in lower case, and whether all bytes are ASCII.
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

/// Returns an ASCII letter in lower case and any other byte unchanged.
private func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
