internal import SluiceKit

/// A callback for the connection's thread, which any thread may invoke once.
final class Answer<Value: Sendable>: @unchecked Sendable {
  /// The closure to call on the connection's thread; nil after it has been called.
  private var body: ((Value) -> Void)?

  init(_ body: @escaping (Value) -> Void) { self.body = body }

  /// Schedules the callback. Only the first call has an effect.
  func give(_ value: Value) {
    AppProcess.current.tell { [self] _ in
      body?(value)
      body = nil
    }
  }
}

extension Answer<Void> {
  func give() { give(()) }
}
