internal import Bundle
package import Declarations
internal import Encodings
internal import Model
internal import Policy
internal import Predicates
internal import Wire

/// Declarative management: an administrator's declarations reach apps and extensions, and the device itself.
public final class ManagementAgent {
  /// Declarations, and what they deliver to apps.
  var state = DeviceManagement()
  let deviceName: String
  let registry: GuestRegistry
  let supervisor: GuestSupervisor
  let policies: PolicyAssignments
  let access: AccessController
  let clock: VirtualClock
  let database: DeviceDatabase
  let durability: Durability
  let vacuum: Vacuum
  let audit: AuditLog
  let turn: Turn
  let replies: Replies
  private let identities: IdentityCoordinator

  init(
    deviceName: String, registry: GuestRegistry, supervisor: GuestSupervisor,
    policies: PolicyAssignments, identities: IdentityCoordinator, access: AccessController,
    clock: VirtualClock, database: DeviceDatabase, durability: Durability, vacuum: Vacuum,
    audit: AuditLog, replies: Replies
  ) {
    self.deviceName = deviceName
    self.registry = registry
    self.supervisor = supervisor
    self.policies = policies
    self.identities = identities
    self.access = access
    self.clock = clock
    self.database = database
    self.durability = durability
    self.vacuum = vacuum
    self.audit = audit
    self.replies = replies
    turn = supervisor.turn
  }

  /// Applies declarations in place of all earlier ones; running apps are told of the changes that concern them.
  ///
  /// - Returns: the result.
  /// - Throws: ``HostError`` where the device is not enrolled in MDM: nobody manages it then.
  @discardableResult
  package func apply(_ declarations: DeclarationSet) throws(HostError) -> DeclarationOutcome {
    guard policies.deviceState.isMDMEnrolled else {
      throw HostError(.enrollment, "the device is not enrolled in MDM, so that nobody manages it")
    }
    var outcome = DeclarationOutcome(count: declarations.declarations.count)
    turn {
      state.declarations = declarations
      let before = state.delivery
      renewDelivery()
      let active = state.delivery.states.filter { $0.isActive && $0.kind == .configuration }
      outcome.configurations = active.map(\.identifier)
      outcome.problems = declarations.problems + state.delivery.problems
      audit.record(
        .declarationsApplied(
          configurations: outcome.configurations,
          problems: outcome.problems.prefix(100).map { String($0.description.prefix(2000)) }))
      for problem in outcome.problems where problem.severity == .error {
        inform(nil, code: 0, problem.description)
      }
      outcome.changes = conclude(before)
    }
    return outcome
  }

  /// Notes an app that MDM may have installed.
  func didInstall(_ guest: Guest) {
    if guest.app.isMDMManaged { state.installedByMDM.insert(guest.name) }
  }

  /// Determines the delivery again, after a change of the device or its apps that may change who gets what.
  func renew() {
    guard state.declarations != nil else { return }
    turn {
      let before = state.delivery
      renewDelivery()
      guard state.delivery != before else { return }
      conclude(before)
    }
  }

  private func renewDelivery() {
    guard let declarations = state.declarations else { return }
    state.delivery = ManagedDelivery(
      declarations, items: statusItems, programs: installedPrograms)
  }

  /// Applies the consequences of another delivery.
  ///
  /// - Returns: the changes for each recipient.
  @discardableResult
  private func conclude(_ before: ManagedDelivery) -> [DeclarationOutcome.Change] {
    applyRestrictions()
    applyManagement()
    if state.delivery.appAccess != before.appAccess { applyAppAccess() }
    let changes = state.delivery.changes(from: before)
    if changes.contains(where: { $0.concerns(.identity) }) { forgetIdentities() }
    for change in changes {
      audit.record(
        .managedAppChanged(
          app: change.recipient.bundle, team: change.recipient.team,
          aspects: change.managedAspects.map(\.name)))
      checkSecrets(change)
    }
    tell(Dictionary(uniqueKeysWithValues: changes.map { ($0.recipient, $0.managedAspects) }))
    return changes.map { change in
      DeclarationOutcome.Change(
        change,
        running: registry.running.filter {
          registry[$0]?.app.composedIdentifier == change.recipient
        })
    }
  }

  private func tell(_ changes: [ComposedIdentifier: [ManagedAspect]]) {
    guard !changes.isEmpty else { return }
    for guest in registry.all where guest.isReady || guest.state == .suspended {
      for aspect in changes[guest.app.composedIdentifier] ?? [] { tell(aspect, to: guest) }
    }
  }

  func tell(_ aspect: ManagedAspect, to guest: Guest) {
    guard guest.isReady || guest.state == .suspended,
      state.markNotified(guest.name, guest.process.incarnation, of: aspect)
    else { return }
    turn.send(HostMessage(.managedAppChanged(aspect)), to: guest)
  }

  // MARK: what the delivery follows from

  /// The installed programs. Of several programs with one bundle id, only those of one team count: the team of the one
  /// that MDM has installed, or else of the first. A copy that another team has signed is left out.
  private var installedPrograms: [InstalledProgram] {
    var teams: [String: Guest] = [:]
    for guest in registry.installed {
      guard let first = teams[guest.app.bundleID] else {
        teams[guest.app.bundleID] = guest
        continue
      }
      if isInstalledByMDM(guest), !isInstalledByMDM(first) { teams[guest.app.bundleID] = guest }
    }
    var seen: Set<ComposedIdentifier> = []
    return registry.installed.compactMap { guest in
      guard teams[guest.app.bundleID]?.app.team == guest.app.team,
        seen.insert(guest.app.composedIdentifier).inserted
      else { return nil }
      return InstalledProgram(
        guest.app.composedIdentifier, guest.app.installedKind,
        management: guest.app.management == .refused ? .refused : .possible)
    }
  }

  /// Whether MDM has installed the guest; an extension comes with its app.
  private func isInstalledByMDM(_ guest: Guest) -> Bool {
    let members = [guest, registry.containingApp(of: guest.app)].compactMap(\.self)
    return members.contains { state.installedByMDM.contains($0.name) }
  }

  /// The device's status, by Apple's names of the items.
  var statusItems: StatusItems {
    let family = access.conditions.model.prefix { !$0.isNumber }
    return StatusItems([
      "device.model.family": .string(String(family)),
      "device.model.identifier": .string(access.conditions.model),
      "device.operating-system.family": .string(family.hasPrefix("iPad") ? "iPadOS" : "iOS"),
      "device.operating-system.version": .string(access.conditions.osVersion.description),
      "passcode.is-present": .boolean(access.conditions.hasPIN),
    ])
  }

  /// The device's report on its declarations; nil where there are none.
  package var statusReport: StatusReport? {
    guard state.declarations != nil else { return nil }
    return StatusReport(
      state.delivery, items: statusItems, feedback: state.feedback)
  }

  // MARK: what follows from the delivery

  /// Applies the declared restrictions. The stricter value holds, of the device's own profile and the declared ones.
  private func applyRestrictions() {
    let base = state.stateWithoutProfiles ?? policies.deviceState
    state.stateWithoutProfiles = base
    let declared = state.delivery.restrictions
    var restricted = base
    func restrict(_ path: WritableKeyPath<DeviceRestrictions, Bool>, _ value: Bool?, stricter: Bool)
    {
      if value == stricter { restricted[keyPath: path] = stricter }
    }
    restrict(
      \.allowOpenFromManagedToUnmanaged, declared.allowOpenFromManagedToUnmanaged, stricter: false)
    restrict(
      \.allowOpenFromUnmanagedToManaged, declared.allowOpenFromUnmanagedToManaged, stricter: false)
    restrict(\.requireManagedPasteboard, declared.requireManagedPasteboard, stricter: true)
    restrict(\.forceAirDropUnmanaged, declared.forceAirDropUnmanaged, stricter: true)
    restrict(\.allowActivityContinuation, declared.allowActivityContinuation, stricter: false)
    restrict(\.allowScreenShot, declared.allowScreenShot, stricter: false)
    restrict(\.allowWritingTools, declared.allowWritingTools, stricter: false)
    restrict(\.allowGenmoji, declared.allowGenmoji, stricter: false)
    // By themselves these two are more open than Apple's default, which the device's own profile may have left.
    restricted.allowManagedToWriteUnmanagedContacts =
      declared.allowManagedToWriteUnmanagedContacts ?? base.allowManagedToWriteUnmanagedContacts
    restricted.allowUnmanagedToReadManagedContacts =
      declared.allowUnmanagedToReadManagedContacts ?? base.allowUnmanagedToReadManagedContacts
    policies.setDeviceState(restricted)
  }

  /// Gives MDM the apps that a declaration manages, each with all of its extensions; an app that no declaration manages
  /// any longer is again what it was.
  private func applyManagement() {
    let managed = Set(
      state.delivery.apps.filter { $0.state == .managed }.map(\.identifier))
    let genuine = Set(installedPrograms.map(\.identifier))
    for guest in registry.installed {
      let app = guest.app.kind.containingApp ?? guest.app.bundleID
      let isManaged =
        isInstalledByMDM(guest)
        || managed.contains(app) && genuine.contains(guest.app.composedIdentifier)
      guard guest.app.isMDMManaged != isManaged else { continue }
      guest.app.isMDMManaged = isManaged
      identities.renewActingIdentities(of: guest)
    }
  }

  // MARK: the administrator's event log

  /// The device's event log as the administrator can read it: the latest events, at most 1,000.
  public var events: [AdministratorEvent] { state.events }

  func inform(_ app: String?, code: Int, _ message: String) {
    // The sender may be hostile: the message is one line, and moves no terminal's cursor.
    let text = String(message.unicodeScalars.prefix(2000)).printable(replacing: " ")
    state.append(AdministratorEvent(time: clock.now, app: app, code: code, message: text))
    audit.record(.administratorInformed(app: app, code: code, message: text))
  }
}

extension AppDescription {
  var composedIdentifier: ComposedIdentifier {
    ComposedIdentifier(bundle: bundleID, team: team)
  }

  fileprivate var installedKind: InstalledProgram.Kind {
    guard let app = kind.containingApp else { return .app }
    guard kind.extensionPoint == .keyboard else { return .appExtension(app: app) }
    return .keyboard(app: app, hasFullAccess ? .full : .limited)
  }
}

extension DeliveryChange {
  /// The aspects that the change concerns, in the order of the protocol, each once.
  fileprivate var managedAspects: [ManagedAspect] {
    let all = Set(
      aspects.map { aspect -> ManagedAspect in
        switch aspect {
        case .configuration: .configuration
        case .legacyConfiguration: .legacyConfiguration
        case .list(let kind), .value(let kind, _): kind.aspect
        }
      })
    return ManagedAspect.allCases.filter(all.contains)
  }
}

extension DeliveryChange.SecretKind {
  fileprivate var aspect: ManagedAspect {
    switch self {
    case .password: .passwords
    case .certificate: .certificates
    case .identity: .identities
    }
  }
}
