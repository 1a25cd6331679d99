import Foundation
import SluiceDispatch
import Synchronization
import Testing

/// Tests the time at which an identity is captured, if different identities create, add and run the
/// work.
@Suite(.timeLimit(.minutes(15))) struct IdentityPropagationTests {
  @Test func `a work item has its creator's identity`() async {
    let promise = Promise<String?>()
    let item = acting(for: "creator") { IdentityDispatchWorkItem { promise.keep(seen) } }
    acting(for: "dispatcher") { IdentityDispatchQueue.global().async(execute: item) }
    #expect(await promise.result() == "creator")
  }

  @Test func `a work item that runs twice has its creator's identity each time`() {
    let trail = Mutex<[String?]>([])
    let item = acting(for: "creator") {
      IdentityDispatchWorkItem { trail.withLock { $0.append(seen) } }
    }
    acting(for: "first") { item.perform() }
    acting(for: "second") { IdentityDispatchQueue(label: "second").sync(execute: item) }
    #expect(trail.withLock { $0 } == ["creator", "creator"])
  }

  @Test
  func `the notification of a work item runs under the identity of the code that registered it`()
    async
  {
    let promise = Promise<String?>()
    let item = acting(for: "creator") { IdentityDispatchWorkItem {} }
    acting(for: "listener") { item.notify(queue: .global()) { promise.keep(seen) } }
    acting(for: "dispatcher") { IdentityDispatchQueue.global().async(execute: item) }
    #expect(await promise.result() == "listener")
  }

  @Test func `the notification of a group runs under the identity of the code that registered it`()
    async
  {
    let promise = Promise<String?>()
    let group = DispatchGroup()
    group.enter()
    acting(for: "listener") {
      group.notify(queue: IdentityDispatchQueue.global()) { promise.keep(seen) }
    }
    acting(for: "last") { group.leave() }
    #expect(await promise.result() == "listener")
  }

  @Test func `an operation has the identity of the code that added it`() async {
    let promise = Promise<String?>()
    let operation = acting(for: "creator") { IdentityBlockOperation { promise.keep(seen) } }
    let queue = acting(for: "maker of the queue") { IdentityOperationQueue() }
    acting(for: "adder") { queue.addOperation(operation) }
    #expect(await promise.result() == "adder")
  }

  @Test func `an operation that waits in a queue has the identity of the code that added it`() async
  {
    let promise = Promise<String?>()
    let queue = IdentityOperationQueue()
    queue.isSuspended = true
    let first = IdentityBlockOperation {}
    let second = IdentityBlockOperation { promise.keep(seen) }
    second.addDependency(first)
    acting(for: "of the second") { queue.addOperation(second) }
    acting(for: "of the first") { queue.addOperation(first) }
    acting(for: "who lets them run") { queue.isSuspended = false }
    #expect(await promise.result() == "of the second")
  }

  @Test func `all blocks of an operation have the identity of the code that added it`() {
    let trail = Mutex<[String?]>([])
    let operation = acting(for: "creator") { IdentityBlockOperation {} }
    for _ in 0..<20 { operation.addExecutionBlock { trail.withLock { $0.append(seen) } } }
    let queue = IdentityOperationQueue()
    acting(for: "adder") { queue.addOperations([operation], waitUntilFinished: true) }
    #expect(trail.withLock { $0 } == [String?](repeating: "adder", count: 20))
  }

  @Test func `an operation that is started without a queue has its starter's identity`() async {
    let promise = Promise<String?>()
    let operation = acting(for: "creator") { IdentityBlockOperation { promise.keep(seen) } }
    acting(for: "starter") { operation.start() }
    #expect(await promise.result() == "starter")
  }

  @Test func `an asynchronous operation can read the identity of the code that added it`() async {
    final class Download: IdentityOperation, @unchecked Sendable {
      let promise = Promise<String?>()

      override func start() {
        Thread.detachNewThread { [self] in
          withIdentityOfAdder { promise.keep(seen) }
        }
      }
    }
    let download = Download()
    let queue = IdentityOperationQueue()
    acting(for: "adder") { queue.addOperation(download) }
    #expect(await download.promise.result() == "adder")
  }

  @Test func `a work item or operation that is cancelled before it starts never runs`() {
    let queue = IdentityDispatchQueue(label: "cancelled")
    let operations = IdentityOperationQueue(OperationQueue())
    operations.isSuspended = true
    acting(for: "anna") {
      let item = IdentityDispatchWorkItem { Issue.record("a cancelled item ran") }
      item.cancel()
      #expect(item.isCancelled)
      queue.async(execute: item)
      queue.sync(execute: item)
      operations.addOperation { Issue.record("a cancelled operation ran") }
    }
    operations.cancelAllOperations()
    operations.isSuspended = false
    operations.waitUntilAllOperationsAreFinished()
    #expect(queue.queue.sync { seen } == nil)
  }

  @Test func `sync on an identity queue returns values and rethrows errors`() {
    struct Refused: Error, Equatable {}
    let queue = IdentityDispatchQueue(label: "sync")
    acting(for: "anna") {
      #expect(queue.sync { seen } == "anna")
      do throws(Refused) {
        try queue.sync { () throws(Refused) in throw Refused() }
        Issue.record("nothing was thrown")
      } catch {
        #expect(seen == "anna")
      }
    }
    #expect(queue.queue.sync { seen } == nil)
  }

  @Test func `every iteration of concurrentPerform has the caller's identity`() {
    let trail = Mutex<[Int: String?]>([:])
    acting(for: "anna") {
      IdentityDispatchQueue.concurrentPerform(iterations: 500) { number in
        trail.withLock { $0[number] = .some(seen) }
      }
      #expect(seen == "anna")
    }
    let all = trail.withLock { $0 }
    #expect(all.count == 500)
    #expect(all.values.allSatisfy { $0 == "anna" })
  }

  @Test func `carryingIdentity keeps a closure's arguments and result`() {
    let join = acting(for: "anna") {
      carryingIdentity { (left: String, right: Int) in "\(left) \(right) \(seen ?? "none")" }
    }
    #expect(join("page", 7) == "page 7 anna")
    #expect(acting(for: "bob") { join("page", 8) } == "page 8 anna")
  }

  @Test func `a wait for a work item times out if the item has not completed`() {
    let item = IdentityDispatchWorkItem {}
    #expect(item.wait(timeout: .now() + 0.001) == .timedOut)
    #expect(item.wait(wallTimeout: .now() + 0.001) == .timedOut)
    IdentityDispatchQueue.global().async(execute: item)
    // A second wait is an error: dispatch_block_wait(3).
    #expect(item.wait(timeout: .now() + 600) == .success)
  }

  @Test func `the main queue runs sync work under the caller's identity`() async {
    let trail = await blocking {
      acting(for: "anna") { [IdentityDispatchQueue.main.sync { seen }, seen] }
    }
    #expect(trail == ["anna", "anna"])
    #expect(await MainActor.run { seen } == nil)
  }
}

/// Tests identities in Dispatch and Foundation without SluiceDispatch, as documented in
/// docs/threads.md.
@Suite(.timeLimit(.minutes(15))) struct PlainDispatchTests {
  static let forgetful: [DispatchMethod] = [
    DispatchMethod("async") { DispatchQueue.global().async(execute: $0) },
    DispatchMethod("asyncAfter") {
      DispatchQueue.global().asyncAfter(deadline: .now(), execute: $0)
    },
    DispatchMethod("an item, async") {
      DispatchQueue.global().async(execute: DispatchWorkItem(block: $0))
    },
    DispatchMethod("the end of a group") {
      DispatchGroup().notify(queue: DispatchQueue.global(), execute: $0)
    },
    DispatchMethod("a block in an operation queue") { OperationQueue().addOperation($0) },
    DispatchMethod("a block operation") {
      OperationQueue().addOperation(BlockOperation(block: $0))
    },
    DispatchMethod("a thread") { Thread.detachNewThread($0) },
    DispatchMethod("a detached task") { work in Task.detached(priority: .high) { work() } },
  ]

  @Test(arguments: forgetful)
  func `work started through an API other than an identity queue has no identity`(
    method: DispatchMethod
  ) async {
    let promise = Promise<String?>()
    acting(for: "anna") { method.start { promise.keep(seen) } }
    #expect(await promise.result() == .some(nil))
  }

  static let immediate: [DispatchMethod] = [
    DispatchMethod("sync") { work in DispatchQueue(label: "plain").sync { work() } },
    DispatchMethod("an item, sync") {
      DispatchQueue(label: "plain").sync(execute: DispatchWorkItem(block: $0))
    },
    DispatchMethod("an item, performed") { DispatchWorkItem(block: $0).perform() },
    DispatchMethod("an operation that is started") { BlockOperation(block: $0).start() },
  ]

  @Test(arguments: immediate)
  func `synchronous work without an identity queue has the caller's identity`(
    method: DispatchMethod
  ) async {
    let promise = Promise<String?>()
    acting(for: "anna") { method.start { promise.keep(seen) } }
    #expect(await promise.result() == "anna")
  }

  @Test func `a DispatchWorkItem has the identity of the thread that performs it`() async {
    let promise = Promise<String?>()
    let item = acting(for: "creator") { DispatchWorkItem { promise.keep(seen) } }
    acting(for: "performer") { item.perform() }
    #expect(await promise.result() == "performer")
  }

  /// Some iterations run on the caller's thread and have its identity; the others have none.
  @Test
  func `DispatchQueue.concurrentPerform has the caller's identity only on the caller's thread`() {
    let mixed = Atomic(0)
    let own = Atomic(0)
    acting(for: "anna") {
      let caller = UInt(pthread_self())
      DispatchQueue.concurrentPerform(iterations: 200) { _ in
        let isOwn = UInt(pthread_self()) == caller
        if seen != (isOwn ? "anna" : nil) { mixed.add(1, ordering: .relaxed) }
        if isOwn { own.add(1, ordering: .relaxed) }
        // The caller's thread eventually takes part.
        while own.load(ordering: .relaxed) == 0 { sched_yield() }
      }
    }
    #expect(mixed.load(ordering: .relaxed) == 0)
    #expect(own.load(ordering: .relaxed) > 0)
  }

  /// A run loop inside a scope runs all timers under the scope's identity.
  @Test func `a timer fired by a run loop inside a scope runs under the scope's identity`()
    async
  {
    let promise = Promise<String?>()
    Thread.detachNewThread {
      RunLoop.current.add(
        Timer(timeInterval: 0.001, repeats: false) { _ in promise.keep(seen) }, forMode: .default)
      acting(for: "anna") { _ = RunLoop.current.run(mode: .default, before: .now + 10) }
    }
    #expect(await promise.result() == "anna")
  }

  @Test func `work added to the underlying DispatchQueue has no identity`() async {
    let queue = IdentityDispatchQueue(label: "shared")
    let promise = Promise<String?>()
    acting(for: "anna") {
      queue.async {}
      queue.queue.async { promise.keep(seen) }
    }
    #expect(await promise.result() == .some(nil))
  }
}
