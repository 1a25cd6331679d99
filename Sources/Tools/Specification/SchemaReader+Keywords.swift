internal import Diagnostics
internal import JSON
internal import Predicates

/// The effect of each keyword on a schema.
extension SchemaReader {
  mutating func apply(_ keyword: SchemaKeyword, _ value: JSONValue, to schema: inout Schema) {
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
    case .defs, .definitions: checkDefinitions(value, of: keyword)
    // Numbers
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
    // Strings
    case .minLength: schema.length.least = count(value, of: keyword)
    case .maxLength: schema.length.most = count(value, of: keyword)
    case .pattern: schema.pattern = pattern(value)
    case .format: schema.format = format(value)
    case .contentEncoding:
      guard let name = text(value, of: keyword.rawValue) else { return }
      schema.isData = name == "base64"
      if !schema.isData {
        find(.notChecked, at: value.position, "of encodings only `base64` is known, not `\(name)`")
      }
    // Arrays
    case .items: schema.items = .each(self.schema(value))
    case .minItems: schema.itemCount.least = count(value, of: keyword)
    case .maxItems: schema.itemCount.most = count(value, of: keyword)
    case .uniqueItems: schema.itemsAreUnique = flag(value, of: keyword) ?? false
    // Dictionaries
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
    // The reader follows references before it applies keywords.
    case .reference: break
    case .readOnly, .writeOnly, .contentMediaType, .contentSchema, .id, .comment, .anchor: break
    // Not checked
    case .not, .if, .then, .dependentRequired, .dependentSchemas, .dependencies, .patternProperties,
      .otherwise, .propertyNames, .contains, .minContains, .maxContains, .prefixItems,
      .additionalItems, .unevaluatedItems, .unevaluatedProperties, .dynamicReference,
      .dynamicAnchor, .recursiveReference, .recursiveAnchor, .vocabulary:
      break
    }
  }

  /// Checks for bounds that no value can meet.
  mutating func checkBounds(_ schema: Schema) {
    if let words = schema.range.words {
      let types = schema.typesOfAll
      let type = types.contains(.integer) && !types.contains(.number) ? ValueType.integer : .number
      if schema.range.isEmpty(of: type) {
        fail(at: schema.position, "\(type.noun) cannot be \(words)")
      }
    }
    for count in [schema.length, schema.itemCount, schema.keyCount] {
      if let least = count.least, let most = count.most, least > most {
        fail(at: schema.position, "at least \(least) and at most \(most) is impossible")
      }
    }
  }

  // MARK: Words

  private mutating func checkDialect(_ value: JSONValue) {
    guard let dialect = text(value, of: SchemaKeyword.schema.rawValue),
      !dialect.contains("json-schema.org/draft/2020-12/")
    else { return }
    find(.notChecked, at: value.position, "`\(dialect)` is read as draft 2020-12")
  }

  private mutating func types(_ value: JSONValue) -> [ValueType] {
    (value.array ?? [value]).compactMap { element in
      guard let name = text(element, of: SchemaKeyword.type.rawValue) else { return nil }
      if let type = ValueType(rawValue: name) { return type }
      let known = ValueType.allCases.map(\.rawValue)
      let hint = Suggestion.nearest(to: name, among: known)
      fail(at: element.position, "there is no type `\(name)`\(hint)")
      return nil
    }
  }

  private mutating func format(_ value: JSONValue) -> TextFormat? {
    guard let name = text(value, of: SchemaKeyword.format.rawValue) else { return nil }
    if let format = TextFormat(rawValue: name) { return format }
    let known = TextFormat.allCases.map(\.rawValue)
    find(
      .notChecked, at: value.position, "strings are not checked for the format `\(name)`",
      suggestion: NearestWord.to(name, among: known))
    return nil
  }

  private mutating func pattern(_ value: JSONValue) -> TextPattern? {
    guard let text = text(value, of: SchemaKeyword.pattern.rawValue) else { return nil }
    do throws(PatternError) {
      return TextPattern(text: text, pattern: try Pattern(findingIn: text))
    } catch {
      find(
        .notChecked, at: value.position,
        "strings are not checked for this pattern: it is \(error.message)")
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

  /// Reads definitions that no reference may use: they may hold mistakes, too.
  private mutating func checkDefinitions(_ value: JSONValue, of keyword: SchemaKeyword) {
    for member in members(value, of: keyword.rawValue) ?? [] { _ = schema(member.value) }
  }

  // MARK: Values by type

  mutating func text(_ value: JSONValue, of name: String) -> String? {
    value.string ?? wrong(value, name, "a string")
  }

  mutating func array(_ value: JSONValue, of name: String) -> [JSONValue]? {
    value.array ?? wrong(value, name, "an array")
  }

  mutating func members(_ value: JSONValue, of name: String) -> [JSONValue.Member]? {
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
      return wrong(value, keyword.rawValue, "a whole number from 0 on")
    }
    return count
  }

  private mutating func names(_ value: JSONValue, of keyword: SchemaKeyword) -> [String] {
    (array(value, of: keyword.rawValue) ?? []).compactMap { text($0, of: keyword.rawValue) }
  }

  /// Reports a value of the wrong type.
  ///
  /// - Returns: nil.
  private mutating func wrong<Value>(
    _ value: JSONValue, _ name: String, _ expected: String
  ) -> Value? {
    let found =
      if case .number(let spelling) = value.kind { "`\(spelling)`" } else { value.kindName }
    fail(at: value.position, "`\(name)` must be \(expected), found \(found)")
    return nil
  }
}
