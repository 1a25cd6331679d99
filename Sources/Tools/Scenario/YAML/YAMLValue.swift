import Encodings
import Output

struct YAMLValue {
  enum Kind {
    /// The text of a scalar, not converted to a number or boolean. A plain text has no quotes and no explicit tag.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLValue])
    case mapping([Member])
  }

  struct Member {
    var key: String
    var position: Position
    var value: YAMLValue
  }

  var kind: Kind
  var position: Position
  /// The key to which the value belongs, for messages.
  var name: String
  /// Whether the value is an unknown name that has already been reported, and is now accepted like a known name.
  var isExcused = false

  /// Whether the value is empty: `name:`, `name: ~` or `name: null`.
  var isEmpty: Bool {
    guard case .scalar(let text, isPlain: true) = kind else { return false }
    return ["", "~", "null"].contains(text)
  }

  /// The value as a phrase for messages, such as `a list`.
  var found: String {
    switch kind {
    case .scalar where isEmpty: "nothing"
    case .scalar(let text, isPlain: true): "`\(text)`"
    case .scalar(let text, isPlain: false): "the text `\(text)`"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  func mistake(_ code: ScenarioError.Code, _ message: String) -> InputError {
    InputError(code, at: position, message)
  }

  private func isNot(_ expected: String) -> InputError {
    mistake(.wrongType, "`\(name)` must be \(expected), found \(found)")
  }

  /// Returns the text of a scalar with or without quotes; unquoted `yes` and `12` are also texts. A list, a mapping or
  /// an empty value is an error.
  func text() throws(InputError) -> String {
    guard case .scalar(let text, _) = kind, !isEmpty else { throw isNot("text") }
    return text
  }

  func require(_ word: String) throws(InputError) {
    let text = try text()
    guard text == word else {
      throw mistake(.invalidValue, "`\(name)` must be `\(word)`, found `\(text)`")
    }
  }

  func bool() throws(InputError) -> Bool {
    guard case .scalar(let text, let isPlain) = kind, !isEmpty else {
      throw isNot("`true` or `false`")
    }
    switch (text, isPlain) {
    case ("true", true): return true
    case ("false", true): return false
    default:  // open: any other text
      var problem = isNot("`true` or `false`")
      problem.message += Suggestion.text(YAMLValue.booleanMeant(by: text).map { "\($0)" })
      throw problem
    }
  }

  /// Returns the boolean that older YAML versions read from a word; nil for a word that they do not read as a boolean.
  static func booleanMeant(by text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "y": true
    case "false", "no", "off", "n": false
    default: nil  // open: any other text
    }
  }

  func int(in range: ClosedRange<Int> = .min ... .max) throws(InputError) -> Int {
    guard case .scalar(let text, isPlain: true) = kind, let number = Int(text) else {
      throw isNot("a whole number")
    }
    guard range.contains(number) else {
      throw mistake(
        .invalidValue,
        "`\(name)` must be from \(range.lowerBound) to \(range.upperBound), found `\(text)`")
    }
    return number
  }

  /// Returns the case of `Word` with this text as its raw value. If the text is unknown and the cases are too many for
  /// the message, the error refers to the documentation page `page`.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    of type: Word.Type = Word.self, listedIn page: String? = nil
  ) throws(InputError) -> Word {
    if case .scalar(let text, _) = kind, let word = Word(rawValue: text) { return word }
    return try choice(of: Array(Word.allCases), named: \.rawValue, listedIn: page)
  }

  /// Returns the text, which must be one of `known`. If it is not, and `known` is too long for the message, the error
  /// refers to the documentation page `page`.
  func choice(of known: [String], listedIn page: String? = nil) throws(InputError) -> String {
    guard case .scalar(let text, _) = kind, !isEmpty else { throw isNot("text") }
    guard known.contains(text) else {
      throw mistake(.invalidValue, Self.objection(to: text, as: name, known, listedIn: page))
    }
    return text
  }

  /// Returns the element of `values` whose name is this text.
  func choice<Value>(
    of values: [Value], named name: (Value) -> String, listedIn page: String? = nil
  ) throws(InputError) -> Value {
    if case .scalar(let text, _) = kind, let found = values.first(where: { name($0) == text }) {
      return found
    }
    let known = values.map(name)
    _ = try choice(of: known, listedIn: page)
    throw isNot(Wording.list(known))
  }

  private static func objection(
    to text: String, as name: String, _ known: [String], listedIn page: String?
  ) -> String {
    let hint = Wording.hint(for: text, among: known)
    if !hint.isEmpty { return "`\(name)` cannot be `\(text)`\(hint)" }
    if known.count <= 12 { return "`\(name)` must be \(Wording.list(known)), found `\(text)`" }
    let start = "`\(name)` cannot be `\(text)`"
    let longer = known.map { ($0, $0.lowercased()) }.filter {
      $1.hasSuffix(text.lowercased()) || $1.hasPrefix(text.lowercased())
    }.map(\.0)
    if longer.count == 1 { return start + Suggestion.text(longer[0]) }
    return page.map { start + "; \($0) lists the possible values" } ?? start
  }

  /// Returns the elements of a sequence. Each element has the same name as this value.
  func sequence() throws(InputError) -> [YAMLValue] {
    guard case .sequence(let elements) = kind else { throw isNot("a list") }
    return elements
  }

  /// Returns the elements of a sequence, or the value itself as the only element.
  func oneOrMore() throws(InputError) -> [YAMLValue] {
    guard case .sequence(let elements) = kind else { return [self] }
    guard !elements.isEmpty else { throw mistake(.missingKey, "the list `\(name)` is empty") }
    return elements
  }

  func texts() throws(InputError) -> [String] {
    var texts: [String] = []
    for element in try sequence() { texts.append(try element.text()) }
    return texts
  }

  /// Returns the mapping without a key. Any other value is returned unchanged.
  func without(_ key: String) -> YAMLValue {
    guard case .mapping(let members) = kind else { return self }
    var value = self
    value.kind = .mapping(members.filter { $0.key != key })
    return value
  }

  /// The members of a mapping; empty for any other value.
  var members: [Member] {
    if case .mapping(let members) = kind { members } else { [] }
  }

  var isMapping: Bool {
    if case .mapping = kind { true } else { false }
  }

  /// Returns the members of a mapping with arbitrary keys.
  func mapping() throws(InputError) -> [Member] {
    guard case .mapping(let members) = kind else { throw isNot("a mapping") }
    return members
  }
}

// MARK: - Mappings with fixed keys

/// A key of a mapping with a fixed set of keys.
protocol FieldKey: RawRepresentable<String>, CaseIterable, Hashable {
  /// Words that users may write instead of a key, in lower case, with the key that they mean. Errors about unknown keys
  /// use them. The default is empty.
  static var synonyms: [String: Self] { get }
  /// Returns the keys that users may mean by `word`, which is in lower case. The default is the key in ``synonyms``.
  static func meant(by word: String) -> [Self]
}

extension FieldKey {
  static var synonyms: [String: Self] { [:] }

  static func meant(by word: String) -> [Self] { synonyms[word].map { [$0] } ?? [] }
}

/// The members of a mapping with a fixed set of keys. Other keys are errors.
struct Fields<Key: FieldKey> {
  let position: Position
  private let subject: String
  private let values: [Key: YAMLValue]
  private let positions: [Key: Position]
  /// The errors about unknown keys. An unknown key may be the misspelling of a missing key.
  private let unknownKeys: [InputError]

  /// Reads the members of a mapping.
  ///
  /// - Parameters:
  ///   - subject: The description of the mapping in messages, with an article, such as `a case`.
  ///   - others: Further keys that the error about an unknown key may suggest. The caller reads them itself.
  ///   - advice: The end of the message about an unknown key that does not resemble a known key.
  init(
    _ value: YAMLValue, _ subject: String, others: [String] = [], otherwise advice: String = ""
  ) throws(InputError) {
    try self.init(of: value, subject, others: others, otherwise: advice)
    if let mistake = InputError(unknownKeys) { throw mistake }
  }

  /// Reads the members of a mapping, and collects the errors about unknown keys.
  init(
    _ value: YAMLValue, _ subject: String, collecting mistakes: inout InputErrorCollector
  ) throws(InputError) {
    try self.init(of: value, subject, others: [], otherwise: "")
    for mistake in unknownKeys { mistakes.add(mistake) }
  }

  private init(
    of value: YAMLValue, _ subject: String, others: [String], otherwise advice: String
  ) throws(InputError) {
    guard case .mapping(let members) = value.kind else {
      throw value.mistake(.wrongType, "\(subject) must be a mapping, found \(value.found)")
    }
    var values: [Key: YAMLValue] = [:]
    var positions: [Key: Position] = [:]
    var mistakes = InputErrorCollector()
    for member in members {
      guard let key = Key(rawValue: member.key) else {
        guard !mistakes.isFull else { break }
        let hint = Self.hint(for: member.key, others)
        mistakes.add(
          InputError(
            .unknownKey, at: member.position,
            "\(subject) has no key `\(member.key)`\(hint.isEmpty ? advice : hint)"))
        continue
      }
      values[key] = member.value
      positions[key] = member.position
    }
    position = value.position
    self.subject = subject
    self.values = values
    self.positions = positions
    unknownKeys = mistakes.found
  }

  /// Returns a hint for the error about an unknown key. The hint is the key with the most similar spelling, or else the
  /// keys that have `word` as a synonym.
  private static func hint(for word: String, _ others: [String]) -> String {
    let hint = Wording.hint(for: word, among: Key.allCases.map(\.rawValue) + others)
    guard hint.isEmpty else { return hint }
    let meant = Key.meant(by: word.lowercased()).map(\.rawValue).sorted()
    return meant.isEmpty ? "" : "; did you mean \(Wording.list(meant))?"
  }

  /// Whether the mapping has unknown keys. An unknown key may be the misspelling of a missing key.
  var hasUnknownKeys: Bool { !unknownKeys.isEmpty }

  subscript(key: Key) -> YAMLValue? { values[key] }

  func required(_ key: Key) throws(InputError) -> YAMLValue {
    guard let value = values[key] else {
      var mistake = InputError(.missingKey, at: position, "\(subject) needs `\(key.rawValue)`")
      mistake.isConsequence = hasUnknownKeys
      throw mistake
    }
    return value
  }

  /// Checks that at most one of two keys is present. The error is reported at `second`.
  func rejectConflict(_ second: Key, with first: Key) throws(InputError) {
    guard values[first] != nil, let position = positions[second] else { return }
    throw InputError(
      .conflictingKeys, at: position,
      "\(subject) has `\(first.rawValue)` or `\(second.rawValue)`, not both")
  }

  func position(of key: Key) -> Position { positions[key] ?? position }
}

// MARK: - JSON as YAML

extension YAMLValue {
  /// Converts a JSON value to a YAML value.
  ///
  /// - Throws: ``InputError`` if an object has duplicate names, nesting is too deep for a scenario, or the value
  ///   exceeds `allowance`.
  init(_ value: JSONValue, name: String, atMost allowance: YAMLAllowance) throws(InputError) {
    var allowance = allowance
    try self.init(value, name: name, depth: 0, &allowance)
  }

  private init(
    _ value: JSONValue, name: String, depth: Int, _ allowance: inout YAMLAllowance
  ) throws(InputError) {
    guard depth <= YAMLReader.maximumDepth else {
      throw InputError(
        .tooLarge, at: value.position, "nested deeper than \(YAMLReader.maximumDepth) levels")
    }
    try allowance.takeValue(at: value.position)
    let kind: Kind
    switch value.kind {
    case .null: kind = .scalar("null", isPlain: true)
    case .bool(let flag): kind = .scalar(flag ? "true" : "false", isPlain: true)
    case .number(let spelling):
      try allowance.take(spelling, at: value.position)
      kind = .scalar(spelling, isPlain: true)
    case .string(let text):
      try allowance.take(text, at: value.position)
      kind = .scalar(text, isPlain: false)
    case .array(let elements):
      var values: [YAMLValue] = []
      for element in elements {
        values.append(try YAMLValue(element, name: name, depth: depth + 1, &allowance))
      }
      kind = .sequence(values)
    case .object(let members): kind = .mapping(try Self.members(members, depth: depth, &allowance))
    }
    self.init(kind: kind, position: value.position, name: name)
  }

  private static func members(
    _ members: [JSONValue.Member], depth: Int, _ allowance: inout YAMLAllowance
  ) throws(InputError) -> [Member] {
    var known: Set<String> = []
    var result: [Member] = []
    for member in members {
      try allowance.take(member.name, at: member.position)
      guard known.insert(member.name).inserted else {
        throw InputError(
          .duplicateKey, at: member.position, "the key `\(member.name)` is given twice")
      }
      let value = try YAMLValue(member.value, name: member.name, depth: depth + 1, &allowance)
      result.append(Member(key: member.name, position: member.position, value: value))
    }
    return result
  }
}
