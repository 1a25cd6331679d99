internal import Enrollment
internal import Model
internal import Policy
internal import UniformTypes

/// The guests of a device: installed apps and extensions, and the current instances of extensions.
final class GuestRegistry {
  /// Installed guests in the order of installation.
  private(set) var installed: [Guest] = []
  /// The system's types and the types that apps declare.
  private(set) var types = TypeLibrary.system
  private var byName: [String: Guest] = [:]
  /// The first guest installed with each bundle id, keyed by bundle id.
  private var byBundle: [String: Guest] = [:]
  /// The number of instances created from each extension, keyed by the extension's name.
  private var starts: [String: Int] = [:]
  /// The current instances of extensions, keyed by name.
  private var instances: [String: Guest] = [:]
  /// Installed extensions in the order of installation, keyed by their app's bundle id.
  private var extensions: [String: [Guest]] = [:]
  /// Installed extensions and their instances, keyed by their app's bundle id and then by name.
  private var parts: [String: [String: Guest]] = [:]
  /// Installed guests, keyed by keychain group.
  private var keychainGroups: [String: [Guest]] = [:]

  subscript(_ name: String) -> Guest? { byName[name] }

  func guest(ofBundle bundleID: String) -> Guest? { byBundle[bundleID] }

  /// Returns the guest whose name is `name` or, if there is none, the guest whose bundle id is `name`.
  func guest(named name: String) -> Guest? { byName[name] ?? byBundle[name] }

  /// Returns the guest of that name.
  ///
  /// - Throws: ``HostError`` if there is no guest of that name.
  func find(_ name: String) throws(HostError) -> Guest {
    guard let guest = byName[name] else {
      throw HostError(.folder, "the device has no app named `\(name)`")
    }
    return guest
  }

  /// Installed guests and instances of extensions, in no particular order.
  var all: some Collection<Guest> { byName.values }

  var instanceCount: Int { instances.count }

  /// Names of the running guests; instances of extensions come last.
  var running: [String] {
    installed.filter(\.isRunning).map(\.name)
      + instances.values.filter(\.isRunning).map(\.name).sorted()
  }

  func install(_ guest: Guest) {
    byName[guest.name] = guest
    installed.append(guest)
    if !guest.app.declaredTypes.isEmpty { types = types.adding(guest.app.declaredTypes) }
    if byBundle[guest.app.bundleID] == nil { byBundle[guest.app.bundleID] = guest }
    if let bundle = guest.app.kind.containingApp {
      extensions[bundle, default: []].append(guest)
      parts[bundle, default: [:]][guest.name] = guest
    }
    for group in Set((try? guest.app.keychainGroups().groups) ?? []) {
      keychainGroups[group, default: []].append(guest)
    }
  }

  func guests(inKeychainGroup group: String) -> [Guest] { keychainGroups[group] ?? [] }

  // MARK: Extensions

  /// Allocates the name of the extension's next instance.
  func nextInstance(of extension: Guest) -> InstanceName {
    let number = starts[`extension`.name, default: 0] + 1
    starts[`extension`.name] = number
    return InstanceName(of: `extension`.name, number)
  }

  func add(instance: Guest) {
    byName[instance.name] = instance
    instances[instance.name] = instance
    if let bundle = instance.app.kind.containingApp {
      parts[bundle, default: [:]][instance.name] = instance
    }
  }

  /// Removes an instance of an extension. Does nothing if `guest` is an installed app or extension.
  func removeInstance(_ guest: Guest) {
    guard instances.removeValue(forKey: guest.name) != nil else { return }
    byName[guest.name] = nil
    if let bundle = guest.app.kind.containingApp { parts[bundle]?[guest.name] = nil }
  }

  /// Returns the app that contains an extension; nil for an app, or if the containing app is not installed.
  func containingApp(of app: AppDescription) -> Guest? {
    app.kind.containingApp.flatMap { byBundle[$0] }
  }

  /// Returns the app whose accounts the guest acts for: for an extension, the app that contains it; for an app, the app
  /// itself.
  func app(of guest: Guest) -> Guest { containingApp(of: guest.app) ?? guest }

  /// Returns the guests that act for the accounts of `app`: the app itself, its installed extensions, and their
  /// instances. The order is unspecified.
  func guests(actingFor app: Guest) -> [Guest] {
    let own = self.app(of: app) === app ? [app] : []
    guard byBundle[app.app.bundleID] === app else { return own }
    return own + (parts[app.app.bundleID] ?? [:]).values.filter { $0 !== app }
  }

  /// Returns the extension's description, with the containing app's values in place of missing ones, such as the
  /// version.
  func completed(_ extension: AppDescription) -> AppDescription {
    guard let app = containingApp(of: `extension`)?.app else { return `extension` }
    var description = `extension`
    description.version = description.version ?? app.version
    description.sdkVersion = description.sdkVersion ?? app.sdkVersion
    // MDM assigns the enrolled user to the app, and its extensions inherit it.
    if description.configuration.isEmpty { description.configuration = app.configuration }
    // MDM installs an app with its extensions.
    description.isMDMManaged = description.isMDMManaged || app.isMDMManaged
    return description
  }

  func isBeingWiped(_ account: Account?, in guest: Guest) -> Bool {
    guard let account else { return false }
    return app(of: guest).accounts.wipes.contains { $0.account.isSameUser(as: account) }
  }

  /// Returns whether the account's enrollment state lets the policies that target the account apply in the app. Returns
  /// true if the account has no registration.
  func isEnrolled(_ account: Account, in guest: Guest) -> Bool {
    app(of: guest).accounts.registration(of: account)?.machine.appliesPolicy ?? true
  }

  /// Returns whether the service has assigned policies or configurations to the account in the app. Returns true if the
  /// account has no registration.
  func isTargeted(_ account: Account, in guest: Guest) -> Bool {
    app(of: guest).accounts.registration(of: account)?.machine.isTargeted ?? true
  }

  /// Returns an app and its installed extensions.
  func members(of app: Guest) -> [Guest] {
    [app] + (extensions[app.app.bundleID] ?? [])
  }
}
