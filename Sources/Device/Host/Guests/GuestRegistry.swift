internal import Enrollment
internal import Model
internal import UniformTypes

/// The guests of a device: installed apps and extensions, and the instances of extensions that are at work.
final class GuestRegistry {
  /// Installed guests in the order of installation.
  private(set) var installed: [Guest] = []
  /// The system's types, and the types that apps declare.
  private(set) var types = TypeLibrary.system
  private var byName: [String: Guest] = [:]
  /// The first guest of each bundle, by bundle id.
  private var byBundle: [String: Guest] = [:]
  /// Number of times that each extension has been started, by name.
  private var starts: [String: Int] = [:]
  /// Instances of extensions that are at work, by name.
  private var instances: [String: Guest] = [:]

  /// The guest of that name.
  subscript(_ name: String) -> Guest? { byName[name] }

  /// The first guest that was installed with that bundle id.
  func guest(ofBundle bundleID: String) -> Guest? { byBundle[bundleID] }

  /// The guest that `name` means, be it a guest's name or a bundle id.
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

  /// Number of instances of extensions.
  var instanceCount: Int { instances.count }

  /// Names of the guests that run, instances of extensions last.
  var running: [String] {
    installed.filter(\.isRunning).map(\.name)
      + instances.values.filter(\.isRunning).map(\.name).sorted()
  }

  func install(_ guest: Guest) {
    byName[guest.name] = guest
    installed.append(guest)
    if !guest.app.declaredTypes.isEmpty { types = types.adding(guest.app.declaredTypes) }
    if byBundle[guest.app.bundleID] == nil { byBundle[guest.app.bundleID] = guest }
  }

  // MARK: extensions

  /// Returns the name for another instance of an extension.
  func nextInstance(of extension: Guest) -> InstanceName {
    let number = starts[`extension`.name, default: 0] + 1
    starts[`extension`.name] = number
    return InstanceName(of: `extension`.name, number)
  }

  func add(instance: Guest) {
    byName[instance.name] = instance
    instances[instance.name] = instance
  }

  /// Removes an instance of an extension that is over; an installed guest stays.
  func removeInstance(_ guest: Guest) {
    if instances.removeValue(forKey: guest.name) != nil { byName[guest.name] = nil }
  }

  /// The app that contains an extension; nil where that app is not on the device, and for apps.
  func containingApp(of app: AppDescription) -> Guest? {
    app.kind.containingApp.flatMap { byBundle[$0] }
  }

  /// The app whose accounts the guest acts for: an extension has none of its own.
  func app(of guest: Guest) -> Guest { containingApp(of: guest.app) ?? guest }

  /// The description of an extension, with what it does not state, and so has from its app.
  func completed(_ extension: AppDescription) -> AppDescription {
    guard let app = containingApp(of: `extension`)?.app else { return `extension` }
    var description = `extension`
    description.version = description.version ?? app.version
    description.sdkVersion = description.sdkVersion ?? app.sdkVersion
    // MDM tells the app of its enrolled user, and its extensions know the user from there.
    if description.configuration.isEmpty { description.configuration = app.configuration }
    // MDM installs an app with its extensions.
    description.isMDMManaged = description.isMDMManaged || app.isMDMManaged
    return description
  }

  /// Whether the account is being wiped from the guest's app.
  func isBeingWiped(_ account: Account?, in guest: Guest) -> Bool {
    guard let account else { return false }
    return app(of: guest).accounts.wipes.contains { $0.account.isSame(as: account) }
  }

  /// Whether the policies that are targeted at the account apply to it in the app.
  func isEnrolled(_ account: Account, in guest: Guest) -> Bool {
    app(of: guest).accounts.registration(of: account)?.machine.appliesPolicy ?? true
  }

  /// Whether the account's policies or configurations have reached the app; a configuration alone is enough.
  func isTargeted(_ account: Account, in guest: Guest) -> Bool {
    app(of: guest).accounts.registration(of: account)?.machine.isTargeted ?? true
  }

  /// An app, and the extensions that are installed with it.
  func members(of app: Guest) -> [Guest] {
    [app] + installed.filter { $0.app.kind.containingApp == app.app.bundleID }
  }
}
