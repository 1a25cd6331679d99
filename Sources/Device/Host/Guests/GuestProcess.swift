internal import EventLoop

/// The process of a guest, where it has one, and its life.
final class GuestProcess {
  /// Number of times that the guest was started.
  var incarnation = 0
  /// The state of the process; nil: never started since the guest was installed.
  var supervision: Supervision?
  var handle: (any ProcessHandle)?
  /// The connection to the process; nil where there is none.
  var connection: GuestConnection?
  /// What the process writes to its standard output and error.
  var output: (any GuestOutput)?
  var characters = CharacterStream()
  /// The control group of the process; nil: it has none of its own.
  var controlGroup: ControlGroup.OfGuest?
  /// The process's own filter of system calls; nil: it has that of its zygote.
  var filter: OwnFilter?
  /// The number of reasons for which the process is stopped, whatever its life.
  var freezes = 0
  /// Timer for the handshake, for stopping, and for extension requests.
  var lifeTimer: Timer?
  /// Timer for looking at the memory of an extension.
  var memoryTimer: Timer?
  /// Whether the process has completed the handshake.
  var isWelcome = false
  /// The process's own reason for its end, which it tells before it exits.
  var failure: String?
  /// Called once, when the process has ended.
  var onExit: [() -> Void] = []
  /// Whether everything is being stopped, so that the guest does not restart by itself.
  var isStayingDown = false
  /// The time by which the process, which was asked to stop, and all that it sent are done with, by the loop's clock in
  /// milliseconds; nil: it was not asked.
  var stopDeadline: UInt64?
  /// Whether what the process sent before it ended is being served, the last that is awaited of it.
  var isServedLast = false
  /// The batch of guests with which the guest starts or stops; nil: none.
  var batch: LifecycleBatch?

  /// Resets the state for a new process.
  func begin(_ supervision: Supervision) {
    self.supervision = supervision
    incarnation += 1
    freezes = 0
    isWelcome = false
    isStayingDown = false
    stopDeadline = nil
    isServedLast = false
    failure = nil
  }

  /// Looks for the process's end where the connection, which is not read, does not tell it. For want of a descriptor it
  /// is told once the connection is read again.
  func watch() { try? handle?.watch() }

  /// Looks for the process's end, which is near.
  func expectEnd() {
    do {
      try handle?.watch()
    } catch {
      handle?.endAtOnce()
    }
  }

  /// Releases what a process that has ended had.
  func release() {
    connection?.port.close()
    output?.readRest()
    output?.close()
    handle?.close()
    controlGroup?.close()
    lifeTimer?.close()
    memoryTimer?.close()
    connection = nil
    output = nil
    handle = nil
    controlGroup = nil
    filter = nil
    lifeTimer = nil
    memoryTimer = nil
  }
}
