internal import Bundle
internal import Encodings
internal import Output
internal import Predicates

struct ConfigurationChecker {
  /// The format of a configuration. It determines the representation of dates and bytes.
  enum Form {
    case propertyList, json
  }

  /// A mistake in a configuration, with its location.
  struct KeyFinding: Equatable {
    var rule: SpecificationRule
    var severity: Severity
    var path: ListPath
    /// Whether the mistake is in the value of the key, and not in the key itself.
    var isOfValue: Bool
    var message: String
    var suggestion: String?
  }

  /// The keys that a schema defines for a dictionary.
  private struct Keys {
    let properties: [String: Schema]
    /// The names of all keys that the schema and its parts define.
    let names: Set<String>
    let deprecated: [Schema.Property]
    let others: Schema.Others

    init(_ schema: Schema) {
      let known = schema.knownProperties
      properties = Dictionary(
        schema.properties.map { ($0.name, $0.schema) }, uniquingKeysWith: { _, last in last })
      names = Set(known.map(\.name))
      deprecated = known.filter(\.schema.isDeprecated)
      others = schema.othersOfAll
    }
  }

  private static let maximumFindings = 10_000
  /// Whether a limit was reached, so the rest of the configuration was not examined.
  var isCut: Bool { left == 0 || findings.count >= Self.maximumFindings }

  private let form: Form
  private(set) var findings: [KeyFinding] = []
  /// The remaining number of findings. Findings about alternatives that do not match also count, although they are not
  /// reported.
  private var left = 1_000_000
  /// The known keys of each schema, keyed by the schema's position.
  private var knownKeys: [Position: Keys] = [:]
  /// The work budget for matching strings with patterns.
  private var budget = WorkBudget(elements: 2 * WorkBudget.maximumElements)
  /// The number of letters compared so far for suggestions.
  private var comparisons = 0

  init(form: Form) { self.form = form }

  /// Checks a value and all values in it.
  mutating func check(_ value: ConfigurationValue, against schema: Schema, at path: ListPath) {
    if let entries = value.entries { checkKeys(entries, schema, at: path) }
    checkConstraints(value, schema, at: path)
  }

  // MARK: Keys

  private mutating func checkKeys(
    _ entries: [ConfigurationValue.Entry], _ schema: Schema, at path: ListPath
  ) {
    let keys = keys(of: schema)
    let stated = Set(entries.map(\.key))
    let unknown = entries.map(\.key).filter { !keys.names.contains($0) }
    if !unknown.isEmpty {
      let free = Vocabulary(keys.names.subtracting(stated))
      // White space around a key is reported separately, independently of the schema.
      for key in unknown where key == key.trimmed {
        checkUnknown(key, others: keys.others, free: free, at: path)
      }
    }
    for property in keys.deprecated where stated.contains(property.name) {
      let reason = property.schema.description.map { ": \($0)" } ?? ""
      find(
        .deprecated, at: path + [.key(property.name)], "`\(property.name)` is deprecated\(reason)")
    }
  }

  private mutating func keys(of schema: Schema) -> Keys {
    if let known = knownKeys[schema.position] { return known }
    let made = Keys(schema)
    knownKeys[schema.position] = made
    return made
  }

  /// Checks a key that the schema does not define. If the schema permits other keys, adds a finding only if a known key
  /// is similar. Otherwise, always adds a finding.
  ///
  /// - Parameter free: The keys that the schema defines and the configuration lacks, for suggestions.
  private mutating func checkUnknown(
    _ key: String, others: Schema.Others, free: Vocabulary, at path: ListPath
  ) {
    let meant = free.nearest(to: key, within: Self.slips(in: key), &comparisons)
    let severity: Severity
    switch others {
    case .unstated: severity = .warning
    case .nothing: severity = .error
    case .anything, .each:
      guard meant != nil else { return }
      severity = .warning
    }
    find(
      .unknownKey, severity, at: path + [.key(key)],
      "the specification has no key `\((path + [.key(key)]).words)`", suggestion: meant)
  }

  // MARK: Values

  /// Checks a value against the constraints of a schema. Does not report unknown or deprecated keys of a dictionary.
  private mutating func checkConstraints(
    _ value: ConfigurationValue, _ schema: Schema, at path: ListPath
  ) {
    guard !isCut else { return }
    guard !schema.isRefused else {
      find(.notListed, at: path, "\(Self.name(path)) must not be present")
      return
    }
    guard checkType(value, schema, at: path) else { return }
    checkListed(value, schema, at: path)
    switch value.kind {
    case .integer, .real: checkNumber(value, schema.range, at: path)
    case .string(let text): checkText(text, schema, at: path)
    case .array(let elements): checkElements(elements, schema, at: path)
    case .dictionary(let entries): checkEntries(entries, schema, at: path)
    case .null, .boolean, .data, .date: break
    }
    for part in schema.allOf { checkConstraints(value, part, at: path) }
    checkAlternatives(value, schema.anyOf, at: path)
    checkAlternatives(value, schema.oneOf, at: path, upTo: 1)
  }

  private mutating func checkListed(
    _ value: ConfigurationValue, _ schema: Schema, at path: ListPath
  ) {
    guard let values = schema.values, !values.contains(value) else { return }
    let texts = values.inOrder.count <= 12 ? values.inOrder.compactMap(\.text) : []
    var suggestion: String?
    if case .string(let text) = value.kind, !Self.isSecret(path) {
      suggestion = values.texts.nearest(to: text, within: Self.slips(in: text), &comparisons)
    }
    let list = texts.isEmpty || texts.count < values.inOrder.count ? "" : ": " + Self.list(texts)
    find(
      .notListed, ofValueAt: path,
      "\(Self.name(path)) is not among the values that the specification lists\(list)"
        + Self.found(value, at: path),
      suggestion: suggestion)
  }

  private mutating func checkNumber(
    _ value: ConfigurationValue, _ range: NumberRange, at path: ListPath
  ) {
    guard let number = value.number else { return }
    if !range.contains(number), let words = range.words {
      find(
        .outOfRange, ofValueAt: path,
        "\(Self.name(path)) must be \(words)\(Self.found(value, at: path))")
    }
    if let divisor = range.multipleOf, !Self.divides(divisor, number) {
      find(
        .outOfRange, ofValueAt: path,
        "\(Self.name(path)) must be a multiple of \(ConfigurationValue.text(of: divisor))"
          + Self.found(value, at: path))
    }
  }

  /// Returns whether the divisor divides the number. A tolerance is needed for decimal fractions
  /// that have no exact representation.
  private static func divides(_ divisor: Double, _ number: Double) -> Bool {
    let quotient = number / divisor
    return abs(quotient - quotient.rounded()) <= 1e-9 * max(1, abs(quotient))
  }

  private mutating func checkText(_ text: String, _ schema: Schema, at path: ListPath) {
    let found = Self.found(ConfigurationValue(.string(text)), at: path)
    let count = text.unicodeScalars.count
    if !schema.length.contains(count), let words = schema.length.words("character") {
      find(
        .wrongText, ofValueAt: path, "\(Self.name(path)) must have \(words), found \(count)")
    }
    if let pattern = schema.pattern, pattern.pattern?.matches(text, &budget) == false {
      let lack = budget.isExhausted ? ", and matching all of this file takes too long" : ""
      find(
        .wrongText, ofValueAt: path,
        "\(Self.name(path)) must match `\(pattern.text)`\(found)\(lack)")
    }
    if let format = schema.format, !format.accepts(text) {
      find(.wrongText, ofValueAt: path, "\(Self.name(path)) must be \(format.noun)\(found)")
    }
    if schema.isData, Base64.bytes(text) == nil {
      find(.wrongText, ofValueAt: path, "\(Self.name(path)) must be Base64")
    }
  }

  private mutating func checkElements(
    _ elements: [ConfigurationValue], _ schema: Schema, at path: ListPath
  ) {
    if !schema.itemCount.contains(elements.count), let words = schema.itemCount.words("element") {
      find(
        .wrongCount, ofValueAt: path,
        "\(Self.name(path)) must have \(words), found \(elements.count)")
    }
    if schema.itemsAreUnique { checkUnique(elements, at: path) }
    guard case .each(let items) = schema.items else { return }
    for (index, element) in elements.enumerated() {
      check(element, against: items, at: path + [.index(index)])
    }
  }

  /// Checks for repeated elements. Only the first repetition is reported, because one mistake can cause many.
  private mutating func checkUnique(_ elements: [ConfigurationValue], at path: ListPath) {
    guard let index = elements.firstRepetition else { return }
    find(
      .wrongCount, at: path + [.index(index)],
      "\(Self.name(path)) must not have an element twice\(Self.found(elements[index], at: path))")
  }

  private mutating func checkEntries(
    _ entries: [ConfigurationValue.Entry], _ schema: Schema, at path: ListPath
  ) {
    if !schema.keyCount.contains(entries.count), let words = schema.keyCount.words("key") {
      find(
        .wrongCount, ofValueAt: path,
        "\(Self.name(path)) must have \(words), found \(entries.count)")
    }
    let stated = Set(entries.map(\.key))
    for name in schema.required where !stated.contains(name) {
      guard !isCut else { return }
      find(.missingKey, at: path, "the key `\((path + [.key(name)]).words)` is missing")
    }
    let properties = keys(of: schema).properties
    for entry in entries {
      let path = path + [.key(entry.key)]
      if let property = properties[entry.key] {
        check(entry.value, against: property, at: path)
      } else if case .each(let others) = schema.others {
        check(entry.value, against: others, at: path)
      }
    }
  }

  // MARK: Alternatives

  /// Checks that a value matches at least one alternative. Does nothing if there are no alternatives.
  ///
  /// - Parameter most: The maximum number of alternatives that may match; nil for no maximum.
  private mutating func checkAlternatives(
    _ value: ConfigurationValue, _ alternatives: [Schema], at path: ListPath, upTo most: Int? = nil
  ) {
    guard !alternatives.isEmpty else { return }
    let outcomes = alternatives.map { schema in
      var probe = ConfigurationChecker(form: form)
      (probe.budget, probe.comparisons, probe.left) = (budget, comparisons, left)
      swap(&probe.knownKeys, &knownKeys)
      probe.checkConstraints(value, schema, at: path)
      swap(&probe.knownKeys, &knownKeys)
      (budget, comparisons, left) = (probe.budget, probe.comparisons, probe.left)
      return probe.findings
    }
    guard left > 0 else { return }
    let fitting = outcomes.filter { findings in !findings.contains { $0.severity == .error } }
    if let most, fitting.count > most {
      find(
        .alternatives, ofValueAt: path,
        "\(Self.name(path)) matches \(fitting.count) alternatives of the specification, but only one may match"
      )
    }
    if let first = fitting.first {
      findings += first
      return
    }
    // If only one alternative has the right type, its findings are reported.
    let near = outcomes.filter { findings in
      !findings.contains { $0.path == path && $0.rule == .wrongType }
    }
    if near.count == 1, let findings = near.first {
      self.findings += findings
    } else {
      find(
        .alternatives, ofValueAt: path,
        "\(Self.name(path)) matches none of the \(alternatives.count) alternatives of the specification"
          + Self.found(value, at: path))
    }
  }

  // MARK: Findings

  /// Adds a finding about a key, an element or the top level.
  mutating func find(
    _ rule: SpecificationRule, _ severity: Severity? = nil, at path: ListPath, _ message: String,
    suggestion: String? = nil
  ) {
    add(
      KeyFinding(
        rule: rule, severity: severity ?? rule.severity, path: path, isOfValue: false,
        message: message, suggestion: suggestion))
  }

  /// Adds a finding about a key's value.
  mutating func find(
    _ rule: SpecificationRule, ofValueAt path: ListPath, _ message: String,
    suggestion: String? = nil
  ) {
    add(
      KeyFinding(
        rule: rule, severity: rule.severity, path: path, isOfValue: true, message: message,
        suggestion: suggestion))
  }

  /// Adds a finding. Does nothing if another part of the schema has already produced the same
  /// finding.
  private mutating func add(_ finding: KeyFinding) {
    guard !isCut, !findings.suffix(16).contains(finding) else { return }
    left -= 1
    findings.append(finding)
  }
}

extension Array where Element: Hashable {
  /// The index of the first repeated element; nil if all elements differ.
  var firstRepetition: Int? {
    var seen: Set<Element> = []
    return firstIndex { !seen.insert($0).inserted }
  }
}

/// Checks the types of values, and formats messages.
extension ConfigurationChecker {
  /// Returns whether the schema permits the value's type; if not, adds a finding.
  private mutating func checkType(
    _ value: ConfigurationValue, _ schema: Schema, at path: ListPath
  ) -> Bool {
    if case .null = value.kind, form == .propertyList || !schema.types.contains(.null) {
      find(
        .wrongType, ofValueAt: path,
        "\(Self.name(path)) is null, which a property list cannot contain"
      )
      return false
    }
    let expected = expected(schema)
    guard !schema.types.isEmpty, !schema.types.contains(where: { matches(value, $0, schema) })
    else { return true }
    find(
      .wrongType, ofValueAt: path,
      "\(Self.name(path)) must be \(expected), found \(value.noun)\(Self.excerpt(value, at: path))"
        + Self.hint(value, types: schema.types))
    return false
  }

  private func matches(
    _ value: ConfigurationValue, _ type: ValueType, _ schema: Schema
  ) -> Bool {
    switch value.kind {
    case .null: type == .null
    case .boolean: type == .boolean
    case .integer: type == .integer || type == .number
    // A whole number is an integer in every notation.
    case .real(let number):
      type == .number || type == .integer && number == number.rounded() && number.isFinite
    case .string: type == .string && (form == .json || !schema.isDate && !schema.isData)
    case .date: type == .string && schema.isDate
    case .data: type == .string && schema.isData
    case .array: type == .array
    case .dictionary: type == .object
    }
  }

  private func expected(_ schema: Schema) -> String {
    let nouns = schema.types.map { type in
      guard type == .string, form == .propertyList else { return type.noun }
      return schema.isDate ? "a date" : schema.isData ? "data" : type.noun
    }
    return ListFormat.any(of: nouns)
  }

  /// Returns advice on the correct notation for a number or boolean that was written as a string, or for a boolean that
  /// was written as 0 or 1. Returns an empty text for other values.
  private static func hint(_ value: ConfigurationValue, types: [ValueType]) -> String {
    switch value.kind {
    case .string(let text):
      if types.contains(.boolean), let flag = boolean(text) {
        return "; write \(flag), not a string"
      }
      let isNumber =
        types.contains(.integer) && Int(text) != nil
        || types.contains(.number) && Double(text) != nil
      return isNumber ? "; write a number, not a string" : ""
    case .integer(let number):
      let isFlag = types.contains(.boolean) && (0...1).contains(number)
      return isFlag ? "; write \(number == 1)" : ""
    case .null, .boolean, .real, .data, .date, .array, .dictionary: return ""
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil  // open: any other text
    }
  }

  // MARK: Text

  /// Returns the name of a value in messages. The top-level value is "the configuration".
  private static func name(_ path: ListPath) -> String {
    path.isEmpty ? "the configuration" : "`\(path.words)`"
  }

  /// Returns the words as a list, such as `` `a`, `b` ``.
  static func list(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Returns the value as a clause, such as `` , found `a` ``; empty if ``excerpt(_:at:)`` is empty.
  private static func found(_ value: ConfigurationValue, at path: ListPath) -> String {
    let excerpt = excerpt(value, at: path)
    return excerpt.isEmpty ? "" : ", found\(excerpt)"
  }

  /// Returns a space and the value in backticks, to be appended to a noun. Returns an empty text for long values,
  /// secrets, data, arrays and dictionaries.
  private static func excerpt(_ value: ConfigurationValue, at path: ListPath) -> String {
    guard let text = value.text, text.count <= 40, !isSecret(path) else { return "" }
    return " `\(text)`"
  }

  /// Returns the maximum number of letters in which a key and a key suggested for it may differ: a quarter of the key's
  /// length, but at least 2 and at most 8.
  private static func slips(in key: String) -> Int { min(max(2, key.utf8.count / 4), 8) }

  /// Returns whether messages must not contain the value.
  private static func isSecret(_ path: ListPath) -> Bool {
    path.contains { step in
      if case .key(let key) = step { KeyWords(key).areOfSecret } else { false }
    }
  }
}

extension ListPath {
  /// The path as text, such as `places > item 2 > name`. Long keys are shortened, because the paths
  /// of all nested keys repeat them.
  var words: String {
    map { step in
      switch step {
      case .key(let key):
        key.utf8.count <= 200 ? key : String(key.unicodeScalars.prefix(200)) + "…"
      case .index(let index): "item \(index + 1)"
      }
    }.joined(separator: " > ")
  }
}
