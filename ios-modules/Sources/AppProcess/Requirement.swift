internal import Synchronization

/// Detects optional delegate requirements that the app does not implement.
///
/// The SDKs' protocols have optional requirements, which Swift supports only with Objective-C. In
/// these modules, each has a default implementation, which reports itself through
/// ``isMissing(in:)``.
public enum Requirement {
  @TaskLocal private static var call: Call?

  private final class Call: Sendable {
    let receiver: ObjectIdentifier?
    let isMissing = Mutex(false)

    init(_ receiver: ObjectIdentifier?) { self.receiver = receiver }
  }

  /// Calls a delegate's method, and returns whether the app implements it.
  ///
  /// - Parameter delegate: The delegate whose default implementation counts. Others do not count,
  ///   because the delegate may forward calls to an object without the method. If nil, any default
  ///   implementation counts.
  /// - Returns: false if only the default implementation ran.
  public static func isImplemented(
    by delegate: AnyObject? = nil, _ method: () -> Void
  ) -> Bool {
    let call = Call(delegate.map { ObjectIdentifier($0) })
    $call.withValue(call) { method() }
    return !call.isMissing.withLock { $0 }
  }

  /// Reports that the default implementation of `delegate` ran.
  public static func isMissing(in delegate: Any) {
    guard let call else { return }
    let receiver = ObjectIdentifier(delegate as AnyObject)
    guard call.receiver == nil || call.receiver == receiver else { return }
    call.isMissing.withLock { $0 = true }
  }

  /// Reports that there is no delegate to call.
  public static func isMissing() { call?.isMissing.withLock { $0 = true } }
}
