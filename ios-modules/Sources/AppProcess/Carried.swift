internal import Dispatch
internal import Synchronization

/// A closure or object of the app that passes through the connection's thread to another thread.
///
/// The connection's thread must never release the last reference, because a deinitializer may run app code. A value
/// that was not taken is therefore released on a background thread.
public final class Carried<Value>: @unchecked Sendable {
  private var value: Value?
  private let lock = Mutex(())

  public init(_ value: Value) { self.value = value }

  /// Takes the value. Returns nil if it has already been taken.
  public func take() -> Value? {
    lock.withLock { _ in
      defer { value = nil }
      return value
    }
  }

  deinit {
    guard let value = take() else { return }
    let left = Left(value: value)
    DispatchQueue.global().async { _ = left }
  }

  private struct Left: @unchecked Sendable {
    let value: Value
  }
}
