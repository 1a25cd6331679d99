internal import AppProcess
internal import Dispatch

/// The thread or queue on which a call's completion block runs.
enum Delivery: Sendable {
  /// The queue that the app has set.
  case queue(DispatchQueue)
  case main
  case background
  /// Synchronously, on the caller's thread.
  case caller

  /// Returns the delivery for interactive calls and sign-outs: the main thread if no queue is set.
  static func interactive(_ queue: DispatchQueue?) -> Delivery { queue.map { .queue($0) } ?? .main }

  /// Returns the delivery for silent calls: a background thread if no queue is set, because MSAL specifies no
  /// thread.
  static func silent(_ queue: DispatchQueue?) -> Delivery {
    queue.map { .queue($0) } ?? .background
  }

  /// Returns the delivery for calls answered by the cache: synchronous if no queue is set, like MSAL without a
  /// broker.
  static func local(_ queue: DispatchQueue?) -> Delivery { queue.map { .queue($0) } ?? .caller }

  /// - Parameter name: the name of the call, for reports of slow blocks.
  func callAsFunction(_ name: String, _ block: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: block)
    case .main: Callback.onMain(name) { block() }
    case .caller: block()
    case .background: Callback.inBackground(name, block)
    }
  }
}
