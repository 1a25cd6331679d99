internal import Encodings
internal import Output
internal import Predicates

/// Reads a JSON Schema, and resolves its references.
struct SchemaReader {
  /// The maximum number of schemas. A schema that references refer to counts once more for each reference.
  private static let maximumCount = 10_000

  /// The maximum nesting depth of schemas, including references. It is twice the maximum depth of property lists.
  private static let maximumDepth = 128

  private let file: String
  private let root: JSONValue
  private(set) var findings: [SpecificationFinding] = []
  /// The descriptions of all findings, for detecting duplicates.
  private var reported: Set<String> = []
  /// A cache for resolving references: the members of large objects by name, keyed by the objects' positions.
  private var memberTables: [Position: [String: JSONValue]] = [:]
  /// The number of letters compared so far for suggestions.
  private var comparisons = 0
  /// The references that are being resolved, beginning with the outermost.
  private var references: [String] = []
  private var count = 0
  private var depth = 0

  init(_ root: JSONValue, file: String) {
    self.root = root
    self.file = file
  }

  /// Reads a schema. Invalid parts are omitted, and reported in ``findings``.
  mutating func schema(_ value: JSONValue) -> Schema {
    var schema = Schema(at: value.position)
    count += 1
    guard count <= Self.maximumCount else {
      if count == Self.maximumCount + 1 {
        fail(
          at: value.position,
          "the file has more than \(Self.maximumCount) schemas; each reference to a schema counts as one"
        )
      }
      return schema
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      fail(
        at: value.position,
        "schemas are nested deeper than \(Self.maximumDepth) levels; each reference to a schema counts as a level"
      )
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
        || Suggestion.word(for: member.name, among: [Self.ownName]) != nil
      {
        guard member.name != Self.ownName else { continue }
        find(
          .unknownKeyword, at: member.position, "JSON Schema has no keyword `\(member.name)`",
          suggestion: Self.keywords.nearest(to: member.name, &comparisons))
      }
    }
  }

  /// The name of the schema's member with the parts of a specification that JSON Schema does not cover, such as error
  /// codes.
  static let ownName = "x-managed-app"

  private static let keywords = Vocabulary(SchemaKeyword.allCases.map(\.rawValue) + [ownName])

  private mutating func checkDuplicates(_ members: [JSONValue.Member]) {
    var names: Set<String> = []
    for member in members where !names.insert(member.name).inserted {
      fail(at: member.position, "the name `\(member.name)` appears twice")
    }
  }

  // MARK: References

  private mutating func target(of member: JSONValue.Member) -> Schema {
    let nothing = Schema(at: member.value.position)
    guard let reference = text(member.value, of: member.name) else { return nothing }
    guard reference.hasPrefix("#") else {
      fail(
        at: member.value.position,
        "`\(reference)` is outside the file; only references such as `#/$defs/name` are followed"
      )
      return nothing
    }
    guard let target = self.value(at: reference.dropFirst(), in: root) else {
      fail(at: member.value.position, "the target of `\(reference)` does not exist")
      return nothing
    }
    guard !references.contains(reference) else {
      fail(
        at: member.value.position,
        "`\(reference)` refers to itself, and configurations cannot nest infinitely")
      return nothing
    }
    references.append(reference)
    defer { references.removeLast() }
    return schema(target)
  }

  /// Returns the value at a JSON pointer (RFC 6901); nil if there is none.
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

  private mutating func find(
    _ rule: SpecificationRule, at position: Position, _ message: String, suggestion: String? = nil
  ) {
    let finding = SpecificationFinding(
      rule, file: file, at: position, message, suggestion: suggestion)
    // The target of a reference is read several times, but reported only once.
    if reported.insert(finding.description).inserted { findings.append(finding) }
  }

  mutating func fail(at position: Position, _ message: String) {
    find(.specification, at: position, message)
  }
}

/// Applies each keyword to a schema.
extension SchemaReader {
  private mutating func apply(_ keyword: SchemaKeyword, _ value: JSONValue, to schema: inout Schema)
  {
    switch keyword {
    case .title: schema.title = text(value, of: keyword.rawValue)
    case .description: schema.description = text(value, of: keyword.rawValue)
    case .deprecated: schema.isDeprecated = flag(value, of: keyword) ?? false
    case .defaultValue:
      schema.defaultValue = Schema.Sample(
        value: ConfigurationValue(value), position: value.position)
    case .examples:
      schema.examples = (array(value, of: keyword.rawValue) ?? []).map {
        Schema.Sample(value: ConfigurationValue($0), position: $0.position)
      }
    case .schema: checkDialect(value)
    case .type: schema.types = types(value)
    case .const: schema.values = ListedValues([ConfigurationValue(value)])
    case .enumeration:
      schema.values = array(value, of: keyword.rawValue).map { elements in
        ListedValues(elements.map { ConfigurationValue($0) })
      }
    case .allOf: schema.allOf += schemas(value, of: keyword)
    case .anyOf: schema.anyOf = schemas(value, of: keyword)
    case .oneOf: schema.oneOf = schemas(value, of: keyword)
    case .defs, .definitions:
      // Definitions that no reference uses may also contain mistakes.
      for member in members(value, of: keyword.rawValue) ?? [] { _ = self.schema(member.value) }
    // Keywords for numbers
    case .minimum: schema.range.minimum = number(value, of: keyword)
    case .maximum: schema.range.maximum = number(value, of: keyword)
    case .exclusiveMinimum: schema.range.exclusiveMinimum = number(value, of: keyword)
    case .exclusiveMaximum: schema.range.exclusiveMaximum = number(value, of: keyword)
    case .multipleOf:
      schema.range.multipleOf = number(value, of: keyword)
      if let divisor = schema.range.multipleOf, divisor <= 0 {
        schema.range.multipleOf = nil
        fail(at: value.position, "`multipleOf` must be greater than 0")
      }
    // Keywords for strings
    case .minLength: schema.length.least = count(value, of: keyword)
    case .maxLength: schema.length.most = count(value, of: keyword)
    case .pattern: schema.pattern = pattern(value)
    case .format: schema.format = format(value)
    case .contentEncoding:
      guard let name = text(value, of: keyword.rawValue) else { return }
      schema.isData = name == "base64"
      if !schema.isData {
        find(
          .notChecked, at: value.position,
          "the encoding `\(name)` is unknown; only `base64` is supported")
      }
    // Keywords for arrays
    case .items: schema.items = .each(self.schema(value))
    case .minItems: schema.itemCount.least = count(value, of: keyword)
    case .maxItems: schema.itemCount.most = count(value, of: keyword)
    case .uniqueItems: schema.itemsAreUnique = flag(value, of: keyword) ?? false
    // Keywords for dictionaries
    case .properties: schema.properties = properties(value)
    case .required: schema.required = names(value, of: keyword)
    case .additionalProperties:
      schema.others =
        if case .bool(let flag) = value.kind {
          flag ? .anything : .nothing
        } else {
          .each(self.schema(value))
        }
    case .minProperties: schema.keyCount.least = count(value, of: keyword)
    case .maxProperties: schema.keyCount.most = count(value, of: keyword)
    // References are resolved before keywords are applied.
    case .reference: break
    case .readOnly, .writeOnly, .contentMediaType, .contentSchema, .id, .comment, .anchor: break
    // Keywords that are not checked
    case .not, .if, .then, .dependentRequired, .dependentSchemas, .dependencies, .patternProperties,
      .otherwise, .propertyNames, .contains, .minContains, .maxContains, .prefixItems,
      .additionalItems, .unevaluatedItems, .unevaluatedProperties, .dynamicReference,
      .dynamicAnchor, .recursiveReference, .recursiveAnchor, .vocabulary:
      break
    }
  }

  /// Checks for bounds that no value can satisfy.
  private mutating func checkBounds(_ schema: Schema) {
    if let words = schema.range.words {
      let types = schema.typesOfAll
      let type = types.contains(.integer) && !types.contains(.number) ? ValueType.integer : .number
      if schema.range.isEmpty(of: type) {
        fail(at: schema.position, "\(type.noun) cannot be \(words)")
      }
    }
    for count in [schema.length, schema.itemCount, schema.keyCount] {
      if let least = count.least, let most = count.most, least > most {
        fail(at: schema.position, "the minimum \(least) is above the maximum \(most)")
      }
    }
  }

  // MARK: Annotations

  private mutating func checkDialect(_ value: JSONValue) {
    guard let dialect = text(value, of: SchemaKeyword.schema.rawValue),
      !dialect.contains("json-schema.org/draft/2020-12/")
    else { return }
    find(
      .notChecked, at: value.position,
      "the dialect `\(dialect)` is not supported, so the schema is read as draft 2020-12")
  }

  private mutating func types(_ value: JSONValue) -> [ValueType] {
    (value.array ?? [value]).compactMap { element in
      guard let name = text(element, of: SchemaKeyword.type.rawValue) else { return nil }
      if let type = ValueType(rawValue: name) { return type }
      let known = ValueType.allCases.map(\.rawValue)
      let hint = Suggestion.nearest(to: name, among: known)
      fail(at: element.position, "no type is called `\(name)`\(hint)")
      return nil
    }
  }

  private mutating func format(_ value: JSONValue) -> TextFormat? {
    guard let name = text(value, of: SchemaKeyword.format.rawValue) else { return nil }
    if let format = TextFormat(rawValue: name) { return format }
    let known = TextFormat.allCases.map(\.rawValue)
    find(
      .notChecked, at: value.position, "strings are not checked for the format `\(name)`",
      suggestion: Suggestion.word(for: name, among: known))
    return nil
  }

  private mutating func pattern(_ value: JSONValue) -> TextPattern? {
    guard let text = text(value, of: SchemaKeyword.pattern.rawValue) else { return nil }
    do throws(PatternError) {
      return TextPattern(text: text, pattern: try Pattern(findingIn: text))
    } catch {
      find(
        .notChecked, at: value.position,
        "strings are not checked for this pattern: it has \(error.message)")
      return TextPattern(text: text)
    }
  }

  // MARK: Parts

  private mutating func schemas(_ value: JSONValue, of keyword: SchemaKeyword) -> [Schema] {
    guard let elements = array(value, of: keyword.rawValue) else { return [] }
    if elements.isEmpty { fail(at: value.position, "`\(keyword.rawValue)` must not be empty") }
    return elements.map { schema($0) }
  }

  private mutating func properties(_ value: JSONValue) -> [Schema.Property] {
    guard let members = members(value, of: SchemaKeyword.properties.rawValue) else { return [] }
    checkDuplicates(members)
    return members.map { member in
      Schema.Property(
        name: member.name, position: member.position, schema: schema(member.value))
    }
  }

  // MARK: Values by type

  private mutating func text(_ value: JSONValue, of name: String) -> String? {
    value.string ?? wrong(value, name, "a string")
  }

  private mutating func array(_ value: JSONValue, of name: String) -> [JSONValue]? {
    value.array ?? wrong(value, name, "an array")
  }

  private mutating func members(_ value: JSONValue, of name: String) -> [JSONValue.Member]? {
    value.members ?? wrong(value, name, "an object")
  }

  private mutating func flag(_ value: JSONValue, of keyword: SchemaKeyword) -> Bool? {
    value.bool ?? wrong(value, keyword.rawValue, "a boolean")
  }

  private mutating func number(_ value: JSONValue, of keyword: SchemaKeyword) -> Double? {
    ConfigurationValue(value).number ?? wrong(value, keyword.rawValue, "a number")
  }

  private mutating func count(_ value: JSONValue, of keyword: SchemaKeyword) -> Int? {
    guard let count = value.int, count >= 0 else {
      return wrong(value, keyword.rawValue, "a whole number of 0 or more")
    }
    return count
  }

  private mutating func names(_ value: JSONValue, of keyword: SchemaKeyword) -> [String] {
    (array(value, of: keyword.rawValue) ?? []).compactMap { text($0, of: keyword.rawValue) }
  }

  /// Reports a value of the wrong type, and returns nil.
  private mutating func wrong<Value>(
    _ value: JSONValue, _ name: String, _ expected: String
  ) -> Value? {
    let found =
      if case .number(let spelling) = value.kind { "`\(spelling)`" } else { value.kindName }
    fail(at: value.position, "`\(name)` must be \(expected), found \(found)")
    return nil
  }
}

/// Reads the parts of a specification that JSON Schema does not cover, in `x-managed-app`.
extension SchemaReader {
  private enum Key: String, CaseIterable {
    case title, bundle, team, errorCodes, passwords, certificates, identities, demoMode
  }

  private enum EntryKey: String, CaseIterable {
    case code, identifier, description, required
  }

  mutating func readOwn(_ value: JSONValue, into specification: inout AppSpecification) {
    guard let members = members(value, of: Self.ownName) else { return }
    checkDuplicates(members)
    for member in members {
      let value = member.value
      switch Key(rawValue: member.name) {
      case .title: specification.title = text(value, of: member.name)
      case .bundle: specification.bundle = text(value, of: member.name)
      case .team: specification.team = text(value, of: member.name)
      case .demoMode: specification.demoMode = text(value, of: member.name)
      case .errorCodes: specification.errorCodes = errorCodes(value)
      case .passwords: specification.passwords = secrets(value, of: member.name)
      case .certificates: specification.certificates = secrets(value, of: member.name)
      case .identities: specification.identities = secrets(value, of: member.name)
      case nil: findUnknown(member, among: Key.allCases.map(\.rawValue))
      }
    }
  }

  private mutating func findUnknown(_ member: JSONValue.Member, among known: [String]) {
    find(
      .unknownKeyword, at: member.position, "`\(Self.ownName)` has no `\(member.name)`",
      suggestion: Suggestion.word(for: member.name, among: known))
  }

  private mutating func errorCodes(_ value: JSONValue) -> [AppSpecification.ErrorCode] {
    var codes: [AppSpecification.ErrorCode] = []
    var numbers: Set<Int> = []
    for element in array(value, of: Key.errorCodes.rawValue) ?? [] {
      guard check(element, allowing: [.code, .description]) else { continue }
      guard let code = element[EntryKey.code.rawValue]?.int else {
        fail(at: element.position, "an error code needs its number, `code`")
        continue
      }
      if !numbers.insert(code).inserted {
        fail(at: element.position, "the error code \(code) appears twice")
      }
      codes.append(
        AppSpecification.ErrorCode(code: code, description: description(of: element)))
    }
    return codes
  }

  private mutating func secrets(_ value: JSONValue, of name: String) -> [AppSpecification.Secret] {
    var secrets: [AppSpecification.Secret] = []
    var identifiers: Set<String> = []
    for element in array(value, of: name) ?? [] {
      guard check(element, allowing: [.identifier, .description, .required]) else { continue }
      let key = EntryKey.identifier.rawValue
      guard let identifier = element[key]?.string, !identifier.isEmpty else {
        fail(at: element.position, "a secret needs its `identifier`")
        continue
      }
      if !identifiers.insert(identifier).inserted {
        fail(at: element.position, "`\(identifier)` appears twice among the \(name)")
      }
      let required = element[EntryKey.required.rawValue]
      if let required, required.bool == nil {
        fail(
          at: required.position, "`required` must be a boolean, found \(required.kindName)")
      }
      secrets.append(
        AppSpecification.Secret(
          identifier: identifier, description: description(of: element),
          isRequired: required?.bool ?? false))
    }
    return secrets
  }

  /// Checks that an entry is an object, and reports its members whose names are not in `keys`. Returns false if the
  /// entry is not an object.
  private mutating func check(_ element: JSONValue, allowing keys: [EntryKey]) -> Bool {
    guard let members = element.members else {
      fail(at: element.position, "an entry must be an object, found \(element.kindName)")
      return false
    }
    checkDuplicates(members)
    let known = keys.map(\.rawValue)
    for member in members where !known.contains(member.name) {
      findUnknown(member, among: known)
    }
    return true
  }

  private mutating func description(of element: JSONValue) -> String {
    guard let value = element[EntryKey.description.rawValue] else {
      find(.undocumented, at: element.position, "the purpose of this entry is not described")
      return ""
    }
    return text(value, of: EntryKey.description.rawValue) ?? ""
  }
}

private enum SchemaKeyword: String, CaseIterable {
  // Annotations, which do not affect validity
  case title, description, deprecated, examples, readOnly, writeOnly, contentMediaType
  case contentSchema, definitions
  case defaultValue = "default"
  case schema = "$schema"
  case id = "$id"
  case comment = "$comment"
  case anchor = "$anchor"
  case defs = "$defs"
  // Keywords for values of any type
  case type, const
  case enumeration = "enum"
  case reference = "$ref"
  case allOf, anyOf, oneOf
  // Keywords for numbers
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  // Keywords for strings
  case minLength, maxLength, pattern, format, contentEncoding
  // Keywords for arrays
  case items, minItems, maxItems, uniqueItems
  // Keywords for dictionaries
  case properties, required, additionalProperties, minProperties, maxProperties
  // Keywords that are not checked
  case not, `if`, then, dependentRequired, dependentSchemas, dependencies, patternProperties
  case otherwise = "else"
  case propertyNames, contains, minContains, maxContains, prefixItems, additionalItems
  case unevaluatedItems, unevaluatedProperties
  case dynamicReference = "$dynamicRef"
  case dynamicAnchor = "$dynamicAnchor"
  case recursiveReference = "$recursiveRef"
  case recursiveAnchor = "$recursiveAnchor"
  case vocabulary = "$vocabulary"

  /// The role that a keyword has in validation.
  private enum Part {
    case annotation, checked, unchecked
  }

  private var part: Part {
    switch self {
    case .title, .description, .deprecated, .examples, .readOnly, .writeOnly, .contentMediaType,
      .contentSchema, .definitions, .defaultValue, .schema, .id, .comment, .anchor, .defs:
      .annotation
    case .type, .const, .enumeration, .reference, .allOf, .anyOf, .oneOf, .minimum, .maximum,
      .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .pattern, .format,
      .contentEncoding, .items, .minItems, .maxItems, .uniqueItems, .properties, .required,
      .additionalProperties, .minProperties, .maxProperties:
      .checked
    case .not, .if, .then, .dependentRequired, .dependentSchemas, .dependencies, .patternProperties,
      .otherwise, .propertyNames, .contains, .minContains, .maxContains, .prefixItems,
      .additionalItems, .unevaluatedItems, .unevaluatedProperties, .dynamicReference,
      .dynamicAnchor, .recursiveReference, .recursiveAnchor, .vocabulary:
      .unchecked
    }
  }

  /// Whether the keyword does not affect validity.
  var isAnnotation: Bool { part == .annotation }

  /// Whether the keyword affects validity but is not supported.
  var isUnchecked: Bool { part == .unchecked }
}
