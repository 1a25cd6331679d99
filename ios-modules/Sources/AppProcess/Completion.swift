internal import Dispatch
internal import Synchronization

/// A completion handler that app code must call exactly once. Violations are reported to the device.
public final class Completion<Value: Sendable>: Sendable {
  private let name: String
  private let fallback: Value
  private let handler: Mutex<(@Sendable (Value) -> Void)?>

  /// Creates a completion handler.
  ///
  /// - Parameters:
  ///   - name: The name of the delegate's method, for reports.
  ///   - fallback: The answer if the app releases the handler without a call.
  public init(
    of name: String, orElse fallback: Value, _ handler: @escaping @Sendable (Value) -> Void
  ) {
    self.name = name
    self.fallback = fallback
    self.handler = Mutex(handler)
    DispatchQueue.global().asyncAfter(deadline: .now() + 5) { [weak self] in
      guard let self, self.handler.withLock({ $0 != nil }) else { return }
      AppProcess.current.log("`\(name)` has not called its completion handler for 5 seconds")
    }
  }

  /// Passes the app's answer to the device.
  public func callAsFunction(_ value: Value) {
    guard let handler = handler.withLock({ $0.take() }) else {
      return AppProcess.current.log("`\(name)` called its completion handler twice")
    }
    handler(value)
  }

  /// Discards the handler without a report. Used if the app does not implement the delegate's method, and other code
  /// answers instead.
  public func withdraw() { handler.withLock { $0 = nil } }

  deinit {
    guard let handler = handler.withLock({ $0.take() }) else { return }
    AppProcess.current.log("`\(name)` dropped its completion handler without calling it")
    handler(fallback)
  }
}
