import Model

/// "Third-party keyboards", which hold for a whole app: where one account's policy blocks them, none can be
/// used by any other account in the app either.
enum KeyboardRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    for (policy, side) in [(policies.owner, Side.owner), (policies.sender, .sender)] {
      if let policy { reasons.append(reason(policy, side)) }
    }
    if let policy = request.appPolicy, policy !== policies.owner, policy !== policies.sender {
      reasons.append(reason(policy, .app))
    }
    if reasons.isEmpty { reasons.append(Reason(.noRuleApplied, .device)) }
  }

  private static func reason(_ policy: EffectivePolicy, _ side: Side) -> Reason {
    let rule: Rule =
      policy.settings.thirdPartyKeyboardsBlocked ? .keyboardsBlocked : .keyboardsAllowed
    return Reason(rule, side, .thirdPartyKeyboardsBlocked)
  }
}
