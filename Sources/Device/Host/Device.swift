internal import CConfinement
package import EventLoop
package import Model
package import Policy
internal import Wire

/// One simulated iPhone: its installed apps, their processes, and everything that passes between them.
///
/// A device is one thread: all of its code runs in callbacks of its loop. Each callback is a *turn*: it
/// decides and records as much as it likes, and at its end the journal is written first, and only then
/// anything is sent to a guest.
///
/// The device itself only brings up, connects and takes down the objects that do the work.
package final class Device {
  package let configuration: DeviceConfiguration
  package let loop: EventLoop
  let storage: DeviceStorage
  let owners: DeviceOwners
  private let turn: Turn
  private let router: RequestRouter
  private var isClosed = false

  /// Bytes of freed memory that the host keeps for payloads.
  private static let freedMemory = 64 << 20

  /// Brings a device up in its folder. Its guests are processes.
  ///
  /// - Throws: ``HostError`` where a program cannot be run, the folder is in use or damaged, or the database, the
  ///   journal or the trace fails.
  package convenience init(_ configuration: DeviceConfiguration) throws(HostError) {
    try ProgramCheck.check(executable: configuration.programs.guest)
    try ProgramCheck.check(executable: configuration.programs.launch)
    try self.init(configuration) {
      ProcessLauncher(
        configuration, folders: $0.folders, zygotes: $1, groups: $2, loop: $3)
    }
  }

  /// Brings a device up with guests started by the launcher that `makeLauncher` returns.
  ///
  /// - Throws: ``HostError`` where the folder is in use or damaged, or the database, the journal or the trace fails.
  init(
    _ configuration: DeviceConfiguration,
    makeLauncher: (DeviceStorage, Zygotes, ControlGroups, EventLoop) -> any GuestLauncher
  ) throws(HostError) {
    self.configuration = configuration
    sluice_guard_host_memory()
    FreedMemory.keep(upTo: Self.freedMemory)
    do throws(EventLoopError) {
      try WorkerThreads.start()
    } catch {
      throw HostError(.loop, error.description)
    }
    storage = try DeviceStorage(configuration)
    let clock = VirtualClock(now: try storage.database.clock ?? configuration.startTime)
    let audit = try AuditLog(
      configuration, journalPath: storage.folders.journal, clock: clock,
      durability: storage.durability)
    turn = Turn(audit: audit, durability: storage.durability)
    do {
      loop = try EventLoop(clock: configuration.deadlines)
    } catch {
      audit.close()
      throw HostError(.loop, error.description)
    }
    let zygotes = Zygotes(
      configuration, folder: Folders.absolute(storage.folders.root), audit: audit)
    // Before the first zygote, which would be in this process's group with it.
    let groups = ControlGroups(configuration.limits)
    do throws(HostError) {
      owners = try DeviceOwners(
        configuration, storage: storage, launcher: makeLauncher(storage, zygotes, groups, loop),
        zygotes: zygotes, groups: groups, loop: loop, clock: clock, audit: audit, turn: turn)
    } catch {
      loop.close()
      audit.close()
      throw error
    }
    router = RequestRouter(configuration, owners)
    connect()
    turn {
      audit.record(.deviceStarted(device: configuration.name, seed: configuration.seed))
      audit.endOpenRequests()
    }
    storage.vacuum.resume()
    guard let fault else { return }
    owners.slices.isClosing = true
    loop.close()
    audit.close()
    throw fault
  }

  private func connect() {
    owners.supervisor.delegate = router
    turn.delegate = router
    storage.durability.onFault = { [unowned supervisor = owners.supervisor] in
      supervisor.killAll()
    }
  }

  /// Installs an app or extension, without starting it.
  ///
  /// - Throws: ``HostError`` where a guest of that name exists, the entitlements contradict the team, or the database
  ///   fails.
  package func install(_ app: AppDescription) throws(HostError) {
    guard owners.registry[app.name] == nil else {
      throw HostError(.duplicateName, "the device has an app named `\(app.name)` already")
    }
    _ = try app.keychainGroups()
    let guest = owners.identities.makeGuest(
      named: app.name, app, container: storage.folders.container(app.name),
      limits: configuration.limits)
    if let configuration = try storage.database.configuration(of: app.name) {
      guest.app.configuration = configuration
    }
    guest.app.managedConfiguration = owners.configurations.managed(app)
    try owners.enrollment.recoverRegistrations(of: guest)
    try owners.accounts.restore(to: guest)
    owners.enrollment.registerSignedIn(in: guest)
    let leaving = try storage.database.accountsBeingWiped(in: app.name)
    owners.registry.install(guest)
    owners.management.didInstall(guest)
    owners.identities.actForDefaultAccount(guest)
    owners.management.renew()
    owners.wipes.resume(leaving, in: guest)
  }

  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  package var now: Int { owners.clock.now }

  /// The time that the virtual clock shows `seconds` later, within what it can show.
  package func time(after seconds: Int) -> Int {
    let (sum, isBeyond) = now.addingReportingOverflow(seconds)
    return isBeyond ? Timestamp.range.upperBound : min(sum, Timestamp.range.upperBound)
  }

  /// The time at which something is due next; nil: nothing is.
  package var nextDue: Int? { owners.enrollment.agenda.nextTime }

  /// Advances the virtual clock by `seconds`, lets everything happen that is due by then, and tells guests with
  /// programs of their own.
  package func advanceClock(by seconds: Int) {
    owners.enrollment.advanceClock(to: time(after: seconds))
    storage.durability.persist { () throws(HostError) in try storage.database.setClock(now) }
    // The ready-made guest has no use for the message.
    let listeners = owners.registry.all.filter {
      $0.process.isWelcome && $0.app.program != .readyMade
    }
    guard !listeners.isEmpty else { return }
    let message = HostMessage(.clockAdvanced(time: now))
    turn { for guest in listeners { turn.send(message, to: guest) } }
  }

  /// Handles events until `condition` holds.
  package func run(until condition: () -> Bool) { loop.run(until: condition) }

  /// Appends an event that is not the device's own: the beginning of a scenario's cases and steps, and the results of
  /// its expectations.
  ///
  /// Where the device is down already, its journal is opened for the event once more, unless somebody else has the
  /// device by then.
  package func note(_ event: JournalEvent.Kind) {
    if isClosed {
      owners.audit.append(afterClosing: event)
    } else {
      turn { owners.audit.record(event) }
    }
  }

  /// Saves what is not saved as it happens, for a device that is to live on: the apps installed beside those that were
  /// before, and the time of the clock.
  ///
  /// - Throws: ``HostError`` where the database fails, or an app has the name that another bundle had.
  package func saveInventory() throws(HostError) {
    try storage.database.remember(
      owners.registry.installed.map {
        InstalledApp(name: $0.name, bundleID: $0.app.bundleID, team: $0.app.team)
      })
    try storage.database.setClock(now)
  }

  /// Ends the device. All guests must have been stopped.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    precondition(
      owners.registry.installed.allSatisfy { !$0.isRunning }, "a device is closed after its guests")
    turn { owners.audit.record(.deviceStopped) }
    owners.servers.stopAll()
    owners.zygotes.close()
    owners.groups.close()
    owners.slices.isClosing = true
    loop.close()
    storage.vacuum.runIfDue()
    owners.audit.close()
    storage.close()
  }
}

/// The objects that a device consists of.
extension Device {
  /// The supervisor, which starts and ends guests.
  package var guests: GuestSupervisor { owners.supervisor }
  /// The driver, which tells the ready-made guest what to do.
  package var driver: GuestDriver { owners.driver }
  /// The accounts that are signed in to each app.
  package var accounts: SignInCoordinator { owners.accounts }
  package var access: AccessController { owners.access }
  package var configurations: AppConfigurationService { owners.configurations }
  package var enrollment: EnrollmentCoordinator { owners.enrollment }
  package var tokens: TokenService { owners.tokens }
  package var wipes: WipeCoordinator { owners.wipes }
  package var management: ManagementAgent { owners.management }
  package var servers: OrganizationServers { owners.servers }
  package var files: FileBroker { owners.files }
  /// What passes between this device and others.
  package var continuity: Continuity { owners.continuity }
  /// The faults that the device is to meet.
  package var faults: FaultInjector { owners.faults }
  /// The watch that tells whether anything is still going on.
  package var rest: RestWatch {
    RestWatch(
      registry: owners.registry, loop: loop, servers: owners.servers, wipes: owners.wipes,
      enrollment: owners.enrollment, access: owners.access, faults: owners.faults)
  }
  /// The device as a share sheet sees it.
  package var shareSheet: ShareSheetView {
    ShareSheetView(
      registry: owners.registry, identities: owners.identities, accounts: owners.accounts)
  }

  /// Receives every decision and every end.
  package var observer: DeviceObserver? {
    get { owners.audit.observer }
    set { owners.audit.observer = newValue }
  }

  /// The reason why the device has stopped by itself, because what it must keep could not be kept; nil where it has
  /// not.
  package var fault: HostError? { storage.durability.fault }

  /// Path of the device's journal.
  package var journalPath: String { storage.folders.journal }

  /// Path of a guest's container, which all instances of an extension share.
  package func containerPath(of guest: String) -> String {
    storage.folders.container(InstanceName(guest)?.extension ?? guest)
  }

  /// The identity that a guest acts for now, and whether a policy applies; nil where there is no such guest.
  package func identity(of guest: String) -> (identity: Identity, isManaged: Bool)? {
    owners.registry[guest].map { ($0.identity, $0.party.isManaged) }
  }

  /// The restrictions that the device's management sets.
  package var state: DeviceRestrictions { owners.policies.deviceState }

  /// Whether a policy would protect an account in a guest's app, and the account is not signed in there: the guest may not
  /// hand on what is the account's.
  package func misses(_ account: Account, in guest: String) -> Bool {
    owners.registry[guest].map { owners.policies.misses(account, in: $0) } ?? false
  }

  /// The item under the tag with which the device would deliver it if it came from the app `app`.
  ///
  /// - Parameter account: the owner of the item; nil: nobody. A policy protects the item where one protects the account
  ///   in `app`.
  package func sealed(_ item: Item, of account: Account?, from app: String) -> Item {
    let policy = owners.registry.guest(ofBundle: app)?.accounts.policy(of: account)
    let custody = owners.transfers.custody
    // No request has handed it over.
    return custody.tagged(item, custody.ownership(of: account, policy: policy, from: app), 0)
  }

  /// The policies that apply to each account in an app, and why the others do not; nil where there is no such app.
  package func deviceState(of name: String) -> DeviceStateView? {
    DeviceStateReporter(
      registry: owners.registry, policies: owners.policies, directory: owners.directory,
      accounts: owners.accounts, tokens: owners.tokens
    ).view(of: name)
  }
}

/// The device's own time, which moves when a step says so.
final class VirtualClock {
  /// Seconds since 1970-01-01T00:00:00Z.
  private(set) var now: Int

  init(now: Int) { self.now = now }

  func advance(by seconds: Int) { now += seconds }
}
