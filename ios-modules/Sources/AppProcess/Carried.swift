internal import Dispatch
internal import Synchronization

/// A closure or an object of the app's that the connection's thread carries to the thread that uses it.
///
/// The connection's thread never has the last reference: what is released may run code of the app's.
public final class Carried<Value>: @unchecked Sendable {
  private var value: Value?
  private let lock = Mutex(())

  public init(_ value: Value) { self.value = value }

  /// Takes the value out; nil where somebody has.
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
