/// The file in which the ready-made guest keeps an item that it was given: `Inbox/1`, `Inbox/2`, … in its container;
/// for the third run of an extension, whose runs share one container and may overlap, `Inbox/3-1`, `Inbox/3-2`, ….
package struct InboxFile: CustomStringConvertible, Sendable {
  package var guest: String
  /// The number of the item, from 1.
  package var number: Int

  /// The file of the item `number` of `guest`.
  package init(of guest: String, _ number: Int) {
    self.guest = guest
    self.number = number
  }

  /// The folder of all such files, in the container.
  package static let folder = "Inbox"

  /// The path in the container.
  package var description: String {
    let file = InstanceName(guest).map { "\($0.number)-\(number)" } ?? "\(number)"
    return "\(Self.folder)/\(file)"
  }
}
