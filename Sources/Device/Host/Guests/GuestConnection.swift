internal import EventLoop
internal import Wire

final class GuestConnection {
  unowned let guest: Guest
  var port: any GuestPort
  var parser: FrameParser
  var outgoing = FrameBuffer()
  let memory = GuestMemory()
  /// Whether the last flush left bytes in the port's queue. They may have been written since.
  private var hasUnwritten = false
  /// Whether any frame has been sent to the guest. The first frame is the handshake.
  private(set) var hasSent = false
  /// The reasons why the host currently does not process the guest's frames; empty if it does.
  var pauses: Pauses = []
  /// Whether the host has stopped reading because the guest is suspended. Reading must stop, because the suspension does
  /// not stop processes that the guest has moved to other sessions: they can still write.
  var isSuspended = false
  /// Unprocessed data that the guest sent before it was suspended, passed a deadline or exited. Nil if the host is not
  /// processing such data.
  var remainder: Remainder?
  /// Whether the connection has output and will be flushed at the end of the transaction.
  var isDirty = false
  /// Whether the guest has closed its end of the connection.
  var hasEnded = false
  /// Whether the host is reading from the guest, so it would notice if the guest closed the connection.
  var isHeard: Bool { !hasEnded && !isPaused && !isSuspended && isToBeRead }

  /// Data that a guest sent before an event such as its exit. The host processes this data before it handles the event.
  struct Remainder {
    var unreadBytes: Int
    /// Closures to call once the host has processed all of the data or must discard it.
    var onEnd: [() -> Void]
  }

  /// Reasons for temporarily not processing a guest's frames.
  struct Pauses: OptionSet {
    let rawValue: UInt8

    /// Earlier frames are still queued, because another guest must catch up or an answer is pending.
    static let backlog = Pauses(rawValue: 1)
    /// The guest has used up its time slice.
    static let slice = Pauses(rawValue: 2)
    /// Some of the guest's data is being deleted.
    static let deletion = Pauses(rawValue: 4)
  }

  /// Whether the host processes no new frames until it has processed the queued ones.
  var isPaused: Bool { pauses.contains(.backlog) }
  /// Whether the host processes no frames until the guest's next time slice.
  var isYielding: Bool { pauses.contains(.slice) }
  /// Whether the host may read the guest's frames. It may read and queue them even if ``isPaused`` or ``isYielding`` is
  /// true.
  var isToBeRead: Bool { !pauses.contains(.deletion) }

  init(guest: Guest, port: any GuestPort, frameLimit: Int) {
    self.guest = guest
    self.port = port
    parser = FrameParser(limit: frameLimit)
  }

  func readRest() {
    if isToBeRead { port.readRest() }
  }

  /// Stops regular reading, and starts a ``remainder`` with the data that the guest has sent so far. `onEnd` is called
  /// once the remainder has been processed or discarded.
  func beginRemainder(then onEnd: @escaping () -> Void) {
    port.stopReading()
    // Data that arrived after a suspension is ignored.
    let unread = isSuspended ? remainder?.unreadBytes ?? 0 : port.unreadBytes ?? EventLoop.readSize
    remainder = Remainder(
      unreadBytes: hasEnded ? 0 : unread, onEnd: (remainder?.onEnd ?? []) + [onEnd])
  }

  /// The number of bytes that the host has yet to write to the guest's pipe.
  var backlog: Int { outgoing.count + (hasUnwritten ? port.queuedBytes : 0) }

  /// Writes as many bytes as the kernel accepts, and queues the rest. Later frames stay in ``outgoing`` until
  /// the queue is empty.
  func flush() throws(EventLoopError) {
    guard !outgoing.isEmpty, port.queuedBytes == 0 else { return }
    let written = try port.tryWrite(outgoing.bytes)
    hasUnwritten = written < outgoing.count
    if hasUnwritten {
      try port.write(UnsafeRawBufferPointer(rebasing: outgoing.bytes[written...]))
    }
    outgoing.removeAll()
    hasSent = true
    memory.window?.giveBack()
  }
}

/// The host's end of the connection to a guest: the pipe to its process, or memory in tests.
protocol GuestPort: AnyObject {
  /// Whether the port can no longer send.
  var isClosing: Bool { get }
  /// The number of bytes that the port has accepted and not yet passed to the kernel.
  var queuedBytes: Int { get }
  /// The number of unread bytes from the guest; nil if it cannot be known.
  var unreadBytes: Int? { get }
  /// The number of bytes in the kernel's buffer that the guest has yet to read; nil if it cannot be known.
  var untakenBytes: Int? { get }

  func startReading() throws(EventLoopError)
  func stopReading()
  /// Reads all data that the guest has sent so far. Does nothing if reading is stopped.
  func readRest()
  /// Reads at most `most` bytes that the guest has already sent, even if reading is stopped.
  ///
  /// - Returns: The number of bytes read; 0 if there were none.
  func readNow(upTo most: Int) -> Int
  /// Sends as many bytes as can be sent immediately, and returns their number.
  func tryWrite(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) -> Int
  /// Queues all bytes, and sends them as the guest reads.
  func write(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError)
  /// Sends bytes together with a descriptor. If that cannot be done immediately, returns false and sends nothing.
  func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool
  func close()
}

extension Pipe: GuestPort {}
