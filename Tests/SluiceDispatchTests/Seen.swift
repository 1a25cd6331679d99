import Foundation
import SluiceKit
import Synchronization

/// What the running code sees of its thread identity.
var seen: String? { IntuneMAMPolicyManager.getCurrentThreadAccountId() }

/// Runs `body` for an account.
func acting<Value>(for identity: String?, _ body: () -> Value) -> Value {
  IntuneMAMSwiftContextManager.setAccountId(identity, forScope: body)
}

/// Runs a body that may block, on a thread of its own: tasks share a few threads, and those that a test
/// blocks cannot run what it waits for.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Something that another thread will tell; tasks that tell it are of high priority, for those of the usual one wait behind
/// the tests that have not begun.
final class Promise<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isKept = DispatchSemaphore(value: 0)

  func keep(_ value: Value) {
    self.value.withLock { $0 = value }
    isKept.signal()
  }

  /// What is told within ten minutes, or nil: all tests share the threads of tasks and of global queues.
  func told() async -> Value? { await blocking { self.wait() } }

  /// The same, blocking.
  func wait() -> Value? {
    _ = isKept.wait(timeout: .now() + 600)
    return value.withLock { $0 }
  }
}
