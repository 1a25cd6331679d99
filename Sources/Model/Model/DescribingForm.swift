/// Gathers the description of an event or of an object from its declaration.
struct DescribingForm: JournalForm {
  typealias Failure = Never

  private(set) var section = JournalSection.device
  private(set) var summary = ""
  private(set) var note: String?
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
