internal import NIOCore

/// The connections: those that have shown the secret, and those that have not yet, which others can make, too.
struct Visitors: Sendable {
  /// In the order in which they came.
  private var strangers: [any Channel] = []
  private var guests: Set<ObjectIdentifier> = []

  /// The most of each: browsers open a few for each page.
  private static let most = 64

  /// Adds a connection; of too many strangers, the one that has been there for longest has to go.
  mutating func add(_ channel: any Channel) {
    strangers.append(channel)
    if strangers.count > Self.most { strangers.removeFirst().close(promise: nil) }
  }

  /// Takes a connection for one that has shown the secret.
  ///
  /// - Returns: false where there are too many.
  mutating func welcome(_ channel: any Channel) -> Bool {
    strangers.removeAll { $0 === channel }
    guard guests.count < Self.most else { return false }
    guests.insert(ObjectIdentifier(channel))
    return true
  }

  mutating func remove(_ channel: any Channel) {
    strangers.removeAll { $0 === channel }
    guests.remove(ObjectIdentifier(channel))
  }
}
