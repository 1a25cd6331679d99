internal import Model
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
  let configuration: DeviceConfiguration
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
