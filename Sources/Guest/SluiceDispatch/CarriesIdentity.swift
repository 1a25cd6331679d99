public import Foundation

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
