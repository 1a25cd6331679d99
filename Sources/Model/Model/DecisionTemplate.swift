public import JSON

/// A decision of which all but the request's number and the item's size is known: the decisions on many transfers are
/// alike, and their lines in the journal too.
public struct DecisionTemplate: Sendable {
  /// The members between the request's number and the item's size.
  private let head: [UInt8]
  /// The members after the item's size.
  private let tail: [UInt8]

  /// A template of `decision`, whose number and size are replaced at each writing.
  public init(_ decision: RequestDecision) {
    var form = TemplateForm()
    decision.declared(in: &form)
    precondition(form.parts.count == 3, "a decision's number and size vary, and nothing else")
    (head, tail) = (form.parts[1].bytes, form.parts[2].bytes)
  }

  /// Writes the event as ``JournalEvent/write(to:)`` would for the whole decision.
  public func write(
    sequence: Int, time: Int, request: Int, bytes: Int, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      JournalEvent.writeStart(sequence: sequence, time: time, to: &writer)
      writer.member("event", JournalEventName.requestDecided.rawValue)
      writer.member("request", request)
      writer.raw(head)
      writer.member("bytes", bytes)
      writer.raw(tail)
    }
  }
}

/// Writes the members before, between and after those that vary.
private struct TemplateForm: JournalForm {
  typealias Failure = Never

  private(set) var parts = [JSONWriter()]

  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?
  ) {}

  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    parts[parts.count - 1].member(name, value, meaning())
  }

  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    parts[parts.count - 1].member(name, value, unless: usual, meaning())
  }

  mutating func perRequest<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    parts.append(JSONWriter())
    return value
  }

  mutating func derived<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) {
    parts[parts.count - 1].derived(name, value, meaning())
  }
}
