internal import Synchronization

/// Detects optional methods of a delegate that the app does not implement.
///
/// The SDKs' protocols have optional methods, which Swift supports only with Objective-C. In these
/// modules, each optional method has a default implementation, which calls ``isMissing(in:)``.
public enum Requirement {
  @TaskLocal private static var call: Call?

  private final class Call: Sendable {
    let receiver: ObjectIdentifier?
    let isMissing = Mutex(false)

    init(_ receiver: ObjectIdentifier?) { self.receiver = receiver }
  }

  /// Calls a delegate's method, and returns whether the app implements it.
  ///
  /// - Parameter delegate: The delegate. It may forward the call to an object that lacks the
  ///   method, so only its own default implementation counts. If nil, the default implementation of
  ///   any object counts.
  /// - Returns: false if the default implementation ran.
  public static func isImplemented(
    by delegate: AnyObject? = nil, _ method: () -> Void
  ) -> Bool {
    let call = Call(delegate.map { ObjectIdentifier($0) })
    $call.withValue(call) { method() }
    return !call.isMissing.withLock { $0 }
  }

  /// Records, for the current call of ``isImplemented(by:_:)``, that the default implementation of
  /// `delegate` ran.
  public static func isMissing(in delegate: Any) {
    guard let call else { return }
    let receiver = ObjectIdentifier(delegate as AnyObject)
    guard call.receiver == nil || call.receiver == receiver else { return }
    call.isMissing.withLock { $0 = true }
  }

  /// Makes the current call of ``isImplemented(by:_:)`` return false, because no delegate is set.
  public static func isMissing() { call?.isMissing.withLock { $0 = true } }
}
