public import Dispatch

/// A dispatch work item that runs under the thread identity of who created it, not of who dispatches it
/// (seed 001, "Thread queues").
public final class IdentityDispatchWorkItem: @unchecked Sendable {
  /// The item itself. Plain queues run it under its creator's identity, too.
  public let workItem: DispatchWorkItem

  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @Sendable () -> Void
  ) {
    workItem = DispatchWorkItem(qos: qos, flags: flags, block: carryingIdentity(block))
  }

  /// Runs it now, on this thread.
  public func perform() { workItem.perform() }

  /// Waits until it has run.
  public func wait() { workItem.wait() }

  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    workItem.wait(timeout: timeout)
  }

  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    workItem.wait(wallTimeout: wallTimeout)
  }

  /// Keeps it from running, where it has not begun.
  public func cancel() { workItem.cancel() }

  public var isCancelled: Bool { workItem.isCancelled }

  /// Runs `work` when this has run or was cancelled, under the identity of who calls this.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    workItem.notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` when this has run or was cancelled.
  public func notify(queue: IdentityDispatchQueue, execute item: IdentityDispatchWorkItem) {
    workItem.notify(queue: queue.queue, execute: item.workItem)
  }
}
