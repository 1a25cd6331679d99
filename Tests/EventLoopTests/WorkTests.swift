import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct WorkBudgetTests {
  @Test func `work runs on another thread, and its completion on the loop's thread`() throws {
    try withLoop { loop in
      let own = pthread_self()
      var worker: pthread_t?
      var finisher: pthread_t?
      loop.work({ pthread_self() }) { thread in
        worker = thread
        finisher = pthread_self()
      }
      #expect(worker == nil)
      loop.run()
      #expect(worker != nil && worker != own)
      #expect(finisher == own)
    }
  }

  @Test func `the loop runs until the work has completed`() throws {
    try withLoop { loop in
      let gate = Gate()
      var hasEnded = false
      loop.work({ gate.wait() }) { hasEnded = true }
      loop.poll()
      #expect(!hasEnded)
      gate.open()
      loop.run()
      #expect(hasEnded)
    }
  }

  @Test func `the loop serves other handles while work runs on another thread`() throws {
    try withLoop { loop in
      let gate = Gate()
      var order: [String] = []
      loop.work({ gate.wait() }) { order.append("work") }
      try Timer(on: loop) {
        order.append("timer")
        gate.open()
      }.start(after: 5)
      loop.run()
      #expect(order == ["timer", "work"])
    }
  }

  @Test func `each work item's completion is called once, with the item's result`() throws {
    try withLoop { loop in
      let count = 2_000
      var ends = [Int](repeating: 0, count: count)
      for number in 0..<count {
        loop.work({ number * number }) { value in
          ends[number] += value == number * number ? 1 : 1_000
        }
      }
      loop.run()
      #expect(ends == [Int](repeating: 1, count: count))
    }
  }

  // There are more items than the pool has threads, so some items run and others wait.
  @Test func `closing the loop completes all pending work`() throws {
    let begun = Atomic(0)
    var ended = 0
    let loop = try EventLoop()
    try Timer(on: loop) { Issue.record("a closed timer fires") }.start(after: 0)
    for _ in 0..<64 {
      loop.work({
        sched_yield()
        begun.add(1, ordering: .relaxed)
      }) { ended += 1 }
    }
    loop.close()
    #expect(begun.load(ordering: .relaxed) == 64)
    #expect(ended == 64)
    #expect(loop.handleCount == 0)
  }

  @Test func `while the loop closes, a completion can start further work`() throws {
    var order: [String] = []
    let loop = try EventLoop()
    loop.work({ "first" }) { [unowned loop] in
      order.append($0)
      do {
        try Timer(on: loop) {}.start(after: 3_600_000)
      } catch {
        Issue.record(error)
      }
      loop.work({ "second" }) { order.append($0) }
    }
    loop.close()
    #expect(order == ["first", "second"])
    #expect(loop.handleCount == 0)
  }

  @Test func `completed work releases its captures`() throws {
    final class Token: Sendable {}
    try withLoop { loop in
      var token: Token? = Token()
      weak let held = token
      loop.work({ [token] in _ = token }) { [token] in _ = token }
      token = nil
      #expect(held != nil)
      loop.run()
      #expect(held == nil)
    }
  }

  // This runs in a separate process, because other tests start threads at the same time.
  @Test func `a loop without work starts no thread`() async {
    await #expect(processExitsWith: .success) {
      try withLoop { loop in
        let before = threadCount()
        loop.poll()
        // libdispatch creates and ends threads at any time.
        try waitUntil("there are no more threads than before") { threadCount() <= before }
        loop.work({}) {}
        try waitUntil("there are more threads than before") { threadCount() > before }
        loop.run()
      }
    }
  }
}

/// Returns the number of this process's threads. Each has one folder (proc(5)).
private func threadCount() -> Int {
  guard let folder = opendir("/proc/self/task") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

/// A gate that blocks until it is opened.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func wait() {
    while !isOpen.load(ordering: .acquiring) { sched_yield() }
  }
}

/// Tests a system that provides fewer threads than libuv requests.
@Suite struct WorkerThreadsTests {
  @Test func `worker threads that the system refuses to start are not counted as available`()
    async throws
  {
    #expect(WorkerThreads.available(atMost: 4) == 4)
    let refused = try await RefusedCall.furtherThreads.during {
      WorkerThreads.available(atMost: 4)
    }
    #expect(refused == 0)
  }

  @Test func `the worker threads can be started twice without an error`() throws {
    try WorkerThreads.start()
    try WorkerThreads.start()
  }
}

@Suite(.timeLimit(.minutes(15))) struct AsyncSignalTests {
  @Test func `a wake-up from another thread calls back on the loop's thread`() throws {
    try withLoop { loop in
      let own = pthread_self()
      var caller: pthread_t?
      let signal = try AsyncSignal(on: loop) {
        caller = pthread_self()
        loop.stop()
      }
      let sender = signal.sender
      Thread.detachNewThread { sender.send() }
      loop.run()
      #expect(caller == own)
    }
  }

  @Test func `a wake-up handle keeps the loop running until it is closed`() throws {
    try withLoop { loop in
      var count = 0
      var own: AsyncSignal?
      let signal = try AsyncSignal(on: loop) {
        count += 1
        own?.close()
      }
      own = signal
      let sender = signal.sender
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { sender.send() }
      loop.run()
      #expect(count == 1)
      #expect(loop.handleCount == 0)
    }
  }

  @Test func `an unreferenced wake-up handle does not keep the loop running`() throws {
    try withLoop { loop in
      let signal = try AsyncSignal(on: loop) { Issue.record("no signal was sent") }
      signal.unref()
      loop.run()
      #expect(loop.handleCount == 1)
    }
  }

  @Test func `an unreferenced wake-up handle calls back while the loop runs`() throws {
    try withLoop { loop in
      var count = 0
      let signal = try AsyncSignal(on: loop) { count += 1 }
      signal.unref()
      try Timer(on: loop) {}.start(after: 3_600_000)
      #expect(signal.sender.send())
      loop.runOnce()
      #expect(count == 1)
    }
  }

  @Test func `a wake-up from the loop's own thread calls back in the next iteration`() throws {
    try withLoop { loop in
      var count = 0
      let signal = try AsyncSignal(on: loop) { count += 1 }
      signal.sender.send()
      #expect(count == 0)
      loop.runOnce()
      #expect(count == 1)
    }
  }

  /// Data that a thread queues before it sends is visible to a later callback.
  @Test func `a wake-up callback sees the data that was queued before it`() throws {
    try withLoop { loop in
      let queued = Atomic(0)
      let (threads, each) = (8, 500)
      var seen = 0
      let signal = try AsyncSignal(on: loop) {
        seen = queued.load(ordering: .sequentiallyConsistent)
        if seen == threads * each { loop.stop() }
      }
      let sender = signal.sender
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
          for _ in 0..<each {
            queued.add(1, ordering: .sequentiallyConsistent)
            sender.send()
          }
        }
      }
      loop.run()
      #expect(seen == threads * each)
    }
  }

  @Test func `a closed wake-up handle never calls back`() throws {
    let loop = try EventLoop()
    let signal = try AsyncSignal(on: loop) { Issue.record("a closed signal calls back") }
    let sender = signal.sender
    #expect(sender.send())
    signal.close()
    #expect(!sender.send())
    loop.close()
    #expect(!sender.send())
  }

  /// The senders have their own threads. If one of its workers is busy, as with this loop,
  /// libdispatch creates at most twice as many workers as there are processors. A sender in its
  /// queue might then never start.
  @Test func `closing a wake-up handle while other threads send is safe`() throws {
    let group = DispatchGroup()
    let loops = 200
    for _ in 0..<loops {
      let loop = try EventLoop()
      let signal = try AsyncSignal(on: loop) {}
      let sender = signal.sender
      let begun = Atomic(false)
      group.enter()
      Thread.detachNewThread {
        while sender.send() { begun.store(true, ordering: .relaxed) }
        begun.store(true, ordering: .relaxed)
        group.leave()
      }
      while !begun.load(ordering: .relaxed) { loop.poll() }
      signal.close()
      loop.close()
    }
    group.wait()
    #expect(group.wait(timeout: .now()) == .success)
  }

  @Test func `a closed wake-up handle releases its callback`() throws {
    final class Token {}
    try withLoop { loop in
      var token: Token? = Token()
      weak let held = token
      let signal = try AsyncSignal(on: loop) { [token] in _ = token }
      token = nil
      #expect(held != nil)
      signal.close()
      #expect(held == nil)
    }
  }
}
