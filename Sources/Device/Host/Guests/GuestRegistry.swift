internal import Enrollment
internal import Model
internal import UniformTypes

/// The guests of a device: installed apps and extensions, and the instances of extensions that work.
final class GuestRegistry {
  /// In the order of installation.
  private(set) var installed: [Guest] = []
  /// The system's types, and those that apps declare.
  private(set) var types = TypeLibrary.system
  private var byName: [String: Guest] = [:]
  /// The first guest of each bundle.
  private var byBundle: [String: Guest] = [:]
  /// How often each extension has been started.
  private var instances: [String: Int] = [:]

  /// The guest of that name.
  subscript(_ name: String) -> Guest? { byName[name] }

  /// The first guest that was installed with that bundle id.
  func guest(ofBundle bundleID: String) -> Guest? { byBundle[bundleID] }

  /// The guest that `name`, a guest's name or a bundle id, means.
  func guest(named name: String) -> Guest? { byName[name] ?? byBundle[name] }

  /// The app or extension of that name.
  ///
  /// - Throws: ``HostError`` where there is none.
  func find(_ name: String) throws(HostError) -> Guest {
    guard let guest = byName[name] else {
      throw HostError(.folder, "the device has no app named `\(name)`")
    }
    return guest
  }

  /// Installed guests and instances of extensions, in no order.
  var all: some Collection<Guest> { byName.values }

  /// How many instances of extensions there are.
  var instanceCount: Int { byName.count - installed.count }

  /// Names of the guests that run, instances of extensions last.
  var running: [String] {
    let names = installed.filter(\.isRunning).map(\.name)
    let others = all.filter { $0.isRunning && !names.contains($0.name) }.map(\.name)
    return names + others.sorted()
  }

  func install(_ guest: Guest) {
    byName[guest.name] = guest
    installed.append(guest)
    if !guest.app.declaredTypes.isEmpty { types = types.adding(guest.app.declaredTypes) }
    if byBundle[guest.app.bundleID] == nil { byBundle[guest.app.bundleID] = guest }
  }

  // MARK: extensions

  /// The name of another instance of an extension.
  func nextInstance(of extension: Guest) -> InstanceName {
    let number = instances[`extension`.name, default: 0] + 1
    instances[`extension`.name] = number
    return InstanceName(of: `extension`.name, number)
  }

  func add(instance: Guest) { byName[instance.name] = instance }

  /// An instance is over; what is installed stays.
  func removeInstance(_ guest: Guest) {
    guard !installed.contains(where: { $0 === guest }) else { return }
    byName[guest.name] = nil
  }

  /// The app of an extension; nil where it is not on the device, and for apps.
  func containingApp(of app: AppDescription) -> Guest? {
    app.kind.containingApp.flatMap { byBundle[$0] }
  }

  /// The app that holds what the guest acts for: an extension has no accounts of its own.
  func app(of guest: Guest) -> Guest { containingApp(of: guest.app) ?? guest }

  /// An extension with what it does not state, and so has from its app.
  func completed(_ extension: AppDescription) -> AppDescription {
    guard let app = containingApp(of: `extension`)?.app else { return `extension` }
    var description = `extension`
    description.version = description.version ?? app.version
    description.sdkVersion = description.sdkVersion ?? app.sdkVersion
    // Whom MDM enrolled is told to the app, and its extensions know it from there.
    if description.configuration.isEmpty { description.configuration = app.configuration }
    // MDM installs an app with its extensions.
    description.isMDMManaged = description.isMDMManaged || app.isMDMManaged
    return description
  }

  /// Whether the account is on its way out of the guest's app.
  func isBeingWiped(_ account: Account?, in guest: Guest) -> Bool {
    guard let account else { return false }
    return app(of: guest).accounts.wipes.contains { $0.account.isSame(as: account) }
  }

  /// Whether what is targeted at the account applies to it in the app.
  func isEnrolled(_ account: Account, in guest: Guest) -> Bool {
    app(of: guest).accounts.registration(of: account)?.machine.appliesPolicy ?? true
  }

  /// An app, and the extensions that are installed with it.
  func members(of app: Guest) -> [Guest] {
    [app] + installed.filter { $0.app.kind.containingApp == app.app.bundleID }
  }
}
