public import Foundation

/// An operation that runs under the thread identity of who added it to an ``IdentityOperationQueue``.
///
/// To be subclassed as `Operation` is: `main()` runs under the identity. Who overrides `start()`, for an
/// operation that goes on after it, reaches the identity with ``CarriesIdentity/withIdentityOfAdder(_:)``.
open class IdentityOperation: Foundation.Operation, CarriesIdentity, @unchecked Sendable {
  public let addedIdentity = AddedIdentity()

  open override func start() {
    withIdentityOfAdder { super.start() }
  }
}
