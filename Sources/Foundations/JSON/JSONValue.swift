/// A JSON value that remembers where it stands in its text.
public struct JSONValue: Sendable {
  /// What the value is. Numbers keep their spelling, objects their order and their duplicates.
  public indirect enum Kind: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
  }

  /// One `"name": value` of an object, with the place of its name.
  public struct Member: Sendable {
    public var name: String
    public var position: Position
    public var value: JSONValue

    public init(name: String, position: Position, value: JSONValue) {
      self.name = name
      self.position = position
      self.value = value
    }
  }

  public var kind: Kind
  public var position: Position

  public init(_ kind: Kind, at position: Position) {
    self.kind = kind
    self.position = position
  }

  /// The last member of that name; nil where this is no object or has none.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = kind else { return nil }
    return members.last { $0.name == name }?.value
  }

  public var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let flag) = kind { flag } else { nil }
  }

  /// The number as an integer; nil for fractions and for what is no number.
  public var int: Int? {
    guard case .number(let spelling) = kind else { return nil }
    return Int(spelling) ?? Double(spelling).flatMap { Int(exactly: $0) }
  }

  public var array: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  public var members: [Member]? {
    if case .object(let members) = kind { members } else { nil }
  }

  public var isNull: Bool {
    if case .null = kind { true } else { false }
  }

  /// The JSON word for this kind of value, as error messages use it.
  public var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
