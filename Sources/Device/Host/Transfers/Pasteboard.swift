internal import Policy
internal import Model

/// What was copied last, and under whose policy.
final class Pasteboard {
  struct Content {
    var item: Item
    /// The app and identity that copied.
    var source: Party
    var ownership: Ownership
    var participant: Participant
  }

  var content: Content?

  /// Removes what an account owns, where it was copied in an app of such a bundle id.
  func clear(of account: Account, where isIncluded: (_ bundleID: String) -> Bool) {
    guard let content, let owner = content.ownership.owner.account, owner.isSame(as: account),
      isIncluded(content.participant.app)
    else { return }
    self.content = nil
  }
}
