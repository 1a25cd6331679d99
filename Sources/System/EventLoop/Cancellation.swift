internal import Synchronization

/// Tells work on another thread that its result is no longer wanted: see ``EventLoop/work(_:then:)``.
public final class Cancellation: Sendable {
  private let state = Atomic(false)

  /// A cancellation that has not happened.
  public init() {}

  /// Whether the work was cancelled; long work looks at this again and again.
  public var isCancelled: Bool { state.load(ordering: .relaxed) }

  /// Cancels the work, which may end early if it has not ended yet.
  public func cancel() { state.store(true, ordering: .relaxed) }
}
