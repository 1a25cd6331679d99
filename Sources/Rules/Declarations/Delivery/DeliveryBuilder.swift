internal import Bundle
internal import JSON
internal import Predicates

/// Computes the delivery of a set of declarations on a device.
struct DeliveryBuilder {
  let set: DeclarationSet
  let items: StatusItems
  let programs: [InstalledProgram]
  /// The checked declarations by identifier.
  private let checked: [String: CheckedDeclaration]
  var delivery = ManagedDelivery()
  var states: [String: DeclarationState] = [:]
  /// The activations that inactive configurations wait for, by the identifiers of the configurations.
  private var waiting: [String: Declaration] = [:]
  /// The identifiers of the configurations that some activation names.
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
    delivery.problems.sort(by: DeclarationProblem.precedes)
    return delivery
  }

  // MARK: activations

  private mutating func applyProperties() {
    for declaration in set.checked where declaration.isValid {
      guard declaration.declaration.kind == .management else { continue }
      states[declaration.declaration.identifier]?.isActive = true
      guard case .properties(let values) = declaration.meaning else { continue }
      for (key, value) in values {
        if let other = delivery.properties[key], other != value {
          warn("the property `\(key)` is set elsewhere already", declaration.declaration)
        } else {
          delivery.properties[key] = value
        }
      }
    }
  }

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
    do throws(ConditionFailure) {
      if try condition.holds(items: items, properties: delivery.properties) { return true }
      states[declaration.identifier]?.reasons.append(
        StatusReason(.predicate, "the predicate is false", of: declaration, details))
    } catch {
      invalidate(
        declaration,
        StatusReason(
          .unableToEvaluatePredicate, "the predicate cannot be answered: " + error.message,
          of: declaration, details))
      fail(
        "in `Predicate`: " + error.message, declaration,
        declaration.payload["Predicate"]?.position ?? declaration.position)
    }
    return false
  }

  // MARK: configurations

  private mutating func apply(_ active: Set<String>) {
    var apps = ManagedApps(programs)
    for identifier in active.sorted() {
      guard let configuration = checked[identifier], configuration.isValid else { continue }
      let declaration = configuration.declaration
      states[identifier]?.isActive = true
      switch configuration.meaning {
      case .managedApp(let settings): manage(settings, declaration, &apps)
      case .appSettings(let settings): delivery.appAccess.add(settings, by: identifier)
      case .profile(let source): apply(source, declaration)
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
      let message = "the app is managed by the configuration `\(owner)` already"
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

  /// The content for an app or extension; nil where there is nothing to deliver.
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

  private func data(_ identifier: String) -> Secret<[UInt8]>? {
    guard case .data(let data) = set.assets[identifier]?.content else { return nil }
    return data
  }

  private mutating func apply(_ source: ProfileSource, _ declaration: Declaration) {
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

  // MARK: why something is not active

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
    delivery.problems.append(
      DeclarationProblem(
        severity: .error, file: set.folder.display(declaration.file), position: place,
        message: message))
  }

  private mutating func warn(_ message: String, _ declaration: Declaration) {
    delivery.problems.append(
      DeclarationProblem(
        severity: .warning, file: set.folder.display(declaration.file),
        position: declaration.payload.position, message: message))
  }
}
