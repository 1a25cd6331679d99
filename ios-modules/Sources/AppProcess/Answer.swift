internal import SluiceKit

/// A callback that runs on the connection's thread, at most once. Any thread may call it.
final class Answer<Value: Sendable>: @unchecked Sendable {
  /// The closure to call on the connection's thread; nil after it has been called.
  private var body: ((Value) -> Void)?

  init(_ body: @escaping (Value) -> Void) { self.body = body }

  /// Calls the callback on the connection's thread. Only the first call has an effect.
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
