internal import EventLoop
internal import Glibc
public import Transfer
internal import Wire

extension Device {
  /// Starts guests together, a few at a time. `done` is called when each is ready, or will never be.
  ///
  /// The journal gets their events in the order given.
  public func launch(_ names: [String], done: @escaping () -> Void) {
    turn {
      let starting = names.compactMap { guests[$0] }.filter { !$0.isRunning }
      guard !starting.isEmpty else { return done() }
      let batch = LifecycleBatch(
        starting, atOnce: configuration.limits.starting, begin: { [unowned self] in begin($0) },
        done: { [unowned self] in didLaunch(starting, done: done) })
      batch.advance(in: self)
    }
  }

  /// Starts a guest, unless somebody else has.
  private func begin(_ guest: Guest) {
    if !guest.isRunning { start(guest) }
    if !guest.isRunning || guest.isReady { guest.batch?.settle(guest, in: self) }
  }

  /// Nobody waits any longer for a guest whose turn to start has not come.
  private func withdraw(_ guest: Guest) {
    if !guest.isRunning { guest.batch?.settle(guest, in: self) }
  }

  /// Guests that were started together are up, or will never be. `done` is called once those have ended that must not
  /// go on, and scripts have come to their end, or to where they wait.
  private func didLaunch(_ starting: [Guest], done: @escaping () -> Void) {
    for guest in starting where guest.isReady { settleEnrollment(guest) }
    var remaining = 1
    let arrive = {
      remaining -= 1
      if remaining == 0 { done() }
    }
    for guest in starting where guest.isRunning {
      if !guest.isReady {
        remaining += 1
        guest.onExit.append(arrive)
      } else if case .script = guest.app.program {
        remaining += 1
        // It takes no instructions, and says so when it listens; one that has failed ends thereafter.
        perform(.nothing, on: guest) { _ in
          if guest.isRunning, guest.failure == nil { arrive() } else { guest.onExit.append(arrive) }
        }
      }
    }
    arrive()
  }

  /// Asks guests to stop, and makes them where they do not. `done` is called when all have ended.
  public func stop(_ names: [String], done: @escaping () -> Void) {
    turn {
      let named = names.compactMap { guests[$0] }
      for guest in named { withdraw(guest) }
      let stopping = named.filter(\.isRunning)
      guard !stopping.isEmpty else { return done() }
      LifecycleBatch(stopping, begin: { [unowned self] in supervise($0, .stop) }, done: done)
        .advance(in: self)
    }
  }

  /// Stops every guest that runs. Until that is done, none starts, whatever guests still ask for.
  public func stopAll(done: @escaping () -> Void) {
    isStoppingAll = true
    for guest in guests.values { guest.isStayingDown = true }
    for guest in order { withdraw(guest) }
    stop(runningGuests) { [unowned self] in
      isStoppingAll = false
      done()
    }
  }

  /// Names of the guests that run, extensions last.
  public var runningGuests: [String] {
    let installed = order.filter(\.isRunning).map(\.name)
    let others = guests.values.filter { $0.isRunning && !installed.contains($0.name) }.map(\.name)
    return installed + others.sorted()
  }

  /// Freezes a guest, as the system does with an app in the background. It must be ready.
  public func suspend(_ name: String) {
    turn { guests[name].map { supervise($0, .suspend) } }
  }

  /// Lets a suspended guest go on.
  public func resume(_ name: String) {
    turn { guests[name].map { supervise($0, .resume) } }
  }

  /// Ends a guest at once, as a user does who swipes it away. `done` is called when it has ended.
  public func kill(_ name: String, done: @escaping () -> Void) {
    turn {
      guard let guest = guests[name] else { return done() }
      withdraw(guest)
      guard guest.isRunning else { return done() }
      guest.onExit.append(done)
      supervise(guest, .end(.killed))
    }
  }

  /// How many runs of extensions there are.
  private var extensionRuns: Int { guests.count - order.count }

  /// Whether a guest of that name runs, frozen or not.
  public func isRunning(_ name: String) -> Bool { guests[name]?.isRunning ?? false }

  public func isSuspended(_ name: String) -> Bool { guests[name]?.state == .suspended }

  /// Process identifier of a guest; nil where it does not run.
  public func processIdentifier(of name: String) -> Int32? { guests[name]?.process?.pid }

  /// Why a guest ended last; nil where it runs or never did.
  public func exitCause(of name: String) -> ExitCause? {
    guard case .exited(let cause) = guests[name]?.state else { return nil }
    return cause
  }

  // MARK: starting

  func start(_ guest: Guest) {
    guest.supervision = Supervision(teardown: Teardown(within: configuration.limits.stop))
    guest.incarnation += 1
    guest.isWelcome = false
    guest.isStayingDown = false
    guest.failure = nil
    guest.lastRequest = 0
    guard !isStoppingAll else { return didNotStart(guest, "the device is going down") }
    if let ban = ban(on: guest) { return didNotStart(guest, "\(ban)") }
    guard guest.app.kind == .app || extensionRuns <= configuration.limits.extensionRuns else {
      return didNotStart(guest, "\(extensionRuns) extensions run already")
    }
    do {
      try spawn(guest)
      recordLifecycle(.guestStarted(guest: guest.name, app: guest.app.bundleID), of: guest)
      trace?.write(guest.name, "pid \(guest.process?.pid ?? 0)")
    } catch {
      didNotStart(guest, "\(error)")
    }
  }

  private func spawn(_ guest: Guest) throws {
    try prepareContainer(guest)
    switch guest.app.program {
    case .readyMade: break
    case .executable(let path, _):
      try Self.check(executable: path)
      // Landlock gives a folder with all that is in it.
      if let folder = launcher.exposure(of: Folders.absolute(folders.root), to: path) {
        throw HostError(
          .program,
          "the device's folder is in `\(folder)`, which the program `\(path)` may read; keep them apart"
        )
      }
    case .script(let path): try Self.check(script: path)
    }
    let pipe = try Pipe(on: loop)
    guest.connection = GuestConnection(
      guest: guest, pipe: pipe, frameLimit: configuration.limits.guestFrame)
    let (output, childEnd) = try Pipe.capture(on: loop)
    guest.output = output
    defer { Glibc.close(childEnd) }
    guest.lifeTimer = try Timer(on: loop) { [unowned self, unowned guest] in
      turn { self.lifeTimerFired(guest) }
    }
    guest.debtTimer = try Timer(on: loop) { [unowned self, unowned guest] in
      turn { self.checkDebt(guest) }
    }
    let groups = guest.app.accessibleGroups.map(folders.group)
    let specification = launcher.specification(
      guest, groups: groups, servers: serverAccess(of: guest.app), protocolPipe: pipe,
      output: childEnd)
    guest.process = try ChildProcess(specification, on: loop) {
      [unowned self, unowned guest] exit in
      turn { self.didExit(guest, exit) }
    }
    try listen(guest, pipe, output)
    try watchMemory(of: guest)
    guest.lifeTimer?.start(after: configuration.limits.handshake)
  }

  private func prepareContainer(_ guest: Guest) throws(HostError) {
    try folders.createContainer(guest.container)
    try Folders.create(guest.container + "/Inbox")
    guard access(guest.container, W_OK) == 0 else {
      throw HostError(.folder, "the container `\(guest.container)` is not writable")
    }
    for group in guest.app.appGroups { try folders.createContainer(folders.group(group)) }
  }

  private func listen(_ guest: Guest, _ pipe: Pipe, _ output: Pipe) throws(EventLoopError) {
    pipe.onRead = { [unowned self, unowned guest] bytes in turn { self.didRead(bytes, guest) } }
    pipe.onEnd = { [unowned self, unowned guest] _ in turn { self.didEnd(guest) } }
    pipe.onDrain = { [unowned self, unowned guest] in
      turn { guest.connection.map(self.markDirty) }
    }
    output.onRead = { [unowned self, unowned guest] bytes in
      tell(.stream(String(decoding: bytes, as: UTF8.self)), of: guest)
    }
    try pipe.startReading()
    try output.startReading()
  }

  private func didNotStart(_ guest: Guest, _ why: String) {
    guest.supervision?.abandon(.notStarted(why))
    release(resourcesOf: guest)
    recordLifecycle(.guestStarted(guest: guest.name, app: guest.app.bundleID), of: guest)
    conclude(guest, .notStarted(why))
  }

  // MARK: supervising

  func supervise(_ guest: Guest, _ event: Supervision.Event) {
    guard let actions = guest.supervision?.handle(event) else { return }
    for action in actions { perform(action, on: guest) }
    switch (event, guest.state) {
    case (.suspend, .suspended):
      recordLifecycle(.guestSuspended(guest: guest.name), of: guest)
      leaveForeground(guest)
    case (.resume, .ready):
      recordLifecycle(.guestResumed(guest: guest.name), of: guest)
      sendOutdatedConfigurations(to: guest)
      catchUp(guest)
      checkAccess(guest)
      deliverHeld(guest)
    default: break
    }
  }

  private func perform(_ action: Supervision.Action, on guest: Guest) {
    switch action {
    // Nothing comes before the welcome, which passes it on.
    case .askToStop: if guest.isWelcome { send(HostMessage(.stop), to: guest) }
    case .freeze: guest.process?.signalGroup(SIGSTOP)
    case .thaw: guest.process?.signalGroup(SIGCONT)
    case .terminate: guest.process?.signalGroup(SIGTERM)
    case .kill: guest.process?.signalGroup(SIGKILL)
    case .wait(let milliseconds): guest.lifeTimer?.start(after: milliseconds)
    case .stopWaiting: guest.lifeTimer?.stop()
    }
  }

  /// Ends a guest that broke a rule, or did not answer.
  func end(_ guest: Guest, _ cause: ExitCause) { supervise(guest, .end(cause)) }

  private func lifeTimerFired(_ guest: Guest) {
    switch guest.state {
    case .exited: conclude(guest)
    case .ready where guest.work != nil:
      end(guest, .unresponsive(doing: "completing its extension request"))
    default: supervise(guest, .timedOut)
    }
  }

  // MARK: ending

  private func didExit(_ guest: Guest, _ exit: ChildProcess.Exit) {
    // Whatever it started must not outlive it. It shares its process group, or is an orphan by now.
    guest.process?.signalGroup(SIGKILL)
    Orphans.end()
    switch exit {
    case .status(let status): supervise(guest, .exited(status: status))
    case .signal(let signal): supervise(guest, .signalled(signal))
    }
    drain(guest)
  }

  /// What a dead guest has written is read before its end is told; it cannot write more.
  private func drain(_ guest: Guest) {
    guard let connection = guest.connection, !connection.hasEnded, !connection.isPaused else {
      return conclude(guest)
    }
    // The end of its stream is on the way, unless a process out of its group holds it open.
    guest.lifeTimer?.start(after: 100)
  }

  private func didEnd(_ guest: Guest) {
    guest.connection?.hasEnded = true
    switch guest.state {
    case .exited: conclude(guest)
    case .spawning, .ready, .suspended:
      do throws(WireError) {
        try guest.connection?.parser.finish()
      } catch {
        return end(guest, .protocolViolation("\(error)"))
      }
      // It closed its connection and lives on: nobody can tell it to stop.
      guest.lifeTimer?.start(after: configuration.limits.stop)
    case .stopping, nil: break
    }
  }

  private func conclude(_ guest: Guest) {
    guard case .exited(let cause) = guest.state, guest.connection != nil else { return }
    release(resourcesOf: guest)
    conclude(guest, cause)
  }

  private func conclude(_ guest: Guest, _ cause: ExitCause) {
    recordLifecycle(
      .guestExited(guest: guest.name, cause: cause.code, text: guest.text(of: cause)), of: guest)
    settleDebts(of: guest, because: cause)
    endWipes(of: guest, because: cause)
    desk.restarting.remove(guest.name)
    release(guest)
    // It comes back as nobody, or as its only account; verdicts until then are about who it will be.
    if guest.app.kind == .app { actForDefaultAccount(guest) }
    // Those who waited for the end may start it anew, and then it has another batch.
    guest.batch?.settle(guest, in: self)
    let waiting = guest.onExit
    guest.onExit.removeAll()
    for done in waiting { done() }
    if !order.contains(where: { $0 === guest }) { remove(guest) }
  }

  private func release(resourcesOf guest: Guest) {
    guest.connection?.pipe.close()
    guest.output?.readRest()
    guest.output?.close()
    guest.process?.close()
    guest.lifeTimer?.close()
    guest.debtTimer?.close()
    guest.memoryTimer?.close()
    guest.connection = nil
    guest.output = nil
    guest.process = nil
    guest.lifeTimer = nil
    guest.debtTimer = nil
    guest.memoryTimer = nil
    guest.route = nil
    guest.waitsFor = nil
    guest.unsettled = 0
    guest.deliveries = 0
  }

  /// To the journal, in the order of the batch where the guest is part of one.
  func recordLifecycle(_ event: @autoclosure () -> JournalEvent.Kind, of guest: Guest) {
    guard journal != nil else { return }
    if let batch = guest.batch {
      batch.record(event(), of: guest)
    } else {
      record(event())
    }
  }
}
