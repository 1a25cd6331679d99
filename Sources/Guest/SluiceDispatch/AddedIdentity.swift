internal import SluiceKit
internal import Synchronization

/// The thread identity under which an operation was added to its queue.
public final class AddedIdentity: Sendable {
  /// The identity; nil where the operation has not been added yet.
  private let identity = Mutex<ThreadIdentity?>(nil)

  init() {}

  func takeCurrent() {
    let current = ThreadIdentity.current
    identity.withLock { $0 = current }
  }

  func scope<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let identity = identity.withLock { $0 } ?? .current
    return try identity.scope(body)
  }
}
