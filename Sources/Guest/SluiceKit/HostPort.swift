internal import Wire

/// The way to the host: the connection of this process, or the memory of a test.
protocol HostPort: AnyObject {
  /// Says something that wants no answer.
  func send(_ body: GuestMessage.Body)

  /// - Parameter task: for whom it is asked; nil: for whom the process acts.
  /// - Returns: the number of the request.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64

  /// Confirms what has just arrived only once the result is called.
  func postponeAcknowledgement() -> () -> Void

  /// Runs `body` on a thread of its own, and then `finish` with its value on this one.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void)
}

extension HostPort {
  /// The same for whom the present thread acts, where it says so.
  ///
  /// - Parameter window: the window that the task belongs to; nil: the one in front.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, in window: String? = nil,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    let task = TaskContext(thread: ThreadIdentity.current.accountID, window: window ?? "")
    return request(body, as: task.isEmpty ? nil : task, completion)
  }
}

extension TaskContext {
  /// For whom the present thread acts, where it says so.
  static var present: TaskContext? {
    ThreadIdentity.current.accountID.map { TaskContext(thread: $0) }
  }
}
