internal import DequeModule
internal import EventLoop
internal import Model
internal import Policy
internal import Wire

/// The recipient of guests' messages: of the handshake, then of one request after the other, each of which goes to the
/// owner of what it is about.
final class RequestRouter {
  let owners: DeviceOwners
  let turn: Turn
  private let configuration: DeviceConfiguration

  init(_ configuration: DeviceConfiguration, _ owners: DeviceOwners) {
    self.configuration = configuration
    self.owners = owners
    turn = owners.supervisor.turn
  }

  // MARK: reading

  /// Goes on with messages of a guest that have not been served: first the postponed ones, then the unread ones.
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

  /// Reads on, unless there is a reason not to.
  private func read(_ connection: GuestConnection) {
    guard !connection.port.isClosing else { return }
    guard connection.rest == nil else { return readRest(of: connection) }
    guard connection.pauses.isEmpty, !connection.isSuspended else { return }
    parse(connection.guest) { body in try connection.parser.resume(body) }
    // A connection that cannot be read is at its end, which the process's exit will tell.
    if connection.pauses.isEmpty { try? connection.port.startReading() }
  }

  func parse(
    _ guest: Guest,
    _ feed: (@escaping (UnsafeRawBufferPointer) throws -> FrameParser.Next) throws -> Void
  ) {
    do {
      try feed { [unowned self] frame in
        try receive(frame, from: guest)
        guard let connection = guest.connection else { return .pause }
        if !endConfirmed(connection)
          || connection.pauses.isEmpty && owners.slices.isOver(connection)
        {
          rest(connection)
        }
        return connection.pauses.isEmpty ? .goOn : .pause
      }
    } catch {
      owners.supervisor.end(guest, .protocolViolation("\(error)"))
    }
  }

  /// Leaves messages of a guest unread until its next slice.
  private func rest(_ connection: GuestConnection) {
    connection.pauses.insert(.slice)
    connection.port.stopReading()
    owners.slices.rest { [unowned self] in turn { goOn(connection) } }
  }

  /// Ends deliveries that the guest has confirmed, unless its slice is over before all have ended.
  private func endConfirmed(_ connection: GuestConnection) -> Bool {
    owners.deliveries.endConfirmed(by: connection.guest) { !owners.slices.isOver(connection) }
  }

  /// Ends a guest's rest. Unread messages are read although postponed ones wait: an answer to somebody else may be among
  /// them.
  private func goOn(_ connection: GuestConnection) {
    connection.pauses.remove(.slice)
    guard endConfirmed(connection) else { return rest(connection) }
    resume(connection)
    read(connection)
  }

  func serveRest(of guest: Guest, then done: @escaping () -> Void) {
    guard let connection = guest.connection else { return done() }
    connection.beginRest(then: done)
    // A guest that has used up its slice waits for the next.
    if !connection.isResting { readRest(of: connection) }
  }

  /// Serves a slice of what the guest had sent by a certain time. Behind the last one it reads on.
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
    // A guest that was suspended meanwhile, and no longer is, may have missed that it can go on.
    if connection.pauses.isEmpty { read(connection) } else { turn.scheduleResume(connection.guest) }
  }

  private func receive(_ frame: UnsafeRawBufferPointer, from guest: Guest) throws {
    turn.decoding.reset()
    guard let supervision = guest.process.supervision, supervision.isHeard else { return }
    guard guest.process.isWelcome else { return try shakeHands(frame, guest) }
    let outbox = guest.connection?.memory.window
    let message = try GuestFrame(frame, arena: turn.decoding, outbox: outbox)
    if let through = message.acknowledgedThrough {
      return try owners.deliveries.acknowledge(through, by: guest)
    }
    guard message.request != 0 else {
      try answer(message.message().body, by: guest)
      return owners.memory.didServe(message, of: guest)
    }
    guard guest.mailbox.unansweredRequests == 0, guest.mailbox.queued.isEmpty else {
      return postpone(frame, of: guest)
    }
    try serve(message, of: guest)
    owners.memory.didServe(message, of: guest)
  }

  private func shakeHands(_ frame: UnsafeRawBufferPointer, _ guest: Guest) throws {
    let body = try GuestFrame(frame, arena: turn.decoding).message().body
    if case .failed(let why) = body {
      return owners.supervisor.end(guest, .notStarted(Self.sentence(why)))
    }
    guard case .hello(let hello) = body else {
      throw Violation(text: "something else before the handshake")
    }
    guard hello.transport == ProtocolVersion.transport,
      hello.application == ProtocolVersion.application
    else {
      let reason =
        "protocol \(hello.transport).\(hello.application), this device speaks "
        + "\(ProtocolVersion.transport).\(ProtocolVersion.application)"
      turn.send(HostMessage(.rejected(reason: reason)), to: guest)
      guest.connection.map(turn.flush)
      throw Violation(text: reason)
    }
    guest.connection?.memory.isWelcome = hello.takesMemory
    if !hello.claimedApp.isEmpty, hello.claimedApp != guest.app.bundleID {
      owners.audit.record(
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
      seed: guestSeed(configuration.seed, guest: guest.name), time: owners.clock.now,
      configurations: owners.configurations.welcomeConfigurations(guest),
      opensContent: opensContent(guest),
      managedConfiguration: owners.management.welcomeConfiguration(guest))
    turn.send(HostMessage(.welcome(welcome)), to: guest)
    guest.process.isWelcome = true
    owners.supervisor.supervise(guest, .welcomed)
    owners.audit.record(.guestReady(guest: guest.name), of: guest)
    owners.audit.reportLaunch(of: guest)
    // The guest was to stop before it had said hello.
    guard guest.isReady else { return turn.send(HostMessage(.stop), to: guest) }
    if guest.work != nil {
      guest.process.lifeTimer?.start(after: configuration.limits.extensionRequest)
    }
    owners.identities.sendIdentities(guest)
    owners.configurations.sendOutdatedConfigurations(to: guest)
    owners.audit.inBatch(of: guest) { owners.access.checkAccess(guest) }
    if guest.isLocked, guest.work != nil {
      owners.extensions.failExtensionWork(of: guest, reason: .stopped)
      return owners.supervisor.supervise(guest, .stop)
    }
    if guest.app.behaviour != Behaviour() {
      owners.deliveries.perform(.nothing, guest.app.behaviour, on: guest) { _ in }
    }
    owners.deliveries.sendOutbox(guest)
    if welcome.opensContent { owners.deliveries.launch(guest) }
    owners.wipes.advanceWipes(of: guest)
    if let batch = guest.process.batch {
      batch.settle(guest)
    } else {
      owners.enrollment.settleEnrollment(guest)
    }
  }

  /// Whether a program of one's own was started to open something. The ready-made guest takes it as it comes.
  private func opensContent(_ guest: Guest) -> Bool {
    guest.app.program != .readyMade && guest.app.kind == .app && !guest.mailbox.inFlight.isEmpty
  }

  // MARK: requests that wait

  /// Postpones a request. Requests are answered one after the other; one that waits for a guest's answer makes the next
  /// wait.
  private func postpone(_ frame: UnsafeRawBufferPointer, of guest: Guest) {
    guest.mailbox.queued.append(Array(frame))
    guest.mailbox.queuedBytes += frame.count
    let limits = configuration.limits
    if guest.mailbox.queued.count > limits.queued
      || guest.mailbox.queuedBytes > limits.backlog
    {
      owners.flow.pause(guest)
    }
  }

  private func servePostponed(_ guest: Guest) {
    while guest.mailbox.unansweredRequests == 0, guest.mailbox.waitsFor == nil,
      guest.process.supervision?.isHeard == true,
      let frame = guest.mailbox.queued.popFirst()
    {
      guest.mailbox.queuedBytes -= frame.count
      do {
        turn.decoding.reset()
        try frame.withUnsafeBytes { bytes in
          let outbox = guest.connection?.memory.window
          let message = try GuestFrame(bytes, arena: turn.decoding, outbox: outbox)
          try serve(message, of: guest)
          owners.memory.didServe(message, of: guest)
        }
      } catch {
        owners.supervisor.end(guest, .protocolViolation("\(error)"))
      }
      guard let connection = guest.connection else { return }
      if !guest.mailbox.queued.isEmpty, owners.slices.isOver(connection) {
        return rest(connection)
      }
    }
  }
}
