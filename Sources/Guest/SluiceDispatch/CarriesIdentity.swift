public import Foundation

/// An operation that ``IdentityOperationQueue`` takes: ``IdentityOperation`` or ``IdentityBlockOperation``.
public protocol CarriesIdentity: Foundation.Operation {
  /// The thread identity of who added the operation to its queue.
  var addedIdentity: AddedIdentity { get }
}

extension CarriesIdentity {
  /// Runs `body` under the thread identity of who added this operation. Where nobody has added it, and
  /// it was started by hand, that is the present one.
  public func withIdentityOfAdder<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try addedIdentity.scope(body)
  }
}
