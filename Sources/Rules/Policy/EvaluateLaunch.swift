public import Model

/// The verdict on the use of the account now. Pure and total, as ``evaluate(_:)`` is.
///
/// Each condition that the policy sets gives a reason, whether or not it is met; those that lead to a wipe
/// come first, then those that block, then those that warn, and within each the app's SDK, the app's
/// version, the system's, the rest of the device, the account, the time offline. Nobody is asked for a PIN
/// or credentials where a condition blocks or wipes, so that these reasons come only after conditions that
/// let the account through.
///
/// Source: Microsoft Learn, "Frequently asked questions about MAM and app protection", several access
/// settings on iOS.
public func evaluateLaunch(_ request: LaunchRequest) -> Verdict {
  guard let stated = request.policy?.settings else {
    return Verdict([Reason(.noRuleApplied, .device)])
  }
  let (settings, unread) = stated.known(to: request.app)
  var reasons = LaunchRules(request: request, settings: settings).reasons
  if reasons.allSatisfy({ $0.rule.launchAction < .block }) {
    reasons += AccessRules(request: request, settings: settings).reasons
  }
  reasons += unread.filter { $0.page != .dataProtection }.map { Reason(.settingNotRead, .app, $0) }
  if reasons.isEmpty { reasons.append(Reason(.noAccessRequirement, .app)) }
  return Verdict(
    LaunchAction.allCases.reversed().flatMap { action in
      reasons.filter { $0.rule.launchAction == action }
    })
}
