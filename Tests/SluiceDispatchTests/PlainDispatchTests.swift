import Foundation
import SluiceDispatch
import SluiceKit
import Synchronization
import Testing

/// What Dispatch and Foundation do with identities where nobody carries them: docs/threads.md states it.
@Suite(.timeLimit(.minutes(15))) struct PlainDispatchTests {
  static let forgetful: [Way] = [
    Way("async") { DispatchQueue.global().async(execute: $0) },
    Way("asyncAfter") { DispatchQueue.global().asyncAfter(deadline: .now(), execute: $0) },
    Way("an item, async") {
      DispatchQueue.global().async(execute: DispatchWorkItem(block: $0))
    },
    Way("the end of a group") {
      DispatchGroup().notify(queue: DispatchQueue.global(), execute: $0)
    },
    Way("a block in an operation queue") { OperationQueue().addOperation($0) },
    Way("a block operation") { OperationQueue().addOperation(BlockOperation(block: $0)) },
    Way("a thread") { Thread.detachNewThread($0) },
    Way("a detached task") { work in Task.detached(priority: .high) { work() } },
  ]

  @Test(arguments: forgetful) func workRunsUnderNoIdentity(way: Way) async {
    let promise = Promise<String?>()
    acting(for: "anna") { way.start { promise.keep(seen) } }
    #expect(await promise.told() == .some(nil))
  }

  static let immediate: [Way] = [
    Way("sync") { work in DispatchQueue(label: "plain").sync { work() } },
    Way("an item, sync") {
      DispatchQueue(label: "plain").sync(execute: DispatchWorkItem(block: $0))
    },
    Way("an item, performed") { DispatchWorkItem(block: $0).perform() },
    Way("an operation that is started") { BlockOperation(block: $0).start() },
  ]

  @Test(arguments: immediate) func workOnTheCallersOwnThreadHasItsIdentity(way: Way) async {
    let promise = Promise<String?>()
    acting(for: "anna") { way.start { promise.keep(seen) } }
    #expect(await promise.told() == "anna")
  }

  @Test func anItemHasTheIdentityOfWhoPerformsIt() async {
    let promise = Promise<String?>()
    let item = acting(for: "creator") { DispatchWorkItem { promise.keep(seen) } }
    acting(for: "performer") { item.perform() }
    #expect(await promise.told() == "performer")
  }

  /// Some iterations run on the caller's thread, and have its identity; the others have none.
  @Test func iterationsHaveAnIdentityOnTheCallersThreadOnly() {
    let mixed = Atomic(0)
    let own = Atomic(0)
    acting(for: "anna") {
      let caller = UInt(pthread_self())
      DispatchQueue.concurrentPerform(iterations: 200) { _ in
        let isOwn = UInt(pthread_self()) == caller
        if seen != (isOwn ? "anna" : nil) { mixed.add(1, ordering: .relaxed) }
        if isOwn { own.add(1, ordering: .relaxed) }
        // The caller's thread takes part, however late it comes.
        while own.load(ordering: .relaxed) == 0 { sched_yield() }
      }
    }
    #expect(mixed.load(ordering: .relaxed) == 0)
    #expect(own.load(ordering: .relaxed) > 0)
  }

  /// A run loop that runs within a scope runs everybody's timers under its identity.
  @Test func aRunLoopWithinAScopeRunsOthersWorkUnderIt() async {
    let promise = Promise<String?>()
    Thread.detachNewThread {
      RunLoop.current.add(
        Timer(timeInterval: 0.001, repeats: false) { _ in promise.keep(seen) }, forMode: .default)
      acting(for: "anna") { _ = RunLoop.current.run(mode: .default, before: .now + 10) }
    }
    #expect(await promise.told() == "anna")
  }

  @Test func plainWorkOnAQueueThatOthersWrapRunsUnderNone() async {
    let queue = IdentityDispatchQueue(label: "shared")
    let promise = Promise<String?>()
    acting(for: "anna") {
      queue.async {}
      queue.queue.async { promise.keep(seen) }
    }
    #expect(await promise.told() == .some(nil))
  }
}
