import EventLoop
import TestSupport
import Testing

extension RealProcesses {
  @Suite(.timeLimit(.minutes(15))) struct ManyChildrenTests {
    // In a process of its own, because other tests open descriptors and start children meanwhile.
    @Test func aThousandComeAndGoAndLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try withLoop { loop in
          var ends = 0
          // The first child makes libuv open what it keeps for good.
          try startEcho(on: loop) { _ in }
          loop.run()
          let before = Census.take()
          #expect(!Census.hasChildren, "children before any was started")
          for _ in 0..<50 {
            for _ in 0..<20 { try startEcho(on: loop) { ends += $0 } }
            loop.run()
          }
          #expect(ends == 1000, "\(ends) of 1000 ended well")
          #expect(loop.handleCount == 0, "\(loop.handleCount) handles")
          try before.waitUntilNothingIsLeft()
        }
      }
    }
  }
}

/// A child that repeats what comes over its pipe; `then` gets 1 when it has, and ended well.
private func startEcho(on loop: EventLoop, then finish: @escaping (Int) -> Void) throws {
  let pipe = try Pipe(on: loop)
  try start(.program("/bin/cat", descriptors: [.pipe(pipe)]), on: loop) {
    finish($0 == Ended(output: "x", exit: .status(0)) ? 1 : 0)
  }
  pipe.onDrain = { [unowned pipe] in pipe.close() }
  try [UInt8(ascii: "x")].withUnsafeBytes { try pipe.write($0) }
}
