internal import EventLoop
internal import Glibc
public import Model
internal import Wire

/// The supervisor of guests' processes: they are started confined, kept in bounds, stopped, and ended where they do not
/// stop.
public final class GuestSupervisor {
  let loop: EventLoop
  let turn: Turn
  let slices: TimeSlices
  /// The receiver of guests' messages and events.
  /// Unowned, as a weak reference makes every other one slow.
  unowned var delegate: (any GuestSupervisorDelegate)?
  private let configuration: DeviceConfiguration
  private let launcher: any GuestLauncher
  private let registry: GuestRegistry
  private let audit: AuditLog
  private let disk: DiskWatch
  private let programs: ProgramWatch
  /// Whether every guest is being stopped, so that none may start.
  private var isStoppingAll = false

  init(
    _ configuration: DeviceConfiguration, launcher: any GuestLauncher, loop: EventLoop,
    registry: GuestRegistry, disk: DiskWatch, programs: ProgramWatch, audit: AuditLog, turn: Turn,
    slices: TimeSlices
  ) {
    self.configuration = configuration
    self.launcher = launcher
    self.loop = loop
    self.registry = registry
    self.disk = disk
    self.programs = programs
    self.audit = audit
    self.turn = turn
    self.slices = slices
  }

  /// Starts guests together, a few at a time. Calls `done` when each is ready, or never will be.
  ///
  /// The journal gets their events in the order of `names`.
  public func launch(_ names: [String], done: @escaping () -> Void) {
    turn {
      let starting = names.compactMap { registry[$0] }.filter { !$0.isRunning }
      guard !starting.isEmpty else { return done() }
      let batch = LifecycleBatch(
        starting, audit: audit, atOnce: configuration.limits.starting,
        begin: { [unowned self] in begin($0) },
        done: { [unowned self] in didLaunch(starting, done: done) })
      batch.advance()
    }
  }

  /// Starts a guest, unless it runs already.
  private func begin(_ guest: Guest) {
    if !guest.isRunning { start(guest) }
    if !guest.isRunning || guest.isReady { guest.process.batch?.settle(guest) }
  }

  /// Ends the wait for a guest whose turn to start has not come.
  private func withdraw(_ guest: Guest) {
    if !guest.isRunning { guest.process.batch?.settle(guest) }
  }

  /// Handles guests that were started together, when each is up, or never will be. Calls `done` once the guests that
  /// must not go on have ended, and scripts have come to their end, or to where they wait.
  private func didLaunch(_ starting: [Guest], done: @escaping () -> Void) {
    for guest in starting where guest.isReady { delegate?.didLaunch(guest) }
    var remaining = 1
    let arrive = {
      remaining -= 1
      if remaining == 0 { done() }
    }
    for guest in starting where guest.isRunning {
      if !guest.isReady {
        remaining += 1
        guest.process.onExit.append(arrive)
      } else if case .script = guest.app.program {
        remaining += 1
        delegate?.awaitScript(guest) {
          // A script that has failed ends thereafter.
          if guest.isRunning, guest.process.failure == nil {
            arrive()
          } else {
            guest.process.onExit.append(arrive)
          }
        }
      }
    }
    arrive()
  }

  /// Asks guests to stop, and makes them where they do not. Calls `done` when all have ended.
  public func stop(_ names: [String], done: @escaping () -> Void) {
    turn {
      let named = names.compactMap { registry[$0] }
      for guest in named { withdraw(guest) }
      let stopping = named.filter(\.isRunning)
      guard !stopping.isEmpty else { return done() }
      LifecycleBatch(
        stopping, audit: audit, begin: { [unowned self] in askToStop($0) }, done: done
      )
      .advance()
    }
  }

  private func askToStop(_ guest: Guest) {
    supervise(guest, .stop)
    hasten(guest, within: configuration.limits.stop)
  }

  /// Stops every guest that runs. Until all have ended, none starts, whatever guests still ask for.
  public func stopAll(done: @escaping () -> Void) {
    isStoppingAll = true
    for guest in registry.all { guest.process.isStayingDown = true }
    for guest in registry.installed { withdraw(guest) }
    stop(running) { [unowned self] in
      isStoppingAll = false
      done()
    }
  }

  /// Names of the guests that run, instances of extensions last.
  public var running: [String] { registry.running }

  /// Whether an instance of an extension has not ended.
  public var isRunningExtensions: Bool { registry.instanceCount > 0 }

  /// Freezes a guest, as the system does with an app in the background. The guest must be ready.
  public func suspend(_ name: String) {
    turn { registry[name].map { supervise($0, .suspend) } }
  }

  /// Lets a suspended guest go on.
  public func resume(_ name: String) {
    turn { registry[name].map { supervise($0, .resume) } }
  }

  /// Ends guests at once, as a user does who swipes them away. Calls `done` when all have ended.
  ///
  /// The journal gets their events in the order of `names`, but those of guests that start or stop with others stay with theirs.
  public func kill(_ names: [String], done: @escaping () -> Void) {
    end(names, .killed, done: done)
  }

  /// Ends apps that are not in use, as the system does where it is short of memory. Calls `done` when all have ended.
  public func reclaimMemory(of names: [String], done: @escaping () -> Void) {
    end(names, .memoryPressure, done: done)
  }

  private func end(_ names: [String], _ cause: ExitCause, done: @escaping () -> Void) {
    turn {
      let named = names.compactMap { registry[$0] }
      for guest in named { withdraw(guest) }
      let ending = named.filter(\.isRunning)
      let alone = ending.filter { $0.process.batch == nil }
      var remaining = ending.count - alone.count + 1
      let arrive = {
        remaining -= 1
        if remaining == 0 { done() }
      }
      for guest in ending where guest.process.batch != nil {
        guest.process.onExit.append(arrive)
        end(guest, cause)
      }
      guard !alone.isEmpty else { return arrive() }
      LifecycleBatch(
        alone, audit: audit, begin: { [unowned self] in end($0, cause) }, done: arrive
      )
      .advance()
    }
  }

  /// Whether a guest of that name runs, frozen or not.
  public func isRunning(_ name: String) -> Bool { registry[name]?.isRunning ?? false }

  /// Whether a guest of that name is suspended.
  public func isSuspended(_ name: String) -> Bool { registry[name]?.state == .suspended }

  /// Whether a guest of that name runs a program of its own, and not the ready-made guest.
  public func hasOwnProgram(_ name: String) -> Bool {
    registry[name].map { $0.app.program != .readyMade } ?? false
  }

  /// Whether a guest with a program of its own runs, which may start others.
  public var runsOwnPrograms: Bool {
    registry.all.contains {
      $0.isRunning && $0.state != .suspended && $0.app.program != .readyMade
    }
  }

  /// Reads what a guest has written to its standard output and error so far, and nobody has read.
  public func readOutput(of name: String) { registry[name]?.process.output?.readRest() }

  /// Process identifier of a guest; nil where it does not run.
  public func processIdentifier(of name: String) -> Int32? { registry[name]?.process.handle?.pid }

  /// The cause of a guest's last end; nil where it runs or never did.
  public func exitCause(of name: String) -> ExitCause? {
    guard case .exited(let cause) = registry[name]?.state else { return nil }
    return cause
  }

  // MARK: starting

  func start(_ guest: Guest) {
    guest.process.begin(Supervision(teardown: Teardown(within: configuration.limits.stop)))
    guest.mailbox.lastRequest = 0
    guard !isStoppingAll else { return didNotStart(guest, "the device is going down") }
    if let ban = delegate?.ban(on: guest) { return didNotStart(guest, ban) }
    let instances = registry.instanceCount
    guard guest.app.kind == .app || instances <= configuration.limits.extensionInstances else {
      return didNotStart(guest, "\(instances) extensions run already")
    }
    if let most = DescriptorLimit.exhausted {
      return didNotStart(
        guest,
        "no descriptor is left for it: the device may have \(most) (`ulimit -n`), and keeps some for itself"
      )
    }
    do {
      try spawn(guest)
      recordStart(of: guest)
      audit.trace(guest.name, "pid \(guest.process.handle?.pid ?? 0)")
    } catch {
      didNotStart(guest, "\(error)")
    }
  }

  private func spawn(_ guest: Guest) throws {
    guest.process.lifeTimer = try Timer(on: loop) { [unowned self, unowned guest] in
      turn { self.lifeTimerFired(guest) }
    }
    guest.mailbox.deadlineTimer = try Timer(on: loop) { [unowned self, unowned guest] in
      turn { self.delegate?.deadlinePassed(guest) }
    }
    try launcher.launch(
      guest, reaching: delegate?.serverAccess(of: guest.app) ?? .none, for: self)
    try watchMemory(of: guest)
    try disk.watch()
    try programs.watch(guest)
    guest.process.lifeTimer?.start(after: configuration.limits.handshake)
  }

  private func didNotStart(_ guest: Guest, _ why: String) {
    guest.process.supervision?.abandon(.notStarted(why))
    guest.process.release()
    guest.mailbox.release()
    recordStart(of: guest)
    reportExit(guest, .notStarted(why))
  }

  private func recordStart(of guest: Guest) {
    audit.record(
      .guestStarted(guest: guest.name, app: guest.app.bundleID, team: guest.app.team), of: guest)
  }

  // MARK: hearing

  /// Handles bytes that came from the guest.
  func didRead(_ bytes: UnsafeRawBufferPointer, from guest: Guest) {
    turn { delegate?.didRead(bytes, from: guest) }
  }

  /// Goes on sending once the guest has taken what was sent.
  func didDrain(_ guest: Guest) { turn { guest.connection.map(turn.markDirty) } }

  /// Records what the guest wrote to its standard output or error.
  func didWrite(_ bytes: UnsafeRawBufferPointer, by guest: Guest) {
    let text = guest.process.characters.append(bytes)
    if !text.isEmpty { audit.wrote(guest, .stream(text)) }
  }

  // MARK: supervising

  /// Ends every guest at once, because the device cannot go on.
  func killAll() {
    isStoppingAll = true
    for guest in Array(registry.all) where guest.isRunning { end(guest, .killed) }
  }

  func supervise(_ guest: Guest, _ event: Supervision.Event) {
    let wasSuspended = guest.state == .suspended
    guard let actions = guest.process.supervision?.handle(event) else { return }
    for action in actions { perform(action, on: guest) }
    switch event {
    case .suspend:
      guard guest.state == .suspended, !wasSuspended else { return }
      audit.record(.guestSuspended(guest: guest.name), of: guest)
      delegate?.didSuspend(guest)
    case .resume:
      guard guest.state == .ready, wasSuspended else { return }
      audit.record(.guestResumed(guest: guest.name), of: guest)
      delegate?.didResume(guest)
    case .welcomed, .stop, .end, .timedOut, .exited, .signalled: break
    }
  }

  private func perform(_ action: Supervision.Action, on guest: Guest) {
    switch action {
    // Nothing is sent before the welcome, after which a guest that is to stop is told so.
    case .askToStop:
      guest.process.stopDeadline = loop.now + configuration.limits.stop
      if guest.process.isWelcome { turn.send(HostMessage(.stop), to: guest) }
    case .freeze:
      guest.process.handle?.signalGroup(SIGSTOP)
      silence(guest)
    case .thaw:
      guest.process.handle?.signalGroup(SIGCONT)
      hear(guest)
    case .terminate: guest.process.handle?.signalGroup(SIGTERM)
    case .kill:
      guest.process.handle?.signalGroup(SIGKILL)
      // Otherwise its connection tells.
      if guest.connection?.isHeard != true { guest.process.expectEnd() }
    case .wait(let milliseconds): guest.process.lifeTimer?.start(after: milliseconds)
    case .stopWaiting: guest.process.lifeTimer?.stop()
    }
  }

  /// Reads what the guest sent before it was suspended, and nothing more.
  private func silence(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    delegate?.serveRest(of: guest) {}
    connection.isSuspended = true
    connection.port.stopReading()
    guest.process.watch()
  }

  private func hear(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    connection.isSuspended = false
    // What it sent before comes first.
    guard connection.rest == nil else { return }
    guard connection.pauses.isEmpty else { return turn.scheduleResume(guest) }
    // A connection that cannot be read is at its end, which the process's exit will tell.
    try? connection.port.startReading()
  }

  /// Ends a guest at once, such as one that broke a rule or did not answer.
  func end(_ guest: Guest, _ cause: ExitCause) {
    supervise(guest, .end(cause))
    hasten(guest, within: 0)
  }

  private func lifeTimerFired(_ guest: Guest) {
    switch guest.state {
    case .stopping: stopTimedOut(guest)
    case .exited: serveLast(of: guest)
    case .spawning, .ready, .suspended, nil:
      let (state, hadWork) = (guest.state, guest.work != nil)
      // Messages that came in time count, even where the host was kept from reading them.
      delegate?.serveRest(of: guest) { [unowned self, unowned guest] in
        guard guest.state == state, (guest.work != nil) == hadWork else { return }
        if hadWork, state == .ready {
          end(guest, .unresponsive(doing: "completing its extension request"))
        } else {
          supervise(guest, .timedOut)
        }
      }
    }
  }

  /// Takes the next step to end a guest. It gets no more than its slice before that, or many would keep the device from
  /// going down.
  private func stopTimedOut(_ guest: Guest) {
    let (state, hadWork) = (guest.state, guest.work != nil)
    let wasHeard = guest.connection?.isHeard == true
    guest.connection?.readRest()
    guard guest.state == state else { return }
    if wasHeard && guest.connection?.hasEnded == true || hadWork && guest.work == nil {
      // It has stopped in time, and its exit is on the way, however long a busy machine takes for it.
      guest.process.lifeTimer?.start(after: configuration.limits.stop)
    } else {
      supervise(guest, .timedOut)
    }
  }

  // MARK: ending

  /// Handles the end of the guest's process.
  func didExit(_ guest: Guest, _ exit: ChildProcess.Exit) {
    // Processes that the guest started must not outlive it: they share its process group, or are orphans by now.
    guest.process.handle?.signalGroup(SIGKILL)
    if guest.process.handle?.takesDescendantsAlong != true { Orphans.end() }
    if guest.process.controlGroup?.ranOutOfMemory == true {
      end(guest, .memoryLimit(mebibytes: Int(clamping: configuration.limits.memory) >> 20))
    }
    switch exit {
    case .status(let status): supervise(guest, .exited(status: status))
    case .signal(let signal): supervise(guest, .signalled(signal))
    }
    drain(guest)
  }

  /// Reads what a dead guest has written before its end is told; it cannot write more.
  private func drain(_ guest: Guest) {
    guard let connection = guest.connection, connection.isHeard || connection.rest != nil else {
      return finishExit(guest)
    }
    // The end of its stream is on the way, unless a process out of its group holds it open, or there is much to serve.
    guest.process.lifeTimer?.start(after: Self.drainTime)
  }

  /// Time to wait for the end of a dead guest's stream, in milliseconds.
  private static let drainTime: UInt64 = 100

  /// Serves what a dead guest has left, in slices, and tells its end then. For a guest that was asked to stop, there is
  /// time until it would have been killed. Messages that are unread by then are discarded: nobody could be answered.
  private func serveLast(of guest: Guest) {
    guard !guest.process.isServedLast else { return finishExit(guest) }
    guest.process.isServedLast = true
    if let deadline = guest.process.stopDeadline {
      let rest = deadline > loop.now ? deadline - loop.now : 0
      guest.process.lifeTimer?.start(after: max(rest, Self.drainTime))
    }
    delegate?.serveRest(of: guest) { [unowned self, unowned guest] in finishExit(guest) }
  }

  /// Bounds the time in which what a dead guest has left is served, because everybody else waits for its end.
  private func hasten(_ guest: Guest, within milliseconds: UInt64) {
    guard case .exited = guest.state, guest.isRunning else { return }
    let deadline = min(guest.process.stopDeadline ?? .max, loop.now + milliseconds)
    guest.process.stopDeadline = deadline
    guard guest.process.isServedLast else { return }
    guest.process.lifeTimer?.start(after: deadline > loop.now ? deadline - loop.now : 0)
  }

  /// Handles the end of what comes from the guest.
  func didEnd(_ guest: Guest) {
    guest.connection?.hasEnded = true
    guest.process.expectEnd()
    switch guest.state {
    case .exited: finishExit(guest)
    case .spawning, .ready, .suspended:
      do throws(WireError) {
        try guest.connection?.parser.finish()
      } catch {
        return end(guest, .protocolViolation("\(error)"))
      }
      // The guest closed its connection and lives on: nobody can tell it to stop.
      guest.process.lifeTimer?.start(after: configuration.limits.stop)
    case .stopping, nil: break
    }
  }

  private func finishExit(_ guest: Guest) {
    guard case .exited(let cause) = guest.state, guest.connection != nil else { return }
    guest.process.release()
    let rest = guest.process.characters.end()
    if !rest.isEmpty { audit.wrote(guest, .stream(rest)) }
    guest.mailbox.release()
    reportExit(guest, cause)
  }

  private func reportExit(_ guest: Guest, _ cause: ExitCause) {
    audit.exited(guest, cause)
    delegate?.didExit(guest, cause)
    let waiting = guest.process.onExit
    guest.process.onExit.removeAll()
    // Callers that waited for the end may start the guest anew, and then it has another batch.
    guest.process.batch?.settle(guest)
    for done in waiting { done() }
    registry.removeInstance(guest)
  }
}
