internal import Encodings
internal import Output

/// Validates the keys and values of a JSON object.
struct PayloadChecker {
  struct Note: Sendable {
    var position: Position
    var message: String
  }

  /// A key in a payload that refers to a declaration, with the types that this declaration may have.
  struct Reference: Sendable {
    var identifier: String
    /// The permitted types; nil if any configuration is permitted.
    var types: [DeclarationType]?
    /// The path of the key in the payload: `AppConfig.DataAssetReference`.
    var path: String
    var position: Position
  }

  private(set) var errors: [Note] = []
  private(set) var warnings: [Note] = []
  /// The mistakes that leave the payload valid but prevent an app or extension from receiving its data.
  private(set) var lost: [Note] = []
  /// The paths of keys that Apple does not publish.
  private(set) var unknownKeys: [String] = []
  private(set) var references: [Reference] = []

  /// Checks the object's keys and their values, including nested objects.
  ///
  /// - Parameter isOpen: Whether keys that are not in `keys` are permitted.
  mutating func check(
    _ value: JSONValue, against keys: [PayloadKey], isOpen: Bool = false, path: String = ""
  ) {
    guard let members = value.members else {
      let subject = path.isEmpty ? "the value" : "`\(path)`"
      return fail(value.position, "\(subject) must be an object, found \(value.kindName)")
    }
    checkNames(members, path: path)
    let owner = path
    for member in members {
      let path = Self.join(path, member.name)
      if let key = keys.first(where: { $0.name == member.name }) {
        check(member.value, is: key.kind, path: path)
      } else if !isOpen {
        warnOfUnknown(member, among: keys, path: path, of: owner)
      }
    }
    for key in keys where key.presence == .required && value[key.name] == nil {
      fail(value.position, "`\(Self.join(path, key.name))` is missing")
    }
  }

  private mutating func checkNames(_ members: [JSONValue.Member], path: String) {
    var names: Set<String> = []
    for member in members where !names.insert(member.name).inserted {
      fail(member.position, "`\(Self.join(path, member.name))` appears twice")
    }
  }

  private mutating func warnOfUnknown(
    _ member: JSONValue.Member, among keys: [PayloadKey], path: String, of object: String
  ) {
    unknownKeys.append(path)
    if Self.isWrapper(member, among: keys) {
      let place = object.isEmpty ? "one level up" : "to `\(object)`"
      let message = "unknown key `\(path)`; move its keys \(place)"
      // In Apple's schema, `AppConfigDictionary` is the name of a type, not a key.
      switch object.prefix(while: { $0 != "." }) {
      case "AppConfig":
        lost.append(
          Note(
            position: member.position,
            message: message + ", because the app does not receive them there"))
      case "ExtensionConfigs":
        lost.append(
          Note(
            position: member.position,
            message: message + ", because the extension does not receive them there"))
      default:  // open: names of keys
        warnings.append(Note(position: member.position, message: message))
      }
      return
    }
    let nearest = Suggestion.word(for: member.name, among: keys.map(\.name))
    let owner = keys.first { $0.members.contains { $0.name == member.name } }
    let hint =
      owner.map { "; it belongs in `\($0.name)`" }
      ?? Suggestion.text(nearest)
    warnings.append(Note(position: member.position, message: "unknown key `\(path)`" + hint))
  }

  /// Returns whether an unknown key is a superfluous nesting level: its value is an object whose keys are all valid one
  /// level up.
  private static func isWrapper(_ member: JSONValue.Member, among keys: [PayloadKey]) -> Bool {
    guard let inner = member.value.members, !inner.isEmpty else { return false }
    return inner.allSatisfy { one in keys.contains { $0.name == one.name } }
  }

  private mutating func check(_ value: JSONValue, is kind: PayloadKind, path: String) {
    switch kind {
    case .string: expect(value, path, "a string", value.string != nil)
    case .boolean: expect(value, path, "true or false", value.bool != nil)
    case .integer(let range): checkInteger(value, range, path)
    case .word(let words): checkWord(value, words, path)
    case .number(let numbers):
      let list = ListFormat.any(of: numbers.map(String.init))
      expect(value, path, list, value.int.map(numbers.contains) ?? false)
    case .data:
      expect(value, path, "bytes in Base64", value.string.flatMap(Self.bytes) != nil)
    case .reference(let types): refer(value, types, path)
    case .configuration: refer(value, nil, path)
    case .array(let element, let count): checkArray(value, of: element, count, path)
    case .dictionary(let keys): check(value, against: keys, path: path)
    case .named(let kind):
      guard let members = value.members else { return expect(value, path, "an object", false) }
      checkNames(members, path: path)
      for member in members {
        check(member.value, is: kind, path: Self.join(path, member.name))
      }
    case .free: expect(value, path, "an object", value.members != nil)
    }
  }

  private mutating func checkInteger(
    _ value: JSONValue, _ range: ClosedRange<Int>?, _ path: String
  ) {
    guard let number = value.int else { return expect(value, path, "an integer", false) }
    if let range, !range.contains(number) {
      fail(value.position, "`\(path)` must be at least \(range.lowerBound)")
    }
  }

  private mutating func checkWord(_ value: JSONValue, _ words: [String], _ path: String) {
    let list = ListFormat.any(of: words.map { "`\($0)`" })
    guard let word = value.string, !words.contains(word) else {
      return expect(value, path, list, value.string != nil)
    }
    let nearest = Suggestion.word(for: word, among: words)
    fail(
      value.position,
      "`\(path)` must be \(list)" + Suggestion.text(nearest))
  }

  private mutating func checkArray(
    _ value: JSONValue, of kind: PayloadKind, _ count: ClosedRange<Int>?, _ path: String
  ) {
    guard let elements = value.array else { return expect(value, path, "an array", false) }
    if let count, !count.contains(elements.count) {
      fail(value.position, "`\(path)` must have \(count.lowerBound) elements")
    }
    for (index, element) in elements.enumerated() {
      check(element, is: kind, path: "\(path)[\(index)]")
    }
  }

  private mutating func refer(_ value: JSONValue, _ types: [DeclarationType]?, _ path: String) {
    guard let identifier = value.string else {
      return expect(value, path, "the identifier of a declaration", false)
    }
    references.append(
      Reference(identifier: identifier, types: types, path: path, position: value.position))
  }

  private mutating func expect(
    _ value: JSONValue, _ path: String, _ expected: String, _ isMet: Bool
  ) {
    guard !isMet else { return }
    fail(value.position, "`\(path)` must be \(expected), found \(value.kindName)")
  }

  mutating func fail(_ position: Position, _ message: String) {
    errors.append(Note(position: position, message: message))
  }

  mutating func warn(_ position: Position, _ message: String) {
    warnings.append(Note(position: position, message: message))
  }

  /// Decodes Base64; nil if the text is invalid.
  static func bytes(_ text: String) -> [UInt8]? { Base64.bytes(text) }

  /// Returns the path of the key `name` in the object at `path`. Long names are truncated, because the paths of all
  /// nested keys repeat them.
  private static func join(_ path: String, _ name: String) -> String {
    let beginning = name.unicodeScalars.prefix(200)
    let name = beginning.endIndex == name.endIndex ? name : String(beginning) + "…"
    return path.isEmpty ? name : "\(path).\(name)"
  }
}
