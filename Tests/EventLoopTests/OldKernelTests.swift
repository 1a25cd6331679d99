import EventLoop
import Foundation
import TestSupport
import Testing

/// Children under a kernel that lacks what ours has, as valgrind does.
@Suite(.timeLimit(.minutes(15))) struct OldKernelTests {
  @Test func `the end of a child is seen, with its status and all that it wrote`() async throws {
    let ended = try await RefusedCall.processDescriptors.during { try shell("echo hello; exit 7") }
    #expect(ended == Ended(output: "hello\n", exit: .status(7)))
  }

  @Test func `so are those of many at once, and a child that is killed`() async throws {
    let ends = try await RefusedCall.processDescriptors.during {
      try withLoop { loop in
        var ends: [ChildProcess.Exit?] = []
        for status in 0..<20 {
          try start(.program("/bin/sh", ["-c", "exit \(status)"]), on: loop) {
            ends.append($0.exit)
          }
        }
        let sleeper = try start(.program("/bin/sleep", ["1000"]), on: loop) {
          ends.append($0.exit)
        }
        sleeper.signalGroup(SIGKILL)
        loop.run()
        return ends
      }
    }
    #expect(ends.count == 21)
    for status in 0..<20 { #expect(ends.contains(.status(status))) }
    #expect(ends.contains(.signal(Int(SIGKILL))))
  }
}
