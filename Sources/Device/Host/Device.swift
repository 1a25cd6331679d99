internal import CConfinement
package import EventLoop
package import GraphDocuments
package import Model
package import Policy
internal import Wire

/// A simulated iPhone: its installed apps, their processes, and all traffic between them.
///
/// A device is confined to one thread. It makes and records decisions in a ``LoopTransaction``. At the end of the
/// transaction, it writes the journal and then sends messages to guests.
///
/// This class only creates, connects and tears down the objects that do the work.
package final class Device {
  package let configuration: DeviceConfiguration
  package let loop: EventLoop
  let storage: DeviceStorage
  let services: DeviceServices
  private let transaction: LoopTransaction
  private let router: RequestRouter
  private var isClosed = false

  /// The maximum amount of freed memory, in bytes, that the host's allocator keeps for later payloads.
  private static let freedMemory = 64 << 20

  /// Starts a device in its folder, with processes as guests.
  ///
  /// - Throws: ``HostError`` if a program cannot be run, the folder is in use or damaged, or the loop, the
  ///   database, the journal or the trace fails.
  package convenience init(_ configuration: DeviceConfiguration) throws(HostError) {
    try ProgramCheck.check(executable: configuration.programs.guest)
    try ProgramCheck.check(executable: configuration.programs.launch)
    try self.init(configuration) {
      ProcessLauncher(
        configuration, folders: $0.folders, zygotes: $1, groups: $2, loop: $3)
    }
  }

  /// Starts a device with the launcher that `makeLauncher` creates.
  ///
  /// - Throws: ``HostError`` if the folder is in use or damaged, or the loop, the database, the journal or the
  ///   trace fails.
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
    transaction = LoopTransaction(audit: audit, durability: storage.durability)
    do {
      loop = try EventLoop(clock: configuration.deadlines)
    } catch {
      audit.close()
      throw HostError(.loop, error.description)
    }
    let zygotes = Zygotes(
      configuration, folder: Folders.absolute(storage.folders.root), audit: audit)
    // The groups must exist before the first zygote, which would otherwise be in this process's
    // group.
    let groups = ControlGroups(configuration.limits)
    do throws(HostError) {
      services = try DeviceServices(
        configuration, storage: storage, launcher: makeLauncher(storage, zygotes, groups, loop),
        zygotes: zygotes, groups: groups, loop: loop, clock: clock, audit: audit,
        transaction: transaction)
    } catch {
      loop.close()
      audit.close()
      throw error
    }
    router = RequestRouter(configuration, services)
    connect()
    transaction {
      audit.record(.deviceStarted(device: configuration.name, seed: configuration.seed))
      audit.endOpenRequests()
    }
    storage.vacuum.resume()
    guard let error else { return }
    services.slices.isClosing = true
    loop.close()
    audit.close()
    throw error
  }

  private func connect() {
    services.supervisor.router = router
    transaction.router = router
    storage.durability.onError = { [unowned supervisor = services.supervisor] in
      supervisor.killAll()
    }
  }

  /// Calls `body`, which installs apps and signs accounts in, and saves all its changes together at the end.
  ///
  /// - Throws: ``HostError`` if the changes cannot be saved. None of them is then saved, and the device has stopped.
  package func setUp(_ body: () -> Void) throws(HostError) {
    transaction {
      storage.durability.persist { () throws(HostError) in
        try storage.database.inOneTransaction { () throws(HostError) in
          body()
          services.access.save()
          if let error { throw error }
        }
      }
    }
    if let error { throw error }
  }

  /// Installs an app or extension without starting it.
  ///
  /// - Throws: ``HostError`` if the device has a guest of that name, the entitlements contradict the team, or
  ///   the database fails.
  package func install(_ app: AppDescription) throws(HostError) {
    guard services.registry[app.name] == nil else {
      throw HostError(.duplicateName, "the device has an app named `\(app.name)` already")
    }
    _ = try app.keychainGroups()
    let guest = services.identities.makeGuest(
      named: app.name, app, container: storage.folders.container(app.name),
      limits: configuration.limits)
    if let configuration = try storage.database.configuration(of: app.name) {
      guest.app.configuration = configuration
    }
    guest.app.managedConfiguration = services.configurations.managed(app)
    try services.enrollment.recoverRegistrations(of: guest)
    try services.accounts.restore(to: guest)
    services.enrollment.registerSignedIn(in: guest)
    let leaving = try storage.database.accountsBeingWiped(in: app.name)
    services.registry.install(guest)
    services.management.didInstall(guest)
    services.identities.actForDefaultAccount(guest)
    services.management.renew()
    services.wipes.resume(leaving, in: guest)
  }

  /// The time of the virtual clock, in seconds since 1970-01-01T00:00:00Z.
  package var now: Int { services.clock.now }

  /// Returns the virtual time `seconds` from now, capped at the latest time that a timestamp can represent.
  package func time(after seconds: Int) -> Int {
    let (sum, isBeyond) = now.addingReportingOverflow(seconds)
    return isBeyond ? Timestamp.range.upperBound : min(sum, Timestamp.range.upperBound)
  }

  /// The time of the next scheduled enrollment event, in seconds since 1970-01-01T00:00:00Z; nil if there is none.
  package var nextDue: Int? { services.enrollment.timerQueue.nextTime }

  /// Advances the virtual clock by `seconds`, runs all events due by then, and sends the new time to all running guests
  /// except ready-made guests.
  package func advanceClock(by seconds: Int) {
    services.enrollment.advanceClock(to: time(after: seconds))
    storage.durability.persist { () throws(HostError) in try storage.database.setClock(now) }
    // The ready-made guest ignores this message.
    let listeners = services.registry.all.filter {
      $0.process.isWelcome && $0.app.program != .readyMade
    }
    guard !listeners.isEmpty else { return }
    let message = HostMessage(.clockAdvanced(time: now))
    transaction { for guest in listeners { transaction.send(message, to: guest) } }
  }

  package func run(until condition: () -> Bool) { loop.run(until: condition) }

  /// Records an event of the scenario, such as the start of a step or the result of an expectation.
  ///
  /// If the device is closed, its journal is reopened for the event. The event is dropped if the folder is
  /// locked by another device or process, or the journal cannot be opened.
  package func record(_ event: JournalEvent.Kind) { record([event]) }

  /// Records several events of the scenario with a single write to the journal.
  package func record(_ events: [JournalEvent.Kind]) {
    if isClosed {
      for event in events { services.audit.append(afterClosing: event) }
    } else {
      transaction { for event in events { services.audit.record(event) } }
    }
  }

  /// Saves the list of installed apps and the clock's time, so the device can be started again later. All other state
  /// is saved as it changes.
  ///
  /// - Throws: ``HostError`` if the database fails, or the name of an installed app is already saved for a different
  ///   app.
  package func saveInventory() throws(HostError) {
    try storage.database.remember(
      services.registry.installed.map {
        InstalledApp(name: $0.name, bundleID: $0.app.bundleID, team: $0.app.team)
      })
    try storage.database.setClock(now)
  }

  /// Shuts the device down. All guests must have stopped.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    precondition(
      services.registry.installed.allSatisfy { !$0.isRunning },
      "a device must be closed after its guests")
    transaction { services.audit.record(.deviceStopped) }
    services.servers.stopAll()
    services.zygotes.close()
    services.groups.close()
    services.slices.isClosing = true
    loop.close()
    storage.vacuum.runIfDue()
    services.audit.close()
    storage.close()
  }

  package var guests: GuestSupervisor { services.supervisor }
  package var driver: GuestDriver { services.driver }
  package var accounts: SignInCoordinator { services.accounts }
  package var access: AccessController { services.access }
  package var configurations: AppConfigurationService { services.configurations }
  package var enrollment: EnrollmentCoordinator { services.enrollment }
  package var tokens: TokenService { services.tokens }
  package var wipes: WipeCoordinator { services.wipes }
  package var management: ManagementAgent { services.management }
  package var servers: OrganizationServers { services.servers }
  package var files: FileBroker { services.files }
  package var continuity: Continuity { services.continuity }
  package var faults: FaultInjector { services.faults }
  package var idleWatch: IdleWatch {
    IdleWatch(
      registry: services.registry, loop: loop, servers: services.servers.running,
      wipes: services.wipes, enrollment: services.enrollment, access: services.access,
      faults: services.faults)
  }
  package var shareSheet: ShareSheetView {
    ShareSheetView(
      registry: services.registry, identities: services.identities, accounts: services.accounts)
  }

  package var observer: DeviceObserver? {
    get { services.audit.observer }
    set { services.audit.observer = newValue }
  }

  /// The error that stopped the device, such as a storage failure or an injected fault; nil if it is running.
  package var error: HostError? { storage.durability.error }

  package var journalPath: String { storage.folders.journal }

  /// Returns the path of a guest's container. All instances of an extension share one container.
  package func containerPath(of guest: String) -> String {
    storage.folders.container(InstanceName.installedName(of: guest))
  }

  /// Returns the identity that a guest acts for, and whether a policy applies; nil if there is no guest of that name.
  package func identity(of guest: String) -> (identity: Identity, isManaged: Bool)? {
    services.registry[guest].map { ($0.identity, $0.party.isManaged) }
  }

  /// Returns the accounts that are signed in to an app. For each account, `isManaged` is whether a policy protects it
  /// in the app. Returns an empty array for an extension, or if there is no guest of that name.
  package func accountStates(
    in guest: String
  ) -> [(account: Account, isManaged: Bool, managementState: ManagementState)] {
    guard let guest = services.registry[guest] else { return [] }
    let app = services.registry.completed(guest.app)
    return guest.accounts.signedIn.map { known in
      let state = ManagementState(
        isMDMEnrolled: self.state.isMDMEnrolled,
        hasEnrolledUPN: app.namesEnrolledUser(known.account))
      return (known.account, known.policy != nil, state)
    }
  }

  /// The device's MDM enrollment and the restrictions that MDM set.
  package var state: DeviceRestrictions { services.policies.deviceState }

  /// Returns whether an account is not signed in to a guest's app, although a policy would protect it there. The guest
  /// must then not pass on the account's data. Returns false if there is no guest of that name.
  package func misses(_ account: Account, in guest: String) -> Bool {
    services.registry[guest].map { services.policies.misses(account, in: $0) } ?? false
  }

  /// Returns `item` with the tag for sending it from the app `app`.
  ///
  /// - Parameter account: The item's owner; nil if it has none. The owner's policy in `app` protects the item.
  package func sealed(_ item: Item, of account: Account?, from app: String) -> Item {
    let policy = services.registry.guest(ofBundle: app)?.accounts.policy(of: account)
    let tags = services.transfers.tags
    // No request delivered the item.
    return tags.tagged(item, tags.ownership(of: account, policy: policy, from: app), 0)
  }

  /// Returns the accounts in an app. For each account, the result contains the policies that apply and the reasons why
  /// other policies do not apply. Returns nil if there is no such app.
  package func deviceState(of name: String) -> DeviceStateView? {
    DeviceStateReporter(
      registry: services.registry, policies: services.policies, directory: services.directory,
      accounts: services.accounts, tokens: services.tokens
    ).view(of: name)
  }
}

/// The device's virtual clock, which advances only in scenario steps and at injected clock jumps.
final class VirtualClock {
  /// Seconds since 1970-01-01T00:00:00Z.
  private(set) var now: Int

  init(now: Int) { self.now = now }

  func advance(by seconds: Int) { now += seconds }
}
