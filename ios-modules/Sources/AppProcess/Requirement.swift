internal import Synchronization

/// Whether the app implements an optional requirement of a delegate's protocol.
///
/// The protocols of the SDKs have optional requirements, which Swift has only with Objective-C. Here each has a default
/// implementation, which says that it is one.
public enum Requirement {
  @TaskLocal private static var call: Call?

  private final class Call: Sendable {
    let receiver: ObjectIdentifier?
    let isMissing = Mutex(false)

    init(_ receiver: ObjectIdentifier?) { self.receiver = receiver }
  }

  /// Calls a delegate's method.
  ///
  /// - Parameter delegate: the delegate, whose default alone counts: it may well pass a call on to another, which has
  ///   only the default. nil: any counts.
  /// - Returns: false where the app does not implement it: only the default has run.
  public static func isImplemented(
    by delegate: AnyObject? = nil, _ method: () -> Void
  ) -> Bool {
    let call = Call(delegate.map { ObjectIdentifier($0) })
    $call.withValue(call) { method() }
    return !call.isMissing.withLock { $0 }
  }

  /// Says that a default implementation of `delegate` runs.
  public static func isMissing(in delegate: Any) {
    guard let call else { return }
    let receiver = ObjectIdentifier(delegate as AnyObject)
    guard call.receiver == nil || call.receiver == receiver else { return }
    call.isMissing.withLock { $0 = true }
  }

  /// Says that there is no delegate to call.
  public static func isMissing() { call?.isMissing.withLock { $0 = true } }
}
