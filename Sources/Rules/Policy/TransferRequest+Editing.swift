import Model

extension TransferRequest {
  /// Turns the request into the one that would follow if the place that states `setting` in `policy` were edited.
  mutating func edit(
    _ setting: Setting, of policy: EffectivePolicy, _ edit: (inout Settings) -> Void
  ) {
    // Sides that share a policy must go on sharing one: it speaks once.
    var edited: [(old: EffectivePolicy, new: EffectivePolicy)] = []
    func replace(_ old: inout EffectivePolicy?) {
      guard let policyThere = old, policy.sharesPlace(of: setting, with: policyThere) else {
        return
      }
      if let new = edited.first(where: { $0.old === policyThere })?.new {
        old = new
        return
      }
      var settings = policyThere.settings
      edit(&settings)
      let new = EffectivePolicy(settings: settings, origins: policyThere.origins)
      edited.append((policyThere, new))
      old = new
    }
    replace(&owner.policy)
    replace(&sender.policy)
    replace(&receiver.policy)
    replace(&appPolicy)
  }
}

extension EffectivePolicy {
  /// Whether an edit of `setting` in one policy changes the other.
  func sharesPlace(of setting: Setting, with other: EffectivePolicy) -> Bool {
    if self === other { return true }
    guard let origin = origins[setting] else { return false }
    return origin == other.origins[setting]
  }
}
