internal import EventLoop
internal import Glibc
package import Model
internal import Wire

/// Supervises guests' processes: starts them confined, enforces their limits, and stops or kills them.
package final class GuestSupervisor {
  let loop: EventLoop
  let transaction: LoopTransaction
  let slices: TimeSlices
  /// The router that handles guests' messages and events. The reference is unowned, because a weak reference would slow
  /// down all other references to the object.
  unowned var router: RequestRouter?
  private let configuration: DeviceConfiguration
  private let launcher: any GuestLauncher
  private let registry: GuestRegistry
  private let audit: AuditLog
  private let disk: DiskWatch
  private let programs: ProgramWatch
  /// Whether all guests are being stopped. If so, no guest may start.
  private(set) var isStoppingAll = false

  init(
    _ configuration: DeviceConfiguration, launcher: any GuestLauncher, loop: EventLoop,
    registry: GuestRegistry, disk: DiskWatch, programs: ProgramWatch, audit: AuditLog,
    transaction: LoopTransaction,
    slices: TimeSlices
  ) {
    self.configuration = configuration
    self.launcher = launcher
    self.loop = loop
    self.registry = registry
    self.disk = disk
    self.programs = programs
    self.audit = audit
    self.transaction = transaction
    self.slices = slices
  }

  /// Starts guests as a batch, a limited number at the same time. Calls `done` when each guest is ready, or has failed
  /// and exited. If a guest runs a script, `done` also waits until the script has ended or waits for messages.
  ///
  /// The journal records the guests' events in the order of `names`.
  package func launch(_ names: [String], done: @escaping () -> Void) {
    transaction {
      let starting = names.compactMap { registry[$0] }.filter { !$0.isRunning }
      guard !starting.isEmpty else { return done() }
      let batch = LifecycleBatch(
        starting, audit: audit, atOnce: configuration.limits.starting,
        begin: { [unowned self] in begin($0) },
        done: { [unowned self] in didLaunch(starting, done: done) })
      batch.advance()
    }
  }

  private func begin(_ guest: Guest) {
    if !guest.isRunning { start(guest) }
    if !guest.isRunning || guest.isReady { guest.process.batch?.finish(guest) }
  }

  /// Removes a guest from its batch, unless the guest is already starting or running.
  private func withdraw(_ guest: Guest) {
    if !guest.isRunning { guest.process.batch?.finish(guest) }
  }

  /// Handles the launch of the guests of a batch, once each is ready or has failed. Calls `done` when all failed guests
  /// have exited, and all scripts have ended or wait for messages.
  private func didLaunch(_ starting: [Guest], done: @escaping () -> Void) {
    for guest in starting where guest.isReady { router?.didLaunch(guest) }
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
        router?.awaitScript(guest) {
          // A script that has failed exits later.
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

  /// Asks guests to stop, and kills those that do not stop in time. Calls `done` when all have exited.
  package func stop(_ names: [String], done: @escaping () -> Void) {
    transaction {
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

  func askToStop(_ guest: Guest) {
    supervise(guest, .stop)
    hasten(guest, within: configuration.limits.stop)
  }

  /// Stops all running guests. Until all have exited, no guest can start, even at the request of another guest.
  package func stopAll(done: @escaping () -> Void) {
    isStoppingAll = true
    for guest in registry.all { guest.process.isStayingDown = true }
    for guest in registry.installed { withdraw(guest) }
    stop(running) { [unowned self] in
      isStoppingAll = false
      done()
    }
  }

  package var running: [String] { registry.running }

  /// Whether an extension instance is still running or waiting to start.
  package var isRunningExtensions: Bool { registry.instanceCount > 0 }

  /// Suspends a guest's process, as iOS does with an app in the background. Does nothing if the guest is not ready.
  package func suspend(_ name: String) {
    transaction { registry[name].map { supervise($0, .suspend) } }
  }

  package func resume(_ name: String) {
    transaction { registry[name].map { supervise($0, .resume) } }
  }

  /// Kills guests, as a user does by swiping them away. Calls `done` when all have exited.
  ///
  /// The journal records the guests' events in the order of `names`. If a guest belongs to a batch that is starting or
  /// stopping, its events are recorded with that batch instead.
  package func kill(_ names: [String], done: @escaping () -> Void) {
    end(names, .killed, done: done)
  }

  /// Kills guests, as iOS does with unused apps if memory is short. Calls `done` when all have exited.
  package func reclaimMemory(of names: [String], done: @escaping () -> Void) {
    end(names, .memoryPressure, done: done)
  }

  private func end(_ names: [String], _ cause: ExitCause, done: @escaping () -> Void) {
    transaction {
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

  /// Returns whether the named guest is running or suspended.
  package func isRunning(_ name: String) -> Bool { registry[name]?.isRunning ?? false }

  package func isSuspended(_ name: String) -> Bool { registry[name]?.state == .suspended }

  /// Returns whether the named guest runs its own program or script instead of the ready-made guest; false if there
  /// is no such guest.
  package func hasOwnProgram(_ name: String) -> Bool {
    registry[name].map { $0.app.program != .readyMade } ?? false
  }

  /// Returns whether the scenario gave the guest `name` a probability of failing by `cause`. Only crashes, hangs and
  /// the exhaustion of memory have a probability.
  package func isDescribed(_ cause: ExitCause, of name: String) -> Bool {
    guard let chances = registry[name]?.app.behaviour.chances else { return false }
    return switch cause {
    case .signalled(let signal): signal == Int(SIGABRT) && chances.crash > 0
    case .unresponsive: chances.hang > 0
    case .memoryLimit: chances.hoard > 0
    case .stopped, .exited, .killed, .memoryPressure, .protocolViolation, .processLimit,
      .diskQuota, .notStarted:
      false
    }
  }

  /// Whether a guest with its own program or script is running and not suspended.
  package var runsOwnPrograms: Bool {
    registry.all.contains {
      $0.isRunning && $0.state != .suspended && $0.app.program != .readyMade
    }
  }

  /// Reads all pending standard output and standard error of a guest immediately.
  package func readOutput(of name: String) { registry[name]?.process.output?.readRest() }

  package func processIdentifier(of name: String) -> Int32? { registry[name]?.process.handle?.pid }

  /// Returns the cause of a guest's last exit or failed start; nil if the guest is running or was never started.
  package func exitCause(of name: String) -> ExitCause? {
    guard case .exited(let cause) = registry[name]?.state else { return nil }
    return cause
  }

  // MARK: Starting

  func start(_ guest: Guest) {
    guest.process.begin(Supervision(teardown: Teardown(within: configuration.limits.stop)))
    guest.mailbox.lastRequest = 0
    guard !isStoppingAll else { return didNotStart(guest, "the device is shutting down") }
    if let ban = router?.ban(on: guest) { return didNotStart(guest, ban) }
    if let most = DescriptorLimit.exhausted {
      return didNotStart(
        guest,
        "no file descriptor is available: the device's limit is \(most) (`ulimit -n`), and some are reserved"
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
      transaction { self.lifeTimerFired(guest) }
    }
    guest.mailbox.deadlineTimer = try Timer(on: loop) { [unowned self, unowned guest] in
      transaction { self.router?.deadlinePassed(guest) }
    }
    try launcher.launch(
      guest, reaching: router?.serverAccess(of: guest.app) ?? .none, for: self)
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

  // MARK: Input and output

  func didDrain(_ guest: Guest) { transaction { guest.connection.map(transaction.markDirty) } }

  func didWrite(_ bytes: UnsafeRawBufferPointer, by guest: Guest) {
    let text = guest.process.characters.append(bytes)
    if !text.isEmpty { audit.wrote(guest, .stream(text)) }
  }

  // MARK: State changes

  /// Kills all guests, because the device cannot continue to run. No guest can start afterwards.
  func killAll() {
    isStoppingAll = true
    for guest in Array(registry.all) where guest.isRunning { end(guest, .killed) }
  }

  func supervise(_ guest: Guest, _ event: Supervision.Event) {
    let wasSuspended = guest.state == .suspended
    let formerState = guest.state
    guard let actions = guest.process.supervision?.handle(event) else { return }
    if guest.state != formerState { guest.process.lifeExtension = DeadlineExtension() }
    for action in actions { perform(action, on: guest) }
    switch event {
    case .suspend:
      guard guest.state == .suspended, !wasSuspended else { return }
      audit.record(.guestSuspended(guest: guest.name), of: guest)
      router?.didSuspend(guest)
    case .resume:
      guard guest.state == .ready, wasSuspended else { return }
      audit.record(.guestResumed(guest: guest.name), of: guest)
      router?.didResume(guest)
    case .welcomed, .stop, .end, .timedOut, .exited, .signalled: break
    }
  }

  private func perform(_ action: Supervision.Action, on guest: Guest) {
    switch action {
    // Nothing may be sent before the welcome message, so an earlier stop request is sent after it.
    case .askToStop:
      guest.process.stopDeadline = loop.now + configuration.limits.stop
      if guest.process.isWelcome { transaction.send(HostMessage(.stop), to: guest) }
    case .freeze:
      guest.process.handle?.signalGroup(SIGSTOP)
      silence(guest)
    case .thaw:
      guest.process.handle?.signalGroup(SIGCONT)
      hear(guest)
    case .terminate: guest.process.handle?.signalGroup(SIGTERM)
    case .kill:
      guest.process.handle?.signalGroup(SIGKILL)
      // If the connection is read, its end reports the exit; otherwise the process must be watched.
      if guest.connection?.isHeard != true { guest.process.expectEnd() }
    case .wait(let milliseconds): guest.process.lifeTimer?.start(after: milliseconds)
    case .stopWaiting: guest.process.lifeTimer?.stop()
    }
  }

  /// Stops reading from a guest that is being suspended. The messages that it has sent so far are still processed.
  private func silence(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    router?.serveRemainder(of: guest) {}
    connection.isSuspended = true
    connection.port.stopReading()
    guest.process.watch()
  }

  private func hear(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    connection.isSuspended = false
    // Data from before the suspension must be served first.
    guard connection.remainder == nil else { return }
    guard connection.pauses.isEmpty else { return transaction.scheduleResume(guest) }
    // If the connection cannot be read, it is at its end. The process's exit is handled separately.
    try? connection.port.startReading()
  }

  /// Kills a guest, for example after a protocol violation or a timeout. If it is already being killed, does nothing.
  /// If it has exited, only ends the processing of its last messages.
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
      // Messages that arrived in time count, even if the host could not read them earlier.
      router?.serveRemainder(of: guest) { [unowned self, unowned guest] in
        guard guest.state == state, (guest.work != nil) == hadWork else { return }
        let limit = limit(in: state, hasWork: hadWork)
        guard !extendLife(of: guest, limit) else { return }
        if hadWork, state == .ready {
          end(guest, .unresponsive(doing: "handling its extension request"))
        } else {
          supervise(guest, .timedOut)
        }
      }
    }
  }

  /// Takes the next step to stop a guest that has exceeded the time limit of the previous step. First processes the
  /// guest's messages, but only for one time slice, because many guests could otherwise delay the device's shutdown.
  private func stopTimedOut(_ guest: Guest) {
    let (state, hadWork) = (guest.state, guest.work != nil)
    let wasHeard = guest.connection?.isHeard == true
    guest.connection?.readRest()
    guard guest.state == state else { return }
    if wasHeard && guest.connection?.hasEnded == true || hadWork && guest.work == nil {
      // The guest stopped in time, but its exit may take longer on a busy machine.
      guest.process.lifeTimer?.start(after: configuration.limits.stop)
    } else if case .stopping(_, .stopped) = state, extendLife(of: guest, configuration.limits.stop)
    {
      return
    } else {
      supervise(guest, .timedOut)
    }
  }

  // MARK: Busy machines

  /// Whether deadlines are extended while the machine is busy. False if a test advances the clock of the deadlines,
  /// because such a clock does not depend on the machine.
  var extendsDeadlines: Bool { configuration.deadlines == .system }

  /// Returns a measurement of the guest's progress, which determines whether its deadline is extended. Returns nil if
  /// deadlines are not extended, or the guest has no process.
  func reading(of guest: Guest) -> DeadlineExtension.Reading? {
    guard extendsDeadlines, let handle = guest.process.handle else { return nil }
    let process = ProcessFolder(of: handle.pid)
    guard let main = process.mainThread else {
      return DeadlineExtension.Reading(time: loop.now, waited: 0)
    }
    var reading = DeadlineExtension.Reading(
      time: loop.now, waited: main.waited, ran: main.ran, isHeldUp: main.isHeldUp)
    guard guest.runsExecutable else { return reading }
    // If the processor time of the guest's own processes is unknown, its waiting is not counted.
    guard
      let all = guest.process.controlGroup?.processorTime
        ?? process.processorTime(withInitOf: handle.parentOfInit)
    else { return DeadlineExtension.Reading(time: loop.now, waited: 0) }
    reading.own = all - min(main.ran, all)
    return reading
  }

  /// Extends the deadline for the current state of the guest's life cycle, and returns true. If the guest gets no more
  /// time, returns false.
  private func extendLife(of guest: Guest, _ limit: UInt64) -> Bool {
    let reading = reading(of: guest)
    guard let more = guest.process.lifeExtension.extend(limit, reading) else { return false }
    guest.process.lifeTimer?.start(after: more)
    return true
  }

  /// Returns the time limit for a guest in the given state, in milliseconds.
  private func limit(in state: Supervision.State?, hasWork: Bool) -> UInt64 {
    switch state {
    case .spawning, nil: configuration.limits.handshake
    case .ready where hasWork: configuration.limits.extensionRequest
    case .ready, .suspended, .stopping, .exited: configuration.limits.stop
    }
  }

  // MARK: Exits

  func didExit(_ guest: Guest, _ exit: ChildProcess.Exit) {
    // Processes that the guest started must not outlive it. They are in its process group or have
    // become orphans.
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

  /// Reports a guest's exit, once the data that it has sent has been read.
  private func drain(_ guest: Guest) {
    guard let connection = guest.connection, connection.isHeard || connection.remainder != nil
    else {
      return finishExit(guest)
    }
    // The stream ends soon, unless a process outside the group keeps it open or much data is left.
    guest.process.lifeTimer?.start(after: Self.drainTime)
  }

  /// The time to wait for the end of the data from an exited guest, in milliseconds.
  private static let drainTime: UInt64 = 100

  /// Processes an exited guest's remaining messages in time slices, and then reports its exit.
  ///
  /// If the guest has a stop deadline, its messages are processed until the deadline, or for ``drainTime`` if that is
  /// longer. Messages that are then still unread are discarded, because they cannot be answered.
  private func serveLast(of guest: Guest) {
    guard !guest.process.isServedLast else { return finishExit(guest) }
    guest.process.isServedLast = true
    if let deadline = guest.process.stopDeadline {
      let rest = deadline > loop.now ? deadline - loop.now : 0
      guest.process.lifeTimer?.start(after: max(rest, Self.drainTime))
    }
    router?.serveRemainder(of: guest) { [unowned self, unowned guest] in finishExit(guest) }
  }

  /// If the guest has exited, limits the time in which its remaining messages are processed, because callers wait for
  /// its exit to be reported.
  private func hasten(_ guest: Guest, within milliseconds: UInt64) {
    guard case .exited = guest.state, guest.isRunning else { return }
    let deadline = min(guest.process.stopDeadline ?? .max, loop.now + milliseconds)
    guest.process.stopDeadline = deadline
    guard guest.process.isServedLast else { return }
    guest.process.lifeTimer?.start(after: deadline > loop.now ? deadline - loop.now : 0)
  }

  /// Handles the end of the data from a guest. If the guest is still running, it must exit within a limited time.
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
      // The guest closed its connection but is still running, so it cannot be asked to stop.
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
    router?.didExit(guest, cause)
    let waiting = guest.process.onExit
    guest.process.onExit.removeAll()
    // The batch gets the exit first, because callers that waited for the exit may restart the guest
    // in another batch.
    guest.process.batch?.finish(guest)
    for done in waiting { done() }
    registry.removeInstance(guest)
  }

  // MARK: Freezes

  /// A request to keep a guest's process stopped with SIGSTOP, whatever the state of its life cycle. It ends with
  /// ``thaw(_:)``.
  struct Freeze {
    fileprivate let guest: Guest
    /// The number of the guest's process that was stopped. If the guest has restarted since, its new process is not
    /// affected.
    fileprivate let incarnation: Int
  }

  /// Stops a guest's process, and waits until it has stopped. The process continues once ``thaw(_:)`` has been called
  /// for each freeze of the guest.
  func freeze(_ guest: Guest) -> Freeze {
    guest.process.freezes += 1
    guest.process.handle?.signalGroup(SIGSTOP)
    guest.process.handle?.awaitStop()
    return Freeze(guest: guest, incarnation: guest.process.incarnation)
  }

  func thaw(_ freeze: Freeze) {
    let guest = freeze.guest
    guard guest.process.incarnation == freeze.incarnation else { return }
    guest.process.freezes -= 1
    // A suspended guest's process is already stopped, and stays so.
    guard guest.process.freezes == 0, guest.state != .suspended else { return }
    guest.process.handle?.signalGroup(SIGCONT)
  }

  /// Freezes a guest. Until ``unpause(_:)``, no deadline applies to its acknowledgements and answers.
  func pause(_ guest: Guest) -> Freeze {
    guest.mailbox.pauses += 1
    return freeze(guest)
  }

  func unpause(_ freeze: Freeze) {
    freeze.guest.mailbox.pauses -= 1
    thaw(freeze)
  }
}

// MARK: - Memory

/// Enforces memory limits, as iOS does. Extensions that exceed the limit of their extension point, and apps that exceed
/// the limit of the device, are terminated.
extension GuestSupervisor {
  /// Starts to poll the memory use of an extension instance, or of an app to which the scenario gave a probability of
  /// using up memory. Polling is needed because Linux reports no event when memory use grows.
  private func watchMemory(of guest: Guest) throws(EventLoopError) {
    let isLimited = guest.app.kind.memoryLimit != nil
    guard isLimited || (guest.app.behaviour.chances?.hoard ?? 0) > 0 else { return }
    guest.process.memoryTimer = try Timer(on: loop) { [unowned self, unowned guest] in
      guard let limit = exceededMemoryLimit(of: guest) else { return }
      guest.process.memoryTimer?.stop()
      transaction { end(guest, .memoryLimit(mebibytes: limit >> 20)) }
    }
    guest.process.memoryTimer?.start(after: Self.pollInterval, every: Self.pollInterval)
  }

  /// Returns the memory limit in bytes that the guest exceeds; nil if it exceeds none. An app cannot allocate more than
  /// its limit, because the kernel limits its address space (RLIMIT_AS in setrlimit(2)). It therefore counts as
  /// exceeding the limit if it has unacknowledged items and cannot allocate another mebibyte.
  private func exceededMemoryLimit(of guest: Guest) -> Int? {
    guard let process = guest.process.handle.map({ ProcessFolder(of: $0.pid) }) else { return nil }
    if let limit = guest.app.kind.memoryLimit {
      return process.extent.resident > limit ? limit : nil
    }
    let limit = Int(clamping: configuration.limits.memory)
    guard limit > 0, !guest.mailbox.inFlight.isEmpty else { return nil }
    return process.extent.addressSpace > limit - 1 << 20 ? limit : nil
  }

  /// The polling interval, in milliseconds.
  private static let pollInterval: UInt64 = 20
}

// MARK: - Batches

/// Guests that start or stop together. Callers wait until all guests of the batch have done so. The journal records the
/// guests' events in the order of the guests, not in order of time.
final class LifecycleBatch {
  private let guests: [Guest]
  private var events: [String: [JournalEvent.Kind]] = [:]
  private var pending: Set<String>
  /// Guests that have not begun to start or stop, in reverse order: the next guest is at the end. The queue may contain
  /// guests for which the batch no longer waits; they are skipped.
  private var queue: [Guest]
  /// The names of guests that have begun to start or stop and have not finished.
  private var begun: Set<String> = []
  private let most: Int
  private let begin: (Guest) -> Void
  private let audit: AuditLog
  private var isAdvancing = false
  private let done: () -> Void

  /// Creates a batch of `guests`, which must not be empty. If a guest belongs to another batch, that batch no longer
  /// waits for it.
  ///
  /// - Parameters:
  ///   - most: The maximum number of guests that start or stop at the same time.
  ///   - begin: Starts or stops a guest.
  init(
    _ guests: [Guest], audit: AuditLog, atOnce most: Int = .max, begin: @escaping (Guest) -> Void,
    done: @escaping () -> Void
  ) {
    self.guests = guests
    self.audit = audit
    self.most = most
    self.begin = begin
    self.done = done
    pending = Set(guests.map(\.name))
    queue = guests.reversed()
    for guest in guests {
      guest.process.batch?.finish(guest)
      guest.process.batch = self
    }
  }

  func record(_ event: JournalEvent.Kind, of guest: Guest) {
    events[guest.name, default: []].append(event)
  }

  /// Starts or stops queued guests, as many as may start or stop at the same time.
  func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while begun.count < most, let guest = queue.popLast() {
      guard guest.process.batch === self, pending.contains(guest.name) else { continue }
      begun.insert(guest.name)
      begin(guest)
    }
  }

  /// Stops waiting for `guest`, because it has started or stopped, or has failed to do so. If the batch waits for no
  /// other guest, records all events and calls `done`.
  func finish(_ guest: Guest) {
    guard pending.remove(guest.name) != nil else { return }
    begun.remove(guest.name)
    guard pending.isEmpty else { return advance() }
    for guest in guests {
      if guest.process.batch === self { guest.process.batch = nil }
      for event in events[guest.name] ?? [] { audit.record(event) }
    }
    done()
  }
}
