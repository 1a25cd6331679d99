/// A rule that took part, for whom it spoke, and the setting that it read.
public struct Reason: Sendable, Hashable {
  public var rule: Rule
  public var side: Side
  /// nil where the rule reads no setting.
  public var setting: Setting?

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
  /// At least one.
  public let reasons: [Reason]

  public init(_ reasons: [Reason]) {
    precondition(!reasons.isEmpty, "a verdict needs a reason; noRuleApplied is one")
    self.reasons = reasons
    outcome = reasons.reduce(.allowed) { min($0, $1.rule.effect) }
  }

  /// The first reason whose effect is the outcome.
  public var deciding: Reason { reasons.first { $0.rule.effect == outcome } ?? reasons[0] }
}
