public import JSON

extension ExplainedVerdict: JournalObject {
  /// Writes the verdict as the journal and the reports show it. Absent members are nil.
  public func write(to writer: inout JSONWriter) {
    writer.object { declared(in: &$0) }
  }

  static let title = (name: "verdict", summary: "the answer with its reasons")
  static let blank = ExplainedVerdict(
    outcome: .blocked, deciding: .noRuleApplied, reasons: [], changes: [])

  /// The declaration of all members of a verdict, in one place.
  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> ExplainedVerdict {
    try ExplainedVerdict(
      outcome: form.member("outcome", outcome, "what the verdict comes to"),
      deciding: form.member(
        "decidedBy", deciding, "the rule that decided, by the name that scenario.schema.json lists"),
      reasons: form.member(
        "reasons", reasons, .count("in the order in which the rules spoke; at least one")),
      changes: form.member(
        "changes", changes,
        "what would have to differ for another answer, the smallest change first; one sentence each"
      ))
  }
}

extension Explanation: JournalObject {
  /// Writes the reason as an object. `assumed` is there only where it is true.
  public func write(to writer: inout JSONWriter) {
    writer.object { declared(in: &$0) }
  }

  static let title = (name: "reason", summary: "a rule that took part")
  static let blank = Explanation(rule: .noRuleApplied, side: .device, text: "")

  /// The declaration of all members of a reason, in one place.
  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> Explanation {
    try Explanation(
      rule: form.member("rule", rule, "the rule, by the name that scenario.schema.json lists"),
      side: form.member("side", side, "whose rule spoke"),
      setting: form.member(
        "setting", setting,
        "name of the setting in Graph, in an app configuration or in a profile; absent where the rule reads none"
      ),
      label: form.member("label", label, "label of the setting in the admin centre"),
      value: form.member(
        "value", value, "value of the setting, in the admin centre's words where it has some"),
      source: form.member("source", source, "where the value stands: file:line, or who said so"),
      text: form.member("text", text, "one sentence: what the rule says about this transfer"),
      isAssumed: form.member(
        "assumed", isAssumed, unless: false,
        "there, and true, where public facts do not settle the rule"))
  }
}
