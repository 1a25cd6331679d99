public import Model

/// What happens on a device, for those who watch.
public struct DeviceObserver {
  /// A request was decided; the guest is the one that made it.
  public var onDecision: (_ requester: String, RequestDecision) -> Void
  /// A request ended, and the guest gets this status with the outcome.
  public var onEnd: (_ request: Int, RequestEnd, _ status: Int) -> Void
  /// An item goes to the receiver of a request that was decided and has not ended: as it was sent, also where the
  /// receiver gets ciphertext.
  public var onItem: ((_ request: Int, Item) -> Void)?
  /// A guest wrote something to its log or its standard error.
  public var onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)?

  public init(
    onDecision: @escaping (_ requester: String, RequestDecision) -> Void,
    onEnd: @escaping (_ request: Int, RequestEnd, _ status: Int) -> Void,
    onItem: ((_ request: Int, Item) -> Void)? = nil,
    onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)? = nil
  ) {
    self.onDecision = onDecision
    self.onEnd = onEnd
    self.onItem = onItem
    self.onOutput = onOutput
  }
}

/// What a guest wrote.
public enum GuestWriting: Sendable, Equatable {
  /// Lines of its log.
  case log(String)
  /// Some of its standard output or standard error, which may end anywhere in a line.
  case stream(String)
}
