internal import Model
internal import Policy

/// The last copied item, and the policy that it was copied under.
final class Pasteboard {
  struct Content {
    var item: Item
    /// The app and identity that copied the item.
    var source: Party
    var ownership: Ownership
    /// The app and identity as the journal has them; nil: the item was copied on another device.
    var participant: Participant?
    /// The item's number: that of the request that copied it, or under which it arrived.
    var number: Int
  }

  var content: Content?

  /// Removes the item where the account owns it and it was copied in an app of such a bundle id.
  func clear(of account: Account, where isIncluded: (_ bundleID: String) -> Bool) {
    guard let content, let owner = content.ownership.owner.account, owner.isSame(as: account),
      content.participant.map({ isIncluded($0.app) }) ?? false
    else { return }
    self.content = nil
  }
}
