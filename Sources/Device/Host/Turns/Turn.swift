internal import EventLoop
internal import Wire

/// A turn of the device's loop: it decides and records as much as there is, then writes the journal, and only then
/// sends.
final class Turn {
  /// Memory of the frame at hand, reused for the next one.
  let decoding = Arena()
  let encoding = Arena()
  /// Saves data that has gathered beside the journal.
  var save: () -> Void = {}
  /// Goes on with the messages of a guest that had to wait.
  var resume: (GuestConnection) -> Void = { _ in }
  /// Called when a guest has taken some of what it was sent.
  var didFlush: (Guest) -> Void = { _ in }
  /// Called between the journal and the pipes; nil where no fault strikes.
  var willSend: (() -> Void)?
  /// Called behind the pipes; nil where no fault strikes.
  var didSend: (() -> Void)?
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
      while let connection = resumable.popLast() { resume(connection) }
      write()
      if let willSend {
        willSend()
        write()
      }
      flushDirty()
      if let didSend {
        didSend()
        write()
      }
    } while !resumable.isEmpty || !dirty.isEmpty
    isRunning = false
    didEnd?()
  }

  private func write() {
    save()
    audit.flush()
  }

  // MARK: sending

  func send(_ message: HostMessage, to guest: Guest) {
    guard let connection = guest.connection else { return }
    connection.outgoing.append(message, using: encoding)
    markDirty(connection)
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
    didFlush(connection.guest)
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
