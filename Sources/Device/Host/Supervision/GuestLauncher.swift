internal import EventLoop

/// How a guest comes to run: as a process of its own, or in a test's memory.
protocol GuestLauncher: AnyObject {
  /// Starts a guest, and sets its process, its connection and its output.
  ///
  /// - Parameters:
  ///   - servers: what it may reach.
  ///   - supervisor: hears what becomes of it.
  /// - Throws: where it cannot be started.
  func launch(
    _ guest: Guest, reaching servers: ServerAccess, for supervisor: GuestSupervisor) throws
}

/// What a guest runs in.
protocol ProcessHandle: AnyObject {
  var pid: Int32 { get }
  /// Sends a signal to it, and to all that it has started in its process group.
  @discardableResult
  func signalGroup(_ signal: Int32) -> Bool
  func close()
}

extension ChildProcess: ProcessHandle {}
