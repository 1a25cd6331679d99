/// Where the ready-made guest keeps an item that it was given: `Inbox/1`, `Inbox/2`, … in its container, and the third
/// run of an extension, whose runs have one container and may be there at once, `Inbox/3-1`, `Inbox/3-2`, ….
package struct InboxFile: CustomStringConvertible, Sendable {
  package var guest: String
  /// Counts from 1.
  package var number: Int

  package init(of guest: String, _ number: Int) {
    self.guest = guest
    self.number = number
  }

  /// The path in the container.
  package var description: String {
    InstanceName(guest).map { "Inbox/\($0.number)-\(number)" } ?? "Inbox/\(number)"
  }
}
