internal import EventLoop

/// A guest's process, where it has one, and its life.
final class GuestProcess {
  /// How often the guest was started.
  var incarnation = 0
  /// nil: never started since it was installed.
  var supervision: Supervision?
  var handle: (any ProcessHandle)?
  /// nil where there is no process.
  var connection: GuestConnection?
  /// What it writes to its standard output and error.
  var output: Pipe?
  /// For handshake, stopping, and extension requests.
  var lifeTimer: Timer?
  /// For what an extension has in memory.
  var memoryTimer: Timer?
  /// Whether it has shaken hands.
  var isWelcome = false
  /// Why it is about to exit, as it says itself.
  var failure: String?
  /// Called once, when it has ended.
  var onExit: [() -> Void] = []
  /// Whether everything is being stopped, so that it does not start anew by itself.
  var isStayingDown = false
  /// Those with whom it starts or stops.
  var batch: LifecycleBatch?

  /// The guest is started anew.
  func begin(_ supervision: Supervision) {
    self.supervision = supervision
    incarnation += 1
    isWelcome = false
    isStayingDown = false
    failure = nil
  }

  /// Gives back what a process that has ended had.
  func release() {
    connection?.port.close()
    output?.readRest()
    output?.close()
    handle?.close()
    lifeTimer?.close()
    memoryTimer?.close()
    connection = nil
    output = nil
    handle = nil
    lifeTimer = nil
    memoryTimer = nil
  }
}
