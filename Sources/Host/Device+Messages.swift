internal import DequeModule
internal import EventLoop
internal import Policy
internal import Transfer
internal import Wire

extension Device {
  func didRead(_ bytes: UnsafeRawBufferPointer, _ guest: Guest) {
    guard let connection = guest.connection else { return }
    parse(guest) { body in try connection.parser.consume(bytes, body) }
  }

  /// Goes on with what a guest has said and nobody has heard yet: first what was postponed, then what is
  /// unread.
  func resumeReading(_ connection: GuestConnection) {
    guard !connection.pipe.isClosing else { return }
    let guest = connection.guest
    servePostponed(guest)
    guard connection.isPaused, guest.waitsFor == nil, guest.deferred.isEmpty,
      !connection.pipe.isClosing
    else { return }
    connection.isPaused = false
    parse(guest) { body in try connection.parser.resume(body) }
    // A connection that cannot be read is at its end, which the process's exit will tell.
    if !connection.isPaused { try? connection.pipe.startReading() }
  }

  private func parse(
    _ guest: Guest,
    _ feed: (@escaping (UnsafeRawBufferPointer) throws -> FrameParser.Next) throws -> Void
  ) {
    do {
      try feed { [unowned self] frame in
        try receive(frame, from: guest)
        guard let connection = guest.connection else { return .pause }
        return connection.isPaused ? .pause : .goOn
      }
    } catch {
      end(guest, .protocolViolation("\(error)"))
    }
  }

  private func receive(_ frame: UnsafeRawBufferPointer, from guest: Guest) throws {
    decoding.reset()
    guard let supervision = guest.supervision, supervision.isHeard else { return }
    guard guest.isWelcome else { return try shakeHands(frame, guest) }
    let message = try GuestFrame(frame, arena: decoding)
    if let through = message.acknowledgedThrough {
      return try acknowledge(through, by: guest)
    }
    guard message.request != 0 else { return try answer(message.message().body, by: guest) }
    guard guest.unsettled == 0, guest.deferred.isEmpty else { return postpone(frame, of: guest) }
    try serve(message, of: guest)
  }

  private func shakeHands(_ frame: UnsafeRawBufferPointer, _ guest: Guest) throws {
    let body = try GuestFrame(frame, arena: decoding).message().body
    if case .failed(let why) = body { return end(guest, .notStarted(Self.sentence(why))) }
    guard case .hello(let hello) = body else {
      throw Violation(text: "something else before the handshake")
    }
    guard hello.transport == ProtocolVersion.transport,
      hello.application == ProtocolVersion.application
    else {
      let reason =
        "protocol \(hello.transport).\(hello.application), this device speaks "
        + "\(ProtocolVersion.transport).\(ProtocolVersion.application)"
      send(HostMessage(.rejected(reason: reason)), to: guest)
      guest.connection.map(flush)
      throw Violation(text: reason)
    }
    if !hello.claimedApp.isEmpty, hello.claimedApp != guest.app.bundleID {
      recordLifecycle(
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
      seed: guestSeed(configuration.seed, guest: guest.name), time: clock.now,
      configurations: welcomeConfigurations(guest))
    send(HostMessage(.welcome(welcome)), to: guest)
    guest.isWelcome = true
    supervise(guest, .welcomed)
    recordLifecycle(.guestReady(guest: guest.name), of: guest)
    reportLaunch(of: guest)
    // It was to stop before it had said hello.
    guard guest.isReady else { return send(HostMessage(.stop), to: guest) }
    if guest.work != nil { guest.lifeTimer?.start(after: configuration.limits.extensionRequest) }
    sendIdentities(guest)
    sendOutdatedConfigurations(to: guest)
    checkAccess(guest)
    if guest.isLocked, guest.work != nil {
      failExtensionWork(of: guest, because: .stopped)
      return supervise(guest, .stop)
    }
    if guest.app.behaviour != Behaviour() {
      perform(.nothing, guest.app.behaviour, on: guest) { _ in }
    }
    deliverHeld(guest)
    advanceWipes(of: guest)
    if let batch = guest.batch {
      batch.settle(guest, in: self)
    } else {
      settleEnrollment(guest)
    }
  }

  // MARK: requests

  /// Requests are answered one after the other; one that waits for a guest's answer makes the next wait.
  private func postpone(_ frame: UnsafeRawBufferPointer, of guest: Guest) {
    guest.deferred.append(Array(frame))
    guest.deferredBytes += frame.count
    let limits = configuration.limits
    if guest.deferred.count > limits.deferred || guest.deferredBytes > limits.backlog {
      pause(guest)
    }
  }

  /// A request has what it waited for: the next one of the same process may go on.
  func settle(_ origin: Origin) {
    guard origin.openConnection != nil else { return }
    origin.guest.unsettled -= 1
    scheduleResume(origin.guest)
  }

  private func servePostponed(_ guest: Guest) {
    while guest.unsettled == 0, guest.waitsFor == nil, guest.supervision?.isHeard == true,
      let frame = guest.deferred.popFirst()
    {
      guest.deferredBytes -= frame.count
      do {
        decoding.reset()
        try frame.withUnsafeBytes { bytes in
          try serve(GuestFrame(bytes, arena: decoding), of: guest)
        }
      } catch {
        end(guest, .protocolViolation("\(error)"))
      }
    }
  }

  func forgetDeferred(_ guest: Guest) {
    guest.deferred.removeAll()
    guest.deferredBytes = 0
  }

  private func serve(_ message: GuestFrame, of guest: Guest) throws {
    guard message.request > guest.lastRequest else {
      throw Violation(
        text: "request \(message.request) after request \(guest.lastRequest), a replay")
    }
    guest.lastRequest = message.request
    if let share = message.share {
      return self.share(share, request: message.request, from: guest)
    }
    let whole = try message.message()
    let body = whole.body
    let persona = self.persona(of: guest, for: whole.task, body.taskKind)
    if case .share(let share) = body {
      return share.withFrame { self.share($0, request: message.request, from: guest, as: persona) }
    }
    let origin = Origin(
      number: nextRequest(), guest: guest, request: message.request, persona: persona)
    guard !refuseWhileLocked(body.lockedOperation, origin) else { return }
    if guest.app.isClosedKeyboard, let operation = body.reachingOperation {
      return refuse(origin, operation, .keyboardWithoutFullAccess)
    }
    if let operation = body.lockedOperation, guest.isBlocked(persona.identity) {
      return refuse(origin, operation, .accountBlocked, subject: persona.identity.accountID)
    }
    try serve(body, origin)
  }

  private func serve(_ body: GuestMessage.Body, _ origin: Origin) throws {
    switch body {
    case .import(let source, let via): importItem(from: source, via: via, origin)
    case .copy(let item): copy(item, origin)
    case .paste: paste(origin)
    case .openURL(let url): open(url, origin)
    case .use(let use): try self.use(use, origin)
    case .canReceive(let item): canReceive(item, origin)
    case .unlock(let unlock):
      guard unlock.pin.utf8.count <= 256 else { throw Violation(text: "a PIN of no user") }
      self.unlock(unlock, origin)
    case .keychainAdd(let key, let value): keychainAdd(key, value, origin)
    case .keychainQuery(let key): keychainQuery(key, origin)
    case .keychainDelete(let key): keychainDelete(key, origin)
    case .signIn(let account): signIn(account, origin)
    case .signOut(let account): signOut(account, origin)
    case .enroll(let body): enroll(body, origin)
    case .unenroll(let account, let wipes): unenroll(account, wipes: wipes, origin)
    case .acquireToken(let request): acquireToken(request, origin)
    case .remediate(let account, let isSilent): remediate(account, isSilent: isSilent, origin)
    case .switchIdentity(let change): try switchIdentity(change, origin)
    case .openFile(let open): openFile(open, origin)
    case .moveFile(let file, let target): moveFile(file, to: target, origin)
    case .removeFile(let file): removeFile(file, origin)
    case .protectData(let account): protectData(for: account, origin)
    case .unprotectData(let header): unprotectData(header, origin)
    case .managedApp(let request): managedApp(request, origin)
    case .shareItems(let items): try share(items, origin)
    case .loadItem(let reference): loadItem(reference, origin)
    case .completeExtension(let items): try completeExtension(items, origin)
    case .cancelExtension(let why): try cancelExtension(why, origin)
    case .hello, .acknowledge, .share, .cancelLoad, .provided, .provideProgress,
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed:
      throw Violation(text: "a message that asks for nothing, sent as a request")
    }
  }

  // MARK: answers

  /// What a guest says of its end, for the journal: it must not fill the disk with it.
  private static func sentence(_ why: String) -> String {
    String(decoding: why.utf8.prefix(RequestLimits.sentence), as: UTF8.self)
      .replacing("\n", with: " ")
  }

  private func answer(_ body: GuestMessage.Body, by guest: Guest) throws {
    switch body {
    case .log(let text):
      tell(
        .log(String(decoding: text.utf8.prefix(RequestLimits.log), as: UTF8.self)), of: guest)
    case .failed(let why): guest.failure = Self.sentence(why)
    case .provided(let ask, let item): try answerProvided(ask, item, by: guest)
    case .cancelLoad(let load): cancelLoad(load, by: guest)
    case .provideProgress(let ask, let fraction): try progress(fraction, of: ask, by: guest)
    case .identitySwitchAnswer(let ask, let isSuccess):
      guard case .identitySwitch(let answer)? = guest.asks[ask] else {
        throw Violation(text: "an answer to a switch that nobody asked for")
      }
      guest.asks[ask] = nil
      paid(guest)
      answer(isSuccess)
    case .delegateAnswer(let ask, let isSuccess):
      try answerDelegate(ask, isSuccess, by: guest)
    case .performed(let ask, let failure, let found):
      guard case .perform(let answer)? = guest.asks[ask] else {
        throw Violation(text: "a report of something that it was not told to do")
      }
      guest.asks[ask] = nil
      answer(Performance(failure: failure.map(Self.sentence), found: found))
    default: throw Violation(text: "a request without a number")
    }
  }

  private func answerProvided(_ ask: UInt64, _ item: Item?, by guest: Guest) throws {
    let answer: (Item?) -> Void
    switch guest.asks[ask] {
    case .item(let body)?: answer = body
    case .representation(let provision)?: answer = provision.answer
    default: throw Violation(text: "an item that nobody asked for")
    }
    guest.asks[ask] = nil
    paid(guest)
    answer(item)
  }

  private func answerDelegate(_ ask: UInt64, _ isSuccess: Bool, by guest: Guest) throws {
    switch guest.asks[ask] {
    case .delegate(let answer)?:
      guest.asks[ask] = nil
      paid(guest)
      answer(isSuccess)
    case .wipe(let answer)?:
      guest.asks[ask] = nil
      answer(isSuccess)
    default: throw Violation(text: "an answer to a call of its delegate that nobody made")
    }
  }

  /// Tells a guest that is driven from outside to make a request of its own.
  ///
  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour = Behaviour(), on guest: Guest,
    done: @escaping (Performance) -> Void
  ) {
    guard guest.isRunning else {
      return done(Performance(failure: "`\(guest.name)` is not running"))
    }
    ask(guest, .perform(done)) { HostMessage(.perform(ask: $0, instruction, behaviour)) }
  }

  // MARK: back-pressure

  /// Leaves what `guest` sends unread for now.
  func pause(_ guest: Guest) {
    guard let connection = guest.connection, !connection.isPaused else { return }
    connection.isPaused = true
    connection.pipe.stopReading()
  }

  /// Makes `sender` wait where `receiver` has more than it takes.
  func hold(_ sender: Guest, for receiver: Guest) {
    guard receiver.isOverloaded, sender.connection != nil else { return }
    pause(sender)
    sender.waitsFor = receiver
    if !receiver.waiting.contains(where: { $0 === sender }) { receiver.waiting.append(sender) }
  }
}
