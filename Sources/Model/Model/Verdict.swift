public import JSON

/// A rule that took part, the side for which it spoke, and the setting that it read.
public struct Reason: Sendable, Hashable {
  public var rule: Rule
  public var side: Side
  /// The setting that the rule read; nil where it reads none.
  public var setting: Setting?

  /// A reason of `rule` that spoke for `side`.
  public init(_ rule: Rule, _ side: Side, _ setting: Setting? = nil) {
    self.rule = rule
    self.side = side
    self.setting = setting
  }
}

/// The answer to one request, with the reasons in the order in which the rules spoke.
///
/// The outcome is the strictest effect among the reasons, and so cannot disagree with them.
public struct Verdict: Sendable, Hashable {
  public let outcome: Outcome
  /// The reasons, at least one.
  public let reasons: [Reason]

  /// A verdict of `reasons`, which must not be empty.
  public init(_ reasons: [Reason]) {
    precondition(!reasons.isEmpty, "a verdict needs a reason; noRuleApplied is one")
    self.reasons = reasons
    outcome = reasons.reduce(.allowed) { min($0, $1.rule.effect) }
  }

  /// The first reason whose effect is the outcome.
  public var deciding: Reason { reasons.first { $0.rule.effect == outcome } ?? reasons[0] }
}

/// The answer of a verdict, the most permissive last.
public enum Outcome: String, Sendable, CaseIterable, Comparable {
  /// Nothing moves.
  case blocked
  /// The transfer happens, but the receiver gets ciphertext that it cannot read.
  case encrypted
  /// The receiver gets the item.
  case allowed

  private var rank: Int {
    switch self {
    case .blocked: 0
    case .encrypted: 1
    case .allowed: 2
    }
  }

  public static func < (left: Outcome, right: Outcome) -> Bool { left.rank < right.rank }
}

/// The party whose rule spoke.
public enum Side: String, Sendable, CaseIterable {
  /// The policy of the sending app's active identity.
  case sender
  /// The policy of the account that owns the data, where that account is not the active one.
  case owner
  /// The policy of the receiving identity.
  case receiver
  /// The policy of the app's managed account, which holds for the whole app, whatever identity it acts for.
  case app
  /// The device: its integrity checks, its MDM restrictions, its bundles.
  case device
}

// MARK: - Explanations

/// A reason in words for people, as the journal keeps it.
public struct Explanation: Sendable, Hashable {
  public var rule: Rule
  public var side: Side
  /// The setting's name in Graph, in an app configuration or in a profile; nil where the rule reads none.
  public var setting: String?
  /// The setting's label in the admin centre.
  public var label: String?
  /// The setting's value, in the admin centre's words where it has some; `absent` with the default that
  /// holds where the file does not state it.
  public var value: String?
  /// The place of the value: `file:line`, or the source that stated it.
  public var source: String?
  /// One sentence that tells what the rule says about this transfer. Lower case, no full stop.
  public var text: String
  /// Whether public facts do not settle the rule (`docs/ASSUMPTIONS.md`).
  public var isAssumed: Bool

  /// A reason that `rule` gave for `side`.
  public init(
    rule: Rule, side: Side, setting: String? = nil, label: String? = nil, value: String? = nil,
    source: String? = nil, text: String, isAssumed: Bool = false
  ) {
    self.rule = rule
    self.side = side
    self.setting = setting
    self.label = label
    self.value = value
    self.source = source
    self.text = text
    self.isAssumed = isAssumed
  }
}

/// A verdict with everything that a person needs to act on it.
public struct ExplainedVerdict: Sendable, Hashable {
  public var outcome: Outcome
  /// The rule that decided.
  public var deciding: Rule
  public var reasons: [Explanation]
  /// The changes that would lead to the other answer, the smallest first: one sentence each. Empty
  /// where no setting could change the answer.
  public var changes: [String]

  /// A verdict of `outcome` that `deciding` decided.
  public init(outcome: Outcome, deciding: Rule, reasons: [Explanation], changes: [String]) {
    self.outcome = outcome
    self.deciding = deciding
    self.reasons = reasons
    self.changes = changes
  }
}

// MARK: - Declarations

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
