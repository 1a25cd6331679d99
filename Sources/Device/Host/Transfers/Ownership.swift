internal import Policy

/// Whose data an app moves, and what the tags of such items have in common. Never changes.
final class Ownership {
  let owner: Owner
  /// Bundle id of the app that the items come from.
  let originApp: String
  let stamp: Sealer.Stamp

  init(owner: Owner, originApp: String, sealer: Sealer) {
    self.owner = owner
    self.originApp = originApp
    stamp = sealer.stamp(owner: owner.account, isManaged: owner.isManaged, originApp: originApp)
  }
}
