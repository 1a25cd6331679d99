import JSON

/// A JSON object of the journal, read member by member.
struct JournalRecord {
  private let value: JSONValue

  init(_ value: JSONValue) throws(JournalFormatError) {
    guard value.members != nil else {
      throw JournalFormatError(
        position: value.position, message: "expected an object, found \(value.kindName)")
    }
    self.value = value
  }

  /// The value of the member; nil where it is missing or null.
  func member(_ name: String) -> JSONValue? {
    value[name].flatMap { $0.isNull ? nil : $0 }
  }

  /// The converted value of the member; nil where it is missing. `expected` names the values that `convert` takes.
  func value<Value>(
    _ name: String, _ expected: String, _ convert: (JSONValue) -> Value?
  ) throws(JournalFormatError) -> Value? {
    guard let member = member(name) else { return nil }
    guard let value = convert(member) else { throw Self.wrong(name, member, expected) }
    return value
  }

  func required<Value: JournalValue>(_ name: String) throws(JournalFormatError) -> Value {
    guard let value = try Value.read(name, of: self) else {
      throw JournalFormatError(
        position: value.position, message: "the member `\(name)` is missing")
    }
    return value
  }

  static func wrong(
    _ name: String, _ member: JSONValue, _ expected: String
  ) -> JournalFormatError {
    JournalFormatError(
      position: member.position, message: "`\(name)` must be \(expected), found \(member.kindName)")
  }

  /// An error about the value of a member.
  func wrong(_ name: String, _ message: String) -> JournalFormatError {
    JournalFormatError(position: member(name)?.position ?? value.position, message: message)
  }

  /// The moment that the member states, in seconds since 1970-01-01T00:00:00Z.
  func time(_ name: String) throws(JournalFormatError) -> Int {
    let text: String = try required(name)
    guard let seconds = Timestamp.seconds(text) else {
      throw wrong(name, "`\(text)` is not a time such as `2026-01-01T09:00:00Z`")
    }
    return seconds
  }
}

extension JournalRecord: JournalForm {
  typealias Failure = JournalFormatError

  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?
  ) {}

  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(JournalFormatError) -> Value { try required("\(name)") }

  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(JournalFormatError) -> Value { try Value.read("\(name)", of: self) ?? usual }

  mutating func derived<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) {}
}
