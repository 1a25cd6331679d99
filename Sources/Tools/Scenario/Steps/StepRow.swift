internal import Encodings
internal import Model

struct StepRow: Sendable {
  /// The first word of the step.
  let word: String
  /// The step's effect as a phrase, for the schema and the help of `ctl` and `shell`.
  let summary: String
  let shape: StepShape
  /// An example of the step's value, as JSON.
  let example: String
  /// Words that users may write instead of ``word``, in lower case. The error about such a word suggests this step.
  let synonyms: Set<String>
  let requester: Requester
  /// The keys that the step's expectation may have.
  let expects: Set<Expectation.Key>
  /// The part of the step's value that is a file path; nil if no part is a path. The path is relative to the scenario
  /// file.
  let path: PathPlace?
  /// The link from `docs/scenarios.md` to the section about the step. Nil if the schema describes the step
  /// sufficiently.
  let page: String?
  let read: @Sendable (YAMLValue, Names) throws(InputError) -> Action

  /// The party that makes the step's request to the device.
  enum Requester: Sendable {
    /// A task of an app. The step may have the keys `as` and `window`.
    case task
    /// The app as a whole, the SDK, the system or an administrator. Also stands for no party, if the step makes no
    /// request.
    case another
  }

  enum PathPlace: Sendable {
    /// The step's whole value is a path; `none` means no path.
    case value
    /// The path is the value of the key with this name.
    case key(String)
  }

  init(
    _ word: String, _ summary: String, _ shape: StepShape, example: String,
    synonyms: Set<String> = [],
    by requester: Requester = .another, expects: Set<Expectation.Key> = [],
    path: PathPlace? = nil, page: String? = nil,
    read: @escaping @Sendable (YAMLValue, Names) throws(InputError) -> Action
  ) {
    self.word = word
    self.summary = summary
    self.shape = shape
    self.example = example
    self.synonyms = synonyms
    self.requester = requester
    self.expects = expects
    self.path = path
    self.page = page
    self.read = read
  }
}

/// Rows are compared by their words, which are unique.
extension StepRow: Hashable {
  static func == (one: StepRow, other: StepRow) -> Bool { one.word == other.word }

  func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

extension StepRow {
  /// An example of this step, as YAML.
  var exampleText: String {
    guard let json = try? JSONReader.read(example),
      let value = try? YAMLValue(json, name: word, atMost: .step)
    else { return word }
    return "\(word): \(value.flowText)"
  }

}

enum StepShape: Sendable {
  case mapping(MappingRow)
  case value(ValueShape)
  /// A text, or a mapping with one key.
  case either([ValueShape], MappingRow)
}

// MARK: - Mappings

/// The declaration of a mapping. It becomes a schema definition.
struct MappingRow: Sendable {
  /// The mapping's name in the schema definitions.
  let name: String
  /// The description of the mapping in the schema. Nil if only one step uses the mapping; the step's summary then
  /// describes it.
  let summary: String?
  let keys: [Key]
  /// A condition on the combination of keys, as members of a JSON Schema object; empty if all combinations are valid.
  let condition: String

  struct Key: Sendable {
    let name: String
    let row: KeyRow
  }

  init<Keys: MappingKey>(
    _ name: String, _ keys: Keys.Type, _ summary: String? = nil, where condition: String = ""
  ) {
    self.init(name, Array(keys.allCases), summary, where: condition)
  }

  init<Keys: MappingKey>(
    _ name: String, _ keys: [Keys], _ summary: String? = nil, where condition: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.keys = keys.map { Key(name: $0.rawValue, row: $0.row) }
    self.condition = condition
  }
}

// MARK: - Keys

struct KeyRow: Sendable {
  enum Presence: Sendable {
    case required, optional
  }

  /// The description of the key in the schema; nil if the schema of its value describes it sufficiently.
  let summary: String?
  let value: ValueShape
  let presence: Presence
  /// Other words, in lower case, that users may write instead of the key. The error about such a word suggests the key.
  let synonyms: Set<String>

  static func required(
    _ value: ValueShape, _ summary: String?, synonyms: Set<String> = []
  ) -> KeyRow {
    KeyRow(summary: summary, value: value, presence: .required, synonyms: synonyms)
  }

  static func optional(
    _ value: ValueShape, _ summary: String?, synonyms: Set<String> = []
  ) -> KeyRow {
    KeyRow(summary: summary, value: value, presence: .optional, synonyms: synonyms)
  }
}

/// A key of a mapping with a fixed set of keys. The key's declaration is ``row``.
protocol MappingKey: FieldKey {
  var row: KeyRow { get }
}

extension MappingKey {
  static func meant(by word: String) -> [Self] {
    allCases.filter { $0.row.synonyms.contains(word) }
  }
}

extension KeyRow {
  static let guest = required(
    .name, "Name of an app or, where several guests run it, of one guest, such as `mail-2`",
    synonyms: appWords)
  /// A key for the name of a guest or an app. If it names an app, all guests of the app perform the step.
  static let guests = required(
    .name,
    "Name of an app, for all guests that run it at once, or of one of several guests, such as `mail-2`",
    synonyms: appWords)
  private static let appWords: Set = [
    "app", "application", "bundle", "bundleid", "from", "guest", "sender", "source",
  ]
  static let destination = required(
    .name,
    "Name of an app or, where several guests run it, of one guest, such as `mail-2`; or a bundle id, "
      + "which need not be on the device",
    synonyms: ["destination", "into", "receiver", "recipient", "target", "with"])
  static let account = required(.name, "Name of an account", synonyms: accountWords)
  static let locationAccount = optional(
    .name, "Account of the location, by name, or `unknown` or `unset`. Default: nil",
    synonyms: accountWords)
  private static let accountWords: Set = ["as", "for", "identity", "owner", "upn", "user"]
  static let itemText = optional(
    .text, "The item, as text",
    synonyms: ["body", "content", "contents", "data", "message", "string", "value"])
  static let itemType = optional(
    .uniformType,
    "Uniform type of the item. Default: public.utf8-plain-text",
    synonyms: ["contenttype", "mime", "mimetype", "uti"])
  static let itemFile = optional(.reference("file"), nil)
  static let heldItem = optional(
    .word(of: StepItem.HandingOn.self),
    "Instead of `text` and `file`: the item that the app got last, with its tag, or as if its user had typed it"
  )
  static let via = optional(
    .word(of: SharingPath.self),
    "The SDK's sharing, or the system's, which bypasses the SDK. Default: sdk",
    synonyms: ["by", "channel", "method", "through", "using"])
}

// MARK: - Values

/// The permitted values of a key or step, in terms of JSON Schema.
struct ValueShape: Sendable {
  /// The members of a schema, such as `"type": "string"`.
  let members: String

  init(json members: String) { self.members = members }

  /// A text that YAML cannot mistake for another type, such as a name, a path or a duration.
  static let name = ValueShape(json: #""type": "string""#)
  /// A text that YAML may read as a number or a boolean if it is not quoted.
  static let text = ValueShape(json: #""type": ["string", "number", "boolean"]"#)
  static let path = ValueShape(json: #"\#(text.members), "minLength": 1"#)
  static let uniformType = name(matching: #"^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$"#)
  /// An ISO 8601 duration in weeks, days, hours, minutes and seconds.
  static let duration = name(
    matching: "^P([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$")
  static let flag = ValueShape(json: #""type": "boolean""#)
  static let integer = ValueShape(json: #""type": "integer""#)

  static func reference(_ name: String) -> ValueShape {
    ValueShape(json: ##""$ref": "#/$defs/\##(name)""##)
  }

  static func name(matching pattern: String) -> ValueShape {
    ValueShape(json: #""type": "string", "pattern": "\#(pattern)""#)
  }

  static func word(of words: [String]) -> ValueShape {
    ValueShape(json: #""enum": [\#(words.map { #""\#($0)""# }.joined(separator: ", "))]"#)
  }

  static func word<Word: RawRepresentable<String> & CaseIterable>(of: Word.Type) -> ValueShape {
    word(of: Word.allCases.map(\.rawValue))
  }

  static func constant(_ word: String) -> ValueShape { ValueShape(json: #""const": "\#(word)""#) }

  static func list(of element: ValueShape) -> ValueShape {
    ValueShape(json: #""type": "array", "items": {\#(element.members)}"#)
  }

  static func someOf(_ element: ValueShape) -> ValueShape {
    ValueShape(json: #"\#(list(of: element).members), "minItems": 1"#)
  }

  static func oneOrMore(_ element: ValueShape) -> ValueShape {
    ValueShape(json: #""oneOf": [{\#(element.members)}, {\#(someOf(element).members)}]"#)
  }

  static func mapping(to value: ValueShape) -> ValueShape {
    ValueShape(json: #""type": "object", "additionalProperties": {\#(value.members)}"#)
  }
}
