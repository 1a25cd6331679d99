internal import EventLoop

/// The process of a guest, where it has one, and its life.
final class GuestProcess {
  /// Number of times that the guest was started.
  var incarnation = 0
  /// The state of the process; nil: never started since the guest was installed.
  var supervision: Supervision?
  var handle: (any ProcessHandle)?
  /// The connection to the process; nil where there is none.
  var connection: GuestConnection?
  /// What the process writes to its standard output and error.
  var output: (any GuestOutput)?
  var characters = CharacterStream()
  /// The control group of the process; nil: it has none of its own.
  var controlGroup: ControlGroup.OfGuest?
  /// The process's own filter of system calls; nil: it has that of its zygote.
  var filter: OwnFilter?
  /// The number of reasons for which the process is stopped, whatever its life.
  var freezes = 0
  /// Timer for the handshake, for stopping, and for extension requests.
  var lifeTimer: Timer?
  /// Timer for looking at the memory of an extension.
  var memoryTimer: Timer?
  /// Whether the process has completed the handshake.
  var isWelcome = false
  /// The process's own reason for its end, which it tells before it exits.
  var failure: String?
  /// Called once, when the process has ended.
  var onExit: [() -> Void] = []
  /// Whether everything is being stopped, so that the guest does not restart by itself.
  var isStayingDown = false
  /// The time by which the process, which was asked to stop, and all that it sent are done with, by the loop's clock in
  /// milliseconds; nil: it was not asked.
  var stopDeadline: UInt64?
  /// Whether what the process sent before it ended is being served, the last that is awaited of it.
  var isServedLast = false
  /// The batch of guests with which the guest starts or stops; nil: none.
  var batch: LifecycleBatch?

  /// Resets the state for a new process.
  func begin(_ supervision: Supervision) {
    self.supervision = supervision
    incarnation += 1
    freezes = 0
    isWelcome = false
    isStayingDown = false
    stopDeadline = nil
    isServedLast = false
    failure = nil
  }

  /// Looks for the process's end where the connection, which is not read, does not tell it. For want of a descriptor it
  /// is told once the connection is read again.
  func watch() { try? handle?.watch() }

  /// Looks for the process's end, which is near.
  func expectEnd() {
    do {
      try handle?.watch()
    } catch {
      handle?.endAtOnce()
    }
  }

  /// Releases what a process that has ended had.
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

/// The standard output and error of a program or script, which has the pipe for itself. One that writes without end
/// rests, as does a guest that sends without end.
final class ProgramOutput: GuestOutput {
  private let pipe: Pipe
  private let slices: TimeSlices
  /// Whether what has been written is being read at once, however much it is.
  private var isReadingRest = false

  /// Reads from `pipe`, and calls `body` with what has been written.
  init(_ pipe: Pipe, _ slices: TimeSlices, _ body: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.pipe = pipe
    self.slices = slices
    pipe.onRead = { [weak self] bytes in
      body(bytes)
      if bytes.count == EventLoop.readSize { self?.rest() }
    }
    read()
  }

  private func rest() {
    guard !isReadingRest else { return }
    pipe.stopReading()
    slices.rest { [weak self] in self?.read() }
  }

  /// Reads from now on. A pipe that cannot be read is at its end, which the process's exit tells.
  private func read() { try? pipe.startReading() }

  func readRest() {
    isReadingRest = true
    defer { isReadingRest = false }
    read()
    pipe.readRest()
  }

  func close() { pipe.close() }
}

/// Bytes of a stream as text, whose characters may be cut between two reads.
struct CharacterStream {
  /// The beginning of a character, at most three bytes.
  private var rest: [UInt8] = []

  /// The text that is complete with more bytes. What is no UTF-8 becomes U+FFFD.
  mutating func append(_ bytes: some Collection<UInt8>) -> String {
    rest += bytes
    let complete = rest.dropLast(Self.cut(rest))
    defer { rest = Array(rest[complete.endIndex...]) }
    return String(decoding: complete, as: UTF8.self)
  }

  /// What is left of a stream that has ended.
  mutating func end() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The number of bytes at the end of `bytes` that begin a character, and do not complete it.
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
