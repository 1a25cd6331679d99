public import Dispatch
internal import SluiceKit

/// A dispatch queue whose work runs under the thread identity under which it was dispatched.
///
/// On iOS the Intune App SDK intercepts Dispatch, and every queue does so (Intune App SDK for iOS, stage 5, "Thread queues"). Here
/// nothing is intercepted: work on a plain `DispatchQueue` runs under no identity, or where Dispatch runs
/// it on the dispatching thread itself, as with `sync`, under the identity of that thread.
///
/// The identity is taken when the work is handed over, and the thread has its own again when the work ends.
/// Work may set another for a scope (`IntuneMAMSwiftContextManager`).
public struct IdentityDispatchQueue: Sendable {
  /// The dispatch queue, for every call that takes no work.
  public let queue: DispatchQueue

  /// Wraps a dispatch queue. Several wrappers may share one.
  public init(_ queue: DispatchQueue) { self.queue = queue }

  /// Makes a queue, as `DispatchQueue` does.
  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
    autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit,
    target: DispatchQueue? = nil
  ) {
    queue = DispatchQueue(
      label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency,
      target: target)
  }

  /// The main queue, which runs nothing while `Application.run()` occupies the main thread; `ApplicationRemote` is
  /// the way back to that thread.
  public static var main: IdentityDispatchQueue { IdentityDispatchQueue(.main) }

  /// The global queue of a quality of service.
  public static func global(
    qos: DispatchQoS.QoSClass = .default
  ) -> IdentityDispatchQueue {
    IdentityDispatchQueue(.global(qos: qos))
  }

  /// The label of the dispatch queue.
  public var label: String { queue.label }

  /// Runs `work` on the queue, under the thread identity of the caller.
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    queue.async(group: group, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` on the queue after `deadline`, under the thread identity of the caller.
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` on the queue after `wallDeadline`, under the thread identity of the caller.
  public func asyncAfter(
    wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(
      wallDeadline: wallDeadline, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` under the thread identity of the caller, waits for it, and returns its value.
  ///
  /// - Throws: the error of `work`.
  public func sync<Value, Failure>(
    flags: DispatchWorkItemFlags = [], execute work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // Most queues run it on this very thread; a main queue that has a thread runs it there.
    let identity = ThreadIdentity.current
    return try queue.sync(flags: flags) {
      Result { () throws(Failure) -> Value in try identity.scope(work) }
    }.get()
  }

  /// Calls `work` with the numbers below `iterations`, on several threads at once, and waits for all calls.
  public static func concurrentPerform(
    iterations: Int, execute work: @Sendable (Int) -> Void
  ) {
    let identity = ThreadIdentity.current
    DispatchQueue.concurrentPerform(iterations: iterations) { number in
      identity.scope { work(number) }
    }
  }
}

/// Work items run under their creator's identity, whichever thread dispatches them.
extension IdentityDispatchQueue {
  /// Runs `item` on the queue.
  public func async(execute item: IdentityDispatchWorkItem) {
    queue.async(execute: item.workItem)
  }

  /// Runs `item` on the queue as part of `group`.
  public func async(group: DispatchGroup, execute item: IdentityDispatchWorkItem) {
    queue.async(group: group, execute: item.workItem)
  }

  /// Runs `item` on the queue after `deadline`.
  public func asyncAfter(deadline: DispatchTime, execute item: IdentityDispatchWorkItem) {
    queue.asyncAfter(deadline: deadline, execute: item.workItem)
  }

  /// Runs `item` on the queue after `wallDeadline`.
  public func asyncAfter(wallDeadline: DispatchWallTime, execute item: IdentityDispatchWorkItem) {
    queue.asyncAfter(wallDeadline: wallDeadline, execute: item.workItem)
  }

  /// Runs `item` on the queue and waits for it.
  public func sync(execute item: IdentityDispatchWorkItem) {
    queue.sync(execute: item.workItem)
  }
}

/// A dispatch work item that runs under the thread identity of its creator, not under that of the thread that
/// dispatches it (Intune App SDK for iOS, stage 5, "Thread queues").
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

extension DispatchGroup {
  /// Runs `work` when the group is empty, under the thread identity of the caller.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` when the group is empty, under the identity of the item's creator.
  public func notify(queue: IdentityDispatchQueue, work item: IdentityDispatchWorkItem) {
    notify(queue: queue.queue, work: item.workItem)
  }
}

/// Returns a function that calls `body` under the thread identity which is current now, wherever and whenever it is
/// called, and then restores the identity that it found.
///
/// For callers without a counterpart in this module: threads, timers, dispatch sources, handlers of libraries.
///
/// ```swift
/// Thread.detachNewThread(carryingIdentity { archive(notes) })
/// ```
public func carryingIdentity<each Argument, Value>(
  _ body: @escaping @Sendable (repeat each Argument) -> Value
) -> @Sendable (repeat each Argument) -> Value {
  let identity = ThreadIdentity.current
  return { (argument: repeat each Argument) in
    identity.scope { body(repeat each argument) }
  }
}
