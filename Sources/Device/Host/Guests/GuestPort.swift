internal import EventLoop

/// The host's end of the way to a guest: the pipe to its process, or a test's memory.
protocol GuestPort: AnyObject {
  /// Whether nothing can be sent any more.
  var isClosing: Bool { get }
  /// Bytes that the port has taken and the guest has not.
  var queuedBytes: Int { get }
  /// Bytes from the guest that have not been read; nil where their number cannot be known.
  var unreadBytes: Int? { get }
  /// Bytes for the guest that are with the kernel; nil where their number cannot be known.
  var untakenBytes: Int? { get }

  func startReading() throws(EventLoopError)
  func stopReading()
  /// Reads at once what the guest has sent until now; nothing while reading is stopped.
  func readRest()
  /// Reads at once up to so many bytes of what the guest has sent until now, also while reading is stopped.
  ///
  /// - Returns: the number of bytes read; 0 where there are none.
  func readNow(upTo most: Int) -> Int
  /// Sends as many of the bytes as can be sent at once, and returns their number.
  func tryWrite(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) -> Int
  /// Takes all bytes, and sends them when the guest reads.
  func write(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError)
  /// Sends bytes and a descriptor with them; false, and nothing is sent, where that cannot be done at once.
  func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool
  func close()
}

extension Pipe: GuestPort {}
