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
  /// The control group of the process; nil if it has none of its own.
  var controlGroup: ControlGroup.OfGuest?
  /// The process's own system call filter; nil if it uses its zygote's filter.
  var filter: OwnFilter?
  /// The number of active freezes. Freezes stop the process independently of its life cycle.
  var freezes = 0
  /// The timer for the handshake, for stopping, and for extension requests.
  var lifeTimer: Timer?
  /// The deadline's extension in the current state of the life cycle.
  var lifeExtension = DeadlineExtension()
  /// The timer for memory checks of an extension, or of an app that may hoard memory.
  var memoryTimer: Timer?
  /// Whether the process has completed the handshake.
  var isWelcome = false
  /// The reason that the process gave for its exit.
  var failure: String?
  /// Closures to call once when the process has exited.
  var onExit: [() -> Void] = []
  /// Whether the guest must not restart, for example because all guests are being stopped.
  var isStayingDown = false
  /// The deadline for the process's exit and last messages, in milliseconds of the loop's clock; nil if there is none.
  var stopDeadline: UInt64?
  /// Whether the last messages of an exited process are being processed. No further messages are expected from it.
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

  /// Watches for the process's exit while its connection is not read and cannot report the exit. If
  /// no descriptor is available, the exit is noticed at the next read.
  func watch() { try? handle?.watch() }

  /// Watches for the process's imminent exit. If watching is impossible, kills the process.
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

/// The standard output and error of a program or script, in a separate pipe. After each full read, reading pauses until
/// the next slice, so a program that writes continuously cannot block other guests.
final class ProgramOutput: GuestOutput {
  private let pipe: Pipe
  private let slices: TimeSlices
  /// Whether all pending output is being read without pauses.
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

  /// Starts reading. If the pipe cannot be read, the output counts as ended. The process's exit is handled separately.
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
