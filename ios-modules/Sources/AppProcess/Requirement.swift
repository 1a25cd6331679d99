internal import Synchronization

/// Whether the app implements an optional requirement of a delegate's protocol.
///
/// The protocols of the SDKs have optional requirements, which Swift has only with Objective-C. Here each has a default
/// implementation, which says that it is one.
public enum Requirement {
  @TaskLocal private static var mark: Mark?

  private final class Mark: Sendable {
    let isMissing = Mutex(false)
  }

  /// Calls a delegate's method.
  ///
  /// - Returns: false where the app does not implement it: only the default has run.
  public static func isImplemented(_ call: () -> Void) -> Bool {
    let mark = Mark()
    $mark.withValue(mark) { call() }
    return !mark.isMissing.withLock { $0 }
  }

  /// Says that a default implementation runs.
  public static func isMissing() { mark?.isMissing.withLock { $0 = true } }
}
