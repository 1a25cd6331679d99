internal import EventLoop
internal import Wire

final class GuestConnection {
  unowned let guest: Guest
  var port: any GuestPort
  var parser: FrameParser
  var outgoing = FrameBuffer()
  let memory = GuestMemory()
  /// Whether any frame has been sent to the guest. The first frame is the handshake.
  private(set) var hasSent = false
  /// The reasons why the guest's frames are left unread; empty if they are read.
  var pauses: Pauses = []
  /// Whether reading has stopped because the guest is suspended. Processes that the guest has moved
  /// to other sessions are not suspended, and can still write.
  var isSuspended = false
  /// The unserved data that the guest sent before a cutoff; nil if there is no cutoff.
  var remainder: Remainder?
  /// Whether the connection is queued for flushing.
  var isDirty = false
  /// Whether the guest has closed its end of the connection.
  var hasEnded = false
  /// Whether the device would notice if the guest closed its end.
  var isHeard: Bool { !hasEnded && !isPaused && !isSuspended && isToBeRead }

  /// Data that a guest sent before a cutoff.
  struct Remainder {
    var unreadBytes: Int
    /// Closures to call when all data has been served or must be discarded.
    var onEnd: [() -> Void]
  }

  /// Reasons for temporarily leaving frames unread.
  struct Pauses: OptionSet {
    let rawValue: UInt8

    /// Earlier frames are queued because other guests must catch up, or because answers are pending.
    static let backlog = Pauses(rawValue: 1)
    /// The guest has used up its time slice.
    static let slice = Pauses(rawValue: 2)
    /// Some of the guest's data is being deleted.
    static let deletion = Pauses(rawValue: 4)
  }

  /// Whether frames are left unread until earlier frames have been processed.
  var isPaused: Bool { pauses.contains(.backlog) }
  /// Whether frames are left unread until the guest's next slice.
  var isYielding: Bool { pauses.contains(.slice) }
  /// Whether frames may be read, if only to be queued.
  var isToBeRead: Bool { !pauses.contains(.deletion) }

  init(guest: Guest, port: any GuestPort, frameLimit: Int) {
    self.guest = guest
    self.port = port
    parser = FrameParser(limit: frameLimit)
  }

  func readRest() {
    if isToBeRead { port.readRest() }
  }

  /// Starts a ``remainder`` with the data that the guest has sent so far.
  func beginRemainder(then onEnd: @escaping () -> Void) {
    port.stopReading()
    // Data that arrived after a suspension is ignored.
    let unread = isSuspended ? remainder?.unreadBytes ?? 0 : port.unreadBytes ?? EventLoop.readSize
    remainder = Remainder(
      unreadBytes: hasEnded ? 0 : unread, onEnd: (remainder?.onEnd ?? []) + [onEnd])
  }

  /// The number of bytes that the host still holds for the guest. Bytes in the kernel's buffer do not count.
  var backlog: Int { outgoing.count + port.queuedBytes }

  /// Writes as many bytes as the kernel accepts, and queues the rest. Later frames stay in ``outgoing`` until
  /// the queue is empty.
  func flush() throws(EventLoopError) {
    guard !outgoing.isEmpty, port.queuedBytes == 0 else { return }
    let written = try port.tryWrite(outgoing.bytes)
    if written < outgoing.count {
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
  /// The number of bytes that the port has accepted but the kernel has not.
  var queuedBytes: Int { get }
  /// The number of unread bytes from the guest; nil if it cannot be known.
  var unreadBytes: Int? { get }
  /// The number of bytes for the guest in the kernel's buffer; nil if it cannot be known.
  var untakenBytes: Int? { get }

  func startReading() throws(EventLoopError)
  func stopReading()
  /// Reads all data that the guest has sent so far. Does nothing if reading is stopped.
  func readRest()
  /// Reads at most `most` bytes that the guest has already sent, even if reading is stopped.
  ///
  /// - Returns: The number of bytes read; 0 if there were none.
  func readNow(upTo most: Int) -> Int
  /// Sends the bytes that can be sent immediately, and returns their number.
  func tryWrite(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) -> Int
  /// Accepts all bytes, and sends them as the guest reads.
  func write(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError)
  /// Sends bytes together with a descriptor. If that cannot be done immediately, returns false and sends nothing.
  func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool
  func close()
}

extension Pipe: GuestPort {}
