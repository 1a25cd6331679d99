public import Dispatch

/// A dispatch work item that runs under the thread identity of its creator, not under that of the thread that
/// dispatches it (seed 001, "Thread queues").
public final class IdentityDispatchWorkItem: @unchecked Sendable {
  /// The dispatch work item. Plain queues run it under its creator's identity, too.
  public let workItem: DispatchWorkItem

  /// Makes an item that runs `block` under the present thread identity.
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @Sendable () -> Void
  ) {
    workItem = DispatchWorkItem(qos: qos, flags: flags, block: carryingIdentity(block))
  }

  /// Runs the item now, on this thread.
  public func perform() { workItem.perform() }

  /// Waits until the item has run.
  public func wait() { workItem.wait() }

  /// Waits until the item has run, or `timeout` has passed.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    workItem.wait(timeout: timeout)
  }

  /// Waits until the item has run, or `wallTimeout` has passed.
  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    workItem.wait(wallTimeout: wallTimeout)
  }

  /// Keeps the item from running, where it has not begun.
  public func cancel() { workItem.cancel() }

  /// Whether the item was cancelled.
  public var isCancelled: Bool { workItem.isCancelled }

  /// Runs `work` when this item has run or was cancelled, under the identity of the caller.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    workItem.notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` when this item has run or was cancelled.
  public func notify(queue: IdentityDispatchQueue, execute item: IdentityDispatchWorkItem) {
    workItem.notify(queue: queue.queue, execute: item.workItem)
  }
}
