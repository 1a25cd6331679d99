import Model

/// "Third-party keyboards", which hold for a whole app: where one account's policy blocks them, none can be
/// used by any other account in the app either. Before release 12.0.16 of the SDK, other accounts could use them.
enum KeyboardRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    let app = request.sender.app
    let isRead = app.reads(.thirdPartyKeyboardsBlocked)
    for (policy, side) in [(policies.owner, Side.owner), (policies.sender, .sender)] {
      if let policy { reasons.append(reason(policy, side, isRead: isRead)) }
    }
    if let policy = request.appPolicy, policy !== policies.owner, policy !== policies.sender {
      reasons.append(reason(policy, .app, isRead: isRead && app.has(.keyboardsOfAllAccounts)))
    }
    if reasons.isEmpty { reasons.append(Reason(.noRuleApplied, .device)) }
  }

  private static func reason(_ policy: EffectivePolicy, _ side: Side, isRead: Bool) -> Reason {
    let rule: Rule =
      if !policy.settings.thirdPartyKeyboardsBlocked {
        .keyboardsAllowed
      } else {
        isRead ? .keyboardsBlocked : .settingNotRead
      }
    return Reason(rule, side, .thirdPartyKeyboardsBlocked)
  }
}
