import JSON

/// A writer has no use for the descriptions of members: none of them is made.
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
