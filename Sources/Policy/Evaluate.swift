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
  let policies = request.sendingPolicies
  if request.staysWithSender {
    reasons.append(Reason(.sameAppSameIdentity, .sender))
    // The sender may do what it likes with its own data, not with the data of another managed account.
    if let policy = policies.owner {
      SendRules.apply(policy, .owner, to: request, into: &reasons)
    }
  } else if policies.isEmpty, !request.receiver.isManaged {
    reasons.append(Reason(.noRuleApplied, .device))
  } else {
    SendRules.apply(policies, to: request, into: &reasons)
    ReceiveRules.apply(to: request, into: &reasons)
  }
}
