/// The programs of a device that the configurations of apps reach.
struct ManagedApps {
  /// The recipients of a configuration, and the parts of it that reach nobody.
  struct Outcome {
    var recipients: [(InstalledProgram, ManagedAppSettings.Configuration?)] = []
    /// Keys of `ExtensionConfigs`, and the reasons why they reach nobody.
    var unmatched: [(key: ComposedIdentifier, reason: String)] = []
  }

  /// The programs by bundle identifier.
  private let programs: [String: [InstalledProgram]]
  private let apps: [InstalledProgram]
  /// The identifier of the configuration that manages an app, by bundle identifier and by the app as it was named.
  private var ownersByBundle: [String: String] = [:]
  private var ownersByName: [ManagedAppSettings.App: String] = [:]
  private var statesByName: [String: ManagedAppState] = [:]

  init(_ programs: [InstalledProgram]) {
    let sorted = programs.sorted { $0.identifier < $1.identifier }
    self.programs = Dictionary(grouping: sorted, by: \.identifier.bundle)
    apps = sorted.filter { $0.kind == .app }
  }

  var states: [ManagedAppState] { statesByName.values.sorted { $0.identifier < $1.identifier } }

  /// The identifier of the configuration that manages an app already; nil where none does.
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

  /// The reason why an extension gets nothing; nil where it gets its configuration.
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
