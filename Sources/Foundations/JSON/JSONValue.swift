/// A JSON value with its place in the text.
public struct JSONValue: Sendable {
  /// The kind and the content of a value. Numbers keep their spelling, objects their order and their duplicates.
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

    /// A member with the place of its name.
    public init(name: String, position: Position, value: JSONValue) {
      self.name = name
      self.position = position
      self.value = value
    }
  }

  public var kind: Kind
  public var position: Position

  /// A value at `position`.
  public init(_ kind: Kind, at position: Position) {
    self.kind = kind
    self.position = position
  }

  /// The last member of that name; nil where this is no object or has none.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = kind else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The text of a string; nil for any other value.
  public var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// The truth value of a boolean; nil for any other value.
  public var bool: Bool? {
    if case .bool(let flag) = kind { flag } else { nil }
  }

  /// The number as an integer; nil for fractions and for any value that is no number.
  public var int: Int? {
    guard case .number(let spelling) = kind else { return nil }
    return Int(spelling) ?? Double(spelling).flatMap { Int(exactly: $0) }
  }

  /// The number as a count that sums of many cannot overflow, 0 to 2^40; nil for any other value.
  package var count: Int? { int.flatMap { 0...(1 << 40) ~= $0 ? $0 : nil } }

  /// The elements of an array; nil for any other value.
  public var array: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  /// The members of an object; nil for any other value.
  public var members: [Member]? {
    if case .object(let members) = kind { members } else { nil }
  }

  /// Whether the value is null.
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

extension JSONValue {
  /// The value as compact JSON text, in one line.
  package var line: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  /// Writes the value as compact JSON.
  package func write(to writer: inout JSONWriter) {
    switch kind {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .number(let spelling): writer.raw(spelling.utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { writer in
        for element in elements { element.write(to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.member(named: member.name) { member.value.write(to: &$0) }
        }
      }
    }
  }
}

/// A place in a text: both numbers count from 1, columns in Unicode scalars.
public struct Position: Sendable, Hashable {
  public var line: Int
  public var column: Int

  /// The place in `line` and `column`.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A fault in a JSON text, and its place.
public struct JSONSyntaxError: Error, Sendable, Equatable {
  public var position: Position
  /// The message, lower case, no full stop: `expected ":" after the name, found "}"`.
  public var message: String

  /// An error at `position`.
  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }
}
