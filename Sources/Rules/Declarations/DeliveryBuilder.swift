internal import Bundle
internal import Encodings
internal import Predicates

/// Computes the content that a device receives from a set of declarations.
struct DeliveryBuilder {
  private let set: DeclarationSet
  private let items: StatusItems
  private let programs: [InstalledProgram]
  private let checked: [String: CheckedDeclaration]
  private var delivery = ManagedDelivery()
  private var states: [String: DeclarationState] = [:]
  /// For each configuration, the first inactive activation that names it. The key is the configuration's identifier.
  private var waiting: [String: Declaration] = [:]
  /// The identifiers of the configurations that any activation names, active or not.
  private var named: Set<String> = []

  init(_ set: DeclarationSet, items: StatusItems, programs: [InstalledProgram]) {
    self.set = set
    self.items = items
    self.programs = programs
    checked = Dictionary(
      set.checked.map { ($0.declaration.identifier, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func build() -> ManagedDelivery {
    for checked in set.checked { states[checked.declaration.identifier] = .init(checked) }
    applyProperties()
    let active = activate()
    apply(active)
    explainConfigurations(active)
    explainAssets()
    delivery.states = states.values.sorted(by: DeclarationState.precedes)
    delivery.problems.sort(by: DeclarationDiagnostic.precedes)
    return delivery
  }

  // MARK: Activations

  private mutating func applyProperties() {
    for declaration in set.checked where declaration.isValid {
      guard declaration.declaration.kind == .management else { continue }
      states[declaration.declaration.identifier]?.isActive = true
      guard case .properties(let values) = declaration.meaning else { continue }
      for (key, value) in values {
        if let other = delivery.properties[key], other != value {
          warn(
            "another declaration sets the property `\(key)` to another value, which applies",
            declaration.declaration)
        } else {
          delivery.properties[key] = value
        }
      }
    }
  }

  /// Marks each valid activation as active if it has no predicate or its predicate is true.
  ///
  /// - Returns: The identifiers of the configurations that active activations name.
  private mutating func activate() -> Set<String> {
    var active: Set<String> = []
    for activation in set.checked where activation.declaration.kind == .activation {
      let configurations = activation.references.map(\.identifier)
      named.formUnion(configurations)
      if isActive(activation) {
        states[activation.declaration.identifier]?.isActive = true
        active.formUnion(configurations)
      } else {
        for identifier in configurations where waiting[identifier] == nil {
          waiting[identifier] = activation.declaration
        }
      }
    }
    return active
  }

  private mutating func isActive(_ activation: CheckedDeclaration) -> Bool {
    guard activation.isValid, case .activation(_, let condition) = activation.meaning else {
      return false
    }
    guard let condition else { return true }
    let declaration = activation.declaration
    let details = ["Predicate": StatusValue.string(condition.source)]
    do throws(ConditionEvaluationError) {
      if try condition.holds(items: items, properties: delivery.properties) { return true }
      states[declaration.identifier]?.reasons.append(
        StatusReason(.predicate, "the predicate is false", of: declaration, details))
    } catch {
      invalidate(
        declaration,
        StatusReason(
          .unableToEvaluatePredicate, "the predicate cannot be evaluated: " + error.message,
          of: declaration, details))
      fail(
        "in `Predicate`: " + error.message, declaration,
        declaration.payload["Predicate"]?.position ?? declaration.position)
    }
    return false
  }

  // MARK: Configurations

  private mutating func apply(_ active: Set<String>) {
    var apps = ManagedApps(programs)
    for identifier in active.sorted() {
      guard let configuration = checked[identifier], configuration.isValid else { continue }
      let declaration = configuration.declaration
      states[identifier]?.isActive = true
      switch configuration.meaning {
      case .managedApp(let settings): manage(settings, declaration, &apps)
      case .appSettings(let settings): delivery.appAccess.add(settings, by: identifier)
      case .profile(let source): apply(source)
      case .subscriptions(let names): delivery.subscriptions.formUnion(names)
      case .test(let settings): apply(settings, declaration)
      case .none, .activation, .properties: break
      }
    }
    delivery.apps = apps.states
  }

  private mutating func manage(
    _ settings: ManagedAppSettings, _ declaration: Declaration, _ apps: inout ManagedApps
  ) {
    if let owner = apps.owner(of: settings.app) {
      let message = "the app is already managed by the configuration `\(owner)`"
      invalidate(
        declaration,
        StatusReason(.duplicateConfiguredApp, message, ["Error": .string(message)]))
      return fail(message, declaration, declaration.payload.position)
    }
    let outcome = apps.manage(settings, by: declaration.identifier)
    for (program, configuration) in outcome.recipients {
      let legacy = program.kind == .app ? settings.legacyData : nil
      let content = content(configuration, legacy: legacy, by: declaration)
      if let content { delivery.contents[program.identifier] = content }
    }
    for missing in outcome.unmatched {
      warn("`ExtensionConfigs.\(missing.key)`: \(missing.reason)", declaration)
    }
  }

  /// Returns the content to deliver to an app or extension; nil if there is none.
  private func content(
    _ configuration: ManagedAppSettings.Configuration?, legacy: String?, by declaration: Declaration
  ) -> ManagedContent? {
    guard configuration != nil || legacy != nil else { return nil }
    var content = ManagedContent(declaration: declaration.identifier)
    content.configuration = configuration?.data.flatMap(data)
    content.legacyConfiguration = legacy.flatMap(data)
    for secret in configuration?.passwords ?? [] {
      guard let asset = set.assets[secret.asset], case .password(let value) = asset.content else {
        continue
      }
      content.passwords.append(
        .init(identifier: secret.identifier, value: value, revision: asset.revision))
    }
    for secret in configuration?.identities ?? [] {
      guard let asset = set.assets[secret.asset], case .identity(let value) = asset.content else {
        continue
      }
      content.identities.append(
        .init(identifier: secret.identifier, value: value, revision: asset.revision))
    }
    for secret in configuration?.certificates ?? [] {
      guard let asset = set.assets[secret.asset], case .certificate(let value) = asset.content
      else { continue }
      content.certificates.append(
        .init(identifier: secret.identifier, value: value, revision: asset.revision))
    }
    return content
  }

  private func data(_ identifier: String) -> Redacted<[UInt8]>? {
    guard case .data(let data) = set.assets[identifier]?.content else { return nil }
    return data
  }

  private mutating func apply(_ source: ProfileSource) {
    let loader = ProfileLoader(folder: set.folder, assets: set.assets)
    guard case .success(let profile) = loader.profile(source) else { return }
    delivery.restrictions = delivery.restrictions.combined(with: profile.restrictions)
  }

  private mutating func apply(_ settings: TestSettings, _ declaration: Declaration) {
    var text = settings.echo
    if let asset = settings.echoAsset, let data = data(asset) {
      text = String(decoding: data.value, as: UTF8.self)
    }
    let reason = StatusReason(.test, text, ["Echo": .string(settings.echo)])
    switch settings.outcome {
    case .installed, .unlocked: states[declaration.identifier]?.reasons.append(reason)
    case .failed: invalidate(declaration, reason)
    }
  }

  // MARK: Reasons for inactivity

  private mutating func explainConfigurations(_ active: Set<String>) {
    for configuration in set.checked where configuration.declaration.kind == .configuration {
      let declaration = configuration.declaration
      guard configuration.isValid, !active.contains(declaration.identifier) else { continue }
      states[declaration.identifier]?.validity = .unknown
      let reason: StatusReason
      if let activation = waiting[declaration.identifier], named.contains(declaration.identifier) {
        reason = StatusReason(
          .activationFailed, "the activation `\(activation.identifier)` is not active",
          of: activation)
      } else {
        reason = StatusReason(
          .notReferencedByActivation, "no activation names the configuration", of: declaration)
      }
      states[declaration.identifier]?.reasons.append(reason)
    }
  }

  private mutating func explainAssets() {
    var users: [String: Bool] = [:]
    for configuration in set.checked where configuration.declaration.kind == .configuration {
      let isActive = states[configuration.declaration.identifier]?.isActive ?? false
      for reference in configuration.references {
        users[reference.identifier] = isActive || users[reference.identifier] ?? false
      }
    }
    for asset in set.checked where asset.declaration.kind == .asset && asset.isValid {
      let identifier = asset.declaration.identifier
      states[identifier]?.isActive = users[identifier] ?? false
      if users[identifier] == nil {
        states[identifier]?.reasons.append(
          StatusReason(
            .notReferencedByConfiguration, "no configuration names the asset",
            of: asset.declaration))
      }
    }
  }

  private mutating func invalidate(_ declaration: Declaration, _ reason: StatusReason) {
    states[declaration.identifier]?.isActive = false
    states[declaration.identifier]?.validity = .invalid
    states[declaration.identifier]?.reasons.append(reason)
  }

  private mutating func fail(_ message: String, _ declaration: Declaration, _ place: Position) {
    delivery.problems.append(set.folder.problem(.error, message, declaration.file, place))
  }

  private mutating func warn(_ message: String, _ declaration: Declaration) {
    delivery.problems.append(
      set.folder.problem(.warning, message, declaration.file, declaration.payload.position))
  }
}

// MARK: - Recipients

/// The apps and extensions of a device, with the configurations that manage them.
private struct ManagedApps {
  /// The result of applying a configuration: the apps and extensions that receive content, and the parts of the
  /// configuration that no extension receives.
  struct Outcome {
    var recipients: [(InstalledProgram, ManagedAppSettings.Configuration?)] = []
    /// The keys of `ExtensionConfigs` for which no extension receives the content, with the reasons.
    var unmatched: [(key: ComposedIdentifier, reason: String)] = []
  }

  /// The apps and extensions by bundle id.
  private let programs: [String: [InstalledProgram]]
  private let apps: [InstalledProgram]
  /// The identifiers of the configurations that manage apps, keyed by the app's bundle id.
  private var ownersByBundle: [String: String] = [:]
  /// The identifiers of all configurations of apps, keyed by the app's bundle id, App Store identifier or manifest URL.
  private var ownersByName: [ManagedAppSettings.App: String] = [:]
  private var statesByName: [String: ManagedAppState] = [:]

  init(_ programs: [InstalledProgram]) {
    let sorted = programs.sorted { $0.identifier < $1.identifier }
    self.programs = Dictionary(grouping: sorted, by: \.identifier.bundle)
    apps = sorted.filter { $0.kind == .app }
  }

  var states: [ManagedAppState] { statesByName.values.sorted { $0.identifier < $1.identifier } }

  /// Returns the identifier of the configuration that already manages the app; nil if none does.
  func owner(of app: ManagedAppSettings.App) -> String? {
    bundle(of: app).flatMap { ownersByBundle[$0] } ?? ownersByName[app]
  }

  mutating func manage(_ settings: ManagedAppSettings, by declaration: String) -> Outcome {
    ownersByName[settings.app] = declaration
    let apps = apps(meantBy: settings.app)
    guard let app = apps.first else {
      if case .bundle(let bundle) = settings.app {
        ownersByBundle[bundle] = declaration
        statesByName[bundle] = ManagedAppState(bundle, declaration, .notPresent)
      }
      return Outcome()
    }
    let bundle = app.identifier.bundle
    ownersByBundle[bundle] = declaration
    guard apps.allSatisfy({ $0.management == .possible }) else {
      statesByName[bundle] = ManagedAppState(bundle, declaration, .failed)
      return Outcome()
    }
    var outcome = Outcome()
    outcome.recipients = apps.map { ($0, settings.configuration) }
    var state = ManagedAppState(bundle, declaration, .managed)
    state.hasConfiguration = settings.configuration != nil
    for (identifier, configuration) in settings.extensions.sorted(by: { $0.key < $1.key }) {
      if let reason = obstacle(to: identifier, in: bundle) {
        outcome.unmatched.append((identifier, reason))
      } else if let program = program(identifier, in: bundle) {
        outcome.recipients.append((program, configuration))
        state.configuredExtensions.append(program.identifier.bundle)
      }
    }
    statesByName[bundle] = state
    return outcome
  }

  private func bundle(of app: ManagedAppSettings.App) -> String? {
    if case .bundle(let bundle) = app { return bundle }
    return apps(meantBy: app).first?.identifier.bundle
  }

  private func apps(meantBy app: ManagedAppSettings.App) -> [InstalledProgram] {
    switch app {
    case .bundle(let bundle): (programs[bundle] ?? []).filter { $0.kind == .app }
    case .appStore(let identifier): apps.filter { $0.appStoreIdentifier == identifier }
    case .manifest(let url): apps.filter { $0.manifestURL == url }
    }
  }

  private func program(_ identifier: ComposedIdentifier, in app: String) -> InstalledProgram? {
    programs[identifier.bundle]?.first { $0.identifier == identifier && $0.kind.app == app }
  }

  /// Returns the reason why the extension receives nothing; nil if it receives its configuration.
  private func obstacle(to identifier: ComposedIdentifier, in app: String) -> String? {
    guard let program = program(identifier, in: app) else {
      let others = (programs[identifier.bundle] ?? []).filter { $0.kind.app != nil }
      if others.contains(where: { $0.kind.app == app }) {
        return "the extension is signed by another team"
      }
      return others.isEmpty
        ? "no such extension is installed" : "the extension belongs to another app"
    }
    guard program.management == .possible else { return "the extension is not managed" }
    if case .keyboard(_, .limited) = program.kind { return "the keyboard has no full access" }
    return nil
  }
}

// MARK: - Installed programs

/// An app or extension on a device, with the properties relevant to management.
package struct InstalledProgram: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case app
    /// An extension of the app with this bundle id.
    case appExtension(app: String)
    /// A keyboard of the app with this bundle id.
    case keyboard(app: String, KeyboardAccess)

    /// The bundle id of the containing app; nil for an app.
    package var app: String? {
      switch self {
      case .app: nil
      case .appExtension(let app), .keyboard(let app, _): app
      }
    }
  }

  /// The access that the user grants to a keyboard.
  package enum KeyboardAccess: Sendable, Hashable {
    case full
    case limited
  }

  /// Whether MDM can manage an app.
  package enum Management: Sendable, Hashable {
    case possible
    /// The user installed the app and keeps control of it. Neither the app nor its extensions receive any content.
    case refused
  }

  /// The bundle id and the team of the code signature. The team is empty for unsigned programs.
  package var identifier: ComposedIdentifier
  package var kind: Kind
  package var management: Management
  /// The App Store identifier, which `AppStoreID` in a configuration refers to; nil if the app has none.
  package var appStoreIdentifier: String?
  /// The URL of the manifest, which `ManifestURL` in a configuration refers to; nil if the app has none.
  package var manifestURL: String?

  package init(
    _ identifier: ComposedIdentifier, _ kind: Kind, management: Management = .possible,
    appStoreIdentifier: String? = nil, manifestURL: String? = nil
  ) {
    self.identifier = identifier
    self.kind = kind
    self.management = management
    self.appStoreIdentifier = appStoreIdentifier
    self.manifestURL = manifestURL
  }
}
