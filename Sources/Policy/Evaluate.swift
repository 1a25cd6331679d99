public import Transfer

/// The verdict on one transfer. Pure and total: the request alone decides, and every request has an
/// answer with at least one reason.
///
/// The sending side speaks first (the owner's policy, then the sender's), then the receiving side; all
/// must allow. Source: Microsoft Learn, "iOS app protection policy settings", and what the Intune App SDK
/// documents of `IntuneMAMPolicy`; each rule states its own in ``Transfer/Rule/source``.
public func evaluate(_ request: TransferRequest) -> Verdict {
  var reasons: [Reason] = []
  reasons.reserveCapacity(4)
  switch request.channel {
  case .share, .openIn, .import, .extensionResult: transfer(request, into: &reasons)
  case .clipboard: ClipboardRules.apply(to: request, into: &reasons)
  case .openURL: URLRules.apply(to: request, into: &reasons)
  }
  return Verdict(reasons)
}

private func transfer(_ request: TransferRequest, into reasons: inout [Reason]) {
  if request.staysWithSender {
    stay(request, into: &reasons)
    return
  }
  let policies = request.sendingPolicies
  guard !policies.isEmpty || request.receiver.isManaged else {
    reasons.append(Reason(.noRuleApplied, .device))
    return
  }
  SendRules.apply(policies, to: request, into: &reasons)
  ReceiveRules.apply(to: request, into: &reasons)
}

/// Within one app, an identity may do what it likes with its own data, but not with another account's.
private func stay(_ request: TransferRequest, into reasons: inout [Reason]) {
  reasons.append(Reason(.sameAppSameIdentity, .sender))
  guard request.isOwnedByAnother else { return }
  if let policy = request.sendingPolicies.owner {
    SendRules.apply(policy, .owner, to: request, into: &reasons)
  }
  if request.receiver.isManaged { ReceiveRules.apply(to: request, into: &reasons) }
}
