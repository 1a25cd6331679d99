public import Dispatch
internal import SluiceKit

/// A dispatch queue whose work runs with the thread identity of the code that dispatched it.
///
/// On iOS, the Intune App SDK intercepts Dispatch, so every queue behaves this way (Intune App SDK
/// for iOS, stage 5, "Thread queues"). Sluice intercepts nothing: work on a plain `DispatchQueue`
/// has no identity, unless Dispatch runs it on the dispatching thread, as with `sync`.
///
/// The identity is captured when the work is dispatched. The thread's own identity is restored when
/// the work ends. Work may set another identity for a scope (`IntuneMAMSwiftContextManager`).
public struct IdentityDispatchQueue: Sendable {
  /// The wrapped queue, for calls that do not dispatch work.
  public let queue: DispatchQueue

  /// Wraps a dispatch queue. Several wrappers may share one queue.
  public init(_ queue: DispatchQueue) { self.queue = queue }

  /// Creates a queue, like the initializer of `DispatchQueue`.
  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
    autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit,
    target: DispatchQueue? = nil
  ) {
    queue = DispatchQueue(
      label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency,
      target: target)
  }

  /// The main queue. It runs no work while `Application.run()` occupies the main thread; use
  /// `ApplicationRemote` to reach that thread.
  public static var main: IdentityDispatchQueue { IdentityDispatchQueue(.main) }

  public static func global(
    qos: DispatchQoS.QoSClass = .default
  ) -> IdentityDispatchQueue {
    IdentityDispatchQueue(.global(qos: qos))
  }

  public var label: String { queue.label }

  /// Runs `work` on the queue with the caller's thread identity.
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    queue.async(group: group, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` on the queue after `deadline`, with the caller's thread identity.
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` on the queue after `wallDeadline`, with the caller's thread identity.
  public func asyncAfter(
    wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(
      wallDeadline: wallDeadline, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` with the caller's thread identity, waits for it, and returns its value.
  ///
  /// - Throws: The error of `work`.
  public func sync<Value, Failure>(
    flags: DispatchWorkItemFlags = [], execute work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // Most queues run the work on this thread, but the main queue runs it on the main thread.
    let identity = ThreadIdentity.current
    return try queue.sync(flags: flags) {
      Result { () throws(Failure) -> Value in try identity.scope(work) }
    }.get()
  }

  /// Calls `work` in parallel with each number from 0 to `iterations - 1`, under the caller's
  /// thread identity. Returns when all calls have ended.
  public static func concurrentPerform(
    iterations: Int, execute work: @Sendable (Int) -> Void
  ) {
    let identity = ThreadIdentity.current
    DispatchQueue.concurrentPerform(iterations: iterations) { number in
      identity.scope { work(number) }
    }
  }
}

/// Dispatches work items. An item runs with its creator's identity, whichever thread dispatches it.
extension IdentityDispatchQueue {
  public func async(execute item: IdentityDispatchWorkItem) {
    queue.async(execute: item.workItem)
  }

  public func async(group: DispatchGroup, execute item: IdentityDispatchWorkItem) {
    queue.async(group: group, execute: item.workItem)
  }

  public func asyncAfter(deadline: DispatchTime, execute item: IdentityDispatchWorkItem) {
    queue.asyncAfter(deadline: deadline, execute: item.workItem)
  }

  public func asyncAfter(wallDeadline: DispatchWallTime, execute item: IdentityDispatchWorkItem) {
    queue.asyncAfter(wallDeadline: wallDeadline, execute: item.workItem)
  }

  /// Runs `item` on the queue and waits for it.
  public func sync(execute item: IdentityDispatchWorkItem) {
    queue.sync(execute: item.workItem)
  }
}

/// A dispatch work item that runs with the thread identity of its creator (Intune App SDK for iOS, stage 5,
/// "Thread queues").
public final class IdentityDispatchWorkItem: @unchecked Sendable {
  /// The wrapped work item. It also runs with its creator's identity on plain queues.
  public let workItem: DispatchWorkItem

  /// Creates an item that runs `block` with the current thread identity.
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @Sendable () -> Void
  ) {
    workItem = DispatchWorkItem(qos: qos, flags: flags, block: carryingIdentity(block))
  }

  /// Runs the item synchronously on this thread.
  public func perform() { workItem.perform() }

  public func wait() { workItem.wait() }

  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    workItem.wait(timeout: timeout)
  }

  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    workItem.wait(wallTimeout: wallTimeout)
  }

  /// Cancels the item if it has not started.
  public func cancel() { workItem.cancel() }

  public var isCancelled: Bool { workItem.isCancelled }

  /// Runs `work` with the caller's thread identity after this item has run or been cancelled.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    workItem.notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` after this item has run or been cancelled.
  public func notify(queue: IdentityDispatchQueue, execute item: IdentityDispatchWorkItem) {
    workItem.notify(queue: queue.queue, execute: item.workItem)
  }
}

extension DispatchGroup {
  /// Runs `work` with the caller's thread identity once the group is empty.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` with its creator's identity once the group is empty.
  public func notify(queue: IdentityDispatchQueue, work item: IdentityDispatchWorkItem) {
    notify(queue: queue.queue, work: item.workItem)
  }
}

/// Returns a function that calls `body` with the identity that the current thread has now, not the one that it has at
/// the call.
///
/// After each call, the returned function restores its caller's identity. Use it with APIs that have no counterpart in
/// this module: threads, timers, dispatch sources and library handlers.
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
