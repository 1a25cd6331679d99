internal import Policy

/// The owner of data that an app moves, and the common part of the tags of such items. It never changes.
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
