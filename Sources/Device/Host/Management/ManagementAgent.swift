internal import Bundle
package import Declarations
internal import Encodings
internal import Foundation
package import Model
internal import Policy
internal import Predicates
internal import Secrets
internal import Wire

/// Implements Apple's declarative device management. Applies an administrator's declarations to the device, and
/// delivers their content to apps and extensions.
package final class ManagementAgent: HostService {
  var state = DeviceManagement()
  let managedIdentities: ManagedIdentities
  /// Called when MDM starts or stops managing an app whose configuration names a user. `before` contains the accounts
  /// that the app allowed before the change; nil if it allowed all accounts.
  var didChangeManagement: (_ guest: Guest, _ before: AllowedAccounts?) -> Void = { _, _ in }
  private let access: AccessController
  private let identities: IdentityCoordinator

  init(
    _ core: ServiceCore, deviceName: String, identities: IdentityCoordinator,
    access: AccessController, vacuum: Vacuum
  ) {
    managedIdentities = ManagedIdentities(
      deviceName: deviceName, access: access, clock: core.clock, database: core.database,
      durability: core.durability, vacuum: vacuum)
    self.identities = identities
    self.access = access
    super.init(core)
  }

  /// Replaces all earlier declarations, and notifies running apps of changes that affect them.
  ///
  /// - Throws: ``HostError`` if the device is not enrolled in MDM.
  @discardableResult
  package func apply(_ declarations: DeclarationSet) throws(HostError) -> DeclarationOutcome {
    guard policies.deviceState.isMDMEnrolled else {
      throw HostError(.enrollment, "the device is not enrolled in MDM, so it has no administrator")
    }
    var outcome = DeclarationOutcome(count: declarations.declarations.count)
    transaction {
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

  func didInstall(_ guest: Guest) {
    if guest.app.isMDMManaged { state.installedByMDM.insert(guest.name) }
  }

  /// Recomputes the declared content of each app, and applies the changes. Call it after the device or its apps have
  /// changed. Does nothing if no declarations were applied.
  func renew() {
    guard state.declarations != nil else { return }
    transaction {
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

  /// Applies the restrictions, the management of apps, the app bans and the content of the current delivery.
  ///
  /// - Parameter before: The previous delivery.
  /// - Returns: The differences from `before` for each app or extension that gets content.
  @discardableResult
  private func conclude(_ before: ManagedDelivery) -> [DeclarationOutcome.Change] {
    applyRestrictions()
    applyManagement()
    if state.delivery.appAccess != before.appAccess { applyAppAccess() }
    let changes = state.delivery.changes(from: before)
    if changes.contains(where: { $0.concerns(.identity) }) {
      managedIdentities.keepIdentities(of: state.delivery.contents)
    }
    for change in changes {
      audit.record(
        .managedAppChanged(
          app: change.recipient.bundle, team: change.recipient.team,
          aspects: change.managedAspects.map(\.name)))
      checkSecrets(change)
    }
    notify(Dictionary(uniqueKeysWithValues: changes.map { ($0.recipient, $0.managedAspects) }))
    return changes.map { change in
      DeclarationOutcome.Change(
        change,
        running: registry.running.filter {
          registry[$0]?.app.composedIdentifier == change.recipient
        })
    }
  }

  /// Checks an app's certificates, PKCS #12 identities, or both, depending on which have changed. Reports damaged,
  /// expired and not yet valid ones to the administrator.
  private func checkSecrets(_ change: DeliveryChange) {
    guard let content = state.delivery[change.recipient] else { return }
    let app = change.recipient.bundle
    if change.concerns(.identity) {
      for secret in content.identities {
        guard case .pkcs12 = secret.value else { continue }
        let what = "identity `\(secret.identifier)`"
        do throws(IdentityError) {
          let identity = try managedIdentities.identity(secret, of: change.recipient)
          guard let reason = identity.certificates.first?.invalidReason(at: clock.now) else {
            continue
          }
          inform(app, code: 0, "\(what): \(reason)")
        } catch {
          if case .unusable(let reason) = error { inform(app, code: 0, "\(what): \(reason)") }
        }
      }
    }
    guard change.concerns(.certificate) else { return }
    for secret in content.certificates {
      let what = "certificate `\(secret.identifier)`"
      do throws(SecretError) {
        guard let reason = try Certificate(der: secret.value).invalidReason(at: clock.now) else {
          continue
        }
        inform(app, code: 0, "\(what): \(reason)")
      } catch {
        inform(app, code: 0, "\(what): \(error)")
      }
    }
  }

  private func notify(_ changes: [ComposedIdentifier: [ManagedAspect]]) {
    guard !changes.isEmpty else { return }
    for guest in registry.all where guest.isReady || guest.state == .suspended {
      for aspect in changes[guest.app.composedIdentifier] ?? [] { notify(aspect, to: guest) }
    }
  }

  private func notify(_ aspect: ManagedAspect, to guest: Guest) {
    guard guest.isReady || guest.state == .suspended,
      state.markNotified(guest.name, guest.process.incarnation, of: aspect)
    else { return }
    transaction.send(HostMessage(.managedAppChanged(aspect)), to: guest)
  }

  // MARK: Inputs of the delivery

  /// The apps and extensions that can get declared content. Of several programs with one bundle id, only those of one
  /// team are included: the team of the first program that MDM installed or, if MDM installed none, of the first
  /// program.
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

  /// Returns whether MDM installed the guest or, for an extension, its app.
  private func isInstalledByMDM(_ guest: Guest) -> Bool {
    let members = [guest, registry.containingApp(of: guest.app)].compactMap(\.self)
    return members.contains { state.installedByMDM.contains($0.name) }
  }

  /// The device's status items, keyed by Apple's names.
  private var statusItems: StatusItems {
    let family = access.conditions.model.prefix { !$0.isNumber }
    return StatusItems([
      "device.model.family": .string(String(family)),
      "device.model.identifier": .string(access.conditions.model),
      "device.operating-system.family": .string(family.hasPrefix("iPad") ? "iPadOS" : "iOS"),
      "device.operating-system.version": .string(access.conditions.osVersion.description),
      "passcode.is-present": .boolean(access.conditions.hasPIN),
    ])
  }

  /// The device's status report on its declarations. Nil if no declarations have been applied since the device started.
  package var statusReport: StatusReport? {
    guard state.declarations != nil else { return nil }
    return StatusReport(
      state.delivery, items: statusItems, feedback: state.feedback)
  }

  // MARK: Effects of the delivery

  /// Applies the declared restrictions. If the device's own profile contains the same restriction, the stricter value
  /// applies, except for contacts, where the declared value applies. Writing Tools and Genmoji can be restricted only
  /// on supervised devices.
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
    if base.isSupervised {
      restrict(\.allowWritingTools, declared.allowWritingTools, stricter: false)
      restrict(\.allowGenmoji, declared.allowGenmoji, stricter: false)
    }
    // These two keys can only loosen Apple's default, so a declared value replaces the value of the
    // device's own profile.
    restricted.allowManagedToWriteUnmanagedContacts =
      declared.allowManagedToWriteUnmanagedContacts ?? base.allowManagedToWriteUnmanagedContacts
    restricted.allowUnmanagedToReadManagedContacts =
      declared.allowUnmanagedToReadManagedContacts ?? base.allowUnmanagedToReadManagedContacts
    policies.setDeviceState(restricted)
  }

  /// Marks an app and its extensions as managed by MDM if MDM installed the app or a declaration manages it. Marks all
  /// other apps as not managed.
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
      let before = policies.allowedAccounts(of: guest.app)
      guest.app.isMDMManaged = isManaged
      identities.renewActingIdentities(of: guest)
      if guest.app.statedByMDM("IntuneMAMUPN") != nil { didChangeManagement(guest, before) }
    }
  }

  // MARK: Administrator's event log

  /// The latest events in the device's event log, at most 1,000.
  package var events: [AdministratorEvent] { state.events }

  func inform(_ app: String?, code: Int, _ message: String) {
    // The sender may be hostile, so the message becomes one line without terminal control
    // characters.
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
  /// The kinds of content that the change affects, without duplicates. Their order is that of ``ManagedAspect``.
  fileprivate var managedAspects: [ManagedAspect] {
    let all = Set(
      aspects.map { aspect -> ManagedAspect in
        switch aspect {
        case .configuration: .configuration
        case .legacyConfiguration: .legacyConfiguration
        case .list(let kind), .value(let kind, _): ManagedAspect(kind)
        }
      })
    return ManagedAspect.allCases.filter(all.contains)
  }
}

// MARK: - Banned apps

/// Enforces declarations that ban apps: a banned app is neither shown nor launched.
extension ManagementAgent {
  /// Returns the reason why a guest is banned. A ban on an app includes its extensions. Returns nil if the guest is not
  /// banned, or does not exist.
  ///
  /// - Parameter name: The guest's name.
  package func ban(on name: String) -> AppAccess.Ban? { registry[name].flatMap(ban) }

  func ban(on guest: Guest) -> AppAccess.Ban? {
    state.delivery.appAccess.ban(on: guest.app.kind.containingApp ?? guest.app.bundleID)
  }

  /// Refuses the request if `other` is banned.
  ///
  /// - Returns: Whether the request was refused.
  func refuseWhileBanned(_ operation: Model.Operation, _ pending: PendingRequest, _ other: Guest)
    -> Bool
  {
    guard ban(on: other) != nil else { return false }
    replies.refuse(pending, operation, .appNotAllowed, subject: other.app.bundleID)
    return true
  }

  /// Stops running guests that are now banned.
  private func applyAppAccess() {
    // Cached decisions may refer to apps that are now banned.
    policies.invalidateRulings()
    for guest in registry.all.sorted(by: { $0.name < $1.name })
    where guest.isRunning && ban(on: guest) != nil {
      guest.process.isStayingDown = true
      supervisor.supervise(guest, .stop)
    }
  }
}

// MARK: - Requests

/// Serves requests for content that the administrator provides (Apple's ManagedApp framework).
extension ManagementAgent {
  func answer(_ request: ManagedAppRequest, _ pending: PendingRequest) {
    let guest = pending.guest
    if let aspect = request.aspect { state.hasAsked(guest.name, for: aspect) }
    let defaults = userDefaults(of: guest.app)
    let isLegacy = request == .legacyConfiguration && defaults != nil
    if !isLegacy, let rule = refusal(of: guest.app) {
      return replies.refuse(pending, request.operation, rule, subject: request.identifier)
    }
    let content = state.delivery[guest.app.composedIdentifier]
    switch request {
    case .configuration: provide(content?.configuration, request, pending)
    case .legacyConfiguration: provide(defaults, request, pending)
    case .identifiers(let kind):
      let identifiers = content?.identifiers(of: kind) ?? []
      provide(
        identifiers.map { Item(text: $0) }, request, pending,
        identifiers.isEmpty ? .managedAppNothingSet : .managedAppProvides)
    case .secret(let kind, let identifier):
      lookUp(kind, identifier, request, in: content, pending)
    case .sign(let identifier, _, _): lookUp(.identity, identifier, request, in: content, pending)
    case .decoded:
      state.feedback[guest.app.bundleID] = .valid
      provide([], request, pending, .managedAppReports)
    case .decodingFailed(let code, let message):
      state.feedback[guest.app.bundleID] = .invalid
      provide([], request, pending, .managedAppReports)
      inform(guest.app.bundleID, code: code, message)
    }
  }

  // MARK: User defaults

  /// Returns the property list under the key `com.apple.configuration.managed` in the app's user defaults. Returns nil
  /// if there is none, or the app refuses management. A declared configuration replaces every other configuration from
  /// MDM, because an app has only one such dictionary (assumption).
  ///
  /// Source: github.com/apple/device-management, `mdm/commands/settings.yaml`, `ApplicationConfiguration`.
  private func userDefaults(of app: AppDescription) -> Redacted<[UInt8]>? {
    guard app.management == .possible else { return nil }
    if let declared = state.delivery[app.composedIdentifier]?.legacyConfiguration {
      return declared
    }
    let isManaged = policies.deviceState.isMDMEnrolled && app.isMDMManaged
    let values = (isManaged ? app.managedConfiguration : [:])
      .merging(app.configuration.mapValues { .text($0) }) { $1 }
    guard !values.isEmpty else { return nil }
    let list = values.mapValues(\.propertyList)
    return (try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
      .map { Redacted([UInt8]($0)) }
  }

  /// Returns the configuration to send in the app's welcome message. Empty if the app has no configuration or is
  /// ready-made, or if the configuration exceeds 1 MiB.
  func welcomeConfiguration(_ guest: Guest) -> [UInt8] {
    guard guest.app.program != .readyMade else { return [] }
    let list = userDefaults(of: guest.app)?.value ?? []
    return list.count <= 1 << 20 ? list : []
  }

  /// Notifies a running app that MDM changed the configuration in the app's user defaults. Does nothing if a declared
  /// configuration overrides it, or if the app refuses management.
  func didConfigure(_ guest: Guest) {
    guard guest.app.management == .possible,
      state.delivery[guest.app.composedIdentifier]?.legacyConfiguration == nil
    else { return }
    notify(.legacyConfiguration, to: guest)
  }

  /// Returns the rule that denies the app all managed content; nil if the app may get content.
  private func refusal(of app: AppDescription) -> Rule? {
    guard app.management == .possible else { return .managedAppManagementRefused }
    let delivery = state.delivery
    guard delivery[app.composedIdentifier] == nil else { return nil }
    if delivery.contents.keys.contains(where: { $0.bundle == app.bundleID }) {
      return .managedAppOtherSignature
    }
    return app.isMDMManaged ? nil : .managedAppNotManaged
  }

  private func provide(
    _ list: Redacted<[UInt8]>?, _ request: ManagedAppRequest, _ pending: PendingRequest
  ) {
    let items = list.map { [Item(type: Self.propertyList, payload: .inline($0.value))] }
    provide(
      items ?? [], request, pending, list == nil ? .managedAppNothingSet : .managedAppProvides)
  }

  private static let propertyList = "com.apple.property-list"
  private static let certificate = "public.x509-certificate"

  private func provide(
    _ items: [Item], _ request: ManagedAppRequest, _ pending: PendingRequest, _ rule: Rule
  ) {
    replies.answer(
      pending, request.operation, Verdict([Reason(rule, .device)]), subject: request.identifier,
      end: .delivered, items: items)
  }

  /// The result of looking up a secret: the items of its value, or a failure.
  private enum Found {
    case items([Item])
    /// The rule that applies, the error for the app, and a text for the journal.
    case failure(Rule, _ error: ManagedAppError, detail: String? = nil)
  }

  private func lookUp(
    _ kind: ManagedSecret, _ identifier: String, _ request: ManagedAppRequest,
    in content: ManagedContent?, _ pending: PendingRequest
  ) {
    switch found(kind, identifier, request, content, pending.guest) {
    case .items(let items): provide(items, request, pending, .managedAppProvides)
    case .failure(let rule, let error, let detail):
      replies.answer(
        pending, request.operation, Verdict([Reason(rule, .device)]), subject: request.identifier,
        end: .failed, status: error.rawValue, detail: detail)
    }
  }

  private func found(
    _ kind: ManagedSecret, _ identifier: String, _ request: ManagedAppRequest,
    _ content: ManagedContent?, _ guest: Guest
  ) -> Found {
    let unknown = Found.failure(.managedAppNoSuchIdentifier, .invalidIdentifier)
    switch kind {
    case .password:
      guard let secret = content?.passwords.first(where: { $0.identifier == identifier }) else {
        return unknown
      }
      guard let password = secret.value.password else {
        return .failure(
          .managedAppSecretUnusable, .internalError, detail: "the asset has no `Password`")
      }
      return .items([Item(text: password.value)])
    case .certificate:
      guard let secret = content?.certificates.first(where: { $0.identifier == identifier })
      else { return unknown }
      return .items([Item(type: Self.certificate, payload: .inline(secret.value))])
    case .identity:
      guard let secret = content?.identities.first(where: { $0.identifier == identifier }) else {
        return unknown
      }
      return use(secret, request, guest)
    }
  }

  private func use(
    _ secret: ManagedContent.Named<IdentityCredential>, _ request: ManagedAppRequest,
    _ guest: Guest
  ) -> Found {
    do throws(IdentityError) {
      let identity = try managedIdentities.identity(secret, of: guest.app.composedIdentifier)
      guard case .sign(_, let algorithm, let data) = request else {
        return .items(
          identity.certificates.map {
            Item(type: Self.certificate, payload: .inline($0.der))
          })
      }
      do throws(SecretError) {
        let signature = try identity.key.sign(data, algorithm)
        return .items([Item(type: "public.data", payload: .inline(signature))])
      } catch {
        throw .unusable(error)
      }
    } catch {
      switch error {
      case .unreachable:
        return .failure(.managedAppServerUnreachable, .serverError)
      case .unusable(let reason):
        return .failure(
          .managedAppSecretUnusable, .internalError, detail: reason.description)
      }
    }
  }

  /// Returns whether the key of an app's identity made `signature`. Returns false if the identity is missing or
  /// unusable.
  package func verifies(
    _ signature: [UInt8], of data: [UInt8], byIdentity identifier: String, of name: String
  ) -> Bool {
    guard let app = registry[name]?.app.composedIdentifier,
      let secret = state.delivery[app]?.identities.first(where: {
        $0.identifier == identifier
      }), let certificate = try? managedIdentities.identity(secret, of: app).certificates.first
    else { return false }
    return certificate.verifies(signature, of: data)
  }

  /// Returns the signature algorithm, with SHA-256, that suits the key of an app's identity.
  /// ``verifies(_:of:byIdentity:of:)`` expects signatures of this algorithm.
  ///
  /// - Returns: nil if the app has no such identity, or the administrator's file cannot be opened.
  package func signatureAlgorithm(
    ofIdentity identifier: String, of name: String
  ) -> SignatureAlgorithm? {
    guard let app = registry[name]?.app.composedIdentifier,
      let secret = state.delivery[app]?.identities.first(where: {
        $0.identifier == identifier
      })
    else { return nil }
    switch secret.value {
    case .pkcs12:
      guard let opened = try? managedIdentities.identity(secret, of: app) else { return nil }
      return opened.key.isRSA
        ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
    case .scep: return .rsaSignatureMessagePKCS1v15SHA256
    case .acme(let enrollment):
      if case .rsa = enrollment.key { return .rsaSignatureMessagePKCS1v15SHA256 }
      return .ecdsaSignatureMessageX962SHA256
    }
  }
}

extension ManagedContent {
  fileprivate func identifiers(of kind: ManagedSecret) -> [String] {
    switch kind {
    case .password: passwords.map(\.identifier)
    case .certificate: certificates.map(\.identifier)
    case .identity: identities.map(\.identifier)
    }
  }
}

extension ManagedAppRequest {
  /// The identifier that the request names. For a request that lists identifiers, the name of the kind of content; nil
  /// for all other requests.
  fileprivate var identifier: String? {
    switch self {
    case .secret(_, let identifier), .sign(let identifier, _, _): identifier
    case .identifiers(let kind): ManagedAspect(kind).name
    case .configuration, .legacyConfiguration, .decoded, .decodingFailed: nil
    }
  }
}

extension ConfigurationValue {
  fileprivate var propertyList: Any {
    switch self {
    case .text(let text): text
    case .integer(let number): number
    case .real(let number): number
    case .boolean(let flag): flag
    case .list(let values): values.map(\.propertyList)
    case .dictionary(let values): values.mapValues(\.propertyList)
    }
  }
}

// MARK: - State and results

/// An administrator's declarations for a device, with their results.
struct DeviceManagement {
  /// The declarations; nil if none have been applied since the device started.
  var declarations: DeclarationSet?
  var delivery = ManagedDelivery()
  /// The apps' reports on their configurations, keyed by bundle id.
  var feedback: [String: DeclarationState.Validity] = [:]
  /// The latest events, at most ``maximumEvents``. The journal has all events.
  private(set) var events: [AdministratorEvent] = []
  /// The kinds of changed content that a guest was notified of and has not requested since, keyed by the guest's name.
  private var notified: [String: Notified] = [:]
  /// The names of the guests that MDM already managed when they were installed.
  var installedByMDM: Set<String> = []
  /// The device's restrictions before any declaration was applied; nil if none has been applied.
  var stateWithoutProfiles: DeviceRestrictions?

  static let maximumEvents = 1000

  private struct Notified {
    var incarnation: Int
    var aspects: Set<ManagedAspect>
  }

  mutating func append(_ event: AdministratorEvent) {
    events.append(event)
    if events.count > Self.maximumEvents { events.removeFirst(events.count - Self.maximumEvents) }
  }

  /// Records that a guest is being notified of a change to a kind of content.
  ///
  /// - Returns: Whether a notification is needed. False if the guest's process was notified before and has not
  ///   requested the content since.
  mutating func markNotified(
    _ guest: String, _ incarnation: Int, of aspect: ManagedAspect
  ) -> Bool {
    if notified[guest]?.incarnation != incarnation {
      notified[guest] = Notified(incarnation: incarnation, aspects: [])
    }
    return notified[guest]?.aspects.insert(aspect).inserted ?? false
  }

  mutating func hasAsked(_ guest: String, for aspect: ManagedAspect) {
    notified[guest]?.aspects.remove(aspect)
  }
}

/// An entry of the device's event log for administrators.
package struct AdministratorEvent: Sendable, Hashable {
  /// The time in seconds since 1970-01-01T00:00:00Z, on the device's virtual clock.
  package var time: Int
  /// The bundle id of the affected app or extension; nil if the event affects none.
  package var app: String?
  /// The event's code; 0 for events of the device itself. Codes from
  /// `ManagedAppConfigurationDecodingErrorCode.firstReserved` are defined by the framework, lower codes by the app.
  package var code: Int
  /// A text of one line. The device puts no configuration values into it, but an app may include them in its own
  /// messages.
  package var message: String
}

package struct DeclarationOutcome: Sendable {
  /// The number of declarations of any type.
  package var count: Int
  /// The identifiers of the active configurations, in the order in which the device lists their states.
  package var configurations: [String] = []
  /// The errors and warnings that do not depend on the device, followed by those that are specific to this device.
  package var problems: [DeclarationDiagnostic] = []
  package var changes: [Change] = []

  /// A change that affects an app or extension.
  package struct Change: Sendable {
    package var change: DeliveryChange
    /// The names of the running guests that the device notifies of the change.
    package var running: [String]

    init(_ change: DeliveryChange, running: [String]) {
      self.change = change
      self.running = running
    }
  }
}
