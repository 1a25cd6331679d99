internal import Foundation

/// A system call that the kernel refuses, as an old one does, or a container's.
public struct RefusedCall: Sendable {
  /// Its number, which architectures younger than x86 share.
  private let number: UInt32
  private let error: Int32

  /// pidfd_open(2), which a kernel before Linux 5.3 lacks, and valgrind.
  public static let processDescriptors = RefusedCall(number: 434, error: ENOSYS)

  /// unshare(2), which containers refuse.
  public static let namespaces = RefusedCall(number: unshare, error: EPERM)

  /// clone3(2) where it is to make a thread or a process more than the system gives.
  public static let furtherThreads = RefusedCall(number: 435, error: EAGAIN)

  #if arch(x86_64)
    private static let unshare: UInt32 = 272
  #else
    private static let unshare: UInt32 = 97
  #endif

  /// Calls `body` on a thread of its own, which is refused the call, with all processes that it starts.
  public func during<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try takeAway()
            return try body()
          })
      }
    }
  }

  /// Takes it away from this thread.
  private func takeAway() throws {
    guard let symbol = dlsym(nil, "prctl") else { throw POSIXError(.ENOSYS) }
    // Swift sees no function with a variable number of arguments.
    let control = unsafeBitCast(
      symbol, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)
    // seccomp(2), <linux/filter.h>: the number of the call; is it this one; the error, or allow.
    let filter: [Instruction] = [
      Instruction(code: 0x20), Instruction(code: 0x15, whereNot: 1, value: number),
      Instruction(code: 0x06, value: 0x50000 | UInt32(error)),
      Instruction(code: 0x06, value: 0x7FFF_0000),
    ]
    try filter.withUnsafeBufferPointer { filter in
      var program = Program(count: 4, filter: filter.baseAddress)
      try withUnsafePointer(to: &program) { program in
        guard control(38, 1, 0, 0, 0) == 0,  // PR_SET_NO_NEW_PRIVS
          control(22, 2, UInt(bitPattern: program), 0, 0) == 0  // PR_SET_SECCOMP
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
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
}
