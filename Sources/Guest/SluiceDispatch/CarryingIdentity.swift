internal import SluiceKit

/// Returns a function that calls `body` under the thread identity which is current now, wherever and whenever it is
/// called, and then restores the identity that it found.
///
/// For callers without a counterpart in this module: threads, timers, dispatch sources, handlers of libraries.
///
/// ```swift
/// Thread.detachNewThread(carryingIdentity { archive(notes) })
/// ```
public func carryingIdentity<each Argument, Value>(
  _ body: @escaping @Sendable (repeat each Argument) -> Value
) -> @Sendable (repeat each Argument) -> Value {
  let identity = ThreadIdentity.current
  return { (argument: repeat each Argument) in
    identity.scope { body(repeat each argument) }
  }
}
