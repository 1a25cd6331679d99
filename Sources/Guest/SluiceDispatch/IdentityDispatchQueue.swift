public import Dispatch
internal import SluiceKit

/// A dispatch queue whose work runs under the thread identity under which it was dispatched.
///
/// On iOS the Intune App SDK intercepts Dispatch, and every queue does so (seed 001, "Thread queues"). Here
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
