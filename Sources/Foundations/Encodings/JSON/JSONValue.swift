/// A JSON value with its position in the text.
public struct JSONValue: Sendable {
  /// The kind and content of a value. Numbers keep their spelling; objects keep the order of their members,
  /// including duplicates.
  public enum Kind: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
  }

  /// A member of an object, `"name": value`, with the position of its name.
  public struct Member: Sendable {
    public var name: String
    public var position: Position
    public var value: JSONValue

    /// Creates a member. `position` is the position of its name.
    public init(name: String, position: Position, value: JSONValue) {
      self.name = name
      self.position = position
      self.value = value
    }
  }

  public var kind: Kind
  public var position: Position

  /// Creates a value. `position` is the position of its first character.
  public init(_ kind: Kind, at position: Position) {
    self.kind = kind
    self.position = position
  }

  /// The value of the last member with this name; nil if there is no such member or the value is
  /// not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = kind else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The text of a string; nil for any other value.
  public var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// The value of a Boolean; nil for any other value.
  public var bool: Bool? {
    if case .bool(let flag) = kind { flag } else { nil }
  }

  /// The number as an integer, such as 100 for `1e2`. Nil for numbers with a fraction, for numbers beyond the range of
  /// `Int`, and for any other value.
  public var int: Int? {
    guard case .number(let spelling) = kind else { return nil }
    return Int(spelling) ?? Double(spelling).flatMap { Int(exactly: $0) }
  }

  /// The number if it is an integer from 0 to 2^40; nil for any other value. The limit prevents sums from overflowing.
  package var count: Int? { int.flatMap { 0...(1 << 40) ~= $0 ? $0 : nil } }

  /// The elements of an array; nil for any other value.
  public var array: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  /// The members of an object; nil for any other value.
  public var members: [Member]? {
    if case .object(let members) = kind { members } else { nil }
  }

  public var isNull: Bool {
    if case .null = kind { true } else { false }
  }

  /// The JSON term for this kind of value, with its article, for messages.
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

  /// The value as compact JSON on one line.
  package var line: String {
    JSONWriter.text { write(to: &$0) }
  }

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

/// A position in a text. Both numbers start at 1; columns count Unicode scalars.
public struct Position: Sendable, Hashable {
  public var line: Int
  public var column: Int

  /// Creates a position. Both numbers start at 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A syntax error in a JSON text.
public struct JSONSyntaxError: Error, Sendable, Equatable {
  public var position: Position
  /// The message, in lower case, without full stop, with input in backticks.
  public var message: String

  /// Creates an error at `position`. `message` is in lower case, without full stop.
  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }
}
