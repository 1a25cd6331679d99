public import Foundation

/// An operation queue whose operations run under the thread identity under which they were added (seed 001, "Thread
/// queues").
///
/// It takes only operations that can carry an identity, ``CarriesIdentity``: nothing on Linux lets a queue
/// set one for a plain `BlockOperation`.
public struct IdentityOperationQueue: Sendable {
  /// The operation queue, for every call that adds nothing.
  public let queue: OperationQueue

  /// A new queue.
  public init() { self.init(OperationQueue()) }

  /// Wraps an operation queue. Several wrappers may share one.
  public init(_ queue: OperationQueue) { self.queue = queue }

  /// The main queue, which runs nothing while `Application.run()` occupies the main thread.
  public static var main: IdentityOperationQueue { IdentityOperationQueue(.main) }

  /// Adds an operation, which runs under the thread identity of the caller.
  public func addOperation(_ operation: any CarriesIdentity) {
    operation.addedIdentity.takeCurrent()
    queue.addOperation(operation)
  }

  /// Adds a block, which runs under the thread identity of the caller.
  public func addOperation(_ block: @escaping @Sendable () -> Void) {
    addOperation(IdentityBlockOperation(block: block))
  }

  /// Adds operations, which run under the thread identity of the caller.
  public func addOperations(_ operations: [any CarriesIdentity], waitUntilFinished: Bool) {
    for operation in operations { operation.addedIdentity.takeCurrent() }
    queue.addOperations(operations, waitUntilFinished: waitUntilFinished)
  }

  /// Adds a block that runs when all operations before it have ended, and before all after it.
  public func addBarrierBlock(_ block: @escaping @Sendable () -> Void) {
    queue.addBarrierBlock(carryingIdentity(block))
  }

  /// Cancels all operations.
  public func cancelAllOperations() { queue.cancelAllOperations() }

  /// Waits until all operations have ended.
  public func waitUntilAllOperationsAreFinished() { queue.waitUntilAllOperationsAreFinished() }

  /// The largest number of operations that run at once.
  public var maxConcurrentOperationCount: Int {
    get { queue.maxConcurrentOperationCount }
    nonmutating set { queue.maxConcurrentOperationCount = newValue }
  }

  /// Whether the queue starts no operations.
  public var isSuspended: Bool {
    get { queue.isSuspended }
    nonmutating set { queue.isSuspended = newValue }
  }
}
