internal import Wire

/// The connection to the host: the pipe of this process, or an in-memory stand-in for tests.
protocol HostPort: AnyObject {
  /// Sends a message that wants no answer.
  func send(_ body: GuestMessage.Body)

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - task: the identity that the task acts for; nil for the one that the process acts for.
  ///   - sources: numbers of the items that what the request moves was made of.
  /// - Returns: the number of the request.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64],
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64

  /// Confirms the present delivery only once the returned function is called.
  func postponeAcknowledgement() -> () -> Void

  /// Runs `body` on a thread of its own, and then `finish` with its value on this one.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void)
}

extension HostPort {
  /// Sends a request that moves nothing that was made of other items, as far as is known.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 { request(body, as: task, madeOf: [], completion) }

  /// Sends a request under the identity of the present thread, where it has one.
  ///
  /// - Parameter window: the window that the task belongs to; nil for the one in front.
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
  /// The context of the present thread's identity; nil where the thread has none.
  static var present: TaskContext? {
    ThreadIdentity.current.accountID.map { TaskContext(thread: $0) }
  }
}
