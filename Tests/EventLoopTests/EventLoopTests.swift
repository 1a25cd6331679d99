import EventLoop
import Glibc
import Testing

@Suite(.timeLimit(.minutes(15))) struct EventLoopTests {
  @Test func aLoopWithoutHandlesReturnsAtOnce() throws {
    try withLoop { loop in
      loop.run()
      loop.runOnce()
      loop.poll()
      #expect(loop.handleCount == 0)
    }
  }

  @Test func aStoppedLoopReturnsAndGoesOn() throws {
    try withLoop { loop in
      var count = 0
      try Timer(on: loop) {
        count += 1
        loop.stop()
      }.start(after: 0, every: 1)
      for expected in 1...3 {
        loop.run()
        #expect(count == expected)
      }
    }
  }

  @Test func pollingDoesNotWait() throws {
    try withLoop { loop in
      try Timer(on: loop) { Issue.record("an hour cannot have passed") }.start(after: 3_600_000)
      loop.poll()
      #expect(loop.handleCount == 1)
    }
  }

  @Test func theClockDoesNotGoBack() throws {
    try withLoop { loop in
      let before = loop.now
      loop.poll()
      #expect(loop.now >= before)
    }
  }

  // SIGURG is ignored where nobody watches for it.
  @Test func aWatchedSignalCallsBackUntilTheWatcherCloses() throws {
    try withLoop { loop in
      var count = 0
      let watcher = try SignalWatcher(SIGURG, on: loop) { count += 1 }
      // Something to wait for: a watcher alone is nothing.
      let timer = try Timer(on: loop) {}
      timer.start(after: 3_600_000)
      for expected in 1...2 {
        kill(getpid(), SIGURG)
        loop.runOnce()
        #expect(count == expected)
      }
      watcher.close()
      timer.close()
      kill(getpid(), SIGURG)
      loop.run()
      #expect(count == 2)
      #expect(loop.handleCount == 0)
    }
  }

  @Test func aWatcherAloneKeepsNoLoopRunning() throws {
    try withLoop { loop in
      _ = try SignalWatcher(SIGURG, on: loop) {}
      loop.run()
      #expect(loop.handleCount == 1)
    }
  }

  @Test func aSignalThatCannotBeCaughtCannotBeWatched() throws {
    try withLoop { loop in
      let error = try #require(throws: EventLoopError.self) {
        _ = try SignalWatcher(SIGKILL, on: loop) {}
      }
      #expect(error.errno == EINVAL)
      loop.run()
      #expect(loop.handleCount == 0)
    }
  }

  @Test func closingIsIdempotent() throws {
    try withLoop { loop in
      let handles = try oneOfEach(on: loop)
      #expect(loop.handleCount == handles.count)
      for handle in handles {
        handle.close()
        handle.close()
        #expect(handle.isClosing)
      }
      loop.run()
      #expect(loop.handleCount == 0)
      for handle in handles { handle.close() }
    }
  }

  @Test func closingTheLoopClosesEveryHandle() throws {
    let loop = try EventLoop()
    let handles = try oneOfEach(on: loop)
    loop.close()
    #expect(loop.handleCount == 0)
    #expect(handles.allSatisfy { $0.isClosing })
    loop.close()
  }

  @Test func aClosedHandleLetsGoOfItsCallbacks() throws {
    final class Token {}
    try withLoop { loop in
      var token: Token? = Token()
      weak let held = token
      let timer = try Timer(on: loop) { [token] in _ = token }
      let pipe = try Pipe(on: loop)
      pipe.onRead = { [token] _ in _ = token }
      pipe.onEnd = { [token] _ in _ = token }
      pipe.onDrain = { [token] in _ = token }
      let watcher = try SignalWatcher(SIGURG, on: loop) { [token] in _ = token }
      token = nil
      #expect(held != nil)
      for handle in [timer, pipe, watcher] { handle.close() }
      #expect(held == nil)
    }
  }

  private func oneOfEach(on loop: EventLoop) throws -> [Handle] {
    let timer = try Timer(on: loop) {}
    timer.start(after: 3_600_000)
    return [timer, try Pipe(on: loop), try SignalWatcher(SIGURG, on: loop) {}]
  }
}
