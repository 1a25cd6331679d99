internal import AppProcess
internal import Dispatch

/// Where the completion block of a call is called.
enum Delivery: Sendable {
  /// On the queue that the app has named.
  case queue(DispatchQueue)
  case main
  case background
  /// At once, on the caller's thread.
  case caller

  /// Interactive calls and sign-outs: without a queue on the main thread.
  static func interactive(_ queue: DispatchQueue?) -> Delivery { queue.map { .queue($0) } ?? .main }

  /// Silent calls: MSAL promises no thread, so it is one that must not touch the user interface.
  static func silent(_ queue: DispatchQueue?) -> Delivery {
    queue.map { .queue($0) } ?? .background
  }

  /// What the cache answers: without a queue at once, as MSAL does without a broker.
  static func local(_ queue: DispatchQueue?) -> Delivery { queue.map { .queue($0) } ?? .caller }

  /// - Parameter name: the call, for what is told of slow blocks.
  func callAsFunction(_ name: String, _ block: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: block)
    case .main: Callback.onMain(name) { block() }
    case .caller: block()
    case .background: Callback.inBackground(name, block)
    }
  }
}
