internal import Foundation

/// A system call that the kernel refuses, as an older kernel or a container would.
public struct RefusedCall: Sendable {
  /// The system call number. Architectures newer than x86 share their numbers.
  private let number: UInt32
  private let error: Int32

  /// The call pidfd_open(2), which is missing before Linux 5.3 and in valgrind.
  public static let processDescriptors = RefusedCall(number: 434, error: ENOSYS)

  /// The call unshare(2), which containers refuse.
  public static let namespaces = RefusedCall(number: unshare, error: EPERM)

  /// The call clone3(2). It fails as if the limit on threads and processes had been reached.
  public static let furtherThreads = RefusedCall(number: 435, error: EAGAIN)

  #if arch(x86_64)
    private static let unshare: UInt32 = 272
  #else
    private static let unshare: UInt32 = 97
  #endif

  /// Runs `body` on a new thread on which the system call fails. The call also fails in all
  /// processes started there.
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

  /// Installs a filter that refuses the system call on this thread.
  private func takeAway() throws {
    guard let symbol = dlsym(nil, "prctl") else { throw POSIXError(.ENOSYS) }
    // Swift cannot import variadic C functions.
    let control = unsafeBitCast(
      symbol, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)
    // This is a seccomp(2) filter (<linux/filter.h>). It loads the system call number, compares it,
    // and returns the error or allows the call.
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
