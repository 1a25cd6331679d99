internal import Bundle
package import Declarations
internal import Policy
internal import Transfer
internal import Wire

/// Declarative management: what an administrator declares reaches apps and extensions, and the device itself.
extension Device {
  /// Applies declarations in place of all that were there before; apps that run hear of what changes for them.
  ///
  /// - Returns: what became of them.
  /// - Throws: ``HostError`` where the device is not enrolled: nobody manages it then.
  @discardableResult
  package func apply(_ declarations: DeclarationSet) throws(HostError) -> DeclarationOutcome {
    guard configuration.state.isMDMEnrolled else {
      throw HostError(.enrollment, "the device is not enrolled in MDM, so that nobody manages it")
    }
    var outcome = DeclarationOutcome(count: declarations.declarations.count)
    turn {
      management.declarations = declarations
      let before = management.delivery
      renewDelivery()
      let active = management.delivery.states.filter { $0.isActive && $0.kind == .configuration }
      outcome.configurations = active.map(\.identifier)
      outcome.problems = declarations.problems + management.delivery.problems
      record(
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

  /// The device or its apps have changed, and with them perhaps who gets what.
  func renewManagement() {
    guard management.declarations != nil else { return }
    turn {
      let before = management.delivery
      renewDelivery()
      guard management.delivery != before else { return }
      conclude(before)
    }
  }

  private func renewDelivery() {
    guard let declarations = management.declarations else { return }
    management.delivery = ManagedDelivery(
      declarations, items: statusItems, programs: installedPrograms)
  }

  /// Draws the consequences of another delivery.
  ///
  /// - Returns: what changed for whom.
  @discardableResult
  private func conclude(_ before: ManagedDelivery) -> [DeclarationOutcome.Change] {
    applyRestrictions()
    applyManagement()
    if management.delivery.appAccess != before.appAccess { applyAppAccess() }
    let changes = management.delivery.changes(from: before)
    if changes.contains(where: { $0.concerns(.identity) }) { forgetIdentities() }
    for change in changes {
      record(
        .managedAppChanged(
          app: change.recipient.bundle, team: change.recipient.team,
          aspects: change.managedAspects.map(\.name)))
      checkSecrets(change)
    }
    tell(Dictionary(uniqueKeysWithValues: changes.map { ($0.recipient, $0.managedAspects) }))
    return changes.map { change in
      DeclarationOutcome.Change(
        change,
        running: runningGuests.filter { guests[$0]?.app.composedIdentifier == change.recipient })
    }
  }

  private func tell(_ changes: [ComposedIdentifier: [ManagedAspect]]) {
    guard !changes.isEmpty else { return }
    for guest in guests.values where guest.isReady || guest.state == .suspended {
      for aspect in changes[guest.app.composedIdentifier] ?? []
      where management.tell(guest.name, guest.incarnation, of: aspect) {
        send(HostMessage(.managedAppChanged(aspect)), to: guest)
      }
    }
  }

  // MARK: what the delivery follows from

  /// Of several programs of one bundle id that of one team alone is the installed one: the one that MDM has
  /// installed, or else the first. A copy that another team has signed is none.
  private var installedPrograms: [InstalledProgram] {
    var teams: [String: Guest] = [:]
    for guest in order {
      guard let first = teams[guest.app.bundleID] else {
        teams[guest.app.bundleID] = guest
        continue
      }
      if isInstalledByMDM(guest), !isInstalledByMDM(first) { teams[guest.app.bundleID] = guest }
    }
    var seen: Set<ComposedIdentifier> = []
    return order.compactMap { guest in
      guard teams[guest.app.bundleID]?.app.team == guest.app.team,
        seen.insert(guest.app.composedIdentifier).inserted
      else { return nil }
      return InstalledProgram(
        guest.app.composedIdentifier, guest.app.installedKind,
        management: guest.app.management == .refused ? .refused : .possible)
    }
  }

  /// An extension comes with its app.
  private func isInstalledByMDM(_ guest: Guest) -> Bool {
    let members = [guest, containingApp(of: guest.app)].compactMap(\.self)
    return members.contains { management.installedByMDM.contains($0.name) }
  }

  /// What the device tells of itself, by Apple's names.
  var statusItems: StatusItems {
    let family = conditions.model.prefix { !$0.isNumber }
    return StatusItems([
      "device.model.family": .string(String(family)),
      "device.model.identifier": .string(conditions.model),
      "device.operating-system.family": .string(family.hasPrefix("iPad") ? "iPadOS" : "iOS"),
      "device.operating-system.version": .string(conditions.osVersion.description),
      "passcode.is-present": .boolean(conditions.hasPIN),
    ])
  }

  /// What the device reports of its declarations; nil where there are none.
  package var statusReport: StatusReport? {
    guard management.declarations != nil else { return nil }
    return StatusReport(
      management.delivery, items: statusItems, feedback: management.feedback)
  }

  // MARK: what follows from the delivery

  /// The stricter value holds, of the device's own profile and of those that are declared.
  private func applyRestrictions() {
    let base = management.stateWithoutProfiles ?? configuration.state
    management.stateWithoutProfiles = base
    let declared = management.delivery.restrictions
    var state = base
    func restrict(_ path: WritableKeyPath<DeviceState, Bool>, _ value: Bool?, stricter: Bool) {
      if value == stricter { state[keyPath: path] = stricter }
    }
    restrict(
      \.allowOpenFromManagedToUnmanaged, declared.allowOpenFromManagedToUnmanaged, stricter: false)
    restrict(
      \.allowOpenFromUnmanagedToManaged, declared.allowOpenFromUnmanagedToManaged, stricter: false)
    restrict(\.requireManagedPasteboard, declared.requireManagedPasteboard, stricter: true)
    // By themselves these two are more open than Apple's default, which the device's own profile may have left.
    state.allowManagedToWriteUnmanagedContacts =
      declared.allowManagedToWriteUnmanagedContacts ?? base.allowManagedToWriteUnmanagedContacts
    state.allowUnmanagedToReadManagedContacts =
      declared.allowUnmanagedToReadManagedContacts ?? base.allowUnmanagedToReadManagedContacts
    guard state != configuration.state else { return }
    configuration.state = state
    generation += 1
  }

  /// An app that a declaration manages is MDM's, with all of its extensions, and an app that none manages any
  /// longer is what it was.
  private func applyManagement() {
    let managed = Set(
      management.delivery.apps.filter { $0.state == .managed }.map(\.identifier))
    let genuine = Set(installedPrograms.map(\.identifier))
    for guest in order {
      let app = guest.app.kind.containingApp ?? guest.app.bundleID
      let isManaged =
        isInstalledByMDM(guest)
        || managed.contains(app) && genuine.contains(guest.app.composedIdentifier)
      guard guest.app.isMDMManaged != isManaged else { continue }
      guest.app.isMDMManaged = isManaged
      renewPersonas(of: guest)
    }
  }

  // MARK: the administrator's event log

  /// What the administrator can read in the device's event log: the latest events, at most 1,000.
  public var administratorEvents: [AdministratorEvent] { management.events }

  func inform(_ app: String?, code: Int, _ message: String) {
    // Whoever sends it may be hostile: it is one line, and moves no terminal's cursor.
    var line = String.UnicodeScalarView()
    for scalar in message.unicodeScalars.prefix(2000) {
      line.append(scalar.isPrintable ? scalar : " ")
    }
    let text = String(line)
    management.append(AdministratorEvent(time: now, app: app, code: code, message: text))
    record(.administratorInformed(app: app, code: code, message: text))
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
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
  /// In the order of the wire, each once.
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
