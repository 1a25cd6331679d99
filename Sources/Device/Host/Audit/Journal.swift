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

// MARK: - The end of an earlier run

/// The end of the journal that an earlier run of the device left.
struct JournalTail {
  /// Number of the last event; 0 where there is none.
  private(set) var sequence = 0
  /// Number of the last request that was decided, or item that arrived; 0 where there is none.
  private(set) var request = 0
  /// The decisions of the last run whose requests have not ended, the latest first: the device died under them.
  private(set) var open: [RequestDecision] = []
  /// The requests whose ends have been seen, and whose decisions have not.
  private var ended: Set<Int> = []
  /// Whether the beginning or the end of a run has been seen, before which no request is open.
  private var hasSeenRun = false
  /// An event or request number that no device can have reached, which shows that the journal is damaged; nil: none.
  private(set) var invalidNumber: Int?
  /// The reason why the journal could not be read; nil: it could.
  private(set) var failure: String?

  /// Integers that readers of JSON tell apart (RFC 8259, section 6).
  private static let numbers = 1...(1 << 53)
  private static let chunk = 64 * 1024

  /// Reads a journal backwards until both numbers are known, and what its last run has left open. Cuts off a last line
  /// that a dying machine left half written.
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
        look(through: bytes[first...])
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

  private mutating func look(through lines: ArraySlice<UInt8>) {
    for line in lines.split(separator: UInt8(ascii: "\n")).reversed() {
      guard let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self)) else {
        continue
      }
      if sequence == 0 { sequence = checked(event.sequence) }
      note(event.kind)
      if isDone { return }
    }
  }

  private mutating func note(_ event: JournalEvent.Kind) {
    switch event {
    case .decided(let decision):
      if request == 0 { request = checked(decision.request) }
      guard !hasSeenRun, ended.remove(decision.request) == nil else { return }
      open.append(decision)
    case .itemArrived(let item, _, _, _, _, _, _): if request == 0 { request = checked(item) }
    case .ended(let request, _, _, _): if !hasSeenRun { ended.insert(request) }
    case .deviceStarted, .deviceStopped: hasSeenRun = true
    // The device and its scenario
    case .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected:
      break
    // Guests
    case .guestStarted, .guestReady, .guestSuspended, .guestResumed, .guestExited, .claimIgnored,
      .extensionCompleted, .extensionCancelled:
      break
    // Accounts and identities
    case .accountEnrolled, .accountSignedIn, .accountSignedOut, .accountNotAllowed,
      .accountRenamed, .accountWiped, .wipeAdvanced, .identitySwitched, .identitySwitchRequired,
      .accessChecked, .enrollmentAsked, .enrollmentAnswered, .complianceAnswered,
      .remediationLooped, .delegateAsked:
      break
    // Policies and configurations
    case .policyChanged, .policySaved, .policyAbsent, .policyStated, .factsStated, .appConfigured,
      .configurationDelivered, .telemetryRecorded, .declarationsApplied, .managedAppChanged,
      .administratorInformed:
      break
    }
  }
}
