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
