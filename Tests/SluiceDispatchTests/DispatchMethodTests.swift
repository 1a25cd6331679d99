import Foundation
import SluiceDispatch
import SluiceKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct DispatchMethodTests {
  @Test(arguments: DispatchMethod.all, [nil, "", "anna@contoso.com"] as [String?])
  func `work on a dispatch queue runs under the caller's identity`(
    method: DispatchMethod, identity: String?
  ) async {
    let inside = await blocking { outcome(of: method, askedBy: identity) { seen } }
    #expect(inside == identity)
  }

  @Test(arguments: DispatchMethod.all)
  func `dispatched work has the identity of the caller's innermost scope`(
    method: DispatchMethod
  ) async {
    let both = await blocking {
      acting(for: "outer") {
        ["inner", nil].map { identity in outcome(of: method, askedBy: identity) { seen } }
      }
    }
    #expect(both == ["inner", .some(nil)])
  }

  @Test(arguments: DispatchMethod.all) func `dispatched work can set another identity for a scope`(
    method: DispatchMethod
  ) async {
    let trail = await blocking {
      outcome(of: method, askedBy: "anna") {
        [seen, acting(for: "") { seen }, acting(for: nil) { seen }, seen]
      }
    }
    #expect(trail == ["anna", "", nil, "anna"])
  }

  @Test(arguments: DispatchMethod.all)
  func `dispatched work that sets an identity does not change the caller's identity`(
    method: DispatchMethod
  ) async {
    let trail = await blocking {
      let inside = acting(for: "anna") {
        _ = outcome(of: method, askedBy: "bob") { seen }
        return seen
      }
      return [inside, seen]
    }
    #expect(trail == ["anna", nil])
  }

  @Test(arguments: DispatchMethod.all)
  func `if a scope in dispatched work throws, the thread's previous identity is restored`(
    method: DispatchMethod
  ) async {
    struct Refused: Error {}
    let after = await blocking {
      outcome(of: method, askedBy: "anna") { () -> String? in
        do {
          try IntuneMAMSwiftContextManager.setAccountId("bob") { throw Refused() }
          return "no error"
        } catch {
          return seen
        }
      }
    }
    #expect(after == "anna")
  }

  /// Tests work that starts further work, by the same method and by any other.
  @Test(arguments: DispatchMethod.all)
  func `an identity propagates from work to the work that it starts`(
    method: DispatchMethod
  ) async {
    for next in DispatchMethod.all {
      let promise = Promise<String?>()
      let inside = await blocking {
        acting(for: "anna") {
          method.start {
            // The work runs on another queue, because a serial queue cannot wait for itself.
            IdentityDispatchQueue.global().async { next.start { promise.keep(seen) } }
          }
        }
        return promise.wait()
      }
      #expect(inside == "anna", "\(next.testDescription)")
    }
  }

  private func outcome<Value: Sendable>(
    of method: DispatchMethod, askedBy identity: String?, _ work: @escaping @Sendable () -> Value
  ) -> Value? {
    let promise = Promise<Value>()
    acting(for: identity) { method.start { promise.keep(work()) } }
    return promise.wait()
  }
}

/// A method of scheduling work. With each method, the work must run under the identity of the code
/// that schedules it.
struct DispatchMethod: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Schedules the work. The function may return before the work is done.
  let start: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(
    _ description: String, _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    testDescription = description
    self.start = start
  }

  private static let serial = IdentityDispatchQueue(label: "serial")
  private static let concurrent = IdentityDispatchQueue(
    label: "concurrent", attributes: .concurrent)
  private static let operations = IdentityOperationQueue()

  static let all = queues + items + endings + operationWays + others

  private static let queues = [
    DispatchMethod("async on a serial queue") { serial.async(execute: $0) },
    DispatchMethod("async on a concurrent queue") { concurrent.async(execute: $0) },
    DispatchMethod("async on a global queue") {
      IdentityDispatchQueue.global(qos: .utility).async(execute: $0)
    },
    DispatchMethod("async with a barrier") { concurrent.async(flags: .barrier, execute: $0) },
    DispatchMethod("async in a group") { serial.async(group: DispatchGroup(), execute: $0) },
    DispatchMethod("asyncAfter") { serial.asyncAfter(deadline: .now() + 0.001, execute: $0) },
    DispatchMethod("asyncAfter by the wall clock") {
      serial.asyncAfter(wallDeadline: .now() + 0.001, execute: $0)
    },
    DispatchMethod("sync") { work in serial.sync { work() } },
    DispatchMethod("sync with a barrier") { work in concurrent.sync(flags: .barrier) { work() } },
    DispatchMethod("concurrentPerform") { work in
      IdentityDispatchQueue.concurrentPerform(iterations: 1) { _ in work() }
    },
  ]

  private static let items = [
    DispatchMethod("an item, async") { serial.async(execute: IdentityDispatchWorkItem(block: $0)) },
    DispatchMethod("an item, async in a group") {
      serial.async(group: DispatchGroup(), execute: IdentityDispatchWorkItem(block: $0))
    },
    DispatchMethod("an item, asyncAfter") {
      serial.asyncAfter(deadline: .now() + 0.001, execute: IdentityDispatchWorkItem(block: $0))
    },
    DispatchMethod("an item, asyncAfter by the wall clock") {
      serial.asyncAfter(wallDeadline: .now() + 0.001, execute: IdentityDispatchWorkItem(block: $0))
    },
    DispatchMethod("an item, sync") { serial.sync(execute: IdentityDispatchWorkItem(block: $0)) },
    DispatchMethod("an item, performed") { IdentityDispatchWorkItem(block: $0).perform() },
    DispatchMethod("an item, on a plain queue") {
      serial.queue.async(execute: IdentityDispatchWorkItem(block: $0).workItem)
    },
  ]

  private static let endings = [
    DispatchMethod("the end of a group") { DispatchGroup().notify(queue: serial, execute: $0) },
    DispatchMethod("the end of a group, an item") {
      DispatchGroup().notify(queue: serial, work: IdentityDispatchWorkItem(block: $0))
    },
    DispatchMethod("the end of an item") { work in
      let item = IdentityDispatchWorkItem {}
      item.notify(queue: serial, execute: work)
      item.perform()
    },
    DispatchMethod("the end of an item, an item") { work in
      let item = IdentityDispatchWorkItem {}
      item.notify(queue: serial, execute: IdentityDispatchWorkItem(block: work))
      item.perform()
    },
  ]

  private static let operationWays = [
    DispatchMethod("a block in an operation queue") { operations.addOperation($0) },
    DispatchMethod("a block operation") {
      operations.addOperation(IdentityBlockOperation(block: $0))
    },
    DispatchMethod("one of two block operations") {
      operations.addOperations(
        [IdentityBlockOperation {}, IdentityBlockOperation(block: $0)], waitUntilFinished: false)
    },
    DispatchMethod("a block operation that is waited for") {
      operations.addOperations([IdentityBlockOperation(block: $0)], waitUntilFinished: true)
    },
    DispatchMethod("the second block of an operation") { work in
      let operation = IdentityBlockOperation {}
      operation.addExecutionBlock(work)
      operations.addOperation(operation)
    },
    DispatchMethod("a custom operation") { operations.addOperation(Own($0)) },
    DispatchMethod("a barrier block") { operations.addBarrierBlock($0) },
  ]

  private static let others = [
    DispatchMethod("a thread that runs the result of carryingIdentity") {
      Thread.detachNewThread(carryingIdentity($0))
    },
    DispatchMethod("a task") { work in Task(priority: .high) { work() } },
    DispatchMethod("a call of the result of carryingIdentity") { carryingIdentity($0)() },
  ]

  private final class Own: IdentityOperation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    override func main() { work() }
  }
}

/// The thread identity of the running code.
var seen: String? { IntuneMAMPolicyManager.getCurrentThreadAccountId() }

/// Runs `body` while acting for an account.
func acting<Value>(for identity: String?, _ body: () -> Value) -> Value {
  IntuneMAMSwiftContextManager.setAccountId(identity, forScope: body)
}

/// Runs a body that may block on a separate thread. Tasks share a few threads, and a blocked thread
/// cannot run the awaited work.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// A value that another thread sets. Tasks that set it have high priority, because tasks of default
/// priority wait behind tests that have not started.
final class Promise<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isKept = DispatchSemaphore(value: 0)

  func keep(_ value: Value) {
    self.value.withLock { $0 = value }
    isKept.signal()
  }

  /// Returns the value, or nil after ten minutes. The time is long because all tests share the
  /// threads of tasks and global queues.
  func result() async -> Value? { await blocking { self.wait() } }

  /// Waits for the value, and blocks the thread.
  func wait() -> Value? {
    _ = isKept.wait(timeout: .now() + 600)
    return value.withLock { $0 }
  }
}
