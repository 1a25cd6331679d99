internal import Model
internal import Wire

/// Runs the transactions of the device's loop. A transaction makes and records decisions, then writes the journal, and
/// then sends messages.
final class LoopTransaction {
  let encoding = Arena()
  /// The router that serves resumed guests. The reference is unowned, because a weak reference would slow down all
  /// other references to the object.
  unowned var router: RequestRouter?
  /// The fault injector, if the current transaction has triggered faults; otherwise nil.
  unowned var faults: FaultInjector?
  /// Called after each transaction; nil on devices without links to other devices.
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

  /// Runs `body`, writes the journal, and then sends messages. If sending messages resumes paused guests, processes
  /// their requests, and writes and sends again. If a transaction is already in progress, only runs `body`.
  func callAsFunction(_ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    // Sending may resume other guests, which then also send messages.
    repeat {
      while let connection = resumable.popLast() { router?.resume(connection) }
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
    router?.save()
    audit.flush()
  }

  // MARK: Sending

  func send(_ message: HostMessage, to guest: Guest) {
    guard let connection = guest.connection else { return }
    connection.outgoing.append(message, using: encoding)
    markDirty(connection)
  }

  /// Sends the app a notification of the SDK, and returns true. If the app is neither ready nor suspended, sends
  /// nothing and returns false.
  @discardableResult
  func notify(_ guest: Guest, _ notification: IntuneMAMNotification, _ account: Account?) -> Bool {
    guard guest.isReady || guest.state == .suspended else { return false }
    send(HostMessage(.notice(notification.rawValue, account: account?.upn ?? "")), to: guest)
    return true
  }

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
      if durability.error == nil { flush(connection) }
    }
  }

  /// Writes the journal, and then sends the guest's buffered messages without waiting for the end of the transaction.
  func sendAtOnce(to guest: Guest) {
    guard let connection = guest.connection, durability.error == nil else { return }
    write()
    flush(connection)
  }

  /// Sends a connection's buffered messages. The journal must already contain the decisions that they depend on.
  func flush(_ connection: GuestConnection) {
    guard !connection.port.isClosing else { return }
    // If the pipe rejects writes, its guest is ending. The exit is handled separately.
    try? connection.flush()
    router?.didFlush(connection.guest)
  }

  // MARK: Resuming

  /// Resumes a guest at the end of the current transaction, or immediately if there is none.
  func scheduleResume(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    resumable.append(connection)
    // Outside a transaction, an empty one is started. Its end resumes the guest.
    if !isRunning { self {} }
  }
}
