internal import Cryptography
internal import Encodings
internal import JSON
package import Model
internal import Policy
internal import Wire

/// The device's record of what happens: the journal, the observer, the trace, and the SDK's reports.
///
/// Every request has exactly one decision and one end in the log.
final class AuditLog {
  /// Receives every decision and every end.
  var observer: DeviceObserver?
  /// Called when the journal has all that has happened; nil where nothing leaves the device.
  var didFlush: (() -> Void)?
  private let configuration: DeviceConfiguration
  private let journalPath: String
  private let clock: VirtualClock
  private let durability: Durability
  private let journal: Journal?
  private let traceFile: Trace?
  private var lastRequest: Int
  /// What guests say that requests' items were made of, by request, until it is decided.
  private var statements: [Int: [Int]] = [:]
  /// The guest whose start is being recorded.
  private var startingGuest: Guest?
  private var facts = StatedFacts()

  /// Opens the journal and the trace, where the configuration has them.
  ///
  /// - Throws: ``HostError`` where either cannot be opened, or the journal is damaged.
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

  // MARK: the journal

  func record(_ event: @autoclosure () -> JournalEvent.Kind) {
    guard durability.fault == nil else { return }
    if let startingGuest, let batch = startingGuest.process.batch, journal != nil {
      batch.record(event(), of: startingGuest)
    } else {
      journal?.append(event(), time: clock.now)
    }
  }

  /// Records the events of `body` in the order of the guest's batch, where the guest is part of one: they belong to the
  /// guest's start, and the journal must not depend on which of several guests comes up first.
  func inBatch(of guest: Guest, _ body: () -> Void) {
    startingGuest = guest
    body()
    startingGuest = nil
  }

  /// Records an event of a guest's life, in the order of its batch where the guest is part of one.
  func record(_ event: @autoclosure () -> JournalEvent.Kind, of guest: Guest) {
    guard journal != nil else { return }
    if let batch = guest.process.batch {
      batch.record(event(), of: guest)
    } else {
      record(event())
    }
  }

  /// Hands all events to the kernel, and to the disk where that is asked for, before any guest is told anything.
  func flush() {
    durability.persist { () throws(HostError) in
      try journal?.flush()
      didFlush?()
    }
  }

  /// Ends the log. Only ``append(afterClosing:)`` adds to it from now on.
  func close() {
    journal?.close()
    traceFile?.close()
  }

  /// Opens the journal of a device that is down once more, for an event that is not the device's own, unless somebody
  /// else has the device by then.
  func append(afterClosing event: JournalEvent.Kind) {
    guard journal != nil, let lock = try? DeviceLock(folder: configuration.folder),
      let journal = try? Journal(
        path: journalPath, isSynchronized: configuration.journal == .synchronized)
    else { return }
    journal.append(event, time: clock.now)
    // The device is down already: a failure has nothing left to stop.
    try? journal.flush()
    journal.close()
    lock.release()
  }

  // MARK: requests

  /// Notes the items that what a request moves was made of, as the guest says.
  func state(_ sources: [UInt64], of request: Int) {
    state(sources.compactMap(Int.init(exactly:)), of: request)
  }

  /// The same for numbers of the device's own.
  func state(_ items: [Int], of request: Int) {
    guard journal != nil || observer != nil else { return }
    // No item has a number that is still to come.
    let known = items.filter { (1..<request).contains($0) }
    if !known.isEmpty { statements[request] = known }
  }

  /// What the guest has said of a request, which is forgotten.
  func takeStatement(of request: Int) -> [Int] {
    statements.isEmpty ? [] : statements.removeValue(forKey: request) ?? []
  }

  /// What the guest says of a request that is not decided yet.
  func stated(_ request: Int) -> [Int] { statements[request] ?? [] }

  /// Ends the requests under which the device died the last time.
  func endOpenRequests() {
    for decision in journal?.openRequests ?? [] {
      record(.ended(request: decision.request, end: decision.endByDeath, detail: "the device died"))
    }
  }

  /// Records the one decision on a request.
  func decided(_ pending: PendingRequest, _ decision: @autoclosure () -> RequestDecision) {
    guard journal != nil || observer != nil else { return }
    var decision = decision()
    decision.stated = takeStatement(of: pending.number)
    count(for: pending.guest) { record(.decided(decision)) }
    observer?.onDecision(pending.guest.name, decision)
    reportAction(
      decision.operation, via: decision.via, decision.verdict.outcome, of: pending.guest)
  }

  /// Records the decision on a transfer, with what the rules were asked.
  func decided(
    _ pending: PendingRequest, by ruling: Ruling, _ decision: @autoclosure () -> RequestDecision
  ) {
    guard journal != nil || observer != nil else { return }
    var decision = decision()
    decision.facts = facts(of: ruling, pending)
    decided(pending, decision)
  }

  /// The name of what the rules were asked, which the journal states before it is cited.
  private func facts(of ruling: Ruling, _ pending: PendingRequest) -> String? {
    guard journal != nil else { return nil }
    if let known = ruling.facts { return known }
    var name: String?
    count(for: pending.guest) { name = facts.name(of: ruling.asked) { record($0) } }
    ruling.facts = name
    return name
  }

  /// Records the decision on one of many similar transfers: the ruling has the journal's line for all of them.
  func decided(
    _ pending: PendingRequest, _ ruling: Ruling, _ item: FrameBuffer.ItemParts,
    _ decision: () -> RequestDecision
  ) {
    guard journal != nil || observer != nil else { return }
    guard statements.isEmpty || statements[pending.number] == nil else {
      return decided(pending, by: ruling, decision())
    }
    let template = ruling.template(type: item.type) {
      var decision = decision()
      decision.facts = facts(of: ruling, pending)
      return decision
    }
    count(for: pending.guest) {
      journal?.append(
        template, request: pending.number,
        bytes: item.payload.count, time: clock.now)
    }
    observer?.onDecision(pending.guest.name, decision())
    reportAction(
      Operation(ruling.request.channel), via: ruling.request.via, ruling.verdict.outcome,
      of: pending.guest)
  }

  /// Counts what `body` appends to the journal as the guest's.
  private func count(for guest: Guest, _ body: () -> Void) {
    let before = journal?.appended ?? 0
    body()
    guest.recordedBytes += (journal?.appended ?? 0) - before
  }

  /// Records that a guest has ended.
  func exited(_ guest: Guest, _ cause: ExitCause) {
    record(
      .guestExited(guest: guest.name, cause: cause.code, text: guest.text(of: cause)), of: guest)
    observer?.onExit?(guest.name, cause)
  }

  /// Records the one end of a request.
  func ended(_ request: Int, _ end: RequestEnd, detail: String? = nil, status: Int = 0) {
    record(.ended(request: request, end: end, status: status, detail: detail))
    observer?.onEnd(request, end, status)
  }

  /// Whether somebody is shown the items that are handed over.
  var observesItems: Bool { observer?.onItem != nil }

  /// Tells the observer of an item that goes to the receiver of a request.
  func handedOver(_ request: Int, _ item: @autoclosure () -> Item) {
    guard let onItem = observer?.onItem else { return }
    onItem(request, item())
  }

  // MARK: what guests write

  func wrote(_ guest: Guest, _ writing: GuestWriting) {
    observer?.onOutput?(guest.name, writing)
    switch writing {
    case .log(let text), .stream(let text):
      guest.recordedBytes += traceFile?.write(guest.name, text) ?? 0
    }
  }

  /// Writes to the trace what the journal must not hold because it differs from run to run.
  func trace(_ name: String, _ text: @autoclosure () -> String) {
    traceFile?.write(name, text())
  }
}

extension RequestDecision {
  /// The end of the request where the device dies before it has recorded one.
  fileprivate var endByDeath: RequestEnd {
    if verdict.outcome == .blocked { return .refused }
    return receiver == nil ? .failed : .undeliverable
  }
}

// MARK: - Telemetry

/// The SDK's reports on the apps that integrate it, where the configuration asks for them and the app has not opted
/// out.
extension AuditLog {
  func reportLaunch(of guest: Guest) { report(.launch, of: guest) }

  /// Reports the result of an enrollment call.
  ///
  /// - Parameter result: `enrolled`, `notTargeted`, `refused` or `unenrolled`, or the name of the status that answers
  ///   the call.
  func reportEnrollment(_ call: EnrollmentCall, _ result: String, of guest: Guest) {
    report(.enrollment, of: guest, call.rawValue, result)
  }

  /// Reports a request of the app, except for requests that bypass the SDK, and for those of enrollment or tokens.
  private func reportAction(
    _ operation: Operation, via path: SharingPath?, _ outcome: Outcome, of guest: Guest
  ) {
    guard configuration.recordsTelemetry, path != .os, operation.isAction else { return }
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

extension Operation {
  fileprivate var isAction: Bool {
    switch self {
    case .signIn, .signOut, .enroll, .unenroll, .remediate, .acquireToken: false
    // By a channel
    case .share, .openIn, .import, .dragAndDrop, .contactRead, .openURL, .universalLink, .appClip,
      .saveTo, .openFrom, .documentPickerExport, .documentPickerImport, .mailComposer,
      .messageComposer, .print, .notification, .contactSync, .widget, .spotlight, .siriIntents,
      .appIntents, .backup, .screenCapture, .writingTools, .genmoji, .keyboard, .webView,
      .safariExtension, .fileEncryption:
      true
    // On the app's own data and identities
    case .copy, .paste, .canReceive, .keychainAdd, .keychainQuery, .keychainDelete,
      .switchIdentity, .openFile, .moveFile, .removeFile, .protectData, .unprotectData,
      .conditionalLaunch:
      true
    // With extensions and other devices
    case .loadItem, .completeExtension, .extensionCall, .airDrop, .openReceived,
      .universalClipboard:
      true
    // On what the administrator provides
    case .managedConfiguration, .legacyManagedConfiguration, .managedIdentifiers,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSignature, .managedReport:
      true
    }
  }
}

// MARK: - Facts

/// What the journal has stated of the facts that decide transfers, and of the policies that they name.
///
/// Names follow from content, so that journals name the same facts alike, whichever came first.
private struct StatedFacts {
  /// The names of facts that are stated.
  private var names: Set<String> = []
  /// The policies that are stated, each kept so that no other one takes its place in memory.
  private var policies: [ObjectIdentifier: (policy: EffectivePolicy, name: String)] = [:]

  /// How many names are remembered: facts that are stated again do no harm, and what guests make up has no bound.
  private static let mostNames = 65_536

  /// The name of a request's facts; `record` gets the events that state what has not been stated.
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

  /// States a policy, which is of one account: two accounts under the same settings have a policy each.
  private mutating func state(
    _ policy: EffectivePolicy, of account: Account?, _ record: (JournalEvent.Kind) -> Void
  ) {
    guard policies[ObjectIdentifier(policy)] == nil else { return }
    var writer = JSONWriter()
    writer.object { writer in
      // A policy that states nothing is one by its type.
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

  /// 96 bits of the content's hash.
  private static func name(of content: [UInt8]) -> String {
    Hexadecimal.text(Array(sha256(content).prefix(12)))
  }
}

extension TransferRequest {
  /// The policies of the request, each with the account that it is for.
  fileprivate var heldPolicies: [(account: Account?, policy: EffectivePolicy)] {
    [
      (sender.identity.account, sender.policy), (owner.account, owner.policy),
      (receiver.identity.account, receiver.policy), (appAccount, appPolicy),
    ].compactMap { account, policy in policy.map { (account, $0) } }
  }
}

// MARK: - The observer

/// Callbacks for what happens on a device.
package struct DeviceObserver {
  /// Called when a request was decided, with the name of the guest that made it.
  package var onDecision: (_ requester: String, RequestDecision) -> Void
  /// Called when a request has ended, with the status that the guest gets with the outcome.
  package var onEnd: (_ request: Int, RequestEnd, _ status: Int) -> Void
  /// Called for an item that goes to the receiver of a request that was decided and has not ended: the item as it was
  /// sent, even where the receiver gets ciphertext.
  package var onItem: ((_ request: Int, Item) -> Void)?
  /// Called when a guest wrote something to its log, its standard output or its standard error.
  package var onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)?
  /// Called when a guest has ended.
  package var onExit: ((_ guest: String, ExitCause) -> Void)?

  /// Creates an observer; a callback that is nil is not called.
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

/// Output of a guest.
package enum GuestWriting: Sendable, Equatable {
  /// Lines of the guest's log.
  case log(String)
  /// Part of the guest's standard output or standard error, which may end anywhere in a line.
  case stream(String)

  /// What was written, as a part of what a guest writes.
  package var text: String {
    switch self {
    case .log(let lines): lines + "\n"
    case .stream(let part): part
    }
  }
}
