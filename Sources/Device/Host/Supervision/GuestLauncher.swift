internal import EventLoop

/// A way to run guests: as processes of their own, or in a test's memory.
protocol GuestLauncher: AnyObject {
  /// Starts a guest, and sets its process, its connection and its output.
  ///
  /// - Parameters:
  ///   - servers: the servers that the guest may reach.
  ///   - supervisor: the supervisor, which hears what becomes of the guest.
  /// - Throws: an error where the guest cannot be started.
  func launch(
    _ guest: Guest, reaching servers: ServerAccess, for supervisor: GuestSupervisor) throws
}

/// The process that a guest runs in.
protocol ProcessHandle: AnyObject {
  var pid: Int32 { get }
  /// Whether all that the process has started ends with it.
  var takesDescendantsAlong: Bool { get }
  /// Sends a signal to the process, and to all that it has started in its process group.
  @discardableResult
  func signalGroup(_ signal: Int32) -> Bool
  /// Waits until the process, which was sent SIGSTOP, runs no more.
  func awaitStop()
  /// Looks for the process's end from now on, where nothing else tells it.
  func watch() throws(EventLoopError)
  /// Kills the process and tells its end at once.
  func endAtOnce()
  /// Lets go of the process; one that has not ended is killed.
  func close()
}

extension ChildProcess: ProcessHandle {}

/// The standard output and error of a guest's process.
protocol GuestOutput: AnyObject {
  /// Reads at once what the process has written until now.
  func readRest()
  func close()
}

extension CommonOutput.Share: GuestOutput {}
