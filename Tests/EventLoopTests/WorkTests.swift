import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct WorkTests {
  @Test func theBodyRunsOnAnotherThreadAndItsEndOnTheLoops() throws {
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

  @Test func theLoopRunsOnUntilTheWorkHasEnded() throws {
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

  @Test func theLoopServesOthersMeanwhile() throws {
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

  @Test func eachValueArrivesOnceAtItsOwnEnd() throws {
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

  // More than the pool has threads, so that some are running and others still wait.
  @Test func closingTheLoopLosesNeitherWorkNorItsEnd() throws {
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

  @Test func whatAnEndBeginsWhileTheLoopClosesComesToAnEnd() throws {
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

  @Test func whatEndedHoldsNothing() throws {
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

  // In a process of its own, because other tests start threads meanwhile.
  @Test func aLoopWithoutWorkStartsNoThread() async {
    await #expect(processExitsWith: .success) {
      try withLoop { loop in
        let before = threadCount()
        loop.poll()
        // Those of libdispatch come and go.
        try waitUntil("there are no more threads than before") { threadCount() <= before }
        loop.work({}) {}
        try waitUntil("there are more threads than before") { threadCount() > before }
        loop.run()
      }
    }
  }
}

/// How many threads this process has: a folder each (proc(5)).
private func threadCount() -> Int {
  guard let folder = opendir("/proc/self/task") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

/// Lets through once it is open.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func wait() {
    while !isOpen.load(ordering: .acquiring) { sched_yield() }
  }
}

/// Where the system gives fewer threads than libuv asks for.
@Suite struct WorkerThreadsTests {
  @Test func `threads are counted that the system gives`() async throws {
    #expect(WorkerThreads.available(atMost: 4) == 4)
    let refused = try await RefusedCall.furtherThreads.during {
      WorkerThreads.available(atMost: 4)
    }
    #expect(refused == 0)
  }

  @Test func `they are started once`() throws {
    try WorkerThreads.start()
    try WorkerThreads.start()
  }
}
