internal import Declarations
internal import DequeModule
internal import EventLoop
internal import Model
internal import Wire

/// Receives guests' messages, beginning with the handshake, and passes each request to the
/// responsible service. Serves one request of a guest at a time.
final class RequestRouter {
  private let services: DeviceServices
  private let transaction: LoopTransaction
  private let configuration: DeviceConfiguration

  init(_ configuration: DeviceConfiguration, _ services: DeviceServices) {
    self.configuration = configuration
    self.services = services
    transaction = services.supervisor.transaction
  }

  // MARK: Reading

  /// Resumes serving a guest's messages: first queued messages, then unread ones.
  func resume(_ connection: GuestConnection) {
    guard !connection.port.isClosing, !connection.isResting, connection.isToBeRead else { return }
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
    guard connection.rest == nil else { return readRest(of: connection) }
    guard connection.pauses.isEmpty, !connection.isSuspended else { return }
    parse(connection.guest) { body in try connection.parser.resume(body) }
    // If the connection cannot be read, it is at its end. The process's exit is handled separately.
    if connection.pauses.isEmpty { try? connection.port.startReading() }
  }

  private func parse(
    _ guest: Guest,
    _ feed: (@escaping (UnsafeRawBufferPointer) throws -> FrameParser.Next) throws -> Void
  ) {
    do {
      try feed { [unowned self] frame in
        try receive(frame, from: guest)
        guard let connection = guest.connection else { return .pause }
        if !endConfirmed(connection)
          || connection.pauses.isEmpty && services.slices.isOver(connection)
        {
          rest(connection)
        }
        return connection.pauses.isEmpty ? .proceed : .pause
      }
    } catch {
      services.supervisor.end(guest, .protocolViolation("\(error)"))
    }
  }

  /// Stops reading from a guest until its next slice.
  private func rest(_ connection: GuestConnection) {
    connection.pauses.insert(.slice)
    connection.port.stopReading()
    services.slices.rest { [unowned self] in transaction { endRest(connection) } }
  }

  /// Ends deliveries that the guest has acknowledged.
  ///
  /// - Returns: false if the guest's slice was over before all of them had ended.
  private func endConfirmed(_ connection: GuestConnection) -> Bool {
    services.deliveries.endConfirmed(by: connection.guest) { !services.slices.isOver(connection) }
  }

  /// Resumes a guest after its pause. Reads new messages even if requests are queued, because a
  /// message may contain an answer that another guest waits for.
  private func endRest(_ connection: GuestConnection) {
    connection.pauses.remove(.slice)
    guard endConfirmed(connection) else { return rest(connection) }
    resume(connection)
    read(connection)
  }

  func serveRest(of guest: Guest, then done: @escaping () -> Void) {
    guard let connection = guest.connection else { return done() }
    connection.beginRest(then: done)
    // A guest that has used its slice waits for the next one.
    if !connection.isResting { readRest(of: connection) }
  }

  /// Serves a slice of the messages sent before the call to `serveRest`, and then resumes normal
  /// reading.
  private func readRest(of connection: GuestConnection) {
    if connection.pauses.isEmpty {
      parse(connection.guest) { body in try connection.parser.resume(body) }
    }
    while connection.pauses.isEmpty, let unread = connection.rest?.unreadBytes, unread > 0 {
      let count = connection.port.readNow(upTo: unread)
      connection.rest?.unreadBytes = count > 0 ? unread - count : 0
    }
    guard !connection.isResting, let rest = connection.rest else { return }
    connection.rest = nil
    for end in rest.onEnd { end() }
    guard !connection.port.isClosing, !connection.isSuspended else { return }
    // A guest that was suspended and resumed meanwhile must be read again.
    if connection.pauses.isEmpty {
      read(connection)
    } else {
      transaction.scheduleResume(connection.guest)
    }
  }

  private func receive(_ frame: UnsafeRawBufferPointer, from guest: Guest) throws {
    transaction.decoding.reset()
    guard let supervision = guest.process.supervision, supervision.isHeard else { return }
    guard guest.process.isWelcome else { return try shakeHands(frame, guest) }
    let outbox = guest.connection?.memory.window
    let message = try GuestFrame(frame, arena: transaction.decoding, outbox: outbox)
    if let through = message.acknowledgedThrough {
      return try services.deliveries.acknowledge(through, by: guest)
    }
    guard message.request != 0 else {
      try answer(message.message().body, by: guest)
      return services.memory.didServe(message, of: guest)
    }
    guard guest.mailbox.unansweredRequests == 0, guest.mailbox.queued.isEmpty else {
      return postpone(frame, of: guest)
    }
    try serve(message, of: guest)
    services.memory.didServe(message, of: guest)
  }

  private func shakeHands(_ frame: UnsafeRawBufferPointer, _ guest: Guest) throws {
    let body = try GuestFrame(frame, arena: transaction.decoding).message().body
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
        "protocol \(hello.transport).\(hello.application), this device speaks "
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
        configuration.seed, of: InstanceName(guest.name)?.extension ?? guest.name)
      services.deliveries.perform(.nothing, behaviour, on: guest) { _ in }
    }
    services.deliveries.sendOutbox(guest)
    if welcome.opensContent { services.deliveries.launch(guest) }
    services.wipes.advanceWipes(of: guest)
    if let batch = guest.process.batch {
      batch.finish(guest)
    } else {
      services.enrollment.settleEnrollment(guest)
    }
  }

  /// Returns whether an app with its own program was started in order to open content. A ready-made
  /// guest handles content as it arrives.
  private func opensContent(_ guest: Guest) -> Bool {
    guest.app.program != .readyMade && guest.app.kind == .app && !guest.mailbox.inFlight.isEmpty
  }

  // MARK: Queued requests

  /// Queues a request. Requests are answered one at a time, so a request that waits for another
  /// guest's answer delays later requests.
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
        transaction.decoding.reset()
        try frame.withUnsafeBytes { bytes in
          let outbox = guest.connection?.memory.window
          let message = try GuestFrame(bytes, arena: transaction.decoding, outbox: outbox)
          try serve(message, of: guest)
          services.memory.didServe(message, of: guest)
        }
      } catch {
        services.supervisor.end(guest, .protocolViolation("\(error)"))
      }
      guard let connection = guest.connection else { return }
      if !guest.mailbox.queued.isEmpty, services.slices.isOver(connection) {
        return rest(connection)
      }
    }
  }
}

// MARK: - Requests

/// Passes requests to the responsible services.
extension RequestRouter {
  private func serve(_ message: GuestFrame, of guest: Guest) throws {
    guard message.request > guest.mailbox.lastRequest else {
      throw Violation(
        text: "request \(message.request) after request \(guest.mailbox.lastRequest), a replay")
    }
    guest.mailbox.lastRequest = message.request
    if let share = message.share {
      let pending = PendingRequest(
        number: services.audit.nextRequest(), guest: guest, request: message.request,
        isPosted: share.isPosted)
      return services.transfers.share(share, pending)
    }
    let whole = try message.message()
    let body = whole.body
    let row = body.row
    let actingIdentity = services.identities.actingIdentity(
      of: guest, for: whole.task, row.taskKind)
    var pending = PendingRequest(
      number: services.audit.nextRequest(), guest: guest, request: message.request,
      actingIdentity: actingIdentity)
    services.audit.recordProvenance(whole.sources, of: pending.number)
    if case .share(let share) = body {
      pending.isPosted = share.isPosted
      return share.withFrame { services.transfers.share($0, pending) }
    }
    guard !services.access.refuseWhileLocked(row.lockedOperation, pending) else { return }
    if guest.app.isClosedKeyboard, let operation = row.reachingOperation {
      return services.replies.refuse(pending, operation, .keyboardWithoutFullAccess)
    }
    if let operation = row.lockedOperation, guest.isBlocked(actingIdentity.identity) {
      return services.replies.refuse(
        pending, operation, .accountBlocked, subject: actingIdentity.identity.accountID)
    }
    try serve(body, in: whole.task, pending)
  }

  private func serve(
    _ body: GuestMessage.Body, in task: TaskContext?, _ pending: PendingRequest
  ) throws {
    switch body {
    case .import(let source, let via):
      services.transfers.importItem(from: source, via: via, pending)
    case .copy(let item, let scope): services.transfers.copy(item, scope, pending)
    case .paste: services.transfers.paste(pending)
    case .openURL(let url): services.transfers.urls.open(url, pending)
    case .use(let use): try services.transfers.use(use, pending)
    case .airDrop(let drop): services.transfers.airDrop(drop, pending)
    case .openReceived(let transport): try services.transfers.openReceived(by: transport, pending)
    case .callExtension(let call): services.extensions.call(call, pending)
    case .canReceive(let item): services.transfers.canReceive(item, pending)
    case .unlock(let unlock):
      let length = unlock.pin.utf8.count
      guard length <= 256 else {
        throw Violation(text: "a PIN of \(length) bytes, the limit is 256")
      }
      services.access.unlock(unlock, pending)
    case .keychainAdd(let key, let value): services.keychain.add(key, value, pending)
    case .keychainQuery(let key): services.keychain.query(key, pending)
    case .keychainDelete(let key): services.keychain.delete(key, pending)
    case .signIn(let account): services.enrollment.signIn(account, pending)
    case .signOut(let account): services.enrollment.signOut(account, pending)
    case .enroll(let body): services.enrollment.enroll(body, pending)
    case .unenroll(let account, let wipes):
      services.enrollment.unenroll(account, wipes: wipes, pending)
    case .acquireToken(let request): services.tokens.acquireToken(request, pending)
    case .remediate(let account, let isSilent):
      services.enrollment.remediate(account, isSilent: isSilent, pending)
    case .switchIdentity(let change): try services.access.switchIdentity(change, in: task, pending)
    case .openFile(let open): services.files.openFile(open, pending)
    case .moveFile(let file, let target): services.files.moveFile(file, to: target, pending)
    case .removeFile(let file): services.files.removeFile(file, pending)
    case .protectData(let account): services.files.protectData(for: account, pending)
    case .unprotectData(let header): services.files.unprotectData(header, pending)
    case .managedApp(let request): services.management.answer(request, pending)
    case .shareItems(let items): try services.extensions.share(items, pending)
    case .loadItem(let reference): services.extensions.loadItem(reference, pending)
    case .completeExtension(let items): try services.extensions.completeExtension(items, pending)
    case .cancelExtension(let why):
      try services.extensions.cancelExtension(Self.sentence(why), pending)
    case .hello, .acknowledge, .share, .cancelLoad, .provided, .provideProgress,
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed, .release:
      throw Violation(text: "a message without a request, sent as a request")
    }
  }
}

// MARK: - Answers and reports

/// Handles messages that are not requests: answers and reports.
extension RequestRouter {
  /// Formats a guest's message as one line for the journal. It is truncated, so guests cannot fill
  /// the disk.
  private static func sentence(_ why: String) -> String {
    String(decoding: why.utf8.prefix(RequestLimits.sentence), as: UTF8.self)
      .replacing("\n", with: " ")
  }

  private func answer(_ body: GuestMessage.Body, by guest: Guest) throws {
    switch body {
    case .log(let text):
      services.audit.wrote(
        guest, .log(String(decoding: text.utf8.prefix(RequestLimits.log), as: UTF8.self)))
    case .failed(let why): guest.process.failure = Self.sentence(why)
    case .provided(let ask, let item): try answerProvided(ask, item, by: guest)
    case .cancelLoad(let load): services.extensions.cancelLoad(load, by: guest)
    case .provideProgress(let ask, let fraction):
      try services.extensions.progress(fraction, of: ask, by: guest)
    case .identitySwitchAnswer(let ask, let isSuccess):
      guard case .identitySwitch(let answer)? = guest.mailbox.calls[ask] else {
        throw Violation(text: "an answer to a switch that was not requested")
      }
      guest.mailbox.calls[ask] = nil
      services.deliveries.madeProgress(guest)
      answer(isSuccess)
    case .delegateAnswer(let ask, let isSuccess):
      try answerDelegate(ask, isSuccess, by: guest)
    case .performed(let ask, let failure, let found):
      try answerPerformed(
        ask, InstructionResult(failure: failure.map(Self.sentence), found: found), guest)
    case .release(let offset): try guest.connection?.memory.release(offset)
    case .share, .shareItems, .import, .copy, .paste, .openURL, .use, .airDrop, .openReceived,
      .callExtension, .canReceive, .unlock, .keychainAdd, .keychainQuery, .keychainDelete, .signIn,
      .signOut, .enroll, .unenroll, .acquireToken, .remediate, .switchIdentity, .openFile,
      .moveFile, .removeFile, .protectData, .unprotectData, .managedApp, .loadItem,
      .completeExtension, .cancelExtension, .hello, .acknowledge:
      throw Violation(text: "a request without a number")
    }
  }

  private func answerPerformed(_ ask: UInt64, _ performance: InstructionResult, _ guest: Guest)
    throws
  {
    let call = guest.mailbox.calls[ask]
    switch call {
    case .perform(let answer)?, .act(let answer)?:
      guest.mailbox.calls[ask] = nil
      answer(performance)
    case .prepared(let answer)?:
      guest.mailbox.calls[ask] = nil
      answer(performance)
      // A simulated user who does not find the control to tap closes the extension.
      if performance.failure != nil { services.supervisor.supervise(guest, .stop) }
    case .scene(let answer)?:
      guest.mailbox.calls[ask] = nil
      services.deliveries.madeProgress(guest)
      answer(performance)
    case .abandoned?: guest.mailbox.calls[ask] = nil
    case .item, .representation, .identitySwitch, .delegate, .wipe, nil:
      throw Violation(text: "a report of an action that was not requested")
    }
  }

  private func answerProvided(_ ask: UInt64, _ item: Item?, by guest: Guest) throws {
    let answer: (Item?) -> Void
    switch guest.mailbox.calls[ask] {
    case .item(let body)?: answer = body
    case .representation(let provision)?: answer = provision.answer
    case .identitySwitch, .delegate, .wipe, .perform, .act, .prepared, .scene, .abandoned, nil:
      throw Violation(text: "an item that was not requested")
    }
    guest.mailbox.calls[ask] = nil
    services.deliveries.madeProgress(guest)
    answer(item)
  }

  private func answerDelegate(_ ask: UInt64, _ isSuccess: Bool, by guest: Guest) throws {
    switch guest.mailbox.calls[ask] {
    case .delegate(let answer)?:
      guest.mailbox.calls[ask] = nil
      services.deliveries.madeProgress(guest)
      answer(isSuccess)
    case .wipe(let answer)?:
      guest.mailbox.calls[ask] = nil
      answer(isSuccess)
    case .item, .representation, .identitySwitch, .perform, .act, .prepared, .scene, .abandoned,
      nil:
      throw Violation(text: "an answer to a delegate call that was not made")
    }
  }
}

// MARK: - Events of the loop and the supervisor

extension RequestRouter: LoopTransactionDelegate {
  func save() { services.access.save() }

  func didFlush(_ guest: Guest) {
    services.configurations.sendOutdatedConfigurations(to: guest)
    services.flow.releaseUnlessOverloaded(guest)
  }
}

extension RequestRouter: GuestSupervisorDelegate {
  func ban(on guest: Guest) -> String? { services.management.ban(on: guest)?.description }

  func serverAccess(of app: AppDescription) -> ServerAccess { services.servers.access(of: app) }

  func didRead(_ bytes: UnsafeRawBufferPointer, from guest: Guest) {
    guard let connection = guest.connection else { return }
    parse(guest) { body in try connection.parser.consume(bytes, body) }
  }

  func deadlinePassed(_ guest: Guest) { services.deliveries.checkDeadline(guest) }

  func awaitScript(_ guest: Guest, done: @escaping () -> Void) {
    // A script rejects instructions, and does so only while it waits for messages. The rejection
    // therefore shows that the script is waiting.
    services.deliveries.perform(.nothing, on: guest) { _ in done() }
  }

  func didLaunch(_ guest: Guest) { services.enrollment.settleEnrollment(guest) }

  func didSuspend(_ guest: Guest) {
    services.access.leaveForeground(guest)
    services.deliveries.abandonActs(of: guest)
  }

  func didResume(_ guest: Guest) {
    services.configurations.sendOutdatedConfigurations(to: guest)
    services.enrollment.catchUp(guest)
    services.access.checkAccess(guest)
    services.deliveries.sendOutbox(guest)
  }

  func didExit(_ guest: Guest, _ cause: ExitCause) {
    services.deliveries.failOpenCalls(of: guest, reason: cause)
    services.extensions.failExtensionWork(of: guest, reason: cause)
    services.extensions.didExit(guest)
    services.wipes.endWipes(of: guest, reason: cause)
    services.enrollment.didExit(guest)
    services.flow.release(guest)
    // The guest restarts without an account, or with its only account. Until then, verdicts apply
    // to that identity.
    if guest.app.kind == .app { services.identities.actForDefaultAccount(guest) }
  }
}

// MARK: - Request properties

/// A guest's request that has not yet ended.
struct PendingRequest {
  /// The request's number on the device.
  var number: Int
  var guest: Guest
  /// The incarnation of the process that sent the request. After a restart, the guest has another
  /// connection.
  private let incarnation: Int
  /// The request's number on the guest's connection.
  var request: UInt64
  /// Whether the guest is notified only if the request fails.
  var isPosted = false
  var actingIdentity: ActingIdentity

  init(
    number: Int, guest: Guest, request: UInt64, isPosted: Bool = false,
    actingIdentity: ActingIdentity? = nil
  ) {
    self.number = number
    self.guest = guest
    self.actingIdentity = actingIdentity ?? guest.acting.actingIdentity
    incarnation = guest.process.incarnation
    self.request = request
    self.isPosted = isPosted
  }

  /// The connection for the outcome; nil if the process that sent the request has exited.
  var openConnection: GuestConnection? {
    guest.process.incarnation == incarnation ? guest.connection : nil
  }
}

/// The properties of a message that determine whether it is served, and under which identity.
struct MessageRow {
  /// The requested operation if a locked guest may not use it; otherwise nil.
  let lockedOperation: Operation?
  /// The requested operation if it affects more than the guest's own data; otherwise nil.
  let reachingOperation: Operation?
  /// The kind of the task, which determines the identity that applies.
  let taskKind: TaskKind

  /// Returns the properties of a request that is refused while the guest is locked.
  ///
  /// - Parameter operation: The requested operation; nil if the message names an unknown channel.
  fileprivate static func lockable(
    _ operation: Operation?, reachesOthers: Bool = false, _ kind: TaskKind = .interface
  ) -> MessageRow {
    MessageRow(
      lockedOperation: operation, reachingOperation: reachesOthers ? operation : nil,
      taskKind: kind)
  }

  /// Returns the properties of a message that is served even if the guest is locked.
  ///
  /// - Parameter operation: The requested operation; nil if the message affects only the guest's
  ///   own data.
  fileprivate static func free(
    reaching operation: Operation? = nil, _ kind: TaskKind = .interface
  ) -> MessageRow {
    MessageRow(lockedOperation: nil, reachingOperation: operation, taskKind: kind)
  }
}

extension GuestMessage.Body {
  /// The message's properties. The switch is exhaustive, so a new message requires an entry.
  var row: MessageRow {
    switch self {
    case .share(let share): .lockable(Operation(share.way.channel), reachesOthers: true)
    case .shareItems: .lockable(.share, reachesOthers: true)
    case .import: .lockable(.import, reachesOthers: true)
    case .copy: .lockable(.copy, reachesOthers: true)
    case .paste: .lockable(.paste, reachesOthers: true)
    case .openURL: .lockable(.openURL, reachesOthers: true)
    case .use(let use):
      .lockable(Channel(rawValue: use.channel).map { Operation($0) }, reachesOthers: true)
    case .airDrop: .lockable(.airDrop, reachesOthers: true)
    case .openReceived: .lockable(.openReceived, reachesOthers: true)
    case .callExtension: .lockable(.extensionCall, reachesOthers: true)
    case .keychainAdd: .lockable(.keychainAdd, reachesOthers: true)
    case .keychainQuery: .lockable(.keychainQuery, reachesOthers: true)
    case .keychainDelete: .lockable(.keychainDelete, reachesOthers: true)
    case .loadItem: .lockable(.loadItem)
    case .canReceive: .lockable(.canReceive)
    case .openFile: .lockable(.openFile, .file)
    case .moveFile: .lockable(.moveFile, .file)
    // Apps remove files in order to wipe a locked account.
    case .removeFile: .free(.file)
    case .protectData: .lockable(.protectData)
    case .unprotectData: .lockable(.unprotectData)
    case .managedApp(let request): .free(reaching: request.operation)
    case .signIn: .free(reaching: .signIn)
    case .signOut: .free(reaching: .signOut)
    case .enroll: .free(reaching: .enroll)
    case .unenroll: .free(reaching: .unenroll)
    case .acquireToken: .free(reaching: .acquireToken)
    case .remediate: .free(reaching: .remediate)
    case .unlock, .switchIdentity, .completeExtension, .cancelExtension: .free()
    // These messages are not requests.
    case .hello, .acknowledge, .cancelLoad, .provided, .provideProgress, .identitySwitchAnswer,
      .delegateAnswer, .performed, .log, .failed, .release:
      .free()
    }
  }
}

/// A violation of the protocol by a guest. The device ends the guest.
struct Violation: Error, CustomStringConvertible {
  /// A description of the violation, in lower case.
  var text: String

  var description: String { text }
}

/// The result of an instruction to a guest, such as a user action.
package struct InstructionResult: Sendable {
  /// The reason why the guest could not carry out the instruction; nil if it did.
  package var failure: String?
  /// The bytes that the guest has read, for an instruction to read.
  package var found: [UInt8] = []
}
