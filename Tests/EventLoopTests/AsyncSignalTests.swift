import Dispatch
import EventLoop
import Foundation
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct AsyncSignalTests {
  @Test func anotherThreadMakesTheLoopCallBackOnItsOwn() throws {
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

  @Test func itKeepsTheLoopRunningUntilItIsClosed() throws {
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

  @Test func aloneAndUnreferencedItKeepsNoLoopRunning() throws {
    try withLoop { loop in
      let signal = try AsyncSignal(on: loop) { Issue.record("nobody sent") }
      signal.unref()
      loop.run()
      #expect(loop.handleCount == 1)
    }
  }

  @Test func unreferencedItCallsBackWhileSomethingElseKeepsTheLoopRunning() throws {
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

  @Test func sendingFromTheLoopsThreadCallsBackLater() throws {
    try withLoop { loop in
      var count = 0
      let signal = try AsyncSignal(on: loop) { count += 1 }
      signal.sender.send()
      #expect(count == 0)
      loop.runOnce()
      #expect(count == 1)
    }
  }

  /// Whatever a thread has queued before it sends, a later callback sees.
  @Test func nothingQueuedBeforeSendingIsMissed() throws {
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

  @Test func nobodyIsCalledOnceItIsClosed() throws {
    let loop = try EventLoop()
    let signal = try AsyncSignal(on: loop) { Issue.record("a closed signal calls back") }
    let sender = signal.sender
    #expect(sender.send())
    signal.close()
    #expect(!sender.send())
    loop.close()
    #expect(!sender.send())
  }

  /// The senders have threads of their own. While one of its workers is busy, as this loop keeps one, libdispatch makes at
  /// most twice as many workers as there are processors, and a sender in its queue might never start.
  @Test func closingWhileOthersSendIsSafe() throws {
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

  @Test func aClosedSignalLetsGoOfItsCallback() throws {
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
