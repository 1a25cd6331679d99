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
    /// The number of the text's characters; nil: the item is no text. It is counted once, however often the item is pasted.
    var characters: Int?

    init(
      item: Item, source: Party, ownership: Ownership, participant: Participant?, number: Int
    ) {
      self.item = item
      self.source = source
      self.ownership = ownership
      self.participant = participant
      self.number = number
      characters = item.characterCount
    }
  }

  /// What was copied on this device.
  private(set) var content: Content?
  /// What was copied on another device, and until when it can be pasted here.
  var passing: (content: Content, end: Int)?

  /// Puts what is copied on this device in place of all that was copied before.
  func copy(_ content: Content) {
    self.content = content
    passing = nil
  }

  /// What is pasted at a time of the device's clock.
  func current(at time: Int) -> Content? {
    passing.flatMap { time <= $0.end ? $0.content : nil } ?? content
  }

  /// Removes the item where the account owns it and it was copied in an app of such a bundle id.
  func clear(of account: Account, where isIncluded: (_ bundleID: String) -> Bool) {
    guard let content, let owner = content.ownership.owner.account, owner.isSame(as: account),
      content.participant.map({ isIncluded($0.app) }) ?? false
    else { return }
    self.content = nil
  }
}
