internal import Encodings
internal import Bundle
internal import Diagnostics
internal import JSON
internal import Predicates

/// Holds values against schemas.
struct ConfigurationChecker {
  /// What a configuration is written as. It decides what a date and bytes look like.
  enum Form {
    case propertyList, json
  }

  /// Something that is wrong, and where.
  struct Fault: Equatable {
    var rule: SpecificationRule
    var severity: Severity
    /// To the key or element that is at fault.
    var path: ListPath
    /// Whether what follows the key is at fault, and not the key.
    var isOfValue: Bool
    var message: String
    var suggestion: String?
  }

  /// What the keys of a dictionary are held against.
  private struct Keys {
    let properties: [String: Schema]
    /// All that this schema and those beside it name.
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

  /// How much is found at most.
  static let maximumFaults = 10_000
  /// Whether there was more: what came after was not looked at.
  var isCut: Bool { left == 0 || faults.count >= Self.maximumFaults }

  let form: Form
  private(set) var faults: [Fault] = []
  /// How much more may be found, in alternatives that do not fit, too.
  private var left = 1_000_000
  /// What is known of the keys of each schema, by its place.
  private var knownKeys: [Position: Keys] = [:]
  /// Of matching all strings with their patterns.
  private var work = Work(elements: 2 * Work.maximumElements)
  /// Letters that were compared for suggestions.
  private var comparisons = 0

  init(form: Form) { self.form = form }

  /// Everything about a value, and all values in it.
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
      // White space is a matter of its own, whatever the schema.
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

  /// - Parameter free: the keys that are not stated.
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

  /// What a schema says of a value, but for which keys it knows.
  private mutating func checkConstraints(
    _ value: ConfigurationValue, _ schema: Schema, at path: ListPath
  ) {
    guard !isCut else { return }
    guard !schema.isRefused else {
      find(.notListed, at: path, "\(Self.name(path)) must not be stated")
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
      "\(Self.name(path)) is none of the values that the specification lists\(list)"
        + Self.found(value, at: path),
      suggestion: suggestion)
  }

  private mutating func checkNumber(
    _ value: ConfigurationValue, _ range: NumberRange, at path: ListPath
  ) {
    guard let number = value.number else { return }
    let isInside =
      number >= range.minimum ?? -.infinity && number <= range.maximum ?? .infinity
      && number > range.exclusiveMinimum ?? -.infinity
      && number < range.exclusiveMaximum ?? .infinity
    if !isInside, let words = range.words {
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

  /// Decimal fractions have no exact form: what is nearly a multiple is one.
  private static func divides(_ divisor: Double, _ number: Double) -> Bool {
    let quotient = number / divisor
    return abs(quotient - quotient.rounded()) <= 1e-9 * max(1, abs(quotient))
  }

  private mutating func checkText(_ text: String, _ schema: Schema, at path: ListPath) {
    let found = Self.found(ConfigurationValue(.string(text)), at: path)
    let count = text.unicodeScalars.count
    if !schema.length.contains(count), let words = schema.length.words("character") {
      find(
        .wrongText, ofValueAt: path, "\(Self.name(path)) must have \(words), and has \(count)")
    }
    if let pattern = schema.pattern, pattern.pattern?.matches(text, &work) == false {
      let lack = work.isExhausted ? ", and matching all of this file takes too long" : ""
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
        "\(Self.name(path)) must have \(words), and has \(elements.count)")
    }
    if schema.itemsAreUnique { checkUnique(elements, at: path) }
    guard case .each(let items) = schema.items else { return }
    for (index, element) in elements.enumerated() {
      check(element, against: items, at: path + [.index(index)])
    }
  }

  /// Names the first repetition only: a list with one mistake can have many.
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
        "\(Self.name(path)) must have \(words), and has \(entries.count)")
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

  /// - Parameter most: how many alternatives may hold; nil: all.
  private mutating func checkAlternatives(
    _ value: ConfigurationValue, _ alternatives: [Schema], at path: ListPath, upTo most: Int? = nil
  ) {
    guard !alternatives.isEmpty else { return }
    let outcomes = alternatives.map { schema in
      var probe = ConfigurationChecker(form: form)
      (probe.work, probe.comparisons, probe.left) = (work, comparisons, left)
      swap(&probe.knownKeys, &knownKeys)
      probe.checkConstraints(value, schema, at: path)
      swap(&probe.knownKeys, &knownKeys)
      (work, comparisons, left) = (probe.work, probe.comparisons, probe.left)
      return probe.faults
    }
    guard left > 0 else { return }
    let fitting = outcomes.filter { faults in !faults.contains { $0.severity == .error } }
    if let most, fitting.count > most {
      find(
        .alternatives, ofValueAt: path,
        "\(Self.name(path)) fits \(fitting.count) alternatives of the specification, and only one may fit"
      )
    }
    if let first = fitting.first {
      faults += first
      return
    }
    // Where only one alternative has the right type, what is wrong with that one is what is wrong.
    let near = outcomes.filter { faults in
      !faults.contains { $0.path == path && $0.rule == .wrongType }
    }
    if near.count == 1, let faults = near.first {
      self.faults += faults
    } else {
      find(
        .alternatives, ofValueAt: path,
        "\(Self.name(path)) fits none of the \(alternatives.count) alternatives of the specification"
          + Self.found(value, at: path))
    }
  }

  // MARK: Faults

  /// At a key or an element, or the top.
  mutating func find(
    _ rule: SpecificationRule, _ severity: Severity? = nil, at path: ListPath, _ message: String,
    suggestion: String? = nil
  ) {
    add(
      Fault(
        rule: rule, severity: severity ?? rule.severity, path: path, isOfValue: false,
        message: message, suggestion: suggestion))
  }

  /// At what follows a key.
  mutating func find(
    _ rule: SpecificationRule, ofValueAt path: ListPath, _ message: String,
    suggestion: String? = nil
  ) {
    add(
      Fault(
        rule: rule, severity: rule.severity, path: path, isOfValue: true, message: message,
        suggestion: suggestion))
  }

  /// Several parts of a schema may say the same.
  private mutating func add(_ fault: Fault) {
    guard !isCut, !faults.suffix(16).contains(fault) else { return }
    left -= 1
    faults.append(fault)
  }
}

extension Array where Element: Hashable {
  /// The place of the first element that was there before; nil where all differ.
  var firstRepetition: Int? {
    var seen: Set<Element> = []
    return firstIndex { !seen.insert($0).inserted }
  }
}
