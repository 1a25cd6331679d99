import EventLoop
import Foundation
import Testing

/// Children under a kernel that lacks what ours has, as valgrind does.
@Suite(.timeLimit(.minutes(15))) struct OldKernelTests {
  /// Takes pidfd_open(2) away from this thread, and from what it starts.
  private static func forgetProcessDescriptors() throws {
    let symbol = try #require(dlsym(nil, "prctl"))
    // Swift sees no function with a variable number of arguments.
    let control = unsafeBitCast(
      symbol, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)
    // seccomp(2), <linux/filter.h>: the number of the call; is it 434; ENOSYS, or allow.
    let filter: [Instruction] = [
      Instruction(code: 0x20), Instruction(code: 0x15, whereNot: 1, value: 434),
      Instruction(code: 0x06, value: 0x50000 | UInt32(ENOSYS)),
      Instruction(code: 0x06, value: 0x7FFF_0000),
    ]
    try filter.withUnsafeBufferPointer { filter in
      var program = Program(count: 4, filter: filter.baseAddress)
      try withUnsafePointer(to: &program) { program in
        try #require(control(38, 1, 0, 0, 0) == 0)  // PR_SET_NO_NEW_PRIVS
        try #require(control(22, 2, UInt(bitPattern: program), 0, 0) == 0)  // PR_SET_SECCOMP
      }
    }
  }

  private struct Instruction {
    var code: UInt16
    var whereSo: UInt8 = 0
    var whereNot: UInt8 = 0
    var value: UInt32 = 0
  }

  private struct Program {
    var count: UInt16
    var filter: UnsafePointer<Instruction>?
  }

  /// - Returns: what `body` gives on a thread of its own without pidfd_open(2).
  private func onOldKernel<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try Self.forgetProcessDescriptors()
            return try body()
          })
      }
    }
  }

  @Test func `the end of a child is seen, with its status and all that it wrote`() async throws {
    let ended = try await onOldKernel { try shell("echo hello; exit 7") }
    #expect(ended == Ended(output: "hello\n", exit: .status(7)))
  }

  @Test func `so are those of many at once, and a child that is killed`() async throws {
    let ends = try await onOldKernel {
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
