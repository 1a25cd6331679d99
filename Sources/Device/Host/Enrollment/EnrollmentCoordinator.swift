package import Enrollment
internal import Model
internal import Policy

/// Enrollment of accounts in apps by the service: the policies that apply, compliance, and the times of both.
public final class EnrollmentCoordinator {
  /// Called when MDM has changed an app's configuration.
  var didConfigureApp: (_ guest: Guest) -> Void = { _ in }
  /// The service, which answers the apps' requests to enroll.
  package internal(set) var service: EnrollmentService
  /// What the service has answered to this device and others.
  package var load = ServiceLoad()
  let language: ComplianceText.Language
  /// Events that are due at later times of the clock.
  var agenda = Agenda()
  /// Accounts at which something was targeted while the device did not reach the service.
  var missedPushes: [Account] = []
  /// Names of guests that restart for their first policy.
  var restarting: Set<String> = []
  /// Accounts that are to become compliant, by the guest's name.
  var queues: [String: RemediationQueue] = [:]
  /// Number of guests that are protecting an account's files again.
  var reprotections = 0
  let registry: GuestRegistry
  let supervisor: GuestSupervisor
  let deliveries: Deliveries
  let policies: PolicyAssignments
  let directory: AccountDirectory
  let identities: IdentityCoordinator
  let access: AccessController
  let accounts: SignInCoordinator
  let configurations: AppConfigurationService
  let files: FileBroker
  let wipes: WipeCoordinator
  let clock: VirtualClock
  let database: DeviceDatabase
  let durability: Durability
  let audit: AuditLog
  let turn: Turn
  let replies: Replies

  init(
    _ configuration: DeviceConfiguration, registry: GuestRegistry, supervisor: GuestSupervisor,
    deliveries: Deliveries, policies: PolicyAssignments, directory: AccountDirectory,
    identities: IdentityCoordinator, access: AccessController, accounts: SignInCoordinator,
    configurations: AppConfigurationService, files: FileBroker, wipes: WipeCoordinator,
    clock: VirtualClock, database: DeviceDatabase, durability: Durability, audit: AuditLog,
    replies: Replies
  ) {
    service = configuration.service
    language = configuration.language
    self.registry = registry
    self.supervisor = supervisor
    self.deliveries = deliveries
    self.policies = policies
    self.directory = directory
    self.identities = identities
    self.access = access
    self.accounts = accounts
    self.configurations = configurations
    self.files = files
    self.wipes = wipes
    self.clock = clock
    self.database = database
    self.durability = durability
    self.audit = audit
    self.replies = replies
    turn = supervisor.turn
  }

  /// Whether files are being protected again, or an app restarts for its first policy.
  var isBusy: Bool { reprotections > 0 || !restarting.isEmpty }

  /// Advances the clock to `end`, and carries out all that is due by then, one event after the other.
  func advanceClock(to end: Int) {
    let start = clock.now
    planRequests(since: start, until: end)
    while let event = agenda.next(until: end) {
      clock.advance(by: max(0, event.time - clock.now))
      turn { fire(event) }
      planRequests(since: start, until: end)
    }
    clock.advance(by: end - clock.now)
    turn { for guest in registry.installed { catchUp(guest) } }
  }

  /// Notes that an account of an app has got a token: its remediation has not gone round in a circle.
  func didAcquireToken(for account: Account, in guest: Guest) {
    queues[registry.app(of: guest).name]?.succeed(account)
  }
}
