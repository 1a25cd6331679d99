internal import Encodings
internal import Glibc
internal import Model

/// The device's append-only log of events, as JSON Lines.
///
/// Events are buffered until ``flush()``, which each transaction calls before it sends anything to a guest.
final class Journal {
  private let path: String
  private var descriptor: Int32
  private let isSynchronized: Bool
  private let realTime: DeviceConfiguration.RealTime
  private var writer = JSONWriter()
  private var sequence: Int
  /// The number of bytes written to the file.
  private var flushed = 0
  /// The last request number in the journal when it was opened; 0 if it had no request.
  let lastRequest: Int
  /// Requests, in order, that were decided but had not ended when the device last died.
  let openRequests: [RequestDecision]

  /// Opens or creates the journal's file.
  ///
  /// - Throws: ``HostError`` if the file cannot be opened or is damaged.
  init(
    path: String, isSynchronized: Bool, _ realTime: DeviceConfiguration.RealTime = .omitted
  ) throws(HostError) {
    self.realTime = realTime
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HostError(.journal, "cannot open the journal `\(path)`: \(lastError())")
    }
    self.isSynchronized = isSynchronized
    self.path = path
    let tail = JournalRecovery(descriptor: descriptor)
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

  /// Closes the file. Later calls of `append` are invalid.
  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// The number of bytes appended since the journal was opened, including buffered ones.
  var appended: Int { flushed + writer.bytes.count }

  func append(_ kind: JournalEvent.Kind, time: Int) {
    tellRealTime(at: time)
    sequence += 1
    JournalEvent(sequence: sequence, time: time, kind: kind).write(to: &writer)
    writer.endLine()
  }

  /// Appends a decision from the template that it shares with similar decisions.
  func append(_ template: DecisionTemplate, request: Int, bytes: Int, time: Int) {
    tellRealTime(at: time)
    sequence += 1
    template.write(
      sequence: sequence, time: time, request: request, bytes: bytes, to: &writer)
    writer.endLine()
  }

  /// Records the machine's time before a transaction's first event, if so configured.
  private func tellRealTime(at time: Int) {
    guard realTime == .recorded, writer.bytes.isEmpty else { return }
    sequence += 1
    let event = JournalEvent(
      sequence: sequence, time: time, kind: .clockRead(realTime: RealTime.text))
    event.write(to: &writer)
    writer.endLine()
  }

  /// Writes all events to the kernel, and to disk if so configured.
  ///
  /// - Throws: ``HostError`` if not all events can be written; the remaining ones are dropped.
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

func lastError() -> String { String(cString: strerror(errno)) }

// MARK: - End of an earlier run

/// The last part of a journal from an earlier run of the device.
struct JournalRecovery {
  /// The last event number; 0 if the journal has no event.
  private(set) var sequence = 0
  /// The number of the last decided request or arrived item; 0 if the journal has none.
  private(set) var request = 0
  /// Decided requests that had not ended when the device died, the latest first.
  private(set) var open: [RequestDecision] = []
  /// The requests with a known end and a decision that has not been read.
  private var ended: Set<Int> = []
  /// Whether the start or end of a run has been read. Requests before that event are not open.
  private var hasSeenRun = false
  /// An impossible event or request number, which proves that the journal is damaged; nil if all
  /// are valid.
  private(set) var invalidNumber: Int?
  /// The reason why the journal could not be read; nil if it could.
  private(set) var failure: String?

  /// Integers that all JSON readers represent exactly (RFC 8259, section 6).
  private static let numbers = 1...(1 << 53)
  private static let chunk = 64 * 1024

  /// Reads a journal backwards until both numbers and the open requests of the last run are known. Truncates
  /// an incomplete last line, as left by a power loss.
  init(descriptor: Int32) {
    var end = Int(lseek(descriptor, 0, SEEK_END))
    if end < 0 { failure = lastError() }
    var rest: [UInt8] = []
    while end > 0, !isDone {
      let start = max(0, end - Self.chunk)
      var bytes = [UInt8](repeating: 0, count: end - start)
      let count = pread(descriptor, &bytes, bytes.count, off_t(start))
      guard count == bytes.count else {
        failure = count < 0 ? lastError() : "unexpected end of file"
        return
      }
      bytes += rest
      if sequence == 0, rest.isEmpty, bytes.last != UInt8(ascii: "\n") {
        let cut = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard ftruncate(descriptor, off_t(start + cut)) == 0 else {
          failure = lastError()
          return
        }
        bytes.removeSubrange(cut...)
      }
      // The first line may begin in an earlier chunk.
      let first = start == 0 ? 0 : bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
      if let first {
        scan(bytes[first...])
        rest = Array(bytes[..<first])
      } else {
        rest = bytes
      }
      end = start
    }
  }

  private var isDone: Bool {
    invalidNumber != nil || sequence != 0 && request != 0 && hasSeenRun
  }

  private mutating func checked(_ number: Int) -> Int {
    if !Self.numbers.contains(number) { invalidNumber = number }
    return number
  }

  private mutating func scan(_ lines: ArraySlice<UInt8>) {
    for line in lines.split(separator: UInt8(ascii: "\n")).reversed() {
      guard let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self)) else {
        continue
      }
      if sequence == 0 { sequence = checked(event.sequence) }
      record(event.kind)
      if isDone { return }
    }
  }

  private mutating func record(_ event: JournalEvent.Kind) {
    switch event {
    case .decided(let decision):
      if request == 0 { request = checked(decision.request) }
      guard !hasSeenRun, ended.remove(decision.request) == nil else { return }
      open.append(decision)
    case .itemArrived(let item, _, _, _, _, _, _): if request == 0 { request = checked(item) }
    case .ended(let request, _, _, _): if !hasSeenRun { ended.insert(request) }
    case .deviceStarted, .deviceStopped: hasSeenRun = true
    // Events of the device and its scenario
    case .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected:
      break
    // Events of guests
    case .guestStarted, .guestReady, .guestSuspended, .guestResumed, .guestExited, .claimIgnored,
      .extensionCompleted, .extensionCancelled:
      break
    // Events of accounts and identities
    case .accountEnrolled, .accountSignedIn, .accountSignedOut, .accountNotAllowed,
      .accountRenamed, .accountWiped, .wipeAdvanced, .identitySwitched, .identitySwitchRequired,
      .accessChecked, .enrollmentAsked, .enrollmentAnswered, .complianceAnswered,
      .remediationLooped, .delegateAsked:
      break
    // Events of policies and configurations
    case .policyChanged, .policySaved, .policyAbsent, .policyStated, .factsStated, .appConfigured,
      .configurationDelivered, .telemetryRecorded, .declarationsApplied, .managedAppChanged,
      .administratorInformed:
      break
    }
  }
}
