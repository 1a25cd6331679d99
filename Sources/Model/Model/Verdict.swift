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
