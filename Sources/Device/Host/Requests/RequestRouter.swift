internal import Declarations
internal import DequeModule
internal import EventLoop
internal import Model
internal import Wire

/// Receives the messages of guests, beginning with the handshake, and passes each request to the responsible service. A
/// guest's next request is processed after its previous one has been answered.
final class RequestRouter {
  private let services: DeviceServices
  private let transaction: LoopTransaction
  /// The memory in which a frame is decoded. Each frame reuses it.
  private let decoding = Arena()
  private let configuration: DeviceConfiguration

  init(_ configuration: DeviceConfiguration, _ services: DeviceServices) {
    self.configuration = configuration
    self.services = services
    transaction = services.supervisor.transaction
  }

  // MARK: Reading

  /// Resumes processing a guest's messages. First processes the queued requests. If none is left in the queue, then
  /// resumes reading.
  func resume(_ connection: GuestConnection) {
    guard !connection.port.isClosing, !connection.isYielding, connection.isToBeRead else { return }
    let guest = connection.guest
    servePostponed(guest)
    guard connection.isPaused, !connection.isSuspended, guest.mailbox.waitsFor == nil,
      guest.mailbox.queued.isEmpty
    else { return }
    connection.pauses.remove(.backlog)
    read(connection)
  }

  /// Resumes reading, unless the connection is paused.
  private func read(_ connection: GuestConnection) {
    guard !connection.port.isClosing else { return }
    guard connection.remainder == nil else { return readRemainder(of: connection) }
    guard connection.pauses.isEmpty, !connection.isSuspended else { return }
    parse(connection) { body in try connection.parser.resume(body) }
    // If the connection cannot be read, it is at its end. The process's exit is handled separately.
    if connection.pauses.isEmpty { try? connection.port.startReading() }
  }

  private func parse(
    _ connection: GuestConnection,
    _ feed: ((UnsafeRawBufferPointer) throws -> FrameParser.Next) throws -> Void
  ) {
    let guest = connection.guest
    do {
      try feed { frame in
        try receive(frame, from: guest)
        // The frame may have ended the connection.
        guard guest.connection === connection else { return .pause }
        if !endConfirmed(guest, connection)
          || connection.pauses.isEmpty && services.slices.isOver(connection)
        {
          yieldSlice(connection)
        }
        return connection.pauses.isEmpty ? .proceed : .pause
      }
    } catch {
      services.supervisor.end(guest, .protocolViolation("\(error)"))
    }
  }

  /// Stops reading from a guest that has used up its time slice, until its next slice.
  private func yieldSlice(_ connection: GuestConnection) {
    connection.pauses.insert(.slice)
    connection.port.stopReading()
    services.slices.yield { [unowned self] in transaction { beginSlice(connection) } }
  }

  /// Ends the deliveries that the guest has acknowledged, until the guest's slice is used up.
  ///
  /// - Returns: Whether all acknowledged deliveries have ended.
  private func endConfirmed(_ guest: Guest, _ connection: GuestConnection) -> Bool {
    services.deliveries.endConfirmed(by: guest) { !services.slices.isOver(connection) }
  }

  /// Begins a guest's next slice. Reads new messages even if requests are queued, because a message may contain an
  /// answer that another guest waits for.
  private func beginSlice(_ connection: GuestConnection) {
    connection.pauses.remove(.slice)
    guard endConfirmed(connection.guest, connection) else { return yieldSlice(connection) }
    resume(connection)
    read(connection)
  }

  /// Processes all messages that the guest has sent so far, in time slices. Calls `done` when all have been processed,
  /// or when the guest must wait for other guests.
  func serveRemainder(of guest: Guest, then done: @escaping () -> Void) {
    guard let connection = guest.connection else { return done() }
    connection.beginRemainder(then: done)
    // A guest that has used its slice waits for the next one.
    if !connection.isYielding { readRemainder(of: connection) }
  }

  /// Processes messages that the guest sent before the call to `serveRemainder`, for one time slice at most. Once all
  /// have been processed, resumes normal reading.
  private func readRemainder(of connection: GuestConnection) {
    if connection.pauses.isEmpty {
      parse(connection) { body in try connection.parser.resume(body) }
    }
    while connection.pauses.isEmpty, let unread = connection.remainder?.unreadBytes, unread > 0 {
      let count = connection.port.readNow(upTo: unread)
      connection.remainder?.unreadBytes = count > 0 ? unread - count : 0
    }
    guard !connection.isYielding, let remainder = connection.remainder else { return }
    connection.remainder = nil
    for end in remainder.onEnd { end() }
    guard !connection.port.isClosing, !connection.isSuspended else { return }
    // A guest that was suspended and resumed meanwhile must be read again.
    if connection.pauses.isEmpty {
      read(connection)
    } else {
      transaction.scheduleResume(connection.guest)
    }
  }

  private func receive(_ frame: UnsafeRawBufferPointer, from guest: Guest) throws {
    decoding.reset()
    guard guest.isReady || guest.process.supervision?.isHeard == true else { return }
    guard guest.process.isWelcome else { return try shakeHands(frame, guest) }
    let outbox = guest.connection?.memory.window
    let message = try GuestFrame(frame, arena: decoding, outbox: outbox)
    if let through = message.acknowledgedThrough {
      return try services.deliveries.acknowledge(through, by: guest)
    }
    guard message.request != 0 else {
      try carryOut(message.message(using: decoding).body, in: nil, nil, by: guest)
      return services.memory.didServe(message, of: guest)
    }
    guard guest.mailbox.unansweredRequests == 0, guest.mailbox.queued.isEmpty else {
      return postpone(frame, of: guest)
    }
    try serve(message, of: guest)
    services.memory.didServe(message, of: guest)
  }

  private func shakeHands(_ frame: UnsafeRawBufferPointer, _ guest: Guest) throws {
    let body = try GuestFrame(frame, arena: decoding).message(using: decoding).body
    if case .failed(let why) = body {
      return services.supervisor.end(guest, .notStarted(Self.sentence(why)))
    }
    guard case .hello(let hello) = body else {
      throw Violation(text: "a message before the handshake")
    }
    guard hello.transport == ProtocolVersion.transport,
      hello.application == ProtocolVersion.application
    else {
      let reason =
        "the guest uses protocol \(hello.transport).\(hello.application), but this device uses "
        + "\(ProtocolVersion.transport).\(ProtocolVersion.application)"
      transaction.send(HostMessage(.rejected(reason: reason)), to: guest)
      guest.connection.map(transaction.flush)
      throw Violation(text: reason)
    }
    guest.connection?.memory.isWelcome = hello.takesMemory
    if !hello.claimedApp.isEmpty, hello.claimedApp != guest.app.bundleID {
      services.audit.record(
        .claimIgnored(
          guest: guest.name, claim: "app", claimed: hello.claimedApp, actual: guest.app.bundleID),
        of: guest)
    }
    welcome(guest)
  }

  private func welcome(_ guest: Guest) {
    let welcome = Welcome(
      guest: guest.name, app: guest.app.bundleID, device: configuration.name,
      frameLimit: configuration.limits.frame,
      seed: SplitMix.seed(configuration.seed, of: guest.name), time: services.clock.now,
      configurations: services.configurations.welcomeConfigurations(guest),
      opensContent: opensContent(guest),
      managedConfiguration: services.management.welcomeConfiguration(guest))
    transaction.send(HostMessage(.welcome(welcome)), to: guest)
    guest.process.isWelcome = true
    services.supervisor.supervise(guest, .welcomed)
    services.audit.record(.guestReady(guest: guest.name), of: guest)
    services.audit.reportLaunch(of: guest)
    // The guest was asked to stop before its hello.
    guard guest.isReady else { return transaction.send(HostMessage(.stop), to: guest) }
    if guest.work != nil {
      guest.process.lifeTimer?.start(after: configuration.limits.extensionRequest)
    }
    services.identities.sendIdentities(guest)
    services.configurations.sendOutdatedConfigurations(to: guest)
    services.audit.inBatch(of: guest) { services.access.checkAccess(guest) }
    if guest.isLocked, guest.work != nil {
      services.extensions.failExtensionWork(of: guest, reason: .stopped)
      return services.supervisor.supervise(guest, .stop)
    }
    if guest.app.behaviour != Behaviour() {
      var behaviour = guest.app.behaviour
      behaviour.chances?.seed = SplitMix.seed(
        configuration.seed, of: InstanceName.installedName(of: guest.name))
      services.driver.perform(.nothing, behaviour, on: guest) { _ in }
    }
    services.deliveries.sendOutbox(guest)
    if welcome.opensContent { services.driver.launch(guest) }
    services.wipes.advanceWipes(of: guest)
    if let batch = guest.process.batch {
      batch.finish(guest)
    } else {
      services.enrollment.settleEnrollment(guest)
    }
  }

  /// Returns whether the host must notify a starting app that all content that it was started to open has arrived. This
  /// is the case for an app with its own program and pending deliveries; the ready-made guest handles content as it
  /// arrives.
  private func opensContent(_ guest: Guest) -> Bool {
    guest.app.program != .readyMade && guest.app.kind == .app && !guest.mailbox.inFlight.isEmpty
  }

  // MARK: Queued requests

  /// Queues a request until the guest's earlier requests have been answered. If the queue exceeds its limits, pauses
  /// the guest.
  private func postpone(_ frame: UnsafeRawBufferPointer, of guest: Guest) {
    guest.mailbox.queued.append(Array(frame))
    guest.mailbox.queuedBytes += frame.count
    let limits = configuration.limits
    if guest.mailbox.queued.count > limits.queued
      || guest.mailbox.queuedBytes > limits.backlog
    {
      services.flow.pause(guest)
    }
  }

  private func servePostponed(_ guest: Guest) {
    while guest.mailbox.unansweredRequests == 0, guest.mailbox.waitsFor == nil,
      guest.process.supervision?.isHeard == true,
      let frame = guest.mailbox.queued.popFirst()
    {
      guest.mailbox.queuedBytes -= frame.count
      do {
        decoding.reset()
        try frame.withUnsafeBytes { bytes in
          let outbox = guest.connection?.memory.window
          let message = try GuestFrame(bytes, arena: decoding, outbox: outbox)
          try serve(message, of: guest)
          services.memory.didServe(message, of: guest)
        }
      } catch {
        services.supervisor.end(guest, .protocolViolation("\(error)"))
      }
      guard let connection = guest.connection else { return }
      if !guest.mailbox.queued.isEmpty, services.slices.isOver(connection) {
        return yieldSlice(connection)
      }
    }
  }
}

// MARK: - Requests

/// Passes requests to the responsible services.
extension RequestRouter {
  private func serve(_ message: borrowing GuestFrame, of guest: Guest) throws {
    guard message.request > guest.mailbox.lastRequest else {
      throw Violation(
        text: "a replayed request number: \(message.request) follows \(guest.mailbox.lastRequest)")
    }
    guest.mailbox.lastRequest = message.request
    if let share = message.share {
      let pending = PendingRequest(
        number: services.audit.nextRequest(), guest: guest, request: message.request,
        isPosted: share.isPosted)
      return services.shares.share(share, pending)
    }
    let whole = try message.message(using: decoding)
    let body = whole.body
    let row = body.row
    let actingIdentity = services.identities.actingIdentity(
      of: guest, for: whole.task, row.taskKind)
    var pending = PendingRequest(
      number: services.audit.nextRequest(), guest: guest, request: message.request,
      actingIdentity: actingIdentity)
    services.audit.recordProvenance(whole.sources, of: pending.number)
    // Shares with a task, known sources or unusual fields are not read in place.
    if case .share(let share) = body {
      pending.isPosted = share.isPosted
      return share.withFrame { services.shares.share($0, pending) }
    }
    guard
      !services.access.refuseSender(row.lockedOperation, reaching: row.reachingOperation, pending)
    else { return }
    try carryOut(body, in: whole.task, pending, by: guest)
  }

  /// Passes a message to the responsible service.
  ///
  /// - Parameter pending: The request; nil for an answer or a report, which has no request number.
  private func carryOut(
    _ body: GuestMessage.Body, in task: TaskContext?, _ pending: PendingRequest?, by guest: Guest
  ) throws {
    func request() throws(Violation) -> PendingRequest {
      guard let pending else { throw Violation(text: "a request without a number") }
      return pending
    }
    func reporter() throws(Violation) -> Guest {
      guard pending == nil else {
        throw Violation(text: "a message that is not a request has a request number")
      }
      return guest
    }
    let services = services
    switch body {
    // Transfers
    case .import(let source, let via):
      try services.transfers.importItem(from: source, via: via, request())
    case .copy(let item, let scope): try services.transfers.copy(item, scope, request())
    case .paste: try services.transfers.paste(request())
    case .openURL(let url): try services.transfers.urls.open(url, request())
    case .use(let use): try services.transfers.use(use, request())
    case .airDrop(let drop): try services.transfers.airDrop(drop, request())
    case .openReceived(let transport):
      try services.transfers.openReceived(by: transport, request())
    case .canReceive(let item): try services.transfers.canReceive(item, request())

    // Extensions
    case .callExtension(let call): try services.extensions.call(call, request())
    case .shareItems(let items): try services.extensions.share(items, request())
    case .loadItem(let reference): try services.extensions.loadItem(reference, request())
    case .cancelLoad(let load): try services.extensions.cancelLoad(load, by: reporter())
    case .provideProgress(let ask, let fraction):
      try services.extensions.progress(fraction, of: ask, by: reporter())
    case .completeExtension(let items):
      try services.extensions.completeExtension(items, request())
    case .cancelExtension(let why):
      try services.extensions.cancelExtension(Self.sentence(why), request())

    // Accounts and identities
    case .unlock(let unlock):
      let length = unlock.pin.utf8.count
      guard length <= 256 else {
        throw Violation(text: "a PIN of \(length) bytes; the limit is 256")
      }
      try services.access.unlock(unlock, request())
    case .signIn(let account): try services.enrollment.signIn(account, request())
    case .signOut(let account): try services.enrollment.signOut(account, request())
    case .enroll(let body): try services.enrollment.enroll(body, request())
    case .unenroll(let account, let wipes):
      try services.enrollment.unenroll(account, wipes: wipes, request())
    case .acquireToken(let question): try services.tokens.acquireToken(question, request())
    case .remediate(let account, let isSilent):
      try services.enrollment.remediate(account, isSilent: isSilent, request())
    case .switchIdentity(let change):
      try services.access.switchIdentity(change, in: task, request())

    // Stored data
    case .keychainAdd(let key, let value): try services.keychain.add(key, value, request())
    case .keychainQuery(let key): try services.keychain.query(key, request())
    case .keychainDelete(let key): try services.keychain.delete(key, request())
    case .openFile(let open): try services.files.openFile(open, request())
    case .moveFile(let file, let target): try services.files.moveFile(file, to: target, request())
    case .removeFile(let file): try services.files.removeFile(file, request())
    case .protectData(let account): try services.files.protectData(for: account, request())
    case .unprotectData(let header): try services.files.unprotectData(header, request())
    case .managedApp(let question): try services.management.answer(question, request())

    // Answers and reports
    case .provided(let ask, let item):
      try services.deliveries.end(ask, with: .item(item), by: reporter())
    case .identitySwitchAnswer(let ask, let isSuccess):
      try services.deliveries.end(ask, with: .identitySwitch(isSuccess), by: reporter())
    case .delegateAnswer(let ask, let isSuccess):
      try services.deliveries.end(ask, with: .delegate(isSuccess), by: reporter())
    case .performed(let ask, let failure, let found):
      let result = InstructionResult(failure: failure.map(Self.sentence), found: found)
      try services.deliveries.end(ask, with: .performed(result), by: reporter())
    case .log(let text):
      try services.audit.wrote(
        reporter(), .log(String(decoding: text.utf8.prefix(RequestLimits.log), as: UTF8.self)))
    case .failed(let why): try reporter().process.failure = Self.sentence(why)
    case .release(let offset): try reporter().connection?.memory.release(offset)
    // Valid messages of these kinds are served elsewhere, so one of these calls throws.
    case .hello, .acknowledge, .share:
      _ = try request()
      _ = try reporter()
    }
  }

  /// Formats a text from a guest for the journal. Replaces line feeds by spaces, and truncates the text, so guests
  /// cannot fill the disk.
  private static func sentence(_ why: String) -> String {
    String(decoding: why.utf8.prefix(RequestLimits.sentence), as: UTF8.self)
      .replacing("\n", with: " ")
  }
}

// MARK: - Events of the loop and the supervisor

extension RequestRouter {
  /// Saves changed access states and check-ins to the database. The journal does not contain them.
  func save() { services.access.save() }

  func didFlush(_ guest: Guest) {
    services.configurations.sendOutdatedConfigurations(to: guest)
    services.flow.releaseUnlessOverloaded(guest)
  }

  /// Returns the reason why a guest may not start, as a clause; nil if it may start.
  func ban(on guest: Guest) -> String? { services.management.ban(on: guest)?.description }

  func serverAccess(of app: AppDescription) -> ServerAccess { services.servers.access(of: app) }

  func listen(to pipe: Pipe, of guest: Guest) throws(EventLoopError) {
    pipe.onRead = { [unowned self, unowned guest] in didRead($0, from: guest) }
    pipe.onEnd = { [unowned self, unowned guest] _ in
      transaction { services.supervisor.didEnd(guest) }
    }
    pipe.onDrain = { [unowned self, unowned guest] in services.supervisor.didDrain(guest) }
    try pipe.startReading()
  }

  func didRead(_ bytes: UnsafeRawBufferPointer, from guest: Guest) {
    transaction {
      guard let connection = guest.connection else { return }
      parse(connection) { body in try connection.parser.consume(bytes, body) }
    }
  }

  /// Checks the deadline of the guest's acknowledgements and answers. Called when the deadline's timer fires; may
  /// extend the deadline.
  func deadlinePassed(_ guest: Guest) { services.deliveries.checkDeadline(guest) }

  /// Calls `done` when the guest's script has ended or is waiting for messages.
  func awaitScript(_ guest: Guest, done: @escaping () -> Void) {
    // A script rejects instructions, and does so only while it waits for messages. The rejection
    // therefore shows that the script is waiting.
    services.driver.perform(.nothing, on: guest) { _ in done() }
  }

  /// Handles a guest's launch. Called once all guests of its batch are ready or have failed.
  func didLaunch(_ guest: Guest) { services.enrollment.settleEnrollment(guest) }

  func didSuspend(_ guest: Guest) {
    services.access.leaveForeground(guest)
    services.driver.abandonActs(of: guest)
  }

  func didResume(_ guest: Guest) {
    services.configurations.sendOutdatedConfigurations(to: guest)
    services.enrollment.catchUp(guest)
    services.access.checkAccess(guest)
    services.deliveries.sendOutbox(guest)
  }

  /// Handles the exit of the guest's process. It is called after all of the guest's messages have been handled.
  func didExit(_ guest: Guest, _ cause: ExitCause) {
    services.deliveries.failOpenCalls(of: guest, reason: cause)
    services.extensions.failExtensionWork(of: guest, reason: cause)
    services.extensions.didExit(guest)
    services.wipes.endWipes(of: guest, reason: cause)
    services.enrollment.didExit(guest)
    services.flow.release(guest)
    // The guest restarts with its default identity. Until then, verdicts apply to that identity.
    if guest.app.kind == .app { services.identities.actForDefaultAccount(guest) }
  }
}

// MARK: - Violations

/// A violation of the protocol by a guest. The device terminates the guest.
struct Violation: Error, CustomStringConvertible {
  /// A description of the violation, in lower case.
  var text: String

  var description: String { text }
}
