internal import EventLoop

/// Where what a guest is to hear goes: the pipe to its process, or a test's memory.
protocol GuestPort: AnyObject {
  /// Whether nothing can be sent any more.
  var isClosing: Bool { get }
  /// Bytes that the port has taken and the guest has not.
  var queuedBytes: Int { get }
  /// Bytes from the guest that nobody has read; nil where nobody can know.
  var unreadBytes: Int? { get }
  /// Bytes for the guest that are with the kernel; nil where nobody can know.
  var untakenBytes: Int? { get }

  func startReading() throws(EventLoopError)
  func stopReading()
  /// Reads what the guest has said until now, at once; nothing while it is left unread.
  func readRest()
  /// - Returns: how many bytes it has taken.
  func tryWrite(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) -> Int
  /// Takes all bytes, and sends them when the guest reads.
  func write(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError)
  func close()
}

extension Pipe: GuestPort {}
