public import Foundation

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
