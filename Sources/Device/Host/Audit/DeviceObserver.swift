public import Model

/// Callbacks for what happens on a device.
public struct DeviceObserver {
  /// Called when a request was decided, with the name of the guest that made it.
  public var onDecision: (_ requester: String, RequestDecision) -> Void
  /// Called when a request has ended, with the status that the guest gets with the outcome.
  public var onEnd: (_ request: Int, RequestEnd, _ status: Int) -> Void
  /// Called for an item that goes to the receiver of a request that was decided and has not ended: the item as it was
  /// sent, even where the receiver gets ciphertext.
  public var onItem: ((_ request: Int, Item) -> Void)?
  /// Called when a guest wrote something to its log, its standard output or its standard error.
  public var onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)?
  /// Called when a guest has ended.
  public var onExit: ((_ guest: String, ExitCause) -> Void)?

  /// Creates an observer; a callback that is nil is not called.
  public init(
    onDecision: @escaping (_ requester: String, RequestDecision) -> Void,
    onEnd: @escaping (_ request: Int, RequestEnd, _ status: Int) -> Void,
    onItem: ((_ request: Int, Item) -> Void)? = nil,
    onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)? = nil,
    onExit: ((_ guest: String, ExitCause) -> Void)? = nil
  ) {
    self.onDecision = onDecision
    self.onEnd = onEnd
    self.onItem = onItem
    self.onOutput = onOutput
    self.onExit = onExit
  }
}

/// Output of a guest.
public enum GuestWriting: Sendable, Equatable {
  /// Lines of the guest's log.
  case log(String)
  /// Part of the guest's standard output or standard error, which may end anywhere in a line.
  case stream(String)

  /// What was written, as a part of what a guest writes.
  public var text: String {
    switch self {
    case .log(let lines): lines + "\n"
    case .stream(let part): part
    }
  }
}
