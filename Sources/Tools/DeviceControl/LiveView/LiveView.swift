internal import Output
internal import PageServer
package import Reports
package import Simulation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// A page about a device, served on the loopback interface. Events from the device update it.
package struct LiveView {
  private let device: WatchedDevice
  private let picture: LivePicture
  private let controls: LivePicture.Controls

  /// Creates a page that is not yet served.
  ///
  /// - Parameter read: Returns the text of a file to which verdicts refer; nil if the page must not show it.
  package init(
    of device: WatchedDevice, _ controls: LivePicture.Controls,
    reading read: @escaping @Sendable (String) -> String?
  ) {
    self.device = device
    self.controls = controls
    picture = LivePicture(title: device.name, controls, reading: read)
  }

  /// Serves the page until the journal cannot be read.
  ///
  /// - Parameters:
  ///   - port: The port on 127.0.0.1; 0 to let the system choose a port.
  ///   - began: Called with the page's address.
  /// - Throws: ``RunError`` if the journal cannot be read or the port is in use.
  package func run(port: Int, _ began: (String) -> Void) throws(RunError) {
    let session = DeviceSession(device)
    var first = Subscribers(picture, session)
    // The journal is read first, so an unreadable journal is reported before the address is
    // announced.
    try first.readOn()
    let subscribers = Shared(first)
    var routes = [
      PageRoute(.get, "events") { request in
        let events = request.beginEvents()
        subscribers.value.withLock { $0.add(events) }
        events.whenClosed { subscribers.value.withLock { $0.remove(events) } }
      }
    ]
    if controls == .steps { routes += session.routes }
    do {
      began(try PageServer(page: picture.page()).start(routes, port: port))
    } catch {
      throw RunError(.command, error.description, rule: "port")
    }
    for beat in 0... {
      if beat % Self.beatsPerPoll == 0 { session.poll() }
      try subscribers.value.withLock { subscribers throws(RunError) in try subscribers.update() }
      usleep(Self.beat)
    }
  }

  /// The interval between two updates of the page, in microseconds.
  private static let beat: UInt32 = 100_000
  private static let beatsPerPoll = 10

  /// The pages, shared by two threads: the server's thread adds and removes pages, and the thread of
  /// ``LiveView/run(port:_:)`` updates them.
  private final class Shared: Sendable {
    let value: Mutex<Subscribers>

    init(_ subscribers: Subscribers) { value = Mutex(subscribers) }
  }
}

/// The pages that follow a device, and their updates.
struct Subscribers: Sendable {
  private var picture: LivePicture
  private var tail: GrowingJournal
  /// The path of the current journal.
  private var journal: String
  private let session: DeviceSession
  private var followers: [PageEvents.ID: Follower] = [:]
  /// The number of iterations of the update loop since the pages last received an update.
  private var silence = 0

  private struct Follower {
    var events: PageEvents
    /// Whether the page needs the full state, because it is new or has missed an update.
    var isBehind = true
    /// The time at which the page stopped accepting data; nil while it accepts data.
    var stuck: ContinuousClock.Instant?
  }

  /// The number of loop iterations after which an empty update is sent as a keep-alive.
  private static let longestSilence = 10
  /// The timeout for a page that does not accept data.
  private static let patience = Duration.seconds(30)

  init(_ picture: LivePicture, _ session: DeviceSession) {
    self.picture = picture
    self.session = session
    journal = session.answers.device.journal
    tail = GrowingJournal(journal)
  }

  /// Adds a page. It receives the full state first, and then the changes.
  mutating func add(_ events: PageEvents) {
    followers[events.id] = Follower(events: events)
  }

  mutating func remove(_ events: PageEvents) {
    followers[events.id] = nil
  }

  /// Reads new events. If a new journal has replaced the current one, first clears the picture of the device.
  ///
  /// - Returns: Whether there were new events.
  /// - Throws: ``RunError`` if the journal cannot be read.
  @discardableResult
  mutating func readOn() throws(RunError) -> Bool {
    let before = tail.successors
    let events = try tail.next()
    if tail.successors != before { beginAnew() }
    for event in events { picture.add(event) }
    return !events.isEmpty
  }

  /// Switches to the journal at `path`, which belongs to the device that has replaced the previous device.
  private mutating func follow(_ path: String) {
    var next = GrowingJournal(path)
    guard let events = try? next.next() else { return }
    (tail, journal) = (next, path)
    beginAnew()
    for event in events { picture.add(event) }
  }

  private mutating func beginAnew() {
    picture = picture.emptied
    for key in followers.keys { followers[key]?.isBehind = true }
  }

  /// Reads new events. If there are any, if a page needs the full state, or if the keep-alive is due, sends an update
  /// to all pages.
  ///
  /// - Throws: ``RunError`` if the journal cannot be read.
  mutating func update() throws(RunError) {
    let isNews = try readOn()
    let answers = session.answers
    if answers.device.journal != journal { follow(answers.device.journal) }
    silence += 1
    let isWaited = followers.values.contains { $0.isBehind && $0.events.isWritable }
    giveUp()
    guard !followers.isEmpty, isNews || isWaited || silence >= Self.longestSilence else { return }
    silence = 0
    picture.show(output: answers.output, work: answers.work)
    let changes = picture.changes()
    let state = isWaited ? picture.state() : nil
    for key in followers.keys { send(key, changes, state) }
  }

  /// Closes the connections of pages that have timed out.
  private mutating func giveUp() {
    let now = ContinuousClock.now
    for (key, follower) in followers {
      if follower.events.isWritable {
        followers[key]?.stuck = nil
      } else {
        let stuck = follower.stuck ?? now
        followers[key]?.stuck = stuck
        if now - stuck > Self.patience { follower.events.close() }
      }
    }
  }

  private mutating func send(_ key: PageEvents.ID, _ changes: String, _ state: String?) {
    guard let follower = followers[key] else { return }
    // A page that does not accept data gets the full state later.
    let text = follower.events.isWritable ? (follower.isBehind ? state : changes) : nil
    followers[key]?.isBehind = text == nil
    guard let text else { return }
    follower.events.send(text)
  }
}
