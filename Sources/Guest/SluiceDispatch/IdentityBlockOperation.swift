public import Foundation

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
