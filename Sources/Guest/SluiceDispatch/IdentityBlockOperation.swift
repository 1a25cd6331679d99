public import Foundation

/// A block operation that runs under the thread identity of who added it to an ``IdentityOperationQueue``,
/// not of who made it.
public final class IdentityBlockOperation: BlockOperation, CarriesIdentity, @unchecked Sendable {
  public let addedIdentity = AddedIdentity()

  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    addExecutionBlock(block)
  }

  /// Adds another block, which may run at the same time on another thread, under the same identity.
  public override func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    super.addExecutionBlock { [addedIdentity] in addedIdentity.scope(block) }
  }
}
