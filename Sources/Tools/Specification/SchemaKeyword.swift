/// The keywords of JSON Schema.
enum SchemaKeyword: String, CaseIterable {
  // Annotations
  case title, description, deprecated, examples, readOnly, writeOnly, contentMediaType
  case contentSchema, definitions
  case defaultValue = "default"
  case schema = "$schema"
  case id = "$id"
  case comment = "$comment"
  case anchor = "$anchor"
  case defs = "$defs"
  // Values of any type
  case type, const
  case enumeration = "enum"
  case reference = "$ref"
  case allOf, anyOf, oneOf
  // Numbers
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  // Strings
  case minLength, maxLength, pattern, format, contentEncoding
  // Arrays
  case items, minItems, maxItems, uniqueItems
  // Dictionaries
  case properties, required, additionalProperties, minProperties, maxProperties
  // Not checked
  case not, `if`, then, dependentRequired, dependentSchemas, dependencies, patternProperties
  case otherwise = "else"
  case propertyNames, contains, minContains, maxContains, prefixItems, additionalItems
  case unevaluatedItems, unevaluatedProperties
  case dynamicReference = "$dynamicRef"
  case dynamicAnchor = "$dynamicAnchor"
  case recursiveReference = "$recursiveRef"
  case recursiveAnchor = "$recursiveAnchor"
  case vocabulary = "$vocabulary"

  /// The part that keywords play in deciding which values are valid.
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

  /// Whether the keyword does not decide which values are valid.
  var isAnnotation: Bool { part == .annotation }

  /// Whether the keyword decides which values are valid, but is not checked here.
  var isUnchecked: Bool { part == .unchecked }
}
