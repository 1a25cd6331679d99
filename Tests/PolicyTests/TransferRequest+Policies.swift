import Model
import Policy

extension TransferRequest {
  /// Every policy in the request, each once.
  var policies: [EffectivePolicy] {
    var policies: [EffectivePolicy] = []
    for policy in [sender.policy, owner.policy, receiver.policy, appPolicy] {
      guard let policy, !policies.contains(where: { $0 === policy }) else { continue }
      policies.append(policy)
    }
    return policies
  }

  /// The request with another policy wherever it has `policy`.
  func replacing(_ policy: EffectivePolicy, by replacement: EffectivePolicy) -> TransferRequest {
    mappingPolicies { $0 === policy ? replacement : $0 }
  }

  /// The request with every policy's settings edited.
  func editingSettings(_ edit: (inout Settings) -> Void) -> TransferRequest {
    var changed = self
    for policy in policies {
      var settings = policy.settings
      edit(&settings)
      changed = changed.replacing(policy, by: EffectivePolicy(settings: settings))
    }
    return changed
  }

  func mappingPolicies(_ change: (EffectivePolicy) -> EffectivePolicy?) -> TransferRequest {
    var changed = self
    changed.sender.policy = sender.policy.flatMap(change)
    changed.owner.policy = owner.policy.flatMap(change)
    changed.receiver.policy = receiver.policy.flatMap(change)
    changed.appPolicy = appPolicy.flatMap(change)
    return changed
  }

  /// The request with every account respelled.
  func mappingAccounts(_ change: (Account) -> Account) -> TransferRequest {
    func changed(_ identity: Identity) -> Identity {
      identity.account.map { .account(change($0)) } ?? identity
    }
    var request = self
    request.sender.identity = changed(sender.identity)
    request.owner.account = owner.account.map(change)
    request.receiver.identity = changed(receiver.identity)
    return request
  }
}
