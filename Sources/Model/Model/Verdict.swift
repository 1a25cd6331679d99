public import Encodings

/// A rule that contributed to a verdict. It includes the side whose policy the rule read, and the setting.
public struct Reason: Sendable, Hashable {
  public var rule: Rule
  public var side: Side
  /// The setting that the rule read; nil for rules without a setting.
  public var setting: Setting?

  public init(_ rule: Rule, _ side: Side, _ setting: Setting? = nil) {
    self.rule = rule
    self.side = side
    self.setting = setting
  }
}

/// The result of evaluating one request. It includes the reasons, in the order in which the rules were evaluated.
///
/// The outcome is derived from the reasons as their strictest effect, so the two always agree.
public struct Verdict: Sendable, Hashable {
  public let outcome: Outcome
  /// The reasons, at least one.
  public let reasons: [Reason]

  /// Creates a verdict. `reasons` must not be empty.
  public init(_ reasons: [Reason]) {
    precondition(!reasons.isEmpty, "a verdict needs a reason; noRuleApplied is one")
    self.reasons = reasons
    outcome = reasons.reduce(.allowed) { min($0, $1.rule.effect) }
  }

  /// The reason that decides: the first whose effect equals the outcome.
  public var deciding: Reason { reasons.first { $0.rule.effect == outcome } ?? reasons[0] }
}

/// The outcome of a verdict, ordered from the strictest to the most permissive.
public enum Outcome: String, Sendable, CaseIterable, Comparable {
  /// The request is refused, and no data moves.
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

/// The party whose policy or state a rule reads.
public enum Side: String, Sendable, CaseIterable {
  /// The active identity of the sending app.
  case sender
  /// The owner of the data, if it is not the sending app's active identity.
  case owner
  /// The receiving identity.
  case receiver
  /// The app's managed account. Its policy applies to the whole app, whatever the active identity.
  case app
  /// The device. The rule reads its integrity checks, its MDM restrictions or the apps installed on it.
  case device
}

// MARK: - Explanations

/// A reason of a verdict, with the texts that the journal records for it.
public struct Explanation: Sendable, Hashable {
  public var rule: Rule
  public var side: Side
  /// The raw value of a ``Setting``; nil for rules without a setting.
  public var setting: String?
  /// The setting's label in the admin centre; nil if it has none.
  public var label: String?
  /// The setting's value, worded as in the admin centre if possible; nil for rules without a setting. If a policy omits
  /// the setting, the value is `absent` with the default in parentheses.
  public var value: String?
  /// The source of the value: `file:line`, or a name if the source is not a file.
  public var source: String?
  /// The places (`file:line`) at which other policies, which apply together with this one, state the same value.
  public var otherSources: [String]
  /// One sentence that states what the rule means for this transfer, in lower case, without a full stop.
  public var text: String
  /// Whether the result is an assumption (`docs/ASSUMPTIONS.md`): no public document states the rule, or the result of
  /// a documented rule in this case.
  public var isAssumed: Bool

  /// All sources of the value, beginning with ``source``.
  public var sources: [String] { [source].compactMap(\.self) + otherSources }

  public init(
    rule: Rule, side: Side, setting: String? = nil, label: String? = nil, value: String? = nil,
    source: String? = nil, otherSources: [String] = [], text: String, isAssumed: Bool = false
  ) {
    self.rule = rule
    self.side = side
    self.setting = setting
    self.label = label
    self.value = value
    self.source = source
    self.otherSources = otherSources
    self.text = text
    self.isAssumed = isAssumed
  }
}

/// A verdict as it is explained to users, with the texts of its reasons and of changes that would reverse it.
public struct ExplainedVerdict: Sendable, Hashable {
  public var outcome: Outcome
  /// The deciding rule, from the first reason whose effect equals the outcome.
  public var deciding: Rule
  public var reasons: [Explanation]
  /// Sentences that each state a change that would reverse the verdict, the smallest change first. Empty if no setting
  /// could reverse the verdict, or if the request is not a transfer.
  public var changes: [String]

  public init(outcome: Outcome, deciding: Rule, reasons: [Explanation], changes: [String]) {
    self.outcome = outcome
    self.deciding = deciding
    self.reasons = reasons
    self.changes = changes
  }
}

// MARK: - Declarations

extension ExplainedVerdict: JournalObject {
  static let title = (name: "verdict", summary: "the answer with its reasons")
  static let blank = ExplainedVerdict(
    outcome: .blocked, deciding: .noRuleApplied, reasons: [], changes: [])

  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> ExplainedVerdict {
    try ExplainedVerdict(
      outcome: form.member("outcome", outcome, "the outcome"),
      deciding: form.member(
        "decidedBy", deciding, "the rule that decided, by its name in scenario.schema.json"),
      reasons: form.member(
        "reasons", reasons, .count("the rules that took part, in order; at least one")),
      changes: form.member(
        "changes", changes,
        "changes that would reverse the answer, the smallest first; one sentence each"
      ))
  }
}

extension Explanation: JournalObject {
  /// Writes the reason as an object of the journal.
  public func write(to writer: inout JSONWriter) {
    writer.object { declared(in: &$0) }
  }

  static let title = (name: "reason", summary: "a rule that took part")
  static let blank = Explanation(rule: .noRuleApplied, side: .device, text: "")

  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> Explanation {
    try Explanation(
      rule: form.member("rule", rule, "the rule, by its name in scenario.schema.json"),
      side: form.member("side", side, "the party whose policy the rule reads"),
      setting: form.member(
        "setting", setting,
        "name of the setting in Graph, in an app configuration or in a profile; absent if the rule reads none"
      ),
      label: form.member("label", label, "label of the setting in the admin centre"),
      value: form.member(
        "value", value, "value of the setting, in the admin centre's wording if it has any"),
      source: form.member(
        "source", source, "location of the value (file:line), or the party that stated it"),
      otherSources: form.member(
        "otherSources", otherSources, unless: [],
        "locations (file:line) of the value in other policies that also apply; absent if there are none"
      ),
      text: form.member("text", text, "the rule's statement about this transfer, one sentence"),
      isAssumed: form.member(
        "assumed", isAssumed, unless: false,
        "true if no public document settles the rule; otherwise absent"))
  }
}
