internal import Bundle
internal import Encodings
internal import Output

/// Checks a specification for parts that would confuse administrators.
struct SpecificationLinter {
  private let specification: AppSpecification
  private var findings: [SpecificationFinding]
  /// The descriptions of ``findings``, for detecting duplicates.
  private var known: Set<String>

  private init(_ specification: AppSpecification, _ findings: [SpecificationFinding]) {
    self.specification = specification
    self.findings = findings
    known = Set(findings.map(\.description))
  }

  /// Checks a specification.
  ///
  /// - Parameters:
  ///   - position: The start of the specification.
  ///   - findings: The findings made while reading.
  /// - Returns: All findings, in the order of the file.
  static func lint(
    _ specification: AppSpecification, position: Position, after findings: [SpecificationFinding]
  ) -> [SpecificationFinding] {
    var linter = SpecificationLinter(specification, findings)
    linter.check(specification.schema, at: [])
    if specification.demoMode == nil {
      linter.find(
        .noDemoMode, at: position,
        "the demo mode, for showing the app without management, is not described")
    }
    if specification.example == nil {
      linter.find(
        .wrongExample, at: position,
        "no example can be generated from the schema; add `examples` to strings with a pattern")
    }
    return SpecificationFinding.inOrder(linter.findings)
  }

  private mutating func check(_ schema: Schema, at path: ListPath) {
    for sample in schema.examples + [schema.defaultValue].compactMap(\.self) {
      check(sample, against: schema)
    }
    let known = Set(schema.knownProperties.map(\.name))
    for name in schema.required where !known.contains(name) {
      find(
        .requiredUnknown, at: schema.position,
        "`\(name)` is required, but `properties` does not describe it")
    }
    if schema.types.contains(.null) {
      find(.noListForm, at: schema.position, "a property list cannot contain null")
    }
    for property in schema.properties { check(property, at: path) }
    if case .each(let items) = schema.items { check(items, at: path + [0]) }
    if case .each(let others) = schema.others { check(others, at: path) }
    for part in schema.parts { check(part, at: path) }
  }

  private mutating func check(_ property: Schema.Property, at path: ListPath) {
    let path = path + [.key(property.name)]
    let types = property.schema.typesOfAll
    if property.name != property.name.trimmed {
      find(
        .keyWhiteSpace, at: property.position,
        "the key `\(property.name)` is surrounded by white space")
    }
    if property.schema.description == nil, property.schema.title == nil {
      find(.undocumented, at: property.position, "the purpose of `\(path.words)` is not described")
    }
    if types.contains(.string), KeyWords(property.name).areOfSecret {
      find(
        .secret, at: property.position,
        "`\(path.words)` appears to be a secret")
    }
    if types == [.boolean], KeyWords(property.name).areOfManagedSwitch {
      find(
        .managedSwitch, at: property.position,
        "`\(path.words)` appears to be a single switch for all managed behaviour")
    }
    check(property.schema, at: path)
  }

  private mutating func check(_ sample: Schema.Sample, against schema: Schema) {
    var checker = ConfigurationChecker(form: .json)
    checker.check(sample.value, against: schema, at: [])
    for finding in checker.findings where finding.severity == .error {
      find(
        .wrongExample, at: sample.position,
        "the value does not conform to its schema: \(finding.message)")
    }
  }

  private mutating func find(
    _ rule: SpecificationRule, at position: Position, _ message: String
  ) {
    let finding = SpecificationFinding(
      rule, file: specification.file, at: position, message)
    if known.insert(finding.description).inserted { findings.append(finding) }
  }
}

/// The words in the name of a key, as hints about the key's value.
struct KeyWords {
  /// The words in lower case. For example, `apiKey`, `API_KEY` and `api-key` all give `api` and
  /// `key`.
  private let words: [String]

  init(_ key: String) {
    var words: [String] = []
    var word = ""
    var previous: Character?
    let characters = Array(key)
    for (place, character) in characters.enumerated() {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      let isBoundary =
        character.isUppercase
        && (previous?.isUppercase == false || next?.isLowercase == true)
      if isBoundary || !character.isLetter {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
      previous = character
    }
    if !word.isEmpty { words.append(word) }
    self.words = words
  }

  private static let secrets: Set<String> = [
    "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential",
    "credentials", "license", "licence", "apikey", "privatekey",
  ]

  private static let keys: Set<String> = ["api", "private", "access", "signing", "encryption"]

  /// The last words of key names such as `passwordHint` or `tokenURL`. The values of such keys describe secrets, but
  /// are not secret themselves.
  private static let harmless: Set<String> = [
    "url", "uri", "server", "host", "endpoint", "hint", "label", "title", "text", "policy",
    "identifier", "id", "name", "type", "length", "lifetime", "expiry", "required", "agreement",
  ]

  /// Whether a text with this name is probably a secret, such as a password, a token or a licence
  /// key.
  var areOfSecret: Bool {
    if let last = words.last, Self.harmless.contains(last) { return false }
    if words.contains(where: Self.secrets.contains) { return true }
    return zip(words, words.dropFirst()).contains { Self.keys.contains($0) && $1 == "key" }
  }

  private static let managed: Set<String> = ["managed", "management", "mdm", "enterprise"]

  private static let beside: Set<String> = [
    "is", "app", "mode", "enabled", "enable", "use", "by", "device", "under",
  ]

  /// Whether a boolean with this name probably states only that the app is managed, such as `isManaged`.
  var areOfManagedSwitch: Bool {
    words.contains(where: Self.managed.contains)
      && words.allSatisfy { Self.managed.contains($0) || Self.beside.contains($0) }
  }
}
