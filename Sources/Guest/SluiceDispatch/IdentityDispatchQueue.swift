public import Dispatch
internal import SluiceKit

/// A dispatch queue whose work runs under the thread identity of who dispatched it.
///
/// On iOS the Intune App SDK intercepts Dispatch, and every queue does so (seed 001, "Thread queues"). Here
/// nothing is intercepted: what goes to a plain `DispatchQueue` runs under no identity, or where Dispatch runs
/// it on the dispatching thread itself, as with `sync`, under that thread's.
///
/// The identity is taken when the work is handed over, and the thread has its own again when the work ends.
/// Work may set another for a scope (`IntuneMAMSwiftContextManager`).
public struct IdentityDispatchQueue: Sendable {
  /// The queue itself, for everything that takes no work.
  public let queue: DispatchQueue

  /// Puts work in that queue. Several of these may share one.
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

  /// The main queue, which runs nothing while `Application.run()` has the main thread; `ApplicationRemote` is
  /// the way back to that.
  public static var main: IdentityDispatchQueue { IdentityDispatchQueue(.main) }

  public static func global(
    qos: DispatchQoS.QoSClass = .default
  ) -> IdentityDispatchQueue {
    IdentityDispatchQueue(.global(qos: qos))
  }

  public var label: String { queue.label }

  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    queue.async(group: group, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  public func asyncAfter(
    wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(
      wallDeadline: wallDeadline, qos: qos, flags: flags, execute: carryingIdentity(work))
  }

  /// Runs `work` and waits for it. Its value or error is that of this call.
  public func sync<Value, Failure>(
    flags: DispatchWorkItemFlags = [], execute work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // Most queues run it on this very thread; a main queue that has a thread runs it there.
    let identity = ThreadIdentity.current
    return try queue.sync(flags: flags) {
      Result { () throws(Failure) -> Value in try identity.scope(work) }
    }.get()
  }

  /// Calls `work` with the numbers below `iterations`, on several threads at once, and waits for all.
  public static func concurrentPerform(
    iterations: Int, execute work: @Sendable (Int) -> Void
  ) {
    let identity = ThreadIdentity.current
    DispatchQueue.concurrentPerform(iterations: iterations) { number in
      identity.scope { work(number) }
    }
  }
}

/// Work items run under their creator's identity, whoever dispatches them.
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

  public func sync(execute item: IdentityDispatchWorkItem) {
    queue.sync(execute: item.workItem)
  }
}
