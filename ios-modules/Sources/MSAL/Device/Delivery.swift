internal import AppProcess
internal import Dispatch

/// The thread or queue on which a completion block runs.
enum Delivery: Sendable {
  /// The block runs on the queue that the app has set.
  case queue(DispatchQueue)
  case main
  case background
  /// The block runs synchronously on the caller's thread.
  case caller

  /// Returns the delivery for interactive calls and sign-outs: the app's queue or, if none is set,
  /// the main thread.
  static func interactive(_ queue: DispatchQueue?) -> Delivery { queue.map { .queue($0) } ?? .main }

  /// Returns the delivery for silent calls: the app's queue or, if none is set, a background
  /// thread, because MSAL specifies no thread.
  static func silent(_ queue: DispatchQueue?) -> Delivery {
    queue.map { .queue($0) } ?? .background
  }

  /// Returns the delivery for calls that the cache answers: the app's queue or, if none is set, the
  /// caller's thread, as in MSAL without a broker.
  static func local(_ queue: DispatchQueue?) -> Delivery { queue.map { .queue($0) } ?? .caller }

  /// Runs a completion block.
  ///
  /// - Parameter name: The name of the call, for reports on slow blocks.
  func callAsFunction(_ name: String, _ block: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: block)
    case .main: Callback.onMain(name) { block() }
    case .caller: block()
    case .background: Callback.inBackground(name, block)
    }
  }
}
