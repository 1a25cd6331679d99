import Model

/// The policies that speak for the sending side.
struct SendingPolicies {
  /// The policy that speaks as the owner; nil where nobody owns the data, the owner is unmanaged, or the
  /// sender's policy speaks for the owner already.
  var owner: EffectivePolicy?
  /// The policy that speaks as the sender: the active identity's, which is also the owner's where the
  /// identity owns the data.
  var sender: EffectivePolicy?

  var isEmpty: Bool { owner == nil && sender == nil }
}

extension TransferRequest {
  var sendingPolicies: SendingPolicies {
    guard let policy = owner.policy else { return SendingPolicies(sender: sender.policy) }
    // Two accounts under one policy are still two: what a receiver is to each may differ.
    let speaksOnce = owner.account == nil ? policy === sender.policy : !isOwnedByAnother
    return speaksOnce
      ? SendingPolicies(sender: sender.policy ?? policy)
      : SendingPolicies(owner: policy, sender: sender.policy)
  }

  /// Whether an account owns the data, and it is not the sending identity.
  var isOwnedByAnother: Bool {
    guard let account = owner.account else { return false }
    guard case .account(let identity) = sender.identity else { return true }
    return !account.isSame(as: identity)
  }

  /// The policy that speaks for `side`.
  func policy(of side: Side) -> EffectivePolicy? {
    switch side {
    case .owner: sendingPolicies.owner
    case .sender: sendingPolicies.sender
    case .receiver: receiver.policy
    case .app: appPolicy
    case .device: nil
    }
  }

  /// Whether the data stays in one app under one identity.
  var staysWithSender: Bool {
    sender.app.bundleID == receiver.app.bundleID
      && sender.identity.isSame(as: receiver.identity)
  }

  /// The relation of the receiver to the account that the policy of `side` protects.
  func destination(from side: Side) -> Destination {
    guard receiver.policy != nil else { return .unmanaged }
    guard case .account(let theirs) = receiver.identity else { return .otherTenant }
    if side == .owner {
      guard let ours = owner.account else { return .otherTenant }
      return Destination(of: theirs, seenFrom: ours)
    }
    guard case .account(let ours) = sender.identity else { return .otherTenant }
    return Destination(of: theirs, seenFrom: ours)
  }
}
