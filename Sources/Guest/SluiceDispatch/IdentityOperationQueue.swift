public import Foundation
internal import SluiceKit
internal import Synchronization

/// An operation queue whose operations run with the thread identity of the code that added them (Intune App
/// SDK for iOS, stage 5, "Thread queues").
///
/// It accepts only ``CarriesIdentity`` operations, because on Linux a queue cannot set an identity for a
/// plain `BlockOperation`.
public struct IdentityOperationQueue: Sendable {
  /// The wrapped queue, for calls that do not add work.
  public let queue: OperationQueue

  public init() { self.init(OperationQueue()) }

  /// Wraps an operation queue. Several wrappers may share one queue.
  public init(_ queue: OperationQueue) { self.queue = queue }

  /// The main queue. It runs no operations while `Application.run()` occupies the main thread.
  public static var main: IdentityOperationQueue { IdentityOperationQueue(.main) }

  /// Adds an operation, which runs with the caller's thread identity.
  public func addOperation(_ operation: any CarriesIdentity) {
    operation.addedIdentity.takeCurrent()
    queue.addOperation(operation)
  }

  /// Adds a block, which runs with the caller's thread identity.
  public func addOperation(_ block: @escaping @Sendable () -> Void) {
    addOperation(IdentityBlockOperation(block: block))
  }

  /// Adds operations, which run with the caller's thread identity.
  public func addOperations(_ operations: [any CarriesIdentity], waitUntilFinished: Bool) {
    for operation in operations { operation.addedIdentity.takeCurrent() }
    queue.addOperations(operations, waitUntilFinished: waitUntilFinished)
  }

  /// Adds a block, which runs with the caller's thread identity. It runs after all earlier
  /// operations have finished, and before any later operation starts.
  public func addBarrierBlock(_ block: @escaping @Sendable () -> Void) {
    queue.addBarrierBlock(carryingIdentity(block))
  }

  public func cancelAllOperations() { queue.cancelAllOperations() }

  public func waitUntilAllOperationsAreFinished() { queue.waitUntilAllOperationsAreFinished() }

  public var maxConcurrentOperationCount: Int {
    get { queue.maxConcurrentOperationCount }
    nonmutating set { queue.maxConcurrentOperationCount = newValue }
  }

  public var isSuspended: Bool {
    get { queue.isSuspended }
    nonmutating set { queue.isSuspended = newValue }
  }
}

/// An operation for an ``IdentityOperationQueue``: ``IdentityOperation`` or ``IdentityBlockOperation``.
public protocol CarriesIdentity: Foundation.Operation {
  /// The thread identity of the code that added the operation to its queue.
  var addedIdentity: AddedIdentity { get }
}

extension CarriesIdentity {
  /// Runs `body` with the thread identity of the code that added this operation to a queue.
  ///
  /// If the operation was started directly, `body` runs with the current identity.
  ///
  /// - Throws: The error of `body`.
  public func withIdentityOfAdder<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try addedIdentity.scope(body)
  }
}

/// An operation that runs with the thread identity of the code that added it to an
/// ``IdentityOperationQueue``.
///
/// Subclass it like `Operation`: `main()` runs with the identity. If the work continues after
/// `start()`, the subclass overrides `start()` and gets the identity from
/// ``CarriesIdentity/withIdentityOfAdder(_:)``.
open class IdentityOperation: Foundation.Operation, CarriesIdentity, @unchecked Sendable {
  public let addedIdentity = AddedIdentity()

  open override func start() {
    withIdentityOfAdder { super.start() }
  }
}

/// A block operation that runs with the thread identity of the code that added it to an ``IdentityOperationQueue``.
///
/// The identity of the code that created the operation is not used.
public final class IdentityBlockOperation: BlockOperation, CarriesIdentity, @unchecked Sendable {
  public let addedIdentity = AddedIdentity()

  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    addExecutionBlock(block)
  }

  /// Adds a block, which may run concurrently on another thread. It has the same thread identity as the operation.
  public override func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    super.addExecutionBlock { [addedIdentity] in addedIdentity.scope(block) }
  }
}

/// The thread identity of the code that added an operation to its queue.
public final class AddedIdentity: Sendable {
  /// Nil before the operation is added.
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
