internal import Diagnostics
internal import JSON

/// Reads a JSON Schema, with the targets of references in their places.
struct SchemaReader {
  /// The number of schemas at most, where the target of a reference counts each time.
  static let maximumCount = 10_000

  /// The depth of schemas in each other at most, references followed. Property lists nest half as deep.
  static let maximumDepth = 128

  let file: String
  let root: JSONValue
  private(set) var findings: [SpecificationFinding] = []
  /// The findings as text.
  private var told: Set<String> = []
  /// The members of objects with many members that references went through, by the objects' positions.
  private var memberTables: [Position: [String: JSONValue]] = [:]
  /// The number of letters that were compared for suggestions.
  private var comparisons = 0
  /// The references that are being read, the outermost first.
  private var references: [String] = []
  private var count = 0
  private var depth = 0

  init(_ root: JSONValue, file: String) {
    self.root = root
    self.file = file
  }

  /// Reads a schema.
  ///
  /// - Returns: the schema without its mistakes, which are in ``findings``.
  mutating func schema(_ value: JSONValue) -> Schema {
    var schema = Schema(at: value.position)
    count += 1
    guard count <= Self.maximumCount else {
      if count == Self.maximumCount + 1 {
        fail(at: value.position, "more than \(Self.maximumCount) schemas, references followed")
      }
      return schema
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      fail(
        at: value.position, "schemas nested deeper than \(Self.maximumDepth), references followed")
      return schema
    }
    switch value.kind {
    case .bool(let flag): schema.isRefused = !flag
    case .object(let members): read(members, into: &schema)
    case .null, .number, .string, .array:
      fail(at: value.position, "a schema must be an object, found \(value.kindName)")
    }
    return schema
  }

  private mutating func read(_ members: [JSONValue.Member], into schema: inout Schema) {
    checkNames(members)
    let stated = members.compactMap { member in
      SchemaKeyword(rawValue: member.name).map { ($0, member) }
    }
    if let reference = members.last(where: { $0.name == SchemaKeyword.reference.rawValue }) {
      let target = self.target(of: reference)
      if stated.allSatisfy({ $0.0.isAnnotation || $0.0 == .reference }) {
        schema = target
      } else {
        schema.allOf.append(target)
      }
    }
    for (keyword, member) in stated where !keyword.isUnchecked {
      apply(keyword, member.value, to: &schema)
    }
    checkBounds(schema)
  }

  // MARK: Names

  private mutating func checkNames(_ members: [JSONValue.Member]) {
    checkDuplicates(members)
    for member in members {
      if let keyword = SchemaKeyword(rawValue: member.name) {
        guard keyword.isUnchecked else { continue }
        find(
          .notChecked, at: member.position, "configurations are not checked for `\(member.name)`")
      } else if !member.name.hasPrefix("x-")
        || NearestWord.to(member.name, among: [Self.ownName]) != nil
      {
        guard member.name != Self.ownName else { continue }
        find(
          .unknownKeyword, at: member.position, "JSON Schema has no keyword `\(member.name)`",
          suggestion: Self.keywords.nearest(to: member.name, &comparisons))
      }
    }
  }

  /// The name of the member with the parts of a specification beyond JSON Schema.
  static let ownName = "x-managed-app"

  private static let keywords = Vocabulary(SchemaKeyword.allCases.map(\.rawValue) + [ownName])

  mutating func checkDuplicates(_ members: [JSONValue.Member]) {
    var names: Set<String> = []
    for member in members where !names.insert(member.name).inserted {
      fail(at: member.position, "the name `\(member.name)` is there twice")
    }
  }

  // MARK: References

  private mutating func target(of member: JSONValue.Member) -> Schema {
    let nothing = Schema(at: member.value.position)
    guard let reference = text(member.value, of: member.name) else { return nothing }
    guard reference.hasPrefix("#") else {
      fail(
        at: member.value.position,
        "`\(reference)` lies outside of the file; only references such as `#/$defs/name` are followed"
      )
      return nothing
    }
    guard let target = self.value(at: reference.dropFirst(), in: root) else {
      fail(at: member.value.position, "nothing is at `\(reference)`")
      return nothing
    }
    guard !references.contains(reference) else {
      fail(
        at: member.value.position,
        "`\(reference)` leads back to itself, and configurations do not nest without end")
      return nothing
    }
    references.append(reference)
    defer { references.removeLast() }
    return schema(target)
  }

  /// The value that a JSON pointer leads to (RFC 6901); nil where it leads nowhere.
  private mutating func value(at pointer: Substring, in root: JSONValue) -> JSONValue? {
    guard !pointer.isEmpty else { return root }
    guard pointer.first == "/" else { return nil }
    var value = root
    for step in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
      if let elements = value.array {
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      } else {
        guard let next = member(name, of: value) else { return nil }
        value = next
      }
    }
    return value
  }

  private mutating func member(_ name: String, of value: JSONValue) -> JSONValue? {
    guard let all = value.members, all.count > 16 else { return value[name] }
    if memberTables[value.position] == nil {
      memberTables[value.position] = Dictionary(
        all.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }
    return memberTables[value.position]?[name]
  }

  // MARK: Findings

  mutating func find(
    _ rule: SpecificationRule, at position: Position, _ message: String, suggestion: String? = nil
  ) {
    let finding = SpecificationFinding(
      rule, file: file, at: position, message, suggestion: suggestion)
    // The target of a reference is read several times.
    if told.insert(finding.description).inserted { findings.append(finding) }
  }

  mutating func fail(at position: Position, _ message: String) {
    find(.specification, at: position, message)
  }
}
