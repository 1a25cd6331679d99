internal import EventLoop

/// The process of a guest, if any, and the state of its life cycle.
final class GuestProcess {
  /// The number of times that the guest has been started.
  var incarnation = 0
  /// The life cycle of the process; nil if the guest was never started.
  var supervision: Supervision?
  var handle: (any ProcessHandle)?
  var connection: GuestConnection?
  /// The standard output and error of the process.
  var output: (any GuestOutput)?
  var characters = CharacterStream()
  /// The control group that contains only this process and its child processes; nil if there is none.
  var controlGroup: ControlGroup.OfGuest?
  /// The process's own system call filter; nil if it uses its zygote's filter.
  var filter: OwnFilter?
  /// The number of active freezes. While it is not 0, the process is stopped, whatever the state of its life cycle.
  var freezes = 0
  /// The timer for the current deadline: of the handshake, of stopping, or of an extension's request.
  var lifeTimer: Timer?
  /// The postponement of the deadline in ``lifeTimer``. It is reset when the state of the life cycle changes.
  var lifeExtension = DeadlineExtension()
  /// The timer for checks of the process's memory; used for extensions, and for apps that may use up the machine's
  /// memory.
  var memoryTimer: Timer?
  /// Whether the process has completed the handshake.
  var isWelcome = false
  /// The reason that the process reported for its exit; nil if it reported none.
  var failure: String?
  /// One-time closures, called when the process has exited.
  var onExit: [() -> Void] = []
  /// Whether the guest must not restart, for example because all guests are being stopped.
  var isStayingDown = false
  /// The deadline for the process to exit and for the host to process its last messages, in milliseconds of the loop's
  /// clock. Nil if there is none.
  var stopDeadline: UInt64?
  /// Whether the process has exited and the host is processing its last messages.
  var isServedLast = false
  var batch: LifecycleBatch?

  /// Resets the state of the life cycle for a new process.
  func begin(_ supervision: Supervision) {
    self.supervision = supervision
    incarnation += 1
    lifeExtension = DeadlineExtension()
    freezes = 0
    isWelcome = false
    isStayingDown = false
    stopDeadline = nil
    isServedLast = false
    failure = nil
  }

  /// Starts watching for the process's exit. This is needed while the host does not read from the connection, and
  /// therefore cannot notice its end. If no descriptor is available, the host notices the exit at the next read.
  func watch() { try? handle?.watch() }

  /// Starts watching a process that is about to exit. If watching is impossible, kills the process.
  func expectEnd() {
    do {
      try handle?.watch()
    } catch {
      handle?.endAtOnce()
    }
  }

  func release() {
    connection?.port.close()
    output?.readRest()
    output?.close()
    handle?.close()
    controlGroup?.close()
    lifeTimer?.close()
    memoryTimer?.close()
    connection = nil
    output = nil
    handle = nil
    controlGroup = nil
    filter = nil
    lifeTimer = nil
    memoryTimer = nil
  }
}

// MARK: - Output

/// The standard output and standard error of a program or script, in one pipe. If a read fills the buffer, the next
/// read waits for a time slice, so a program that writes continuously cannot block other guests.
final class ProgramOutput: GuestOutput {
  private let pipe: Pipe
  private let slices: TimeSlices
  /// Whether all pending output is being read at once, without waiting for time slices.
  private var isReadingRest = false

  init(_ pipe: Pipe, _ slices: TimeSlices, _ body: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.pipe = pipe
    self.slices = slices
    pipe.onRead = { [weak self] bytes in
      body(bytes)
      if bytes.count == EventLoop.readSize { self?.yield() }
    }
    read()
  }

  private func yield() {
    guard !isReadingRest else { return }
    pipe.stopReading()
    slices.yield { [weak self] in self?.read() }
  }

  /// Starts reading. If this fails, the remaining output may be lost. The process's exit is handled separately and is
  /// still noticed.
  private func read() { try? pipe.startReading() }

  func readRest() {
    isReadingRest = true
    defer { isReadingRest = false }
    read()
    pipe.readRest()
  }

  func close() { pipe.close() }
}

/// Decodes a stream of bytes as text. Characters may be split between reads.
struct CharacterStream {
  /// The start of an incomplete character, at most three bytes.
  private var rest: [UInt8] = []

  /// Appends bytes, and returns the text that is complete. Invalid UTF-8 becomes U+FFFD.
  mutating func append(_ bytes: some Collection<UInt8>) -> String {
    rest += bytes
    let complete = rest.dropLast(Self.cut(rest))
    defer { rest = Array(rest[complete.endIndex...]) }
    return String(decoding: complete, as: UTF8.self)
  }

  /// Returns the remaining text after the stream has ended.
  mutating func end() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Returns the length of the incomplete character at the end of `bytes`, in bytes.
  private static func cut(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      guard byte & 0xC0 != 0x80 else { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }
}
