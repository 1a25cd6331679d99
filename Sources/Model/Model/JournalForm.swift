package import Encodings

/// An operation on the members of an event in their order: it writes, reads or describes them.
///
/// An event's declaration calls a method of the form for each member, with the member's value. A form that writes or
/// describes returns this value. A form that reads returns the value in the journal.
protocol JournalForm {
  associatedtype Failure: Error

  /// Declares the event's name and description. Not called for objects within an event.
  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?)

  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value

  /// Declares a member that is omitted if its value is `usual`.
  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value

  /// Declares a member, such as the request number, whose value can differ between requests that are otherwise decided
  /// equally.
  mutating func perRequest<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value

  /// Declares a member that repeats another member for readers of the journal. Sluice writes it and
  /// never reads it.
  mutating func derived<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning)
}

extension JournalForm {
  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString
  ) {
    event(name, in: section, summary, note: nil)
  }

  mutating func perRequest<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value { try member(name, value, meaning()) }
}

/// Members that many events share.
extension JournalForm {
  mutating func guest(_ name: String) throws(Failure) -> String {
    try member("guest", name, "name of the guest on this device")
  }

  mutating func app(_ bundleID: String) throws(Failure) -> String {
    try member("app", bundleID, "bundle id")
  }

  mutating func account(_ upn: String) throws(Failure) -> String {
    try member("account", upn, "UPN")
  }

  mutating func identity(_ upn: String?) throws(Failure) -> String? {
    try member(
      "identity", upn, "UPN of the account; empty for the unknown account, absent if none is set")
  }

  mutating func step(_ number: Int) throws(Failure) -> Int {
    try member("step", number, .count("number of the step, counted from 1 in each case"))
  }

  mutating func request(_ number: Int) throws(Failure) -> Int {
    try perRequest(
      "request", number, .count("number of the request, counted from 1 on each device"))
  }

  /// Declares the members for a location in the scenario file.
  mutating func place(_ place: Position?) throws(Failure) -> Position? {
    guard
      let line = try member(
        "line", place?.line, .count("line in the scenario's file, if there is one")),
      let column = try member("column", place?.column, .count("column in that line"))
    else { return nil }
    return Position(line: line, column: column)
  }
}

extension Position {
  static let nowhere = Position(line: 0, column: 0)

  /// Writes the members `line` and `column` into the open object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("line", line)
    writer.member("column", column)
  }
}

// MARK: - Writing

/// Writes the members and ignores their descriptions, which are therefore never evaluated.
extension JSONWriter: JournalForm {
  typealias Failure = Never

  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?
  ) { member("event", name.rawValue) }

  @discardableResult
  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    value.write(to: &self, as: name)
    return value
  }

  @discardableResult
  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    if value != usual { value.write(to: &self, as: name) }
    return value
  }

  mutating func derived<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) { value.write(to: &self, as: name) }
}

// MARK: - Reading

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

  /// Returns the value of the member; nil if it is missing or null.
  func member(_ name: String) -> JSONValue? {
    value[name].flatMap { $0.isNull ? nil : $0 }
  }

  /// Returns the converted value of the member; nil if it is missing.
  ///
  /// - Throws: An error that states `expected`, a noun for valid values, if `convert` returns nil.
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

  func wrong(_ name: String, _ message: String) -> JournalFormatError {
    JournalFormatError(position: member(name)?.position ?? value.position, message: message)
  }

  /// Returns the time in a member, in seconds since 1970-01-01T00:00:00Z.
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

// MARK: - Describing

/// Collects the description of an event or an object from its declaration.
struct DescribingForm: JournalForm {
  typealias Failure = Never

  private(set) var section = JournalSection.device
  /// The summary, lower case, no full stop.
  private(set) var summary = ""
  /// A clause that completes the summary; nil if there is none.
  private(set) var note: String?
  /// The members in the order in which they are written, after `seq`, `time` and `event`.
  private(set) var members: [JournalMember] = []

  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?
  ) {
    self.section = section
    self.summary = "\(summary)"
    self.note = note.map { "\($0)" }
  }

  @discardableResult
  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    add(name, Value.self, meaning(), isOptional: Value.isOptional)
    return value
  }

  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    add(name, Value.self, meaning(), isOptional: true)
    return value
  }

  mutating func derived<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) { member(name, value, meaning()) }

  private mutating func add<Value: JournalValue>(
    _ name: StaticString, _ type: Value.Type, _ meaning: JournalMember.Meaning, isOptional: Bool
  ) {
    members.append(
      JournalMember(
        name: "\(name)", shape: type.shape, meaning: meaning, isOptional: isOptional))
  }
}

/// The description of a member in an event or in an object within an event.
struct JournalMember: Sendable {
  let name: String
  let shape: Shape
  let meaning: Meaning
  let isOptional: Bool

  /// The member's JSON type.
  indirect enum Shape: Sendable {
    case text, number, flag
    case word([String])
    case list(of: Shape)
    case object(JournalObjectRow)
    /// An object with members of another format.
    case anyObject
  }

  /// The description of a member's value. A string literal creates a description that consists only of a summary.
  struct Meaning: Sendable, ExpressibleByStringLiteral {
    let summary: String
    /// The permitted words of the text, or of each text in the list; nil if any text is permitted.
    let words: [String]?
    /// The bounds of the number, or the minimum length of the list; nil if unbounded.
    let minimum: Int?, maximum: Int?

    private init(
      _ summary: String, words: [String]? = nil, minimum: Int? = nil, maximum: Int? = nil
    ) {
      self.summary = summary
      self.words = words
      self.minimum = minimum
      self.maximum = maximum
    }

    init(stringLiteral summary: String) { self.init(summary) }

    /// Returns the description of a text that is one of `words`, for texts without a Swift enumeration.
    static func word(_ summary: String, _ words: String...) -> Meaning {
      Meaning(summary, words: words)
    }

    /// Returns the description of a number or a list. `minimum` is the lowest value of the number, or the shortest
    /// length of the list.
    static func count(_ summary: String, from minimum: Int = 1) -> Meaning {
      Meaning(summary, minimum: minimum)
    }

    static func number(_ summary: String, in range: ClosedRange<Int>) -> Meaning {
      Meaning(summary, minimum: range.lowerBound, maximum: range.upperBound)
    }
  }
}

/// The description of an object within events.
struct JournalObjectRow: Sendable {
  let name: String
  let summary: String
  let members: [JournalMember]

  init(_ name: String, _ summary: String, _ members: [JournalMember]) {
    self.name = name
    self.summary = summary
    self.members = members
  }
}
