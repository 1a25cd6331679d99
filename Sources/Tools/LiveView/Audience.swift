internal import NIOCore
internal import NIOHTTP1
internal import Picture
internal import Simulation

/// The pages that follow a device, and what they are told.
struct Audience: Sendable {
  private var picture: LivePicture
  private var tail: JournalTail
  /// The journal that is read.
  private var journal: String
  private let desk: DeviceDesk
  private var followers: [ObjectIdentifier: Follower] = [:]
  /// The turns since pages were told anything.
  private var silence = 0

  private struct Follower {
    var channel: any Channel
    /// Whether the page has to be told everything: it is new, or has missed something.
    var isBehind = true
    /// Since when it takes nothing; nil: it does.
    var stuck: NIODeadline?
  }

  /// The turns after which pages are told the same again, so that they know that somebody is there.
  private static let longestSilence = 10
  /// The time after which a page that takes nothing is given up.
  private static let patience = TimeAmount.seconds(30)

  init(_ picture: LivePicture, _ desk: DeviceDesk) {
    self.picture = picture
    self.desk = desk
    journal = desk.answers.device.journal
    tail = JournalTail(journal)
  }

  /// Has a page told everything, and all that changes.
  mutating func add(_ channel: any Channel) {
    followers[ObjectIdentifier(channel)] = Follower(channel: channel)
  }

  mutating func remove(_ channel: any Channel) {
    followers[ObjectIdentifier(channel)] = nil
  }

  /// Reads what has come in the journal. Another journal, that has come in its place, makes another picture.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: ``RunError`` where it cannot be read.
  @discardableResult
  mutating func readOn() throws(RunError) -> Bool {
    let before = tail.successors
    let events = try tail.next()
    if tail.successors != before { beginAnew() }
    for event in events { picture.add(event) }
    return !events.isEmpty
  }

  /// Turns to the journal of the device that has come in the place of the one before.
  private mutating func follow(_ path: String) {
    var next = JournalTail(path)
    guard let events = try? next.next() else { return }
    (tail, journal) = (next, path)
    beginAnew()
    for event in events { picture.add(event) }
  }

  private mutating func beginAnew() {
    picture = picture.emptied
    for key in followers.keys { followers[key]?.isBehind = true }
  }

  /// Reads on, and tells everybody what has changed.
  ///
  /// - Throws: ``RunError`` where the journal cannot be read.
  mutating func turn() throws(RunError) {
    let isNews = try readOn()
    let answers = desk.answers
    if answers.device.journal != journal { follow(answers.device.journal) }
    silence += 1
    let isWaited = followers.values.contains { $0.isBehind && $0.channel.isWritable }
    giveUp()
    guard !followers.isEmpty, isNews || isWaited || silence >= Self.longestSilence else { return }
    silence = 0
    picture.show(output: answers.output, work: answers.work)
    let changes = picture.changes()
    let state = isWaited ? picture.state() : nil
    for key in followers.keys { tell(key, changes, state) }
  }

  /// Closes the connections of pages that have taken nothing for long.
  private mutating func giveUp() {
    let now = NIODeadline.now()
    for (key, follower) in followers {
      if follower.channel.isWritable {
        followers[key]?.stuck = nil
      } else {
        let stuck = follower.stuck ?? now
        followers[key]?.stuck = stuck
        if now - stuck > Self.patience { follower.channel.close(promise: nil) }
      }
    }
  }

  private mutating func tell(_ key: ObjectIdentifier, _ changes: String, _ state: String?) {
    guard let follower = followers[key] else { return }
    // A page that takes nothing is told everything later.
    let text = follower.channel.isWritable ? (follower.isBehind ? state : changes) : nil
    followers[key]?.isBehind = text == nil
    guard let text else { return }
    let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "data: \(text)\n")))
    follower.channel.writeAndFlush(part, promise: nil)
  }
}
