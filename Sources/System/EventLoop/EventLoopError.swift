internal import CUV

/// A refusal of the operating system.
public struct EventLoopError: Error, Sendable, CustomStringConvertible {
  /// libuv's code: a negative errno.
  public let code: Int32
  /// The attempted operation, such as ``spawn``.
  public let operation: Operation

  /// An operation that the system can refuse.
  public enum Operation: String, Sendable {
    case openLoop = "open an event loop"
    case openPipe = "open a pipe"
    case read
    case write
    case spawn = "start a process"
    case signal = "send a signal"
    case watchSignal = "watch a signal"
    case timer = "start a timer"
    case listen
    case startThreads = "start a thread"
    case asyncSignal = "open a signal between threads"
  }

  init(_ operation: Operation, _ code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The system's words for the code, such as `too many open files`.
  public var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      String(cString: uv_strerror_r(code, buffer.baseAddress, buffer.count))
    }
  }

  /// The errno as a positive number.
  public var errno: Int32 { -code }

  public var description: String { "cannot \(operation.rawValue): \(reason)" }

  /// Throws ``EventLoopError`` unless `code` is a success.
  static func check(_ operation: Operation, _ code: Int32) throws(EventLoopError) {
    if code < 0 { throw EventLoopError(operation, code) }
  }
}
