internal import Model
internal import Policy

/// The last copied content, the app and account that copied it, and its ownership.
final class Pasteboard {
  struct Content {
    var item: Item
    var source: Party
    var ownership: Ownership
    /// The app that copied the content, and its identity, as the journal records them; nil if the content comes from
    /// another device.
    var participant: Participant?
    /// The number of the request that copied the item on this device or received it from another device.
    var number: Int
    /// The number of characters; nil if the item is not text. The number is cached, so a paste need not count the
    /// characters.
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

  /// The content last copied on this device.
  private(set) var content: Content?
  /// The content last copied on another device, and the last time at which it can be pasted here. The time is in
  /// seconds of the device's clock.
  var passing: (content: Content, end: Int)?

  /// Replaces all earlier content, including content from another device.
  func copy(_ content: Content) {
    self.content = content
    passing = nil
  }

  /// Returns the content that a paste at `time` yields; nil if there is none. `time` is in seconds of the device's
  /// clock.
  func current(at time: Int) -> Content? {
    passing.flatMap { time <= $0.end ? $0.content : nil } ?? content
  }

  /// Removes the content copied on this device, if `account` owns it and `isIncluded` is true for the app that copied
  /// it.
  func clear(of account: Account, where isIncluded: (_ bundleID: String) -> Bool) {
    guard let content, let owner = content.ownership.owner.account, owner.isSameUser(as: account),
      content.participant.map({ isIncluded($0.app) }) ?? false
    else { return }
    self.content = nil
  }
}
