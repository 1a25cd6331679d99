internal import SluiceKit

/// A function of the connection's thread, to be called once, that any thread may have called.
final class Answer<Value: Sendable>: @unchecked Sendable {
  /// Of the connection's thread; nil once it has been called.
  private var body: ((Value) -> Void)?

  init(_ body: @escaping (Value) -> Void) { self.body = body }

  /// Calls the function soon; only the first call counts.
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
