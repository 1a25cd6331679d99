internal import NIOCore
internal import NIOHTTP1
internal import Picture
internal import Simulation

/// The pages that follow a device, and what they are told.
struct Audience: Sendable {
  private var picture: LivePicture
  private var tail: JournalTail
  private let desk: DeviceDesk
  private var followers: [ObjectIdentifier: Follower] = [:]
  /// The turns since pages were told anything.
  private var silence = 0

  private struct Follower {
    var channel: any Channel
    /// Whether the page has to be told everything: it is new, or has missed something.
    var isBehind = true
    /// The turns in which it took nothing.
    var refusals = 0
  }

  /// The turns after which pages are told the same again, so that they know that somebody is there.
  private static let longestSilence = 10
  /// The turns after which a page that takes nothing is given up.
  private static let mostRefusals = 300

  init(_ picture: LivePicture, _ tail: JournalTail, _ desk: DeviceDesk) {
    self.picture = picture
    self.tail = tail
    self.desk = desk
  }

  /// Has a page told everything, and all that changes.
  mutating func add(_ channel: any Channel) {
    followers[ObjectIdentifier(channel)] = Follower(channel: channel)
  }

  mutating func remove(_ channel: any Channel) {
    followers[ObjectIdentifier(channel)] = nil
  }

  /// Reads what has come in the journal.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: ``RunError`` where it cannot be read.
  @discardableResult
  mutating func readOn() throws(RunError) -> Bool {
    let events = try tail.next()
    for event in events { picture.add(event) }
    return !events.isEmpty
  }

  /// Reads on, and tells everybody what has changed.
  ///
  /// - Throws: ``RunError`` where the journal cannot be read.
  mutating func turn() throws(RunError) {
    let isNews = try readOn()
    silence += 1
    let isWaited = followers.values.contains { $0.isBehind }
    guard !followers.isEmpty, isNews || isWaited || silence >= Self.longestSilence else { return }
    silence = 0
    let answers = desk.answers
    picture.show(output: answers.output, work: answers.work)
    let changes = picture.changes()
    let state = isWaited ? picture.state() : ""
    for key in followers.keys { tell(key, changes, state) }
  }

  private mutating func tell(_ key: ObjectIdentifier, _ changes: String, _ state: String) {
    guard var follower = followers[key] else { return }
    if follower.channel.isWritable {
      let text = follower.isBehind ? state : changes
      // It was behind from this turn on: there is no state for it yet.
      if !text.isEmpty {
        follower.isBehind = false
        follower.refusals = 0
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "data: \(text)\n")))
        follower.channel.writeAndFlush(part, promise: nil)
      }
    } else {
      follower.isBehind = true
      follower.refusals += 1
      if follower.refusals > Self.mostRefusals { follower.channel.close(promise: nil) }
    }
    followers[key] = follower
  }
}
