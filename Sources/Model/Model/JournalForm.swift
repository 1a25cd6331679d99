import JSON

/// A form that the members of an event pass through in their order, to be written, read, or described.
///
/// A declaration states each member once, by a call that takes its value and gives one back: a form that writes or
/// describes gives back the value that came in, a form that reads gives the value in the journal.
protocol JournalForm {
  associatedtype Failure: Error

  /// States the event's name and the description of the whole event. Not called for an object within an event.
  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?)

  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value

  /// A member that is left out where its value is `usual`.
  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value

  /// A member that differs between events that are alike otherwise.
  mutating func perRequest<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) throws(Failure) -> Value

  /// A member for readers of the journal that repeats another one: it is written, and not read.
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

/// Members that many events have.
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
      "identity", upn, "UPN of the account; empty for the unknown account, absent for none set")
  }

  mutating func step(_ number: Int) throws(Failure) -> Int {
    try member("step", number, .count("number of the step, which counts from 1 within the case"))
  }

  mutating func request(_ number: Int) throws(Failure) -> Int {
    try perRequest(
      "request", number, .count("number of the request; counts the device's requests from 1"))
  }

  /// A place in the scenario's file.
  mutating func place(_ place: Position?) throws(Failure) -> Position? {
    guard
      let line = try member(
        "line", place?.line, .count("line in the scenario's file, where it stands in one")),
      let column = try member("column", place?.column, .count("column in that line"))
    else { return nil }
    return Position(line: line, column: column)
  }
}

extension Position {
  /// A blank place that a place is read into.
  static let nowhere = Position(line: 0, column: 0)
}
