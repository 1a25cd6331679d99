internal import Cryptography
internal import EventLoop
internal import Model
internal import Wire

/// The parts of a device that most of its services use.
struct ServiceCore {
  let registry: GuestRegistry
  let supervisor: GuestSupervisor
  let deliveries: Deliveries
  let policies: PolicyAssignments
  let directory: AccountDirectory
  let folders: Folders
  let clock: VirtualClock
  let database: DeviceDatabase
  let durability: Durability
  let audit: AuditLog
  let transaction: LoopTransaction
  let replies: Replies
}

/// The base class of the services that use ``ServiceCore``. Objects in the core have no references to these services.
package class HostService {
  private let core: ServiceCore

  init(_ core: ServiceCore) { self.core = core }

  final var registry: GuestRegistry { core.registry }
  final var supervisor: GuestSupervisor { core.supervisor }
  final var deliveries: Deliveries { core.deliveries }
  final var policies: PolicyAssignments { core.policies }
  final var directory: AccountDirectory { core.directory }
  final var folders: Folders { core.folders }
  final var clock: VirtualClock { core.clock }
  final var database: DeviceDatabase { core.database }
  final var durability: Durability { core.durability }
  final var audit: AuditLog { core.audit }
  final var transaction: LoopTransaction { core.transaction }
  final var replies: Replies { core.replies }
}

/// The services of a device; each is responsible for one task. A service has references to the core and to the services
/// that it needs, but not to the device.
struct DeviceServices {
  let registry: GuestRegistry
  let slices: TimeSlices
  let flow: FlowControl
  let zygotes: Zygotes
  let groups: ControlGroups
  let disk: DiskWatch
  let programs: ProgramWatch
  let memory: MemoryLender
  let supervisor: GuestSupervisor
  let driver: GuestDriver
  let deliveries: Deliveries
  let policies: PolicyAssignments
  let directory: AccountDirectory
  let identities: IdentityCoordinator
  let access: AccessController
  let configurations: AppConfigurationService
  let accounts: SignInCoordinator
  let files: FileBroker
  let keychain: KeychainBroker
  let wipes: WipeCoordinator
  let enrollment: EnrollmentCoordinator
  let tokens: TokenService
  let management: ManagementAgent
  let servers: OrganizationServers
  let extensions: ExtensionHost
  let continuity: Continuity
  let shares: ShareBroker
  let transfers: TransferBroker
  let clock: VirtualClock
  let audit: AuditLog
  let replies: Replies
  let faults: FaultInjector

  /// Creates and connects the services.
  ///
  /// - Throws: ``HostError`` if the database fails or contains invalid data, or the loop fails.
  init(
    _ configuration: DeviceConfiguration, storage: DeviceStorage, launcher: any GuestLauncher,
    zygotes: Zygotes, groups: ControlGroups, loop: EventLoop, clock: VirtualClock, audit: AuditLog,
    transaction: LoopTransaction
  ) throws(HostError) {
    let (folders, database) = (storage.folders, storage.database)
    let (durability, vacuum) = (storage.durability, storage.vacuum)
    let signer = TagSigner(
      device: configuration.name, key: try database.key("seal", HMACSHA256.byteCount))
    let contentKey = AES256GCM(key: try database.key("content", AES256GCM.keyByteCount))
    let wrappingKey = AES256GCM(key: try database.key("wrap", AES256GCM.keyByteCount))
    let pasteboard = Pasteboard()
    self.clock = clock
    self.audit = audit
    self.zygotes = zygotes
    self.groups = groups
    registry = GuestRegistry()
    policies = PolicyAssignments(configuration.policies, deviceState: configuration.state)
    directory = AccountDirectory(configuration.accounts, knownAs: try database.accounts())
    let owners = OwnerResolver(directory: directory, policies: policies)
    do throws(EventLoopError) {
      slices = try TimeSlices(on: loop)
    } catch {
      throw HostError(.loop, error.description)
    }
    vacuum.use(loop, transaction: transaction, slices: slices)
    let tags = TagAuthority(
      configuration, signer: signer, contentKey: contentKey, owners: owners)
    flow = FlowControl(transaction: transaction)
    memory = MemoryLender(limits: configuration.limits, transaction: transaction)
    replies = Replies(
      audit: audit, tags: tags, transaction: transaction, flow: flow, memory: memory,
      backlog: configuration.limits.backlog)
    disk = DiskWatch(
      configuration.limits.disk, folders: folders, registry: registry, loop: loop)
    programs = ProgramWatch(configuration.limits, registry: registry, loop: loop)
    supervisor = GuestSupervisor(
      configuration, launcher: launcher, loop: loop, registry: registry, disk: disk,
      programs: programs, audit: audit, transaction: transaction, slices: slices)
    deliveries = Deliveries(
      limits: configuration.limits, supervisor: supervisor, tags: tags, audit: audit,
      replies: replies, flow: flow, memory: memory)
    driver = GuestDriver(registry: registry, deliveries: deliveries, transaction: transaction)
    let core = ServiceCore(
      registry: registry, supervisor: supervisor, deliveries: deliveries, policies: policies,
      directory: directory, folders: folders, clock: clock, database: database,
      durability: durability, audit: audit, transaction: transaction, replies: replies)
    identities = IdentityCoordinator(core, signer: signer)
    access = try AccessController(core, configuration, identities: identities)
    configurations = AppConfigurationService(core, configuration)
    accounts = SignInCoordinator(
      core, limit: configuration.limits.accounts, identities: identities, access: access,
      configurations: configurations)
    files = try FileBroker(core, disk: disk, wrappingKey: wrappingKey, owners: owners)
    keychain = KeychainBroker(
      quota: configuration.limits.keychain, database: database, replies: replies)
    wipes = WipeCoordinator(
      core, within: configuration.limits.wipe, flow: flow, access: access, accounts: accounts,
      pasteboard: pasteboard, vacuum: vacuum, slices: slices)
    enrollment = EnrollmentCoordinator(
      core, configuration, driver: driver, identities: identities, access: access,
      accounts: accounts, configurations: configurations, files: files, wipes: wipes)
    tokens = try TokenService(core, configuration, access: access, enrollment: enrollment)
    management = ManagementAgent(
      core, deviceName: configuration.name, identities: identities, access: access, vacuum: vacuum)
    servers = OrganizationServers(
      core, configuration, zygotes: zygotes, loop: loop, management: management)
    extensions = ExtensionHost(
      core, configuration, driver: driver, identities: identities, access: access,
      accounts: accounts, configurations: configurations, management: management, tags: tags)
    continuity = Continuity(
      core, configuration, pasteboard: pasteboard, tags: tags, access: access)
    let sink = SystemSink(folder: folders.systemFolder, disk: disk)
    wipes.didDelete = { sink.forget($0) }
    shares = ShareBroker(
      enforcement: configuration.enforcement, registry: registry, supervisor: supervisor,
      deliveries: deliveries, policies: policies, identities: identities, access: access,
      management: management, extensions: extensions, tags: tags, audit: audit, replies: replies)
    transfers = TransferBroker(
      core, identities: identities, access: access, management: management,
      extensions: extensions, tags: tags, pasteboard: pasteboard,
      sink: sink, continuity: continuity)
    faults = FaultInjector(
      seed: configuration.seed, supervisor: supervisor, deliveries: deliveries, replies: replies,
      audit: audit, durability: durability, database: database, clock: clock)
    connect()
  }

  /// Sets the callbacks through which services call services that were created later.
  private func connect() {
    let end = { [unowned supervisor] (guest: Guest, cause: ExitCause) in
      supervisor.transaction { supervisor.end(guest, cause) }
    }
    disk.end = end
    programs.end = end
    access.wipe = { [unowned wipes] account, guest in
      wipes.wipe(account, in: guest, reason: .conditionalLaunch) {}
    }
    access.renewContact = { [unowned enrollment] account, guest, offer in
      enrollment.renewContact(of: account, in: guest, offer)
    }
    access.awaitsCheckIn = { [unowned enrollment] account, guest in
      enrollment.awaitsCheckIn(account, in: guest)
    }
    access.didChangeConditions = { [unowned management, unowned enrollment] in
      management.renew()
      enrollment.catchUpOnPushes()
    }
    configurations.didConfigure = { [unowned enrollment] guest, keys, before in
      enrollment.didConfigure(guest, keys: keys, before: before)
    }
    configurations.didChangeFacts = { [unowned identities] in
      identities.renewActingIdentities(of: $0)
    }
    configurations.didAssign = { [unowned enrollment] in enrollment.renewPolicies(of: $0) }
    enrollment.didConfigureApp = { [unowned management] in management.didConfigure($0) }
    management.didChangeManagement = { [unowned enrollment] guest, before in
      enrollment.renewAccounts(of: guest, before: before)
    }
    accounts.didChange = { [unowned enrollment] in enrollment.sendAccounts($0) }
    accounts.replace = { [unowned wipes] account, guest in
      wipes.wipe(account, in: guest, reason: .replaced) {}
    }
    accounts.didSignIn = { [unowned enrollment] in enrollment.registerSignedIn($0, in: $1) }
    accounts.forceExit = { [unowned supervisor] in supervisor.askToStop($0) }
    access.block = { [unowned accounts] account, guest, done in
      accounts.ask(guest.name, to: .block, account, done: done)
    }
    accounts.didAnswer = { [unowned enrollment] in enrollment.tellSignedIn($0, in: $1) }
    wipes.didRemove = { [unowned enrollment] account, guest in
      enrollment.closeRegistration(of: account, in: guest)
    }
  }
}
