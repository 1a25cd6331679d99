internal import EventLoop
internal import Model
internal import Wire

/// A turn of the device's loop: it decides and records as much as there is, then writes the journal, and only then
/// sends.
final class Turn {
  /// Memory of the frame at hand, reused for the next one.
  let decoding = Arena()
  let encoding = Arena()
  /// The receiver of a turn's events.
  /// Unowned, as a weak reference makes every other one slow.
  unowned var delegate: (any TurnDelegate)?
  /// The faults that strike in this turn; nil where none does.
  unowned var faults: (any TurnFaults)?
  /// Called after the turn; nil where nothing leaves the device.
  var didEnd: (() -> Void)?
  private let audit: AuditLog
  private let durability: Durability
  private var dirty: [GuestConnection] = []
  private var resumable: [GuestConnection] = []
  private var isRunning = false

  init(audit: AuditLog, durability: Durability) {
    self.audit = audit
    self.durability = durability
  }

  /// Runs `body`, then writes the journal, then sends what is to be sent. Within a turn, runs `body` alone.
  func callAsFunction(_ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    // Sending may let other guests go on, which send in turn.
    repeat {
      while let connection = resumable.popLast() { delegate?.resume(connection) }
      write()
      if let faults {
        faults.beforeSending()
        write()
      }
      flushDirty()
      if let faults {
        faults.afterSending()
        write()
      }
    } while !resumable.isEmpty || !dirty.isEmpty
    isRunning = false
    didEnd?()
  }

  private func write() {
    delegate?.save()
    audit.flush()
  }

  // MARK: sending

  func send(_ message: HostMessage, to guest: Guest) {
    guard let connection = guest.connection else { return }
    connection.outgoing.append(message, using: encoding)
    markDirty(connection)
  }

  /// Tells the app that something has changed, as the SDK's notifications do.
  func notify(_ guest: Guest, _ notification: IntuneMAMNotification, _ account: Account?) {
    guard guest.isReady || guest.state == .suspended else { return }
    send(HostMessage(.notice(notification.rawValue, account: account?.upn ?? "")), to: guest)
  }

  /// Notes that a connection has something to send.
  func markDirty(_ connection: GuestConnection) {
    guard !connection.isDirty else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  private func flushDirty() {
    let connections = dirty
    dirty.removeAll(keepingCapacity: true)
    for connection in connections {
      connection.isDirty = false
      if durability.fault == nil { flush(connection) }
    }
  }

  /// Writes the journal, then sends at once what a guest is to be sent.
  func sendAtOnce(to guest: Guest) {
    guard let connection = guest.connection, durability.fault == nil else { return }
    write()
    flush(connection)
  }

  /// Sends at once what a connection has to send.
  func flush(_ connection: GuestConnection) {
    guard !connection.port.isClosing else { return }
    // A pipe that cannot be written to belongs to a guest that is ending: its exit tells the rest.
    try? connection.flush()
    delegate?.didFlush(connection.guest)
  }

  // MARK: reading on

  /// Lets a guest go on at the end of this turn.
  func scheduleResume(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    resumable.append(connection)
    // Outside of a turn nothing else would let the guest go on.
    if !isRunning { self {} }
  }
}

/// The receiver of a turn's events.
protocol TurnDelegate: AnyObject {
  /// Saves data that has gathered beside the journal.
  func save()
  /// Goes on with the messages of a guest that had to wait.
  func resume(_ connection: GuestConnection)
  /// Handles a guest that has taken some of what it was sent.
  func didFlush(_ guest: Guest)
}

/// Faults that strike in a turn.
protocol TurnFaults: AnyObject {
  /// Called between the journal and the pipes.
  func beforeSending()
  /// Called behind the pipes.
  func afterSending()
}
