internal import Cryptography
internal import Encodings
internal import Glibc
package import Model
internal import Policy
internal import Wire

/// Records the device's events in the journal and the trace, and reports them to the observer. The events
/// include the telemetry that the SDK would send.
///
/// Each request has exactly one decision and one end in the log.
final class AuditLog {
  var observer: DeviceObserver?
  /// Called after each successful flush; nil if the device has no link to other devices.
  var didFlush: (() -> Void)?
  private let configuration: DeviceConfiguration
  private let journalPath: String
  private let clock: VirtualClock
  private let durability: Durability
  private let journal: Journal?
  private let traceFile: Trace?
  private var lastRequest: Int
  /// The source items that guests declared for undecided requests, as item numbers. The key is the number of the
  /// undecided request.
  private var statements: [Int: [Int]] = [:]
  private var startingGuest: Guest?
  private var facts = DecisionInputs()

  /// Opens the journal and the trace, if the configuration enables them.
  ///
  /// - Throws: ``HostError`` if either cannot be opened, or the journal is damaged.
  init(
    _ configuration: DeviceConfiguration, journalPath: String, clock: VirtualClock,
    durability: Durability
  ) throws(HostError) {
    self.configuration = configuration
    self.journalPath = journalPath
    self.clock = clock
    self.durability = durability
    journal =
      configuration.journal == .off
      ? nil
      : try Journal(
        path: journalPath, isSynchronized: configuration.journal == .synchronized,
        configuration.realTime)
    lastRequest = journal?.lastRequest ?? 0
    traceFile = try Trace.make(configuration.trace)
  }

  func nextRequest() -> Int {
    lastRequest += 1
    return lastRequest
  }

  // MARK: Journal

  func record(_ event: @autoclosure () -> JournalEvent.Kind) {
    guard let journal, durability.error == nil else { return }
    if let startingGuest, let batch = startingGuest.process.batch {
      batch.record(event(), of: startingGuest)
    } else {
      journal.append(event(), time: clock.now)
    }
  }

  /// Runs `body`. If the guest starts in a batch, the batch collects the events of `body` and records them later. The
  /// journal therefore does not depend on which guest of a batch starts first.
  func inBatch(of guest: Guest, _ body: () -> Void) {
    startingGuest = guest
    body()
    startingGuest = nil
  }

  /// Records a life cycle event of a guest. If the guest starts in a batch, the batch collects the event and records it
  /// later.
  func record(_ event: @autoclosure () -> JournalEvent.Kind, of guest: Guest) {
    guard journal != nil else { return }
    if let batch = guest.process.batch {
      batch.record(event(), of: guest)
    } else {
      record(event())
    }
  }

  /// Writes all events to the kernel, and to disk if so configured. Callers flush before they send
  /// a message to a guest.
  func flush() {
    durability.persist { () throws(HostError) in
      try journal?.flush()
      didFlush?()
    }
  }

  /// Closes the journal and the trace. Afterwards, only ``append(afterClosing:)`` can add events.
  func close() {
    journal?.close()
    traceFile?.close()
  }

  /// Reopens the journal after the device has closed, to append an event of the scenario. If that fails, for
  /// example because another device or process has locked the folder, the event is dropped.
  func append(afterClosing event: JournalEvent.Kind) {
    guard journal != nil, let lock = try? DeviceLock(folder: configuration.folder),
      let journal = try? Journal(
        path: journalPath, isSynchronized: configuration.journal == .synchronized)
    else { return }
    journal.append(event, time: clock.now)
    // The device is already down, so a failure has no consequence.
    try? journal.flush()
    journal.close()
    lock.release()
  }

  // MARK: Requests

  /// Stores the source items that a guest declared for a request until the request is decided. Ignores numbers that are
  /// not those of earlier items.
  func recordProvenance(_ sources: [UInt64], of request: Int) {
    recordProvenance(sources.compactMap(Int.init(exactly:)), of: request)
  }

  func recordProvenance(_ items: [Int], of request: Int) {
    guard isRecording else { return }
    // An item's number is lower than that of a request that passes it on.
    let known = items.filter { (1..<request).contains($0) }
    if !known.isEmpty { statements[request] = known }
  }

  /// Removes and returns the source items that the guest declared for a request.
  func takeStatement(of request: Int) -> [Int] {
    statements.isEmpty ? [] : statements.removeValue(forKey: request) ?? []
  }

  /// Returns the source items that the guest declared for an undecided request.
  func stated(_ request: Int) -> [Int] { statements[request] ?? [] }

  /// Records an end for each request that had been decided but had not ended when the device last died.
  func endOpenRequests() {
    for decision in journal?.openRequests ?? [] {
      record(.ended(request: decision.request, end: decision.endByDeath, detail: "the device died"))
    }
  }

  /// Whether decisions are recorded or observed.
  var isRecording: Bool { journal != nil || observer != nil }

  func decided(_ pending: PendingRequest, _ decision: @autoclosure () -> RequestDecision) {
    guard isRecording else { return }
    var decision = decision()
    decision.stated = takeStatement(of: pending.number)
    count(for: pending.guest) { record(.decided(decision)) }
    observer?.onDecision(pending.guest.name, decision)
    reportAction(
      decision.operation, via: decision.via, decision.verdict.outcome, of: pending.guest)
  }

  /// Records the decision on a transfer, with the name under which the journal contains the facts that the rules used.
  func decided(
    _ pending: PendingRequest, by decision: TransferDecision,
    _ recorded: @autoclosure () -> RequestDecision
  ) {
    guard isRecording else { return }
    var recorded = recorded()
    recorded.facts = facts(of: decision, pending)
    decided(pending, recorded)
  }

  /// Returns the journal's name for the facts on which the rules decided, and records the facts if the journal lacks
  /// them. Returns nil without a journal.
  private func facts(of decision: TransferDecision, _ pending: PendingRequest) -> String? {
    guard journal != nil else { return nil }
    if let known = decision.facts { return known }
    var name: String?
    count(for: pending.guest) { name = facts.name(of: decision.asked) { record($0) } }
    decision.facts = name
    return name
  }

  /// Records the decision on a transfer as a line of the journal, made from the template of an earlier similar one.
  ///
  /// - Returns: Whether the decision was recorded. False if there is no template, the sender declared the sources of an
  ///   item, or the observer needs the whole decision.
  func recordAgain(
    _ pending: PendingRequest, _ decision: TransferDecision, _ item: FrameBuffer.ItemParts
  ) -> Bool {
    guard observer == nil, statements.isEmpty, let template = decision.template(of: item.type)
    else { return false }
    append(template, pending, decision, item)
    return true
  }

  /// Records the decision on a transfer as a line of the journal, with a template for similar decisions.
  func decided(
    _ pending: PendingRequest, _ decision: TransferDecision, _ item: FrameBuffer.ItemParts,
    _ recorded: RequestDecision
  ) {
    guard statements.isEmpty || statements[pending.number] == nil else {
      return decided(pending, by: decision, recorded)
    }
    let template: DecisionTemplate
    if let known = decision.template(of: item.type) {
      template = known
    } else {
      var recorded = recorded
      recorded.facts = facts(of: decision, pending)
      template = DecisionTemplate(recorded)
      decision.setTemplate(template, of: item.type)
    }
    append(template, pending, decision, item)
    observer?.onDecision(pending.guest.name, recorded)
  }

  private func append(
    _ template: DecisionTemplate, _ pending: PendingRequest, _ decision: TransferDecision,
    _ item: FrameBuffer.ItemParts
  ) {
    count(for: pending.guest) {
      journal?.append(
        template, request: pending.number,
        bytes: item.payload.count, time: clock.now)
    }
    reportAction(
      Operation(decision.request.channel), via: decision.request.via, decision.verdict.outcome,
      of: pending.guest)
  }

  /// Adds the number of bytes that `body` appends to the journal to the guest's `recordedBytes`.
  private func count(for guest: Guest, _ body: () -> Void) {
    let before = journal?.appended ?? 0
    body()
    guest.recordedBytes += (journal?.appended ?? 0) - before
  }

  func exited(_ guest: Guest, _ cause: ExitCause) {
    record(
      .guestExited(guest: guest.name, cause: cause.code, text: guest.text(of: cause)), of: guest)
    observer?.onExit?(guest.name, cause)
  }

  func ended(_ request: Int, _ end: RequestEnd, detail: String? = nil, status: Int = 0) {
    record(.ended(request: request, end: end, status: status, detail: detail))
    observer?.onEnd(request, end, status)
  }

  var observesItems: Bool { observer?.onItem != nil }

  /// Notifies the observer of an item sent to the receiver of a request.
  func handedOver(_ request: Int, _ item: @autoclosure () -> Item) {
    guard let onItem = observer?.onItem else { return }
    onItem(request, item())
  }

  // MARK: Output of guests

  func wrote(_ guest: Guest, _ writing: GuestWriting) {
    observer?.onOutput?(guest.name, writing)
    switch writing {
    case .log(let text), .stream(let text):
      guest.recordedBytes += traceFile?.write(guest.name, text) ?? 0
    }
  }

  /// Writes run-specific text to the trace, because the journal must be the same in every run.
  func trace(_ name: String, _ text: @autoclosure () -> String) {
    traceFile?.write(name, text())
  }
}

extension RequestDecision {
  /// The end to record for this decided request if the device died before the request ended.
  fileprivate var endByDeath: RequestEnd {
    if verdict.outcome == .blocked { return .refused }
    return receiver == nil ? .failed : .undeliverable
  }
}

// MARK: - Telemetry

/// The SDK's telemetry about apps. It is recorded if the configuration enables it and the app has not opted out.
extension AuditLog {
  func reportLaunch(of guest: Guest) { report(.launch, of: guest) }

  /// Reports the result of an enrollment call.
  ///
  /// - Parameter result: `enrolled`, `notTargeted`, `refused` or `unenrolled`, or the name of the status that answers
  ///   the call.
  func reportEnrollment(_ call: EnrollmentCall, _ result: String, of guest: Guest) {
    report(.enrollment, of: guest, call.rawValue, result)
  }

  /// Reports a request of the app. Does not report requests that bypass the SDK or concern sign-in, enrollment or
  /// tokens.
  private func reportAction(
    _ operation: @autoclosure () -> Operation, via path: SharingPath?, _ outcome: Outcome,
    of guest: Guest
  ) {
    guard configuration.recordsTelemetry, path != .os else { return }
    let operation = operation()
    guard operation.row.area != .accounts else { return }
    report(.action, of: guest, operation.rawValue, outcome.rawValue)
  }

  private func report(
    _ kind: Telemetry.Kind, of guest: Guest, _ call: String? = nil, _ result: String? = nil
  ) {
    let app = guest.app
    guard configuration.recordsTelemetry, app.integratesSDK, !app.isTelemetryDisabled else {
      return
    }
    let management = Telemetry.Management(
      hasManagedAccount: guest.appPolicy != nil,
      isMDMManaged: configuration.state.isMDMEnrolled && app.isMDMManaged)
    let telemetry = Telemetry(
      app: app.bundleID, kind: kind, management: management, call: call, result: result)
    if kind == .launch {
      record(.telemetryRecorded(telemetry), of: guest)
    } else {
      record(.telemetryRecorded(telemetry))
    }
  }
}

// MARK: - Facts

/// The facts and policies that the journal already contains. Further decisions on transfers refer to them by name.
///
/// Names are derived from content, so equal facts have equal names in all journals.
private struct DecisionInputs {
  private var names: Set<String> = []
  /// The recorded policies, retained so their object identifiers are not reused.
  private var policies: [ObjectIdentifier: (policy: EffectivePolicy, name: String)] = [:]

  /// The maximum number of remembered names. Guests can create any number of facts, so at this number, all names are
  /// forgotten. Recording a fact again is harmless.
  private static let mostNames = 65_536

  /// Returns the name of a request's facts. For facts and policies that are not recorded yet, calls `record` with the
  /// event to record.
  mutating func name(of request: TransferRequest, _ record: (JournalEvent.Kind) -> Void) -> String {
    for (account, policy) in request.heldPolicies { state(policy, of: account, record) }
    let stated = policies
    var writer = JSONWriter()
    writer.object { writer in
      request.writeFacts(
        to: &writer, policies: .named { stated[ObjectIdentifier($0)]?.name ?? "" })
    }
    let name = Self.name(of: writer.bytes)
    guard !names.contains(name) else { return name }
    if names.count >= Self.mostNames { names.removeAll() }
    names.insert(name)
    record(.factsStated(facts: name, request: RecordedObject(json: writer.text)))
    return name
  }

  /// Records a policy, unless it has been recorded before. The name of the policy in the journal depends on the
  /// account, so equal policies of two accounts are recorded separately.
  private mutating func state(
    _ policy: EffectivePolicy, of account: Account?, _ record: (JournalEvent.Kind) -> Void
  ) {
    guard policies[ObjectIdentifier(policy)] == nil else { return }
    var writer = JSONWriter()
    writer.object { writer in
      // If the object has no settings, only its type identifies it as a policy.
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      policy.settings.writeMembers(to: &writer)
    }
    let documents = Set(policy.origins.values.map(\.policy)).sorted()
    let about = documents + [account?.upn.lowercased() ?? ""]
    let name = Self.name(of: writer.bytes + about.flatMap { Array($0.utf8) + [0] })
    policies[ObjectIdentifier(policy)] = (policy, name)
    record(
      .policyStated(
        policy: name, documents: documents, settings: RecordedObject(json: writer.text)))
  }

  /// Returns the first 96 bits of the content's SHA-256 hash as hexadecimal digits.
  private static func name(of content: [UInt8]) -> String {
    Hexadecimal.text(Array(sha256(content).prefix(12)))
  }
}

extension TransferRequest {
  fileprivate var heldPolicies: [(account: Account?, policy: EffectivePolicy)] {
    [
      (sender.identity.account, sender.policy), (owner.account, owner.policy),
      (receiver.identity.account, receiver.policy), (appAccount, appPolicy),
    ].compactMap { account, policy in policy.map { (account, $0) } }
  }
}

// MARK: - Observer

package struct DeviceObserver {
  package var onDecision: (_ requester: String, RequestDecision) -> Void
  /// Called when a request has ended, with the status sent to the guest.
  package var onEnd: (_ request: Int, RequestEnd, _ status: Int) -> Void
  /// Called when an item is sent to the receiver of a request, after the decision and before the end of the request.
  /// The item is in plain text, even if the receiver gets ciphertext. Nil if items are not observed.
  package var onItem: ((_ request: Int, Item) -> Void)?
  /// Called when a guest has written to its log, its standard output or its standard error. Nil if output is not
  /// observed.
  package var onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)?
  package var onExit: ((_ guest: String, ExitCause) -> Void)?

  package init(
    onDecision: @escaping (_ requester: String, RequestDecision) -> Void,
    onEnd: @escaping (_ request: Int, RequestEnd, _ status: Int) -> Void,
    onItem: ((_ request: Int, Item) -> Void)? = nil,
    onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)? = nil,
    onExit: ((_ guest: String, ExitCause) -> Void)? = nil
  ) {
    self.onDecision = onDecision
    self.onEnd = onEnd
    self.onItem = onItem
    self.onOutput = onOutput
    self.onExit = onExit
  }
}

package enum GuestWriting: Sendable, Equatable {
  case log(String)
  /// Part of the guest's standard output or standard error; it may end in the middle of a line.
  case stream(String)

  /// The output as text; log lines end with a newline.
  package var text: String {
    switch self {
    case .log(let lines): lines + "\n"
    case .stream(let part): part
    }
  }
}

// MARK: - Journal

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
  /// The number of bytes flushed since the journal was opened.
  private var flushed = 0
  /// The number of the last request or arrived item that the journal contained when it was opened; 0 if there was none.
  let lastRequest: Int
  /// The requests that were decided but had not ended when the device last died, in the order of their decisions.
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
      .journal,
      "the journal `\(path)` is damaged: it contains the invalid event or request number \(number)")
  }

  deinit { close() }

  /// Closes the journal's file. Do not call `append` afterwards.
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

  /// Appends a decision. `template` contains the part of the line that is equal for similar decisions.
  func append(_ template: DecisionTemplate, request: Int, bytes: Int, time: Int) {
    tellRealTime(at: time)
    sequence += 1
    template.write(
      sequence: sequence, time: time, request: request, bytes: bytes, to: &writer)
    writer.endLine()
  }

  /// If so configured, records the machine's time before the first event of each transaction.
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
  /// - Throws: ``HostError`` if the events cannot be written or synchronised. The buffer is emptied in any
  ///   case.
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

/// The state to continue from, read from the end of a journal when the device starts again.
struct JournalRecovery {
  /// The last event number; 0 if the journal has no event.
  private(set) var sequence = 0
  /// The number of the last decided request or arrived item; 0 if the journal has none.
  private(set) var request = 0
  /// Requests that were decided but had not ended when the device died, the latest first.
  private(set) var open: [RequestDecision] = []
  /// The numbers of requests whose end has been read, but not their decision. The journal is read backwards, so the end
  /// comes first.
  private var ended: Set<Int> = []
  /// Whether the start or end of a run has been read. The journal before it is from earlier runs, whose requests count
  /// as ended.
  private var hasSeenRun = false
  /// An event or request number that is out of range, which shows that the journal is damaged; nil if all numbers are
  /// valid.
  private(set) var invalidNumber: Int?
  /// The reason why the journal could not be read; nil if it could.
  private(set) var failure: String?

  /// Integers that all JSON readers represent exactly (RFC 8259, section 6).
  private static let numbers = 1...(1 << 53)
  private static let chunk = 64 * 1024

  /// Reads a journal backwards until the last event number, the last request number and the open requests of the last
  /// run are known. Truncates an incomplete last line, as left by a power loss.
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
      .configurationDelivered, .notificationPosted, .telemetryRecorded, .declarationsApplied,
      .managedAppChanged,
      .administratorInformed:
      break
    }
  }
}
