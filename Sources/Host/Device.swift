internal import AppConfiguration
internal import CConfinement
internal import Cryptography
public import EventLoop
internal import Policy
public import Transfer
internal import UniformTypes
internal import Wire

/// One simulated iPhone: its installed apps, their processes, and everything that passes between them.
///
/// A device is one thread: all of its code runs in callbacks of its loop. Each callback is a *turn*: it
/// decides and records as much as it likes, and at its end the journal is written first, and only then
/// anything is sent to a guest.
public final class Device {
  public internal(set) var configuration: DeviceConfiguration
  public let loop: EventLoop
  let folders: Folders
  private let lock: DeviceLock
  let launcher: Launcher
  var policies: PolicyBook
  /// Which app configurations are for whom.
  var configurations: ConfigurationBook
  /// What was last put into JSON for a guest: many get the same.
  var lastConfiguration: (delivered: DeliveredConfiguration, json: [UInt8]) = (.init(), [])
  /// Accounts that the organisations know; all others are personal.
  var directory: [Account]
  let database: DeviceDatabase
  let sealer: Sealer
  let contentKey: AES256GCM
  /// What the keys of accounts are wrapped with in the database.
  let wrappingKey: AES256GCM
  let journal: Journal?
  let trace: Trace?
  /// Hears of every decision and every end.
  public var observer: DeviceObserver?
  var clock: VirtualClock
  var pasteboard = Pasteboard()
  var outlet: Outlet
  /// What conditional launch sees of the device.
  var conditions: DeviceConditions
  var disabledAccounts: [Account] = []
  var clockedOutAccounts: [Account] = []
  /// When an app last reached the service for an account, by bundle id and UPN.
  var checkIns: [String: CheckIn] = [:]
  /// The PIN that the apps of one team share, and its use.
  var accessStates: [String: AccessState] = [:]
  /// Teams and apps whose state the database does not have yet.
  var unsavedTeams: Set<String> = []
  /// The system's types, and those that apps declare.
  private(set) var types = TypeLibrary.system
  var unsavedCheckIns: Set<String> = []
  var desk: EnrollmentDesk

  /// Installed guests, by name and in the order of installation.
  private(set) var guests: [String: Guest] = [:]
  private(set) var order: [Guest] = []
  /// The first guest of each bundle.
  private(set) var bundles: [String: Guest] = [:]
  /// Effective policies by the assignments that they merge: rulings compare them by identity.
  var merged: [[Int]: EffectivePolicy] = [:]
  /// Owners of files, by UPN, who are signed in nowhere and in no directory.
  var strangers: Set<String> = []
  /// Guests that protect an account's files again.
  var reprotections = 0
  /// Whether the database's files may still hold what was deleted.
  var hasTraces = false
  /// Declarations, and what apps get by them.
  var management = DeviceManagement()
  /// In the order of their start.
  var servers: [RunningServer] = []
  /// How often each extension has run.
  var runs: [String: Int] = [:]
  /// Counts up whenever an identity, an account or a policy changes: older rulings no longer hold.
  var generation = 0

  /// The frame at hand; forgotten with the next one.
  let decoding = Arena()
  let encoding = Arena()
  private var lastRequest = 0
  private var lastAsk: UInt64 = 0
  private var dirty: [GuestConnection] = []
  private var resumable: [GuestConnection] = []
  private var isInTurn = false
  private var isClosed = false
  /// Why the device has stopped by itself; nil where it has not. See ``fail(_:)``.
  public private(set) var fault: HostError?
  /// Whether every guest is being stopped, so that none may start.
  var isStoppingAll = false

  /// Brings a device up in its folder.
  ///
  /// - Throws: ``HostError``.
  public init(_ configuration: DeviceConfiguration) throws(HostError) {
    self.configuration = configuration
    sluice_guard_host_memory()
    try Self.check(configuration.programs)
    try Folders.create(configuration.folder)
    folders = Folders(root: Folders.absolute(configuration.folder))
    lock = try DeviceLock(folder: configuration.folder)
    try folders.check()
    conditions = configuration.conditions
    conditions.isMDMEnrolled = configuration.state.isMDMEnrolled
    outlet = Outlet(folder: folders.outlet)
    desk = EnrollmentDesk(configuration)
    launcher = Launcher(configuration: configuration)
    policies = PolicyBook(
      configuration.policies, isMDMEnrolled: configuration.state.isMDMEnrolled)
    configurations = ConfigurationBook(
      configuration.appConfigurations, told: configuration.configurationTokens)
    database = try DeviceDatabase(
      path: folders.database, isSynchronized: configuration.journal == .synchronized)
    try database.claim(for: configuration.name)
    sealer = Sealer(
      device: configuration.name,
      key: try database.secret("seal") { randomBytes(HMACSHA256.byteCount) })
    contentKey = AES256GCM(
      key: try database.secret("content") { randomBytes(AES256GCM.keyByteCount) })
    wrappingKey = AES256GCM(
      key: try database.secret("wrap") { randomBytes(AES256GCM.keyByteCount) })
    journal =
      configuration.journal == .off
      ? nil
      : try Journal(
        path: folders.journal, isSynchronized: configuration.journal == .synchronized)
    lastRequest = journal?.lastRequest ?? 0
    desk.tokenKey = try Self.tokenKey(in: database)
    trace = try Trace.make(configuration.trace)
    clock = VirtualClock(now: try database.clock ?? configuration.startTime)
    // The directory has renamed some while the device ran.
    let known = try database.accounts().filter { $0.objectID != nil }
    let directory = configuration.accounts.map { account in
      guard account.objectID != nil else { return account }
      return known.first { $0.isSame(as: account) } ?? account
    }
    self.directory = directory
    strangers = Set(
      try database.accounts().filter { account in
        !directory.contains { $0.isSame(as: account) }
      }.map { $0.upn.lowercased() })
    accessStates = try database.accessStates()
    for checkIn in try database.checkIns() {
      checkIns[Self.checkInKey(checkIn.app, checkIn.account)] = checkIn
    }
    do {
      loop = try EventLoop(clock: configuration.deadlines)
    } catch {
      throw HostError(.loop, error.description)
    }
    do throws(HostError) {
      try settleMoves()
    } catch {
      loop.close()
      throw error
    }
    turn { record(.deviceStarted(device: configuration.name, seed: configuration.seed)) }
    guard let fault else { return }
    loop.close()
    journal?.close()
    trace?.close()
    throw fault
  }

  /// Path of the device's journal.
  public var journalPath: String { folders.journal }

  /// Path of a guest's container. All runs of an extension have the same one.
  public func containerPath(of guest: String) -> String {
    folders.container(RunName(guest)?.extension ?? guest)
  }

  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var now: Int { clock.now }

  public func advanceClock(by seconds: Int) {
    let (sum, isBeyond) = clock.now.addingReportingOverflow(seconds)
    let end = isBeyond ? Timestamp.range.upperBound : min(sum, Timestamp.range.upperBound)
    while let appointment = desk.agenda.next(until: end) {
      clock.advance(by: max(0, appointment.time - clock.now))
      turn { keep(appointment) }
    }
    clock.advance(by: end - clock.now)
    // Of the check-ins that the clock passed over the last would say what all say.
    turn { for guest in order { catchUp(guest) } }
    persist { () throws(HostError) in try database.setClock(clock.now) }
    // The ready-made guest has no use for it.
    let listeners = guests.values.filter { $0.isWelcome && $0.app.program != .readyMade }
    guard !listeners.isEmpty else { return }
    let message = HostMessage(.clockAdvanced(time: clock.now))
    turn { for guest in listeners { send(message, to: guest) } }
  }

  /// Installs an app or extension; it does not run yet.
  ///
  /// - Throws: ``HostError`` where a guest of that name exists, or the entitlements contradict the team.
  public func install(_ app: AppDescription) throws(HostError) {
    guard guests[app.name] == nil else {
      throw HostError(.duplicateName, "the device has an app named `\(app.name)` already")
    }
    _ = try app.keychainGroups()
    let guest = makeGuest(named: app.name, app)
    if let configuration = try database.configuration(of: app.name) {
      guest.app.configuration = configuration
    }
    guest.app.managedConfiguration = configurations.managed(bundleID: protectedBundle(of: app))
    try recoverRegistrations(of: guest)
    for account in try database.accounts(of: app.name) {
      guest.accounts.append(configured(signedIn(account, in: guest), guest))
    }
    guest.blockedAccounts = try database.blockedAccounts(of: app.name)
    guests[app.name] = guest
    order.append(guest)
    if !app.declaredTypes.isEmpty { types = types.adding(app.declaredTypes) }
    if bundles[app.bundleID] == nil { bundles[app.bundleID] = guest }
    if app.isMDMManaged { management.installedByMDM.insert(app.name) }
    actForDefaultAccount(guest)
    renewManagement()
    // A device that died in the middle of a wipe goes on with it, without asking the app again.
    for account in try database.accountsBeingWiped(in: app.name) {
      turn { wipe(account, in: guest, because: .signOut) {} }
    }
  }

  func makeGuest(named name: String, _ app: AppDescription) -> Guest {
    Guest(
      name: name, app: app, container: folders.container(app.name), device: self,
      persona: Persona(
        .unset, party: Party(app: app.state(for: nil), identity: .unset),
        ownership: Ownership(owner: Owner(), originApp: app.bundleID, sealer: sealer),
        participant: Participant(
          guest: name, app: app.bundleID, identity: nil, isManaged: false)))
  }

  private static func check(_ programs: DeviceConfiguration.Programs) throws(HostError) {
    try check(executable: programs.guest)
    try check(executable: programs.launch)
  }

  // MARK: the loop

  /// Handles events until `condition` holds.
  public func run(until condition: () -> Bool) {
    while !condition() { loop.runOnce() }
  }

  /// Ends the device. All guests must have been stopped.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    precondition(order.allSatisfy { !$0.isRunning }, "a device is closed after its guests")
    turn { record(.deviceStopped) }
    stopServers()
    loop.close()
    if hasTraces { eraseTraces() }
    journal?.close()
    trace?.close()
    // What it holds has been committed: there is nothing left that closing could lose.
    try? database.close()
    lock.release()
  }

  /// Runs `body`, then writes the journal, then sends what is to be sent.
  func turn(_ body: () -> Void) {
    guard !isInTurn else { return body() }
    isInTurn = true
    body()
    // What is sent may let others go on, who send in turn.
    repeat {
      while let connection = resumable.popLast() { resumeReading(connection) }
      if !unsavedTeams.isEmpty || !unsavedCheckIns.isEmpty { saveAccess() }
      writeJournal()
      flushDirty()
    } while !resumable.isEmpty || !dirty.isEmpty
    isInTurn = false
  }

  private func writeJournal() {
    guard fault == nil else { return }
    do throws(HostError) {
      try journal?.flush()
    } catch {
      fail(error)
    }
  }

  /// Stops everything at once: what the device must keep cannot be kept. Nobody is told what is not on the disk, so that
  /// nobody believes it; what is there a next run goes on from.
  func fail(_ error: HostError) {
    guard fault == nil else { return }
    fault = error
    isStoppingAll = true
    for guest in Array(guests.values) where guest.isRunning { end(guest, .killed) }
  }

  private func flushDirty() {
    let connections = dirty
    dirty.removeAll(keepingCapacity: true)
    for connection in connections {
      connection.isDirty = false
      if fault == nil { flush(connection) }
    }
  }

  func record(_ event: @autoclosure () -> JournalEvent.Kind) {
    guard fault == nil else { return }
    journal?.append(event(), time: clock.now)
  }

  /// Appends an event that is not the device's own: where a scenario's cases and steps begin, and what came
  /// of its expectations.
  ///
  /// Of a device that is down already its journal is opened for it once more, unless somebody else has the device by then.
  public func note(_ event: JournalEvent.Kind) {
    guard isClosed else { return turn { record(event) } }
    guard journal != nil, let lock = try? DeviceLock(folder: configuration.folder),
      let journal = try? Journal(
        path: folders.journal, isSynchronized: configuration.journal == .synchronized)
    else { return }
    journal.append(event, time: clock.now)
    // Of a device that is down there is nobody left to stop.
    try? journal.flush()
    journal.close()
    lock.release()
  }

  /// Records the one decision on a request.
  func decide(_ origin: Origin, _ decision: @autoclosure () -> RequestDecision) {
    guard journal != nil || observer != nil else { return }
    let decision = decision()
    record(.decided(decision))
    observer?.onDecision(origin.guest.name, decision)
    reportAction(
      decision.operation, via: decision.via, decision.verdict.outcome, of: origin.guest)
  }

  /// Records the one end of a request.
  func ended(_ request: Int, _ end: RequestEnd, detail: String? = nil, status: Int = 0) {
    record(.ended(request: request, end: end, status: status, detail: detail))
    observer?.onEnd(request, end, status)
  }

  func nextRequest() -> Int {
    lastRequest += 1
    return lastRequest
  }

  func nextAsk() -> UInt64 {
    lastAsk += 1
    return lastAsk
  }

  // MARK: sending

  func send(_ message: HostMessage, to guest: Guest) {
    guard let connection = guest.connection else { return }
    connection.outgoing.append(message, using: encoding)
    markDirty(connection)
  }

  func markDirty(_ connection: GuestConnection) {
    guard !connection.isDirty else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  func flush(_ connection: GuestConnection) {
    guard !connection.pipe.isClosing else { return }
    // A pipe that cannot be written to belongs to a guest that is ending: its exit tells the rest.
    try? connection.flush()
    sendOutdatedConfigurations(to: connection.guest)
    if connection.guest.waiting.isEmpty == false, !connection.guest.isOverloaded {
      release(connection.guest)
    }
  }

  /// Lets those go on who had to wait for `guest`.
  func release(_ guest: Guest) {
    let senders = guest.waiting
    guest.waiting.removeAll()
    for sender in senders {
      if sender.waitsFor === guest { sender.waitsFor = nil }
      scheduleResume(sender)
    }
  }

  func scheduleResume(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    resumable.append(connection)
    // Outside of a turn nobody would come by.
    if !isInTurn { turn {} }
  }

  func add(_ guest: Guest) { guests[guest.name] = guest }

  func remove(_ guest: Guest) {
    guests[guest.name] = nil
  }

  /// The guest that `name`, a guest's name or a bundle id, means.
  func guest(named name: String) -> Guest? { guests[name] ?? bundles[name] }
}
