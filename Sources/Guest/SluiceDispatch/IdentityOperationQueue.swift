public import Foundation
internal import SluiceKit
internal import Synchronization

/// An operation queue whose operations run under the thread identity under which they were added (Intune App SDK for iOS, stage 5, "Thread
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

/// An operation that ``IdentityOperationQueue`` takes: ``IdentityOperation`` or ``IdentityBlockOperation``.
public protocol CarriesIdentity: Foundation.Operation {
  /// The thread identity under which the operation was added to its queue.
  var addedIdentity: AddedIdentity { get }
}

extension CarriesIdentity {
  /// Runs `body` under the thread identity under which this operation was added to a queue. Where it was not added, but
  /// started by hand, that is the present identity.
  ///
  /// - Throws: the error of `body`.
  public func withIdentityOfAdder<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try addedIdentity.scope(body)
  }
}

/// An operation that runs under the thread identity under which it was added to an ``IdentityOperationQueue``.
///
/// To be subclassed as `Operation` is: `main()` runs under the identity. A subclass that overrides `start()`, for an
/// operation that goes on after it, reaches the identity with ``CarriesIdentity/withIdentityOfAdder(_:)``.
open class IdentityOperation: Foundation.Operation, CarriesIdentity, @unchecked Sendable {
  public let addedIdentity = AddedIdentity()

  open override func start() {
    withIdentityOfAdder { super.start() }
  }
}

/// A block operation that runs under the thread identity under which it was added to an ``IdentityOperationQueue``,
/// not under that of its creator.
public final class IdentityBlockOperation: BlockOperation, CarriesIdentity, @unchecked Sendable {
  public let addedIdentity = AddedIdentity()

  /// Makes an operation of one block.
  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    addExecutionBlock(block)
  }

  /// Adds another block, which may run at the same time on another thread, under the same identity.
  public override func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    super.addExecutionBlock { [addedIdentity] in addedIdentity.scope(block) }
  }
}

/// The thread identity under which an operation was added to its queue.
public final class AddedIdentity: Sendable {
  /// The identity; nil where the operation has not been added yet.
  private let identity = Mutex<ThreadIdentity?>(nil)

  fileprivate init() {}

  fileprivate func takeCurrent() {
    let current = ThreadIdentity.current
    identity.withLock { $0 = current }
  }

  fileprivate func scope<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure)
    -> Value
  {
    let identity = identity.withLock { $0 } ?? .current
    return try identity.scope(body)
  }
}
