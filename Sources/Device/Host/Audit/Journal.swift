internal import Glibc
internal import JSON
internal import Model

/// The device's log of events: JSON Lines, appended to, never changed.
///
/// Events gather until ``flush()``, which every turn of the loop calls before anything is sent to a guest.
final class Journal {
  private let path: String
  private var descriptor: Int32
  private let isSynchronized: Bool
  private let realTime: DeviceConfiguration.RealTime
  private var writer = JSONWriter()
  private var sequence: Int
  /// Bytes handed to the kernel.
  private var flushed = 0
  /// Number of the last request that earlier runs of the device decided.
  let lastRequest: Int
  /// The requests, in their order, that were decided when the device died, and had not ended.
  let openRequests: [RequestDecision]

  /// Opens or creates the journal's file.
  ///
  /// - Throws: ``HostError`` where the file cannot be opened, or is damaged.
  init(
    path: String, isSynchronized: Bool, _ realTime: DeviceConfiguration.RealTime = .untold
  ) throws(HostError) {
    self.realTime = realTime
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HostError(.journal, "cannot open the journal `\(path)`: \(lastError())")
    }
    self.isSynchronized = isSynchronized
    self.path = path
    let tail = JournalTail(descriptor: descriptor)
    sequence = tail.sequence
    lastRequest = tail.request
    openRequests = tail.open.reversed()
    if let failure = tail.failure {
      throw HostError(.journal, "cannot read the journal `\(path)`: \(failure)")
    }
    guard let number = tail.invalidNumber else { return }
    throw HostError(
      .journal, "the journal `\(path)` is damaged: an event in it has the number \(number)")
  }

  deinit { close() }

  /// Closes the file. Nothing can be appended afterwards.
  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Bytes appended since the journal was opened.
  var appended: Int { flushed + writer.bytes.count }

  func append(_ kind: JournalEvent.Kind, time: Int) {
    tellRealTime(at: time)
    sequence += 1
    JournalEvent(sequence: sequence, time: time, kind: kind).write(to: &writer)
    writer.endLine()
  }

  /// Appends a decision that is like others, by the template that it shares with them.
  func append(_ template: DecisionTemplate, request: Int, bytes: Int, time: Int) {
    tellRealTime(at: time)
    sequence += 1
    template.write(
      sequence: sequence, time: time, request: request, bytes: bytes, to: &writer)
    writer.endLine()
  }

  /// Begins a turn's events with the machine's time, where that is asked for.
  private func tellRealTime(at time: Int) {
    guard realTime == .told, writer.bytes.isEmpty else { return }
    sequence += 1
    let event = JournalEvent(
      sequence: sequence, time: time, kind: .clockRead(realTime: RealTime.text))
    event.write(to: &writer)
    writer.endLine()
  }

  /// Hands all events to the kernel, and to the disk where that is asked for.
  ///
  /// - Throws: ``HostError`` where not all events can be written; those that were not are forgotten.
  func flush() throws(HostError) {
    guard !writer.bytes.isEmpty else { return }
    defer {
      flushed += writer.bytes.count
      writer.removeAll()
    }
    guard writer.bytes.withUnsafeBytes(write), !isSynchronized || fdatasync(descriptor) == 0
    else { throw HostError(.storage, "cannot write the journal `\(path)`: \(lastError())") }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}

/// The system's message for `errno`.
func lastError() -> String { String(cString: strerror(errno)) }
