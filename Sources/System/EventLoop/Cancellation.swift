internal import Synchronization

/// Tells work on another thread that nobody wants it any more: see ``EventLoop/work(_:then:)``.
public final class Cancellation: Sendable {
  private let state = Atomic(false)

  public init() {}

  /// To be looked at by work that takes long, again and again.
  public var isCancelled: Bool { state.load(ordering: .relaxed) }

  /// What has not ended yet may end where it is.
  public func cancel() { state.store(true, ordering: .relaxed) }
}
