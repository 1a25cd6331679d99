internal import EventLoop
internal import Wire

/// The connection between the host and a guest.
final class GuestConnection {
  unowned let guest: Guest
  var port: any GuestPort
  var parser: FrameParser
  var outgoing = FrameBuffer()
  /// The memory that the guest's process was lent.
  let memory = GuestMemory()
  /// Whether the guest has been sent something; the first frame is that of the handshake.
  private(set) var hasSent = false
  /// The reasons why frames of the guest are left unread; empty where they are read.
  var pauses: Pauses = []
  /// Whether nothing is read because the guest is suspended: processes that it started in sessions of their own go on.
  var isSuspended = false
  /// The last messages that count for now, while they are being served; nil: there is no such bound.
  var rest: Rest?
  /// Whether the connection is among those that the device is to flush.
  var isDirty = false
  /// Whether the guest has closed its end.
  var hasEnded = false
  /// Whether the guest's end of the connection would be heard of.
  var isHeard: Bool { !hasEnded && !isPaused && !isSuspended && isToBeRead }

  /// What a guest had sent by a certain time.
  struct Rest {
    /// The number of bytes that have not been read.
    var unreadBytes: Int
    /// Called when all is served, or must be left.
    var onEnd: [() -> Void]
  }

  /// Reasons to leave frames unread for a time.
  struct Pauses: OptionSet {
    let rawValue: UInt8

    /// Earlier frames wait: for other guests to take what they were sent, or for answers.
    static let backlog = Pauses(rawValue: 1)
    /// The guest has used up its slice of the device's time.
    static let slice = Pauses(rawValue: 2)
    /// Data of the guest's is being deleted.
    static let deletion = Pauses(rawValue: 4)
  }

  /// Whether frames are left unread until earlier ones are done with.
  var isPaused: Bool { pauses.contains(.backlog) }
  /// Whether frames are left unread until the guest's next slice.
  var isResting: Bool { pauses.contains(.slice) }
  /// Whether frames may be read, also where the guest would have to wait with them.
  var isToBeRead: Bool { !pauses.contains(.deletion) }

  init(guest: Guest, port: any GuestPort, frameLimit: Int) {
    self.guest = guest
    self.port = port
    parser = FrameParser(limit: frameLimit)
  }

  /// Reads at once what the guest has sent until now.
  func readRest() {
    if isToBeRead { port.readRest() }
  }

  /// Begins a ``rest``: what the guest has sent until now.
  func beginRest(then onEnd: @escaping () -> Void) {
    port.stopReading()
    // Of what came behind a suspension, nothing counts.
    let unread = isSuspended ? rest?.unreadBytes ?? 0 : port.unreadBytes ?? EventLoop.readSize
    rest = Rest(unreadBytes: hasEnded ? 0 : unread, onEnd: (rest?.onEnd ?? []) + [onEnd])
  }

  /// Bytes that the guest has not taken yet.
  var backlog: Int { outgoing.count + port.queuedBytes }

  /// Writes what the kernel takes, and queues the rest once. Later frames stay in ``outgoing`` until the queue is
  /// empty.
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
