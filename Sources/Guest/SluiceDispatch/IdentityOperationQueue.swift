public import Foundation

/// An operation queue whose operations run under the thread identity of who added them (seed 001, "Thread
/// queues").
///
/// It takes only operations that can carry an identity, ``CarriesIdentity``: nothing on Linux lets a queue
/// set one for a plain `BlockOperation`.
public struct IdentityOperationQueue: Sendable {
  /// The queue itself, for everything that adds nothing.
  public let queue: OperationQueue

  /// A queue of its own.
  public init() { self.init(OperationQueue()) }

  /// Adds operations to that queue. Several of these may share one.
  public init(_ queue: OperationQueue) { self.queue = queue }

  /// The main queue, which runs nothing while `Application.run()` has the main thread.
  public static var main: IdentityOperationQueue { IdentityOperationQueue(.main) }

  public func addOperation(_ operation: any CarriesIdentity) {
    operation.addedIdentity.takeCurrent()
    queue.addOperation(operation)
  }

  public func addOperation(_ block: @escaping @Sendable () -> Void) {
    addOperation(IdentityBlockOperation(block: block))
  }

  public func addOperations(_ operations: [any CarriesIdentity], waitUntilFinished: Bool) {
    for operation in operations { operation.addedIdentity.takeCurrent() }
    queue.addOperations(operations, waitUntilFinished: waitUntilFinished)
  }

  /// Adds a block that runs when all before it have ended, and before all after it.
  public func addBarrierBlock(_ block: @escaping @Sendable () -> Void) {
    queue.addBarrierBlock(carryingIdentity(block))
  }

  public func cancelAllOperations() { queue.cancelAllOperations() }

  public func waitUntilAllOperationsAreFinished() { queue.waitUntilAllOperationsAreFinished() }

  /// How many operations run at once.
  public var maxConcurrentOperationCount: Int {
    get { queue.maxConcurrentOperationCount }
    nonmutating set { queue.maxConcurrentOperationCount = newValue }
  }

  public var isSuspended: Bool {
    get { queue.isSuspended }
    nonmutating set { queue.isSuspended = newValue }
  }
}
